// <noughts-trainer>: a position with a move to find. The answer stays hidden until it is found, and a wrong try shows the line that refutes it.

import { prove } from "../base/analysis.js";
import * as api from "../base/api.js";
import { exactWords, listed, sideName } from "../base/format.js";
import { announce } from "../base/news.js";
import { button, html, nothing, View } from "../base/view.js";
import "./board.js";
import { Stepper } from "./stepper.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */
/** @import { Went } from "../base/progress.js" */

/**
 * A task: a position, and the moves to find.
 * @typedef {object} Task
 * @property {string} rules
 * @property {string[]} moves
 * @property {string} where the small text above the task
 * @property {string} title the task in a few words
 * @property {string} [words] the task in a sentence
 * @property {string[]} solutions the right moves
 * @property {string[]} line the best line, from a solution; may be empty
 * @property {number|null} plies the plies until it is won, if known
 * @property {number|null} value of the position for the side to move; null if only some of the optimal moves are right
 * @property {string} [right] added to the praise of a right answer
 * @property {string} [played] the wrong move that was played here
 * @property {boolean} [open] whether other moves may be right, too: then a try is checked by a proof
 */

/** The consequence of a move, for the side that made it. @typedef {{value: number|null, plies: number|null, line: string[]}} Consequence */

const SECONDS = 8; // to refute a wrong try

const WRONG = { sign: "?", tone: "wrong", words: "is not right" };

