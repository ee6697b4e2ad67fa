// <runs-area>: training runs, each with its progress, strength, latest game and proof. It also starts training and proofs.

import * as api from "../base/api.js";
import { counted, duration, number, whole } from "../base/format.js";
import { kindName } from "../base/names.js";
import { LoadedView, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { TRUTH } from "../base/session.js";
import { areaHead, button, check, field, html, inputOf, nothing, table } from "../base/view.js";
import { commandList, startForm } from "../parts/commands.js";
import { curve } from "../parts/curve.js";
import { gameWithItself } from "../parts/line-board.js";

/** @import { MetricsLine as Metric, RunAnswer as Run } from "../base/api-types.js" */
/** @typedef {{x: number, y: number}} Point */

const LOOK_AGAIN = 3000; // milliseconds

/** Metrics of strength, the most informative first: name, title, and the value as a number of 100. @type {[string, string, (value: number) => number][]} */
const STRENGTHS = [
  ["policy_optimal", "Right moves of 100, against exact play", (value) => 100 * value],
  ["lost_rounds", "Rounds of 100 that it does not lose", (value) => 100 - value],
];

/** Explanations of curves for newcomers, by metric. @type {Record<string, string>} */
const ABOUT = {
  policy_loss: "How far the network's moves are from those that its search prefers. It falls while it learns.",
  value_loss: "How far the values that it gives are from how its games ended. It falls while it learns.",
  loss: "Total training loss: the weighted sum of its parts.",
};

const MINUTES = html`<input type="number" name="minutes" min="0.1" max="10000" step="any" value="5">`;

/** @param {Run} run */
const isLearning = ({ state }) => state === "running" || state === "new";

export class RunsArea extends LoadedView {
  /** The current run, with all its metrics. @type {Run|null} */
  run = null;
  at = -1; // the index of the run's weights to use; the last if negative
  proves = true; // whether a proof follows a training
  /** The latest game that the run's program played against itself, and the agent. @type {{agent: string, moves: string[]}} */
  game = { agent: "", moves: [] };
  #name = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #gone = new AbortController();

  depart() {
    this.#leave("");
  }

  /** Cancels the requests for the previous run, unless it is also the next one. @param {string} name */
  #leave(name) {
    clearTimeout(this.#timer);
    if (name === this.#name) return;
    this.#gone.abort();
    this.#gone = new AbortController();
    this.game = { agent: "", moves: [] };
    this.#name = name;
  }

  /** @param {URLSearchParams} params */
  show(params) {
    this.#leave(params.get("run") ?? "");
    this.at = -1;
    return this.load(() => (this.#name ? this.#one(this.#name) : this.#all()));
  }

  /** Reloads the content, unless a form is open. */
  #again() {
    if (!this.querySelector(".start-form[open]")) void this.show(new URLSearchParams({ run: this.#name }));
  }

  async #all() {
    const [runs, { may_start }] = await Promise.all([api.ask("GET /api/runs"), api.commands()]);
    const own = runs.filter((run) => !run.ships).length;
    const lead = own
      ? "Trainings on this machine, running and finished."
      : "No training has run on this machine yet. Here is the one whose network ships with noughts; start your own.";
    const rows = runs.map(
      (run) => html`<tr>
        <th scope="row"><a href=${routeTo("runs", { run: run.name })}>${run.name}</a></th>
        <td>${run.state}</td><td>${kindName(run.method)}</td><td class="code">${run.task}</td>
        <td>${whole(run.iterations)}</td><td>${whole(run.positions)}</td><td>${duration(run.seconds)}</td>
      </tr>`,
    );
    return () => html`${areaHead("Trainings", lead)} ${may_start ? this.#trainForm(own) : nothing}
      ${commandList({ changed: () => this.#again() })}
      <div class="panel scroll" tabindex="0" role="region" aria-label="Trainings">
        ${table("", ["Run", "State", "Method", "Task", "Iterations", "Positions", "Time"], rows)}
      </div>`;
  }

  /** @param {string} name */
  async #one(name) {
    const head = html`<header class="area-head"><p><a href="#/runs">All trainings</a></p><h1>${name}</h1></header>`;
    const runs = await api.ask("GET /api/runs");
    if (this.#name !== name) return () => nothing; // the user has left meanwhile
    if (!runs.some((each) => each.name === name)) {
      const { commands } = await api.commands();
      const begins = commands.some(({ run, state }) => run === name && (state === "waiting" || state === "running"));
      this.#timer = setTimeout(() => void this.show(new URLSearchParams({ run: name })), LOOK_AGAIN);
      return () => html`${head} ${commandList({ run: name })}
        <p class="muted">${begins ? "It begins in a moment. How good it is, and its latest game, appear here as soon as it has learned a little." : "There is no training of this name."}</p>`;
    }
    const [first, { may_start }] = await Promise.all([api.ask("GET /api/runs/{name}", { name }), api.commands()]);
    if (this.#name !== name) return () => nothing;
    this.run = first;
    if (isLearning(first)) this.#follow(name);
    void this.#play(first);
    return () => {
      const run = /** @type {Run} */ (this.run);
      return html`${head}
        <div class="study">
          ${progress(run)} ${run.agent ? this.#network(run, run.agent, may_start) : nothing}
          <div class="run-now">
            ${strength(run)}
            ${this.game.moves.length ? latestGame(run.game, this.game.moves) : nothing}
          </div>
          ${commandList({ run: name, changed: () => this.#again() })}
          ${may_start && !run.ships && !isLearning(run) ? this.#resumeForm(name) : nothing}
          <details class="panel"><summary>Measured while it learned</summary>
            <div class="curves">${curves(run.metrics)}</div>
          </details>
        </div>`;
    };
  }

  /** Lets a run's program play a game against itself, if its weights are newer than those of the current game. @param {Run} run */
  async #play({ agent: newest, game, weights }) {
    if (!newest || !weights.length) return;
    const agent = weights.length > 1 ? `${newest}@${weights.at(-1)}` : newest;
    if (agent === this.game.agent) return;
    this.game = { agent, moves: [] };
    const end = await gameWithItself(game, agent, this.#gone.signal).catch(() => null); // on failure no game is shown
    if (end && this.game.agent === agent) this.game = { agent, moves: end.moves };
  }

  /** Reloads the list of commands. */
  #look() {
    return /** @type {import("../parts/commands.js").CommandList} */ (this.querySelector("command-list")).look();
  }

  /** @param {Run} run @param {string} agent @param {boolean} mayStart */
  #network(run, agent, mayStart) {
    if (!run.weights.length) return nothing;
    const last = run.weights.length - 1;
    const at = this.at < 0 ? last : this.at;
    const then = at === last ? agent : `${agent}@${run.weights[at]}`;
    const slide = (/** @type {Event} */ event) => (this.at = Number(inputOf(event).value));
    const slider = html`<input type="range" min="0" max=${last} .value=${String(at)} aria-label="Iteration" @input=${slide}>`;
    const examine = (/** @type {Promise<unknown>} */ started) => started.then(() => this.#look()).catch(tellError);
    const body = { agent: then, rules: run.task };
    const prove = (/** @type {"first"|"second"} */ side) => {
      const ask = () => examine(api.ask("POST /api/commands/prove", { body: { ...body, side } }));
      return button("analyse", `Prove it as ${side} player`, ask);
    };
    const score = () => examine(api.ask("POST /api/commands/score", { body }));
    return html`<section class="network stack" aria-label="Its program">
      <div class="tools">
        ${button("play", "Play against it", () => go(routeTo("play", { rules: run.game, second: then })), { kind: "primary" })}
        ${button("minds", "Analyse with it", () => go(routeTo("minds", { rules: run.game, a: then, b: last ? agent : TRUTH })))}
        ${mayStart ? html`${prove("first")} ${prove("second")}` : nothing}
        ${mayStart ? button("analyse", "Score it", () => score()) : nothing}
      </div>
      ${last > 0 ? field("As it was while it learned", slider) : nothing}
      <p class="muted"><output>After iteration ${whole(run.weights[at])}: <code>${then}</code></output></p>
    </section>`;
  }

  /** @param {string} name */
  #resumeForm(name) {
    const start = async (/** @type {Record<string, string>} */ { minutes }) => {
      await api.ask("POST /api/commands/resume", { body: { run: name, minutes: Number(minutes) } });
      await this.#look();
    };
    return startForm("Train it further", field("Minutes more", MINUTES), "Go on", start);
  }

  /** Polls the progress of a run while it trains. @param {string} name */
  #follow(name) {
    this.#timer = setTimeout(async () => {
      if (this.#name !== name || !this.isConnected) return;
      try {
        const known = this.run?.metrics ?? [];
        const last = known.at(-1)?.iteration ?? 0; // requested again, because its measurement may be new
        const run = await api.ask("GET /api/runs/{name}", { name, query: { after: String(last - 1) } });
        this.run = { ...run, metrics: [...known.filter((line) => line.iteration < last), ...run.metrics] };
        void this.#play(run);
        if (!isLearning(run)) return;
      } catch (error) {
        tellError(error);
      }
      this.#follow(name);
    }, LOOK_AGAIN);
  }

  /** @param {number} known the number of runs */
  #trainForm(known) {
    const task = html`<input type="text" name="task" class="text-form" value="tic-tac-toe" spellcheck="false">`;
    const method = html`<select name="method">
      <option value="az">AlphaZero: it plays itself</option>
      <option value="mz">MuZero: it learns the rules, too</option>
      <option value="es">Evolution: the fittest weights survive</option>
    </select>`;
    const fields = html`${field("What to learn", task, "A game, or several: tic-tac-toe, bttt(D4), bttt(D3|D4)")}
      ${field("How", method)} ${field("Minutes, on all cores", MINUTES)}
      ${field("Name of the run", html`<input type="text" name="run" value=${`run-${known + 1}`} spellcheck="false">`)}
      ${check("Prove at the end what it learned: every reply to it is tried", this.proves, (checked) => (this.proves = checked))}`;
    return startForm("Train a network", fields, "Start the training", async ({ task, method, minutes, run }) => {
      const name = run.trim();
      const body = { task: task.trim(), method, minutes: Number(minutes), run: name, prove: this.proves };
      await api.ask("POST /api/commands/train", { body });
      go(routeTo("runs", { run: name }));
    });
  }
}

/** The progress of a training run. @param {Run} run */
function progress(run) {
  const { config, seconds, iterations, positions } = run;
  const { minutes, iterations: most } = /** @type {{minutes?: number, iterations?: number}} */ (config.schedule ?? {});
  const done = `${counted(iterations, "iteration")}, ${counted(positions, "position")}`;
  if (!isLearning(run))
    return html`<p class="muted">${kindName(run.method)} on ${run.task}, ${run.state} after ${duration(seconds)}, ${done}.</p>`;
  const share = minutes ? seconds / (60 * minutes) : most ? iterations / most : 0;
  return html`<div class="progress-row">
    <span>Learning ${run.task}: ${duration(seconds)}${minutes ? ` of ${duration(60 * minutes)}` : ""}, ${done}</span><progress max="1" value=${share || nothing} aria-label="The training"></progress>
  </div>`;
}

/** The strength of a program, as one large curve. @param {Run} run */
function strength(run) {
  const measured = run.metrics.filter(({ kind }) => kind === "measurement");
  const found = STRENGTHS.find(([name]) => measured.some(({ metrics }) => (metrics[name] ?? null) !== null));
  if (!found)
    return html`<p class="muted">
      ${isLearning(run) ? "How good it is will be measured in a moment; then it can be played against." : "How good it was has not been measured."}
    </p>`;
  const [name, title, share] = found;
  const searched = measured.at(-1)?.metrics.search_optimal ?? null;
  const points = measured.flatMap(({ iteration: x, metrics }) => {
    const value = metrics[name] ?? null;
    return value === null ? [] : [{ x, y: share(value) }];
  });
  return html`<figure class="curve panel run-strength">
    <h2>${title}</h2>
    <p class="run-number"><b>${Math.round(points[points.length - 1].y)}</b> now${searched === null ? "" : `; with search ${Math.round(100 * searched)}`}</p>
    ${curve(title, points, { size: innerWidth < 740 ? [340, 200] : [640, 240], range: [Math.floor(Math.min(...points.map(({ y }) => y)) / 25) * 25, 100] })}
    <figcaption class="muted">
      By iteration${searched === null ? "" : ", of its network alone, where the choice matters"}. ${run.ships ? `Measured when its first ${run.metrics.at(-1)?.iteration} iterations were run again: its own measures were not kept.` : ""}
    </figcaption>
  </figure>`;
}

/** @param {string} rules @param {string[]} moves */
const latestGame = (rules, moves) => html`<section class="panel run-game" aria-label="Its latest game">
    <h2>Its latest game with itself</h2>
    <line-board .rules=${rules} .moves=${moves}></line-board>
  </section>`;

/** A curve for each metric. @param {Metric[]} lines */
function curves(lines) {
  /** @type {Map<string, Point[]>} */
  const all = new Map();
  for (const { kind, metrics, iteration } of lines) {
    for (const [name, value] of Object.entries(metrics)) {
      if (value === null) continue;
      const key = kind === "measurement" ? `strength: ${name}` : name;
      all.set(key, [...(all.get(key) ?? []), { x: iteration, y: value }]);
    }
  }
  if (!all.size) return html`<p class="muted">Nothing yet: the first iteration is still under way.</p>`;
  const order = (/** @type {string} */ name) => (name.startsWith("strength") ? 0 : 1);
  return [...all].sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b)).map(drawCurve);
}

/** @param {[string, Point[]]} measured */
function drawCurve([name, points]) {
  const words = name.replaceAll("_", " ");
  return html`<figure class="curve panel">
    <h3>${words}</h3>
    ${name in ABOUT ? html`<p class="muted">${ABOUT[name]}</p>` : nothing} ${curve(words, points)}
    <figcaption class="muted">now ${number(points[points.length - 1].y)}</figcaption>
  </figure>`;
}

customElements.define("runs-area", RunsArea);
