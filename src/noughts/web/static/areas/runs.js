// <runs-area>: training runs, the live curves of one and its network as it was at any time; trainings, proofs and scores
// are started here.

import * as api from "../base/api.js";
import { duration, number, whole } from "../base/format.js";
import { emptiness, LoadedView, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { TRUTH } from "../base/session.js";
import { areaHead, button, field, html, inputOf, nothing, table } from "../base/view.js";
import { commandList, startForm } from "../parts/commands.js";
import { curve } from "../parts/curve.js";

/** @typedef {import("../base/api-types.js").Metric} Metric */
/** @typedef {import("../base/api-types.js").RunAnswer} Run */

const LOOK_AGAIN = 3000; // milliseconds
const MOST_POINTS = 600;

/** What the curves are, for people who see them for the first time; others have their own names. @type {Record<string, string>} */
const ABOUT = {
  policy_loss: "How far the network's moves are from those that its search prefers. It falls while it learns.",
  value_loss: "How far the values that it gives are from how its games ended. It falls while it learns.",
  loss: "All that it is to make small, together.",
};

const MINUTES = html`<input type="number" name="minutes" min="0.1" max="10000" step="any" value="5">`;

/** @param {Run} run */
const isLearning = ({ state }) => state === "running" || state === "new";

export class RunsArea extends LoadedView {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {Metric[]} */
  #lines = [];
  /** @type {Run|null} */
  #run = null;
  #name = "";
  #at = -1; // which of the run's weights its network has; the last one if negative

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#name = "";
  }

  /** @param {URLSearchParams} params */
  show(params) {
    clearTimeout(this.#timer);
    this.#name = params.get("run") ?? "";
    this.#at = -1;
    return this.load(() => (this.#name ? this.#one(this.#name) : this.#all()));
  }

  /** Loads again what is shown, unless a form is being filled in. */
  #again() {
    if (!this.querySelector(".start-form[open]")) void this.show(new URLSearchParams({ run: this.#name }));
  }

  async #all() {
    const [runs, { may_start }] = await Promise.all([api.runs(), api.commands()]);
    const own = runs.filter((run) => !run.ships).length;
    const lead = own
      ? "What is learning, or has learned, on this machine."
      : "None has run on this machine yet. Here is the one whose network ships with noughts; start your own.";
    const rows = runs.map(
      (run) => html`<tr>
        <th scope="row"><a href=${routeTo("runs", { run: run.name })}>${run.name}</a></th>
        <td>${run.state}</td><td>${run.method}</td><td class="code">${run.task}</td>
        <td>${whole(run.iterations)}</td><td>${whole(run.positions)}</td><td>${duration(run.seconds)}</td>
      </tr>`,
    );
    return () => html`${areaHead("Trainings", lead)} ${may_start ? trainForm(own) : nothing}
      ${commandList({ changed: () => this.#again() })}
      <div class="panel scroll" tabindex="0" role="region" aria-label="Trainings">
        ${table("", ["Run", "State", "Method", "Task", "Iterations", "Positions", "Time"], rows)}
      </div>`;
  }

  /** @param {string} name */
  async #one(name) {
    const head = html`<header class="area-head"><p><a href="#/runs">All runs</a></p><h1>${name}</h1></header>`;
    const runs = await api.runs();
    if (this.#name !== name) return () => nothing; // gone on meanwhile
    if (!runs.some((each) => each.name === name)) {
      this.#timer = setTimeout(() => void this.show(new URLSearchParams({ run: name })), LOOK_AGAIN);
      return () => html`${head} ${commandList({ run: name })}
        ${emptiness("Nothing is kept of this run yet", "Its curves appear here once it has begun.")}`;
    }
    const [first, { may_start }] = await Promise.all([api.run(name), api.commands()]);
    if (this.#name !== name) return () => nothing;
    this.#run = first;
    this.#lines = first.metrics;
    if (isLearning(first)) this.#follow(name);
    return () => {
      const run = /** @type {Run} */ (this.#run);
      return html`${head}
        <div class="study">
          <div class="panel">${facts(run)}</div>
          ${run.agent ? this.#network(run, run.agent, may_start) : nothing}
          ${commandList({ run: name, changed: () => this.#again() })}
          ${may_start && !run.ships && !isLearning(run) ? this.#resumeForm(name) : nothing}
          <div class="curves">${this.#curves(run)}</div>
        </div>`;
    };
  }

  /** What was started here, as it stands now. */
  #look() {
    return /** @type {import("../parts/commands.js").CommandList} */ (this.querySelector("command-list")).look();
  }

  /** @param {Run} run @param {string} agent @param {boolean} mayStart */
  #network(run, agent, mayStart) {
    if (!run.weights.length)
      return html`<p class="muted">Its network can play once it was measured: a minute after it began, or at its end.</p>`;
    const last = run.weights.length - 1;
    const at = this.#at < 0 ? last : this.#at;
    const then = at === last ? agent : `${agent}@${run.weights[at]}`;
    const slide = (/** @type {Event} */ event) => {
      this.#at = Number(inputOf(event).value);
      this.requestUpdate();
    };
    const examine = (/** @type {Promise<unknown>} */ started) => started.then(() => this.#look()).catch(tellError);
    const prove = (/** @type {"first"|"second"} */ side) =>
      button("analyse", `Prove it as ${side} player`, () =>
        examine(api.startProof({ agent: then, rules: run.task, side })),
      );
    return html`<section class="panel network" aria-label="Its network">
      <h2>Its network</h2>
      ${
        last > 0
          ? field(
              "Watch it learn",
              html`<input type="range" min="0" max=${last} .value=${String(at)} aria-label="Iteration" @input=${slide}>`,
            )
          : nothing
      }
      <p><output>after iteration ${whole(run.weights[at])}: <code>${then}</code></output></p>
      <div class="tools">
        ${button("play", "Play against it", () => go(routeTo("play", { rules: run.game, second: then })))}
        ${button("minds", "Analyse with it", () => go(routeTo("minds", { rules: run.game, a: then, b: last ? agent : TRUTH })))}
        ${mayStart ? html`${prove("first")} ${prove("second")}` : nothing}
        ${mayStart ? button("analyse", "Score it", () => examine(api.startScore({ agent: then, rules: run.task }))) : nothing}
      </div>
    </section>`;
  }

  /** @param {string} name */
  #resumeForm(name) {
    const start = async (/** @type {Record<string, string>} */ { minutes }) => {
      await api.resumeTraining({ run: name, minutes: Number(minutes) });
      await this.#look();
    };
    return startForm("Train it further", field("Minutes more", MINUTES), "Go on", start);
  }

  /** Looks again and again how a training goes. @param {string} name */
  #follow(name) {
    this.#timer = setTimeout(async () => {
      if (this.#name !== name || !this.isConnected) return;
      try {
        const last = this.#lines.at(-1)?.iteration ?? 0;
        const run = await api.run(name, last);
        this.#lines = [...this.#lines, ...run.metrics.filter((line) => line.iteration > last)];
        this.#run = run;
        this.requestUpdate();
        if (!isLearning(run)) return;
      } catch (error) {
        tellError(error);
      }
      this.#follow(name);
    }, LOOK_AGAIN);
  }

  /** @param {Run} run */
  #curves(run) {
    /** @type {Map<string, {x: number, y: number}[]>} */
    const all = new Map();
    for (const line of this.#lines) {
      for (const [name, value] of Object.entries(line.metrics)) {
        if (value === null) continue;
        const key = line.kind === "measurement" ? `strength: ${name}` : name;
        all.set(key, [...(all.get(key) ?? []), { x: line.iteration, y: value }]);
      }
    }
    if (!all.size)
      return html`<p class="muted">
        ${run.ships ? "Its curves were not kept." : "Nothing measured yet: the first iteration is still under way."}
      </p>`;
    const order = (/** @type {string} */ name) => (name.startsWith("strength") ? 0 : 1);
    return [...all].sort(([a], [b]) => order(a) - order(b) || a.localeCompare(b)).map(drawCurve);
  }
}

/** @param {Run} run */
function facts(run) {
  const all = [
    ["State", run.state],
    ["Method", run.method],
    ["Task", run.task],
    ["Iterations", whole(run.iterations)],
    ["Positions", whole(run.positions)],
    ["Time", duration(run.seconds)],
  ];
  return html`<dl class="facts">${all.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** @param {[string, {x: number, y: number}[]]} measured */
function drawCurve([name, points]) {
  const step = Math.ceil(points.length / MOST_POINTS);
  const thinned = points.filter((_, index) => index % step === 0 || index === points.length - 1);
  const words = name.replaceAll("_", " ");
  return html`<figure class="curve panel">
    <h3>${words}</h3>
    ${name in ABOUT ? html`<p class="muted">${ABOUT[name]}</p>` : nothing} ${curve(words, thinned)}
    <figcaption class="muted">now ${number(points[points.length - 1].y)}</figcaption>
  </figure>`;
}

/** @param {number} known how many runs there are */
function trainForm(known) {
  const task = html`<input type="text" name="task" class="text-form" value="tic-tac-toe" spellcheck="false">`;
  const method = html`<select name="method">
    <option value="az">AlphaZero: it plays itself</option>
    <option value="mz">MuZero: it learns the rules, too</option>
    <option value="es">Evolution: the fittest weights go on</option>
  </select>`;
  const fields = html`${field("What to learn", task, "A game, or several: tic-tac-toe, bttt(D4), bttt(D3|D4)")}
    ${field("How", method)} ${field("Minutes, on all cores", MINUTES)}
    ${field("Name of the run", html`<input type="text" name="run" value=${`run-${known + 1}`} spellcheck="false">`)}`;
  return startForm("Train a network", fields, "Start the training", async ({ task, method, minutes, run }) => {
    await api.startTraining({ task: task.trim(), method, minutes: Number(minutes), run: run.trim(), seed: 0 });
    go(routeTo("runs", { run: run.trim() }));
  });
}

customElements.define("runs-area", RunsArea);