export class Trainer extends View {
  /** @type {Task|null} */
  task = null;
  /** The position on the board: that of the task, or a later one. @type {Position|null} */
  shown = null;
  /** @type {{tone: ""|"right"|"wrong", words: unknown}} */
  feedback = { tone: "", words: nothing };
  done = false;
  /** The position of the task. @type {Position|null} */
  #position = null;
  /** The try on the board, with its mark. @type {[string, typeof WRONG]|null} */
  #tried = null;
  #stepper = new Stepper((position) => {
    this.#tried = null;
    this.shown = position;
  });
  #trying = true; // whether a cell can be chosen
  #tries = 0;
  #hints = 0;
  #turn = 0;
  /** @type {import("../base/analysis.js").Running|null} */
  #asked = null;
  /** Called once, when the task is done. @type {(went: Went) => void} */
  ondone = () => {};
  /** The buttons to continue, shown at the end. @type {() => unknown} */
  onward = () => nothing;
  /** Other buttons, always shown. @type {unknown} */
  others = nothing;

  depart() {
    this.#turn++;
    this.#asked?.stop();
  }

  render() {
    const [task, position] = [this.task, this.#position];
    if (!task || !position) return nothing;
    const { tone, words } = this.feedback;
    return html`<div class="table training">
      <div class="table-board">
        <noughts-board .position=${this.shown} .rings=${this.#marks(task)} .playable=${this.#trying} .arrow=${this.#stepper.busy}
          @choose=${(/** @type {CustomEvent} */ event) => this.#attempt(event.detail.square)}></noughts-board>
      </div>
      <div class="table-side stack">
        <div class="task-head">
          <p class="eyebrow">${task.where}</p><h1 class="state">${task.title}</h1><p class="task-words">${task.words}</p>
        </div>
        <div class="feedback" role="status" data-tone=${tone} ?hidden=${words === nothing}>${words}</div>
        ${this.#stepper}
        <div class="tools">${this.#tools()} ${this.others}</div>
        <p class="muted sentence">${position.sentence}</p>
      </div>
    </div>`;
  }

  #tools() {
    if (this.done) return this.onward();
    if (!this.#trying) return button("undo", "Try again", () => this.#reset(), { kind: "primary" });
    return html`${this.#hints < 2 ? button("hint", "Hint", () => this.hint()) : nothing}
      ${button("search", "Show the answer", () => this.giveUp())}`;
  }

  /** The marks for the wrong move of the game, for hints, and for the try on the board. @param {Task} task */
  #marks({ played, solutions }) {
    if (this.#stepper.busy) return new Map();
    if (this.shown !== this.#position) return new Map(this.#tried ? [this.#tried] : []);
    const marks = new Map();
    if (played) marks.set(played, { ...WRONG, words: "was played, and is wrong" });
    if (this.#hints > 1) marks.set(solutions[0], { sign: "", tone: "right", words: "is right" });
    return marks;
  }

  /** Sets a task. @param {Task} task */
  async take(task) {
    const turn = ++this.#turn;
    this.#asked?.stop();
    const position = await api.position(task.rules, task.moves);
    if (turn !== this.#turn) return;
    this.task = task;
    this.#position = position;
    this.#tries = this.#hints = 0;
    this.done = false;
    this.#reset();
    announce(`${task.title}. ${task.words ?? ""}`);
  }

  /** Shows the position of the task again, for another try. */
  #reset() {
    this.#turn++;
    this.#stepper.clear();
    this.shown = this.#position;
    this.#trying = true;
    this.feedback = { tone: "", words: nothing };
  }

  /** Gives a hint: first the row, then the cell. */
  hint() {
    const task = this.task;
    if (!task || this.done) return;
    if (!this.#trying) this.#reset();
    this.#hints++;
    const [square] = task.solutions;
    const row = `row ${square.replace(/^\d+\./, "")[0]}${square.includes(".") ? `, on board ${square[0]}` : ""}`;
    const answer = task.solutions.length > 1 ? "One answer" : "The answer";
    this.feedback = {
      tone: "",
      words: html`<p>${this.#hints === 1 ? `${answer} is in ${row}.` : `It is ${square}.`}</p>`,
    };
  }

  /** Shows the answer and its line. */
  async giveUp() {
    const task = this.task;
    if (!task || this.done) return;
    this.#finish("shown");
    const are = task.solutions.length > 1 ? "are" : "is";
    this.feedback = { tone: "", words: html`<p><b>${listed(task.solutions)}</b> ${are} right. ${task.right}</p>` };
    const line = task.line.length ? task.line : task.solutions.slice(0, 1);
    await this.#stepper.take(task.rules, task.moves, line, 1);
  }

  /** @param {Went} went */
  #finish(went) {
    this.done = true;
    this.#trying = false;
    this.#turn++;
    this.#asked?.stop();
    this.ondone(went);
  }

  /** @param {string} square */
  async #attempt(square) {
    const task = this.task;
    if (!task || this.done || !this.#position?.legal.includes(square)) return;
    const turn = ++this.#turn;
    this.#trying = false;
    const went = this.#tries || this.#hints ? "later" : "first";
    if (task.solutions.includes(square)) {
      this.#finish(went);
      await this.#praise(task, square);
      return;
    }
    const asks = task.open && square !== task.played;
    if (!asks) this.#tries++;
    const after = await api.position(task.rules, [...task.moves, square]);
    if (turn !== this.#turn) return;
    this.shown = after;
    this.#tried = asks ? null : [square, WRONG];
    if (asks) this.feedback = { tone: "", words: html`<p>Is <b>${square}</b> right? It is being proved …</p>` };
    else
      this.feedback = { tone: "wrong", words: html`<p><b>${square}</b> is not it. Looking for the answer to it …</p>` };
    const found = await this.#consequence(task, after);
    if (turn !== this.#turn) return;
    if (asks && found.value !== null && found.value >= (task.value ?? 1)) {
      this.#finish(went);
      await this.#praise({ ...task, line: [square, ...found.line], plies: found.plies }, square);
      return;
    }
    if (asks) this.#tries++;
    const words = this.#wrongWords(after, found);
    const line = found.line.length > 0;
    const answer = line ? html`<p class="muted">The answer to it:</p>` : nothing;
    this.feedback = { tone: "wrong", words: html`<p><b>${square}</b> ${words}</p>${answer}` };
    announce(`${square} ${words}`);
    if (line) await this.#stepper.take(task.rules, task.moves, [square, ...found.line], 2, true);
  }

  /** @param {Task} task @param {string} square */
  async #praise(task, square) {
    const isLine = task.line[0] === square;
    const won = { value: 1, kind: "exact", distance: isLine ? task.plies : null };
    const how =
      task.value === 0 ? "It holds the draw." : task.value === 1 || won.distance ? `It ${exactWords(won)}.` : "";
    this.feedback = { tone: "right", words: html`<p><b>Right: ${square}. </b>${how} ${task.right}</p>` };
    announce(`Right: ${square}. ${how} ${task.right ?? ""}`);
    await this.#stepper.take(task.rules, task.moves, isLine ? task.line : [square], 1);
  }

  /**
   * Solves the position after a try. The value is for the side that made it.
   * @param {Task} task
   * @param {Position} after
   * @returns {Promise<Consequence>}
   */
  async #consequence(task, after) {
    if (after.outcome !== "ongoing") {
      const side = this.#position?.to_move;
      return { value: after.outcome === "draw" ? 0 : after.outcome === side ? 1 : -1, plies: 1, line: [] };
    }
    const subject = { rules: task.rules, moves: after.moves, seconds: SECONDS };
    this.#asked = prove(subject, (step) => {
      const { kind, value, distance, principal_variation: line } = step.result ?? {};
      if (kind === "exact" && (value === 0 || line?.length === distance) && line?.length) this.#asked?.stop();
    });
    const last = await this.#asked.finished.catch(() => null);
    const found = last?.result;
    if (found?.kind !== "exact" || found.value === null) return { value: null, plies: null, line: [] };
    const plies = found.distance === null ? null : found.distance + 1;
    return { value: -found.value || 0, plies, line: found.principal_variation };
  }

  /** @param {Position} after @param {Consequence} found */
  #wrongWords(after, { value, plies, line }) {
    const other = sideName(after.to_move, after.marks);
    if (after.outcome !== "ongoing")
      return value === -1 ? "completes a line, and loses at once." : "ends the game, and something better was there.";
    if (value === null) return "is not right. How it is answered was not proved in time.";
    if (value === 1)
      return `still ${exactWords({ value: 1, kind: "exact", distance: plies })}, but there is something quicker.`;
    if (value === 0) return `gives away the win: ${other} holds the draw${line[0] ? ` with ${line[0]}` : ""}.`;
    const how =
      plies === null ? "" : ` ${exactWords({ value: 1, kind: "exact", distance: plies - 1 }).replace("wins ", "")}`;
    return `loses: ${other} answers ${line[0] ?? ""} and wins${how}.`;
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    const { busy } = this.#stepper;
    if (busy && event.key === "ArrowLeft") this.#stepper.move(-1);
    else if (busy && event.key === "ArrowRight") this.#stepper.move(1);
    else if (event.key === "h") this.hint();
    else if (event.key === "r" && busy && !this.done) this.#reset();
    else return false;
    return true;
  }
}

customElements.define("noughts-trainer", Trainer);
