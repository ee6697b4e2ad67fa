// <runs-area>: training runs, the live curves of one and its network as it was at any time; trainings, proofs and scores
// are started here.

import * as api from "../base/api.js";
import { button, field, fill, h } from "../base/dom.js";
import { duration, number, whole } from "../base/format.js";
import { emptiness, filled, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { commandList, startForm } from "../parts/commands.js";
import { curve } from "../parts/curve.js";

/** @typedef {import("../base/api-types.js").Metric} Metric */
/** @typedef {import("../base/api-types.js").RunAnswer} Run */

const LOOK_AGAIN = 3000; // milliseconds
const MOST_POINTS = 600;

/** What the curves are, for people who see them for the first time; others are called by their own names. @type {Record<string, string>} */
const ABOUT = {
  policy_loss: "How far the network's moves are from those that its search prefers. It falls while it learns.",
  value_loss: "How far the values that it gives are from how its games ended. It falls while it learns.",
  loss: "All that it is to make small, together.",
};

export class RunsArea extends HTMLElement {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {Metric[]} */
  #lines = [];
  #name = "";

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#name = "";
  }

  /** @param {URLSearchParams} params */
  show(params) {
    clearTimeout(this.#timer);
    this.#name = params.get("run") ?? "";
    this.#lines = [];
    return filled(this, () => (this.#name ? this.#one(this.#name) : this.#all()));
  }

  /** Shows the runs anew, unless somebody is filling in a form. */
  #refresh() {
    if (!this.querySelector(".start-form[open]")) void this.show(new URLSearchParams());
  }

  async #all() {
    const [runs, { may_start }] = await Promise.all([api.runs(), api.commands()]);
    const list = commandList([], () => this.#refresh());
    const head = [
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Trainings"),
        h(
          "p",
          { class: "lead" },
          runs.every((run) => run.ships)
            ? "None has run on this machine yet. Here is the one whose network ships with noughts; start your own."
            : "What is learning, or has learned, on this machine.",
        ),
      ),
      ...(may_start ? [this.#trainForm(runs.filter((run) => !run.ships).length)] : []),
      list,
    ];
    return [
      ...head,
      h(
        "div",
        { class: "panel scroll", tabindex: "0", role: "region", "aria-label": "Trainings" },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              ["Run", "State", "Method", "Task", "Iterations", "Positions", "Time"].map((words) =>
                h("th", { scope: "col" }, words),
              ),
            ),
          ),
          h(
            "tbody",
            {},
            runs.map((run) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, h("a", { href: routeTo("runs", { run: run.name }) }, run.name)),
                h("td", {}, run.state),
                h("td", {}, run.method),
                h("td", { class: "code" }, run.task),
                h("td", {}, whole(run.iterations)),
                h("td", {}, whole(run.positions)),
                h("td", {}, duration(run.seconds)),
              ),
            ),
          ),
        ),
      ),
    ];
  }

  /** @param {string} name */
  async #one(name) {
    if (!(await api.runs()).some((each) => each.name === name)) return this.#notYet(name);
    const run = await api.run(name);
    this.#lines = run.metrics;
    const facts = h("dl", { class: "facts" });
    const curves = h("div", { class: "curves" });
    this.#draw(run, facts, curves);
    if (this.#learns(run)) this.#again(name, facts, curves);
    const { may_start } = await api.commands();
    const list = commandList([], () => void this.show(new URLSearchParams({ run: name })), name);
    return [
      h("header", { class: "area-head" }, h("p", {}, h("a", { href: "#/runs" }, "All runs")), h("h1", {}, name)),
      h(
        "div",
        { class: "study" },
        h("div", { class: "panel" }, facts),
        run.agent &&
          (run.weights.length > 0
            ? this.#network(run, run.agent, may_start, list)
            : h(
                "p",
                { class: "muted" },
                "Its network can play once it was measured: a minute after it began, or at its end.",
              )),
        list,
        may_start && !run.ships && !this.#learns(run) && this.#resumeForm(name, list),
        curves,
      ),
    ];
  }

  /** A run that is not there, or has not begun. @param {string} name */
  #notYet(name) {
    this.#timer = setTimeout(() => {
      if (this.#name === name && this.isConnected) void this.show(new URLSearchParams({ run: name }));
    }, LOOK_AGAIN);
    return [
      h("header", { class: "area-head" }, h("p", {}, h("a", { href: "#/runs" }, "All runs")), h("h1", {}, name)),
      commandList([], () => {}, name),
      emptiness("Nothing is kept of this run yet", "Its curves appear here once it has begun."),
    ];
  }

  /**
   * The network as it was after any iteration whose weights are kept: to play against, to look into, to prove.
   * @param {Run} run @param {string} agent @param {boolean} mayStart @param {import("../parts/commands.js").CommandList} list
   */
  #network(run, agent, mayStart, list) {
    const last = run.weights.length - 1;
    const slider = h("input", { type: "range", min: 0, max: last, value: last, "aria-label": "Iteration" });
    const words = h("output", {});
    const then = () => (Number(slider.value) === last ? agent : `${agent}@${run.weights[Number(slider.value)]}`);
    const say = () =>
      fill(words, `after iteration ${whole(run.weights[Number(slider.value)])}: `, h("code", {}, then()));
    slider.addEventListener("input", say);
    say();
    const examine = async (/** @type {() => Promise<unknown>} */ start) => {
      try {
        await start();
        await list.look();
      } catch (error) {
        tellError(error);
      }
    };
    return h(
      "section",
      { class: "panel network", "aria-label": "Its network" },
      h("h2", {}, "Its network"),
      last > 0 && h("label", { class: "field" }, h("span", { class: "field-name" }, "Watch it learn"), slider),
      h("p", {}, words),
      h(
        "div",
        { class: "tools" },
        button("play", "Play against it", () => go(routeTo("play", { rules: run.game, second: then() }))),
        button("minds", "Analyse with it", () =>
          go(routeTo("minds", { rules: run.game, a: then(), b: last ? agent : "exact" })),
        ),
        mayStart &&
          ["first", "second"].map((side) =>
            button("analyse", `Prove it as ${side} player`, () =>
              examine(() => api.startProof({ agent: then(), rules: run.task, side: /** @type {"first"} */ (side) })),
            ),
          ),
        mayStart &&
          button("analyse", "Score it", () => examine(() => api.startScore({ agent: then(), rules: run.task }))),
      ),
    );
  }

  /** @param {number} known how many runs there are */
  #trainForm(known) {
    const task = h("input", { type: "text", class: "text-form", value: "tic-tac-toe", spellcheck: "false" });
    const name = h("input", { type: "text", value: `run-${known + 1}`, spellcheck: "false" });
    const minutes = h("input", { type: "number", min: 0.1, max: 10000, step: "any", value: 5 });
    const seed = h("input", { type: "number", min: 0, value: 0 });
    const method = h(
      "select",
      { value: "az" },
      h("option", { value: "az" }, "AlphaZero: it plays itself"),
      h("option", { value: "mz" }, "MuZero: it learns the rules, too"),
      h("option", { value: "es" }, "Evolution: the fittest weights go on"),
    );
    const fields = [
      field("What to learn", task, "A game, or several: tic-tac-toe, bttt(D4), bttt(D3|D4)"),
      field("How", method),
      h("div", { class: "steppers" }, field("Minutes, on all cores", minutes), field("Seed", seed)),
      field("Name of the run", name),
    ];
    const start = () =>
      api.startTraining({
        task: task.value.trim(),
        method: method.value,
        minutes: Number(minutes.value),
        run: name.value.trim(),
        seed: Math.round(Number(seed.value)) || 0,
      });
    return startForm("Train a network", fields, "Start the training", start, () =>
      go(routeTo("runs", { run: name.value.trim() })),
    );
  }

  /** @param {string} name @param {import("../parts/commands.js").CommandList} list */
  #resumeForm(name, list) {
    const minutes = h("input", { type: "number", min: 0.1, max: 10000, step: "any", value: 5 });
    const start = () => api.resumeTraining({ run: name, minutes: Number(minutes.value) });
    return startForm("Train it further", [field("Minutes more", minutes)], "Go on", start, () => list.look());
  }

  /** @param {Run} run */
  #learns(run) {
    return run.state === "running" || run.state === "new";
  }

  /** @param {string} name @param {HTMLElement} facts @param {HTMLElement} curves */
  #again(name, facts, curves) {
    this.#timer = setTimeout(async () => {
      if (this.#name !== name || !this.isConnected) return;
      try {
        const last = this.#lines.at(-1)?.iteration ?? 0;
        const run = await api.run(name, last);
        this.#lines = [...this.#lines, ...run.metrics.filter((line) => line.iteration > last)];
        this.#draw(run, facts, curves);
        if (this.#learns(run)) this.#again(name, facts, curves);
      } catch (error) {
        tellError(error);
        this.#again(name, facts, curves);
      }
    }, LOOK_AGAIN);
  }

  /** @param {Run} run @param {HTMLElement} facts @param {HTMLElement} place */
  #draw(run, facts, place) {
    const words = [
      ["State", run.state],
      ["Method", run.method],
      ["Task", run.task],
      ["Iterations", whole(run.iterations)],
      ["Positions", whole(run.positions)],
      ["Time", duration(run.seconds)],
    ];
    fill(
      facts,
      words.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    );
    /** @type {Map<string, {x: number, y: number}[]>} */
    const all = new Map();
    for (const line of this.#lines) {
      for (const [name, value] of Object.entries(line.metrics)) {
        if (value === null) continue;
        const key = line.kind === "measurement" ? `strength: ${name}` : name;
        all.set(key, [...(all.get(key) ?? []), { x: line.iteration, y: value }]);
      }
    }
    const shown = [...all].sort(
      ([a], [b]) => Number(b.startsWith("strength")) - Number(a.startsWith("strength")) || a.localeCompare(b),
    );
    fill(
      place,
      shown.length
        ? shown.map(([name, points]) => this.#curve(name, points))
        : h(
            "p",
            { class: "muted" },
            run.ships ? "Its curves were not kept." : "Nothing measured yet: the first iteration is still under way.",
          ),
    );
  }

  /** @param {string} name @param {{x: number, y: number}[]} points */
  #curve(name, points) {
    const step = Math.ceil(points.length / MOST_POINTS);
    const thinned = points.filter((_, index) => index % step === 0 || index === points.length - 1);
    const words = name.replaceAll("_", " ");
    return h(
      "figure",
      { class: "curve panel" },
      h("h3", {}, words),
      name in ABOUT && h("p", { class: "muted" }, ABOUT[name]),
      curve(words, thinned),
      h("figcaption", { class: "muted" }, `now ${number(points[points.length - 1].y)}`),
    );
  }
}

customElements.define("runs-area", RunsArea);
