// <rules-builder>: a game from its fields; a click on the board places or takes a brick. Event "rules" with the server's answer.

import * as api from "../base/api.js";
import { choice, field, fill, h } from "../base/dom.js";
import { playBoard } from "./board.js";

const ASK_AFTER = 120; // milliseconds without a change

/** @typedef {{rows: number, cols: number, k: number, bricks: string[], marks: string, line: string, full: string, boards: number, wrap: string}} Fields */

export class RulesBuilder extends HTMLElement {
  /** @type {Fields} */
  #fields = { rows: 7, cols: 7, k: 4, bricks: [], marks: "own", line: "wins", full: "draw", boards: 1, wrap: "none" };
  #board = playBoard("Board; choose a cell to place or take away a brick", (square) => this.#brick(square));
  #problem = h("p", { class: "problem", role: "status", hidden: true });
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  /** @type {AbortController|undefined} */
  #asked;

  constructor() {
    super();
    this.#board.free = true;
  }

  /** Shows the fields of rules. @param {import("../base/api-types.js").RulesAnswer} rules */
  show({ fields, start }) {
    const bricks = start.squares.slice(0, start.rows * start.cols).filter((_, index) => start.cells[index] === "#");
    this.#fields = {
      rows: start.rows,
      cols: start.cols,
      k: start.k,
      boards: start.boards,
      wrap: start.wrap,
      marks: start.marks,
      line: String(fields.line ?? "wins"),
      full: String(fields.full ?? "draw"),
      bricks: bricks.map((square) => square.replace(/^\d+\./, "")),
    };
    this.#draw();
    this.#board.show({ position: start });
  }

  #draw() {
    const { rows, cols, k, boards, marks, line, full, wrap } = this.#fields;
    fill(
      this,
      h(
        "div",
        { class: "builder-fields" },
        h(
          "div",
          { class: "steppers" },
          this.#stepper("Rows", "rows", rows, 19),
          this.#stepper("Columns", "cols", cols, 19),
          this.#stepper("In a row", "k", k, 19),
          this.#stepper("Boards", "boards", boards, 16),
        ),
        choice(
          "Marks",
          [
            ["own", "X and O"],
            ["shared", "Both X", "both players place the same mark"],
          ],
          marks,
          (value) => this.#set({ marks: value }),
        ),
        choice(
          "A line",
          [
            ["wins", "wins"],
            ["loses", "loses"],
          ],
          line,
          (value) => this.#set({ line: value }),
        ),
        choice(
          "A full board",
          [
            ["draw", "is a draw"],
            ["first", "first wins"],
            ["second", "second wins"],
          ],
          full,
          (value) => this.#set({ full: value }),
        ),
        choice(
          "Lines go on over",
          [
            ["none", "no edge"],
            ["rows", "top and bottom", "row A follows the last row"],
            ["columns", "left and right", "column 1 follows the last column"],
            ["both", "all edges"],
          ],
          wrap,
          (value) => this.#set({ wrap: value }),
        ),
        this.#problem,
      ),
      h(
        "div",
        { class: "builder-board" },
        this.#board,
        h("p", { class: "muted" }, "Click a cell to place a brick, or to take it away."),
      ),
    );
  }

  /** @param {string} words @param {"rows"|"cols"|"k"|"boards"} name @param {number} value @param {number} most */
  #stepper(words, name, value, most) {
    const input = h("input", {
      type: "number",
      min: 1,
      max: most,
      value,
      name,
      oninput: () => input.value && this.#set({ [name]: Number(input.value) }),
    });
    return field(words, input);
  }

  /** @param {string} square */
  #brick(square) {
    const name = square.replace(/^\d+\./, ""); // a brick lies on every board
    const { bricks } = this.#fields;
    this.#set({ bricks: bricks.includes(name) ? bricks.filter((each) => each !== name) : [...bricks, name] });
  }

  /** @param {Partial<Fields>} changed */
  #set(changed) {
    Object.assign(this.#fields, changed);
    if (this.#fields.boards > 1 && this.#fields.marks === "own") {
      this.#fields.marks = "shared"; // several boards are played with one mark only
      /** @type {HTMLInputElement|null} */ (this.querySelector("input[value=shared]"))?.click();
    }
    const { rows, cols } = this.#fields;
    this.#fields.bricks = this.#fields.bricks.filter(
      (name) => name.charCodeAt(0) - 65 < rows && Number(name.slice(1)) <= cols,
    );
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), ASK_AFTER);
  }

  async #ask() {
    this.#asked?.abort();
    this.#asked = new AbortController();
    try {
      const found = await api.rules(this.#fields, this.#asked.signal);
      this.#problem.hidden = true;
      this.#board.show({ position: found.start });
      this.dispatchEvent(new CustomEvent("rules", { detail: found }));
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return;
      this.#problem.hidden = false;
      this.#problem.textContent = /** @type {Error} */ (error).message;
      this.dispatchEvent(new CustomEvent("rules", { detail: null }));
    }
  }
}

customElements.define("rules-builder", RulesBuilder);
