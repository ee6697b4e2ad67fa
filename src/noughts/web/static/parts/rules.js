// <rules-builder>: makes a game from its fields. A click on the board places or removes a brick. Event "rules" with the server's answer.

import * as api from "../base/api.js";
import { choice, field, html, inputOf, nothing, View } from "../base/view.js";
import "./board.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */
/** @typedef {{rows: number, cols: number, k: number, bricks: string[], marks: string, line: string, full: string, boards: number, wrap: string}} Fields */

const ASK_AFTER = 120; // milliseconds without a change

/** The other fields: labels and values. @satisfies {Record<string, [string, Record<string, import("../base/view.js").Words>]>} */
const CHOICES = {
  marks: ["Marks", { own: "X and O", shared: ["Both X", "both players place the same mark"] }],
  line: ["A line", { wins: "wins", loses: "loses" }],
  full: ["A full board", { draw: "is a draw", first: "first wins", second: "second wins" }],
  wrap: [
    "Lines continue over",
    {
      none: "no edge",
      rows: ["top and bottom", "row A follows the last row"],
      columns: ["left and right", "column 1 follows the last column"],
      both: "all edges",
    },
  ],
};

/** @param {Fields} fields */
function textOf({ rows, cols, k, bricks, ...others }) {
  const more = { ...others, ...(bricks.length && { bricks: bricks.join("+") }) };
  return `mnk(${[rows, cols, k, ...Object.entries(more).map((pair) => pair.join("="))].join(",")})`;
}

/** The square without its board: a brick is on every board. @param {string} square */
const brickName = (square) => square.replace(/^\d+\./, "");

export class RulesBuilder extends View {
  /** The empty board of the rules to start from. @type {Position|null} */
  rules = null;
  /** @type {Fields} */
  fields = { rows: 7, cols: 7, k: 4, bricks: [], marks: "own", line: "wins", full: "draw", boards: 1, wrap: "none" };
  /** @type {Position|null} */
  start = null;
  problem = "";
  /** The last answer to a request of this element; its fields may be older than those that are shown. @type {Position|null} */
  #own = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {AbortController|undefined} */
  #asked;

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (!changed.has("rules") || !this.rules || this.rules === this.#own) return;
    const { rows, cols, k, boards, wrap, marks, line, full, squares, cells } = this.rules;
    const bricks = squares.slice(0, rows * cols).filter((_, index) => cells[index] === "#");
    this.fields = { rows, cols, k, boards, wrap, marks, line, full, bricks: bricks.map(brickName) };
    this.start = this.rules;
  }

  render() {
    return html`<div class="builder-fields stack">
        <div class="steppers">
          ${this.#stepper("Rows", "rows", 19)} ${this.#stepper("Columns", "cols", 19)}
          ${this.#stepper("In a row", "k", 19)} ${this.#stepper("Boards", "boards", 16)}
        </div>
        ${Object.entries(CHOICES).map(([name, [words, choices]]) =>
          choice(words, choices, this.fields[/** @type {keyof typeof CHOICES} */ (name)], (value) =>
            this.#set({ [name]: value }),
          ),
        )}
        ${this.problem ? html`<p class="problem" role="status">${this.problem}</p>` : nothing}
      </div>
      <div class="builder-board">
        <noughts-board .label=${"Board; choose a cell to place or take away a brick"} .free=${true} .position=${this.start}
          @choose=${(/** @type {CustomEvent} */ event) => this.#brick(brickName(event.detail.square))}></noughts-board>
        <p class="muted">Click a cell to place a brick, or to take it away.</p>
      </div>`;
  }

  /** @param {string} words @param {"rows"|"cols"|"k"|"boards"} name @param {number} most */
  #stepper(words, name, most) {
    const changed = (/** @type {Event} */ event) => {
      const { value } = inputOf(event);
      if (value) this.#set({ [name]: Number(value) });
    };
    return field(
      words,
      html`<input type="number" min="1" max=${most} name=${name} .value=${String(this.fields[name])} @input=${changed}>`,
    );
  }

  /** @param {string} name the square without its board */
  #brick(name) {
    const { bricks } = this.fields;
    this.#set({ bricks: bricks.includes(name) ? bricks.filter((each) => each !== name) : [...bricks, name] });
  }

  /** @param {Partial<Fields>} changed */
  #set(changed) {
    const fields = { ...this.fields, ...changed };
    if (fields.boards > 1) fields.marks = "shared"; // games on several boards have only one mark
    const fits = (/** @type {string} */ name) =>
      name.charCodeAt(0) - 65 < fields.rows && Number(name.slice(1)) <= fields.cols;
    this.fields = { ...fields, bricks: fields.bricks.filter(fits) };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), ASK_AFTER);
  }

  async #ask() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    try {
      this.start = this.#own = await api.read(textOf(this.fields), this.#asked.signal);
      this.problem = "";
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return;
      this.#own = null;
      this.problem = /** @type {Error} */ (error).message;
    }
    this.dispatchEvent(new CustomEvent("rules", { detail: this.#own }));
  }
}

customElements.define("rules-builder", RulesBuilder);
