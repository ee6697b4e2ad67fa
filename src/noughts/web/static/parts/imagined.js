// What an agent's learned model believes the board to be along a line of moves, beside the real boards.

import * as api from "../base/api.js";
import { button, fill, h } from "../base/dom.js";
import { signed } from "../base/format.js";
import { tellError } from "../base/news.js";
import { miniature } from "./mini.js";

/** @typedef {import("../base/api-types.js").BelievedAnswer} Believed */
/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** A line that can be imagined. @typedef {{rules: string, moves: string[], agent: string, line: string[]}} Offered */

const MOST_MOVES = 6;

/** Whether an agent is of a kind that has a model of the game. @param {string} agent */
async function hasModel(agent) {
  const name = agent.split(":")[0];
  return (await api.agents()).some((kind) => kind.name === name && kind.imagines);
}

export class Imagined {
  element = h("section", { class: "panel imagined", hidden: true, "aria-label": "What the model imagines" });
  /** @type {Offered|null} */
  #offered = null;
  #name = "";

  /**
   * Offers to show a line as it is imagined, if the agent has a model; what was shown of another one goes.
   * @param {Offered} offered
   */
  async offer(offered) {
    const name = JSON.stringify([offered.rules, offered.moves, offered.agent]);
    this.#offered = offered;
    if (name === this.#name) return;
    this.#name = name;
    this.element.hidden = true;
    if (!(await hasModel(offered.agent).catch(() => false)) || name !== this.#name) return;
    this.element.hidden = false;
    fill(
      this.element,
      h("h2", {}, "What the model imagines"),
      h(
        "p",
        { class: "muted" },
        "The agent sees this position alone. What comes after it, it imagines: it knows no rules.",
      ),
      h(
        "div",
        { class: "tools" },
        button("search", "Show what it believes", () => void this.#ask(), {}),
      ),
    );
  }

  /** There is nothing to imagine. */
  clear() {
    this.#offered = null;
    this.#name = "";
    this.element.hidden = true;
  }

  async #ask() {
    const [offered, name] = [this.#offered, this.#name];
    if (!offered) return;
    const line = offered.line.slice(0, MOST_MOVES);
    try {
      const { positions } = await api.imagined({ ...offered, line });
      if (name === this.#name) this.#draw(positions);
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {Believed[]} positions */
  #draw(positions) {
    const seen = /** @type {Position} */ (positions[0].real);
    const boards = positions.some((one) => one.cells);
    fill(
      this.element,
      h("h2", {}, "What the model imagines"),
      !boards &&
        h("p", { class: "muted" }, "This model was trained without a decoder, so that its boards cannot be shown."),
      h(
        "ol",
        { class: "imagined-line" },
        positions.map((one) =>
          h(
            "li",
            { class: one.legal && !one.wrong.length ? "" : "wrong" },
            h("strong", {}, one.move ?? "Now"),
            one.cells && this.#board("believes", { ...(one.real ?? seen), cells: one.cells }, one.wrong),
            one.real ? this.#board("is", one.real, []) : h("p", { class: "muted" }, "This move cannot be made."),
            h("p", {}, this.#words(one)),
          ),
        ),
      ),
    );
  }

  /** @param {"believes"|"is"} what @param {Position} position @param {string[]} wrong */
  #board(what, position, wrong) {
    const mistaken = wrong.length ? `, mistaken about ${wrong.join(", ")}` : "";
    const marks = position.squares.filter((_, index) => position.cells[index]);
    const named = marks.map((square) => `${square} ${position.cells[position.squares.indexOf(square)]}`).join(", ");
    return h(
      "figure",
      {},
      miniature(position, `${what === "believes" ? "Believed" : "Real"}: ${named || "empty"}${mistaken}`),
      h("figcaption", {}, what === "believes" ? "believed" : "real"),
    );
  }

  /** @param {Believed} one */
  #words({ value, over, real, wrong }) {
    const said = [`worth ${signed(value)}`];
    if (over !== null) said.push(over ? "over" : "goes on");
    if (over !== null && real && over !== (real.outcome !== "ongoing"))
      said.push(`but it ${over ? "goes on" : "is over"}`);
    if (wrong.length) said.push(`wrong about ${wrong.join(", ")}`);
    return said.join(", ");
  }
}
