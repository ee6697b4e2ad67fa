// A line of moves to be stepped through on a board.

import * as api from "../base/api.js";
import { button, fill, h } from "../base/dom.js";
import { tellError } from "../base/news.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */

export class Stepper {
  element = h("div", { class: "stepper", hidden: true, role: "group", "aria-label": "How it goes on" });
  /** @type {Position[]} */
  #positions = [];
  #from = 0;
  #at = 0;
  #show;

  /** @param {(position: Position) => void} show called with the position that is stepped to */
  constructor(show) {
    this.#show = show;
  }

  /**
   * Takes a line, and shows one of its positions.
   * @param {string} rules
   * @param {string[]} moves before it
   * @param {string[]} line
   * @param {number} at how many of its moves are played at first
   */
  async take(rules, moves, line, at) {
    try {
      this.#positions = (await api.line(rules, [...moves, ...line])).slice(moves.length);
    } catch (error) {
      tellError(error);
      return;
    }
    this.#from = moves.length;
    this.element.hidden = false;
    this.go(at);
  }

  /** Puts the line away. */
  clear() {
    this.#positions = [];
    this.element.hidden = true;
  }

  /** Whether there is a line. */
  get busy() {
    return this.#positions.length > 0;
  }

  /** @param {number} at */
  go(at) {
    const last = this.#positions.length - 1;
    this.#at = Math.max(0, Math.min(last, at));
    this.#draw();
    this.#show(this.#positions[this.#at]);
  }

  /** @param {number} steps */
  move(steps) {
    this.go(this.#at + steps);
  }

  #draw() {
    const end = this.#positions[this.#positions.length - 1];
    const back = button("back", "One move back", () => this.move(-1), { quiet: true });
    const forward = button("forward", "One move forward", () => this.move(1), { quiet: true });
    back.disabled = this.#at === 0;
    forward.disabled = this.#at === this.#positions.length - 1;
    fill(
      this.element,
      back,
      h(
        "div",
        { class: "line" },
        end.moves.slice(this.#from).map((move, index) =>
          h(
            "button",
            {
              type: "button",
              class: `move-chip ${(this.#from + index) % 2 ? "second" : "first"}`,
              "aria-current": index + 1 === this.#at ? "step" : null,
              onclick: () => this.go(index + 1),
            },
            h("small", { "aria-hidden": "true" }, index + 1),
            move,
          ),
        ),
      ),
      forward,
    );
  }
}
