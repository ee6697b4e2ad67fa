// <runs-area>: training runs, and the live curves of one.

import * as api from "../base/api.js";
import { fill, h } from "../base/dom.js";
import { duration, number, whole } from "../base/format.js";
import { emptiness, filled, tellError } from "../base/news.js";
import { routeTo } from "../base/route.js";
import { curve } from "../parts/curve.js";

/** @typedef {import("../base/api-types.js").Metric} Metric */
/** @typedef {import("../base/api-types.js").RunAnswer} Run */

const LOOK_AGAIN = 3000; // milliseconds
const MOST_POINTS = 600;

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

  async #all() {
    const runs = await api.runs();
    const head = h(
      "header",
      { class: "area-head" },
      h("h1", {}, "Runs"),
      h("p", { class: "lead" }, "What is learning, or has learned, on this machine."),
    );
    if (!runs.length)
      return [
        head,
        emptiness(
          "No training run yet",
          'Start one, for example: noughts train "bttt(D4)" --minutes 5. Its curves appear here while it learns, and its network plays as az:RUN.',
        ),
      ];
    return [
      head,
      h(
        "div",
        { class: "panel scroll", tabindex: "0", role: "region", "aria-label": "Runs" },
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
    const run = await api.run(name);
    this.#lines = run.metrics;
    const facts = h("dl", { class: "facts" });
    const curves = h("div", { class: "curves" });
    this.#draw(run, facts, curves);
    if (this.#learns(run)) this.#again(name, facts, curves);
    return [
      h("header", { class: "area-head" }, h("p", {}, h("a", { href: "#/runs" }, "All runs")), h("h1", {}, name)),
      h("div", { class: "study" }, h("div", { class: "panel" }, facts), curves),
    ];
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
        : h("p", { class: "muted" }, "Nothing measured yet: the first iteration is still under way."),
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
      curve(words, thinned),
      h("figcaption", { class: "muted" }, `now ${number(points[points.length - 1].y)}`),
    );
  }
}

customElements.define("runs-area", RunsArea);
