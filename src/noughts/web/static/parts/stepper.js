// <line-stepper>: buttons to step through a line of moves on a board, or to animate it.

import * as api from "../base/api.js";
import { tellError } from "../base/news.js";
import { button, html, nothing, View } from "../base/view.js";
import { moveChip } from "./moves.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */

const TICK = 800; // milliseconds for each move of an animated line

export class Stepper extends View {
  /** @type {Position[]} */
  positions = [];
  at = 0; // how many of the moves are played
  /** @type {ReturnType<typeof setInterval>|undefined} */
  timer;
  #from = 0;
  #asked = 0; // lines so far; a line that arrives late, after another or after `clear`, is dropped
  #show;

  /** @param {(position: Position) => void} show draws a position of the line */
  constructor(show) {
    super();
    this.#show = show;
  }

  depart() {
    this.#halt();
  }

  /**
   * Loads a line, and shows one of its positions.
   * @param {string} rules
   * @param {string[]} moves the moves before the line
   * @param {string[]} line
   * @param {number} at how many of its moves are played at first
   * @param {boolean} [plays] whether to animate it then, unless the user prefers reduced motion
   */
  async take(rules, moves, line, at, plays = false) {
    const asked = ++this.#asked;
    try {
      const positions = await api.line(rules, [...moves, ...line]);
      if (asked !== this.#asked) return;
      this.positions = positions.slice(moves.length);
    } catch (error) {
      tellError(error);
      return;
    }
    this.#halt();
    this.#from = moves.length;
    this.#go(at);
    if (plays && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.#turn();
  }

  /** Removes the line. */
  clear() {
    this.#asked++;
    this.positions = [];
    this.#halt();
  }

  /** Whether there is a line. */
  get busy() {
    return this.positions.length > 0;
  }

  /** @param {number} steps */
  move(steps) {
    this.#halt();
    this.#go(this.at + steps);
  }

  /** @param {number} at */
  #go(at) {
    this.at = Math.max(0, Math.min(this.positions.length - 1, at));
    this.#show(this.positions[this.at]);
  }

  /** Starts the animation, from the beginning if the line has ended, or stops it. */
  #turn() {
    if (this.timer) {
      this.#halt();
      return;
    }
    const last = this.positions.length - 1;
    this.#go(this.at === last ? 0 : this.at + 1);
    this.timer = setInterval(() => {
      if (this.at < last) this.#go(this.at + 1);
      if (this.at >= last) this.#halt();
    }, TICK);
  }

  #halt() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  render() {
    if (!this.busy) return nothing;
    const last = this.positions.length - 1;
    const moves = this.positions[last].moves.slice(this.#from);
    const chip = (/** @type {string} */ move, /** @type {number} */ index) => {
      const number = index + 1;
      const shown = { ply: this.#from + number, number, move, here: number === this.at };
      return moveChip(shown, () => this.move(number - this.at));
    };
    return html`<div class="stepper" role="group" aria-label="How it goes on">
      ${button("back", "One move back", () => this.move(-1), { quiet: true, disabled: this.at === 0 })}
      ${button(this.timer ? "pause" : "play", this.timer ? "Pause" : "Play it", () => this.#turn(), { quiet: true })}
      <div class="line">
        ${moves.map(chip)}
      </div>
      ${button("forward", "One move forward", () => this.move(1), { quiet: true, disabled: this.at === last })}
    </div>`;
  }
}

customElements.define("line-stepper", Stepper);
