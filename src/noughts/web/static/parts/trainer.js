// A position with something to find: the answer stays hidden until it is found, a wrong try is answered by the line that refutes it.

import { analyses } from "../base/analysis.js";
import * as api from "../base/api.js";
import { button, fill, h } from "../base/dom.js";
import { exactWords, sideName } from "../base/format.js";
import { announce } from "../base/news.js";
import { playBoard } from "./board.js";
import { Stepper } from "./stepper.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/progress.js").Went} Went */

/**
 * What is to be found.
 * @typedef {object} Task
 * @property {string} rules
 * @property {string[]} moves
 * @property {string} where above the task, in small words
 * @property {string} title what is asked, in a few words
 * @property {string} [words] and in a sentence
 * @property {string[]} solutions the moves that are right
 * @property {string[]} line how it goes on, from a solution; may be empty
 * @property {number|null} plies until it is won, if that is known
 * @property {number|null} value of the position for the side to move; null if only some of the moves that keep it are right
 * @property {string} [right] said of a right answer
 * @property {string} [played] what was played here, which is wrong
 * @property {boolean} [open] whether other moves may be right as well: then truth is asked about them
 */

/** What a move leads to, for the side that made it. @typedef {{value: number|null, plies: number|null, line: string[]}} Consequence */

const SECONDS = 8; // for the answer to a wrong try

export class Trainer extends HTMLElement {
  #board = playBoard("Board", (square) => void this.#attempt(square));
  #where = h("p", { class: "eyebrow" });
  #title = h("h1", { class: "state" });
  #words = h("p", { class: "task-words" });
  #feedback = h("div", { class: "feedback", role: "status" });
  #sentence = h("p", { class: "muted sentence" });
  #tools = h("div", { class: "tools" });
  #stepper = new Stepper((position) => this.#board.show({ position, rings: new Map() }));
  /** @type {Task|null} */
  #task = null;
  /** @type {Position|null} */
  #position = null;
  #tries = 0;
  #hints = 0;
  #done = false;
  #turn = 0;
  /** @type {import("../base/analysis.js").Running|null} */
  #asked = null;
  /** Called once, when the task is done. @type {(went: Went) => void} */
  ondone = () => {};
  /** The buttons that lead on, shown at the end. @type {() => HTMLElement[]} */
  onward = () => [];
  /** Other buttons, always shown. @type {HTMLElement[]} */
  others = [];

  connectedCallback() {
    if (this.childElementCount) return;
    fill(
      this,
      h(
        "div",
        { class: "table training" },
        h("div", { class: "table-board" }, this.#board),
        h(
          "div",
          { class: "table-side" },
          h("div", { class: "task-head" }, this.#where, this.#title, this.#words),
          this.#feedback,
          this.#stepper.element,
          this.#tools,
          this.#sentence,
        ),
      ),
    );
  }

  disconnectedCallback() {
    this.#turn++;
    this.#asked?.stop();
  }

  /**
   * Sets a task.
   * @param {Task} task
   */
  async take(task) {
    const turn = ++this.#turn;
    this.#asked?.stop();
    const position = await api.position(task.rules, task.moves);
    if (turn !== this.#turn) return;
    this.#task = task;
    this.#position = position;
    this.#tries = this.#hints = 0;
    this.#done = false;
    this.#where.textContent = task.where;
    this.#title.textContent = task.title;
    this.#words.textContent = task.words ?? "";
    this.#sentence.textContent = position.sentence;
    this.#reset();
    announce(`${task.title}. ${task.words ?? ""}`);
  }

  /** The position as it was given, to try again. */
  #reset() {
    this.#turn++;
    this.#stepper.clear();
    this.#board.playable = true;
    this.#board.show({ position: /** @type {Position} */ (this.#position), rings: this.#marks(), overlay: new Map() });
    this.#say("", []);
    this.#offer();
  }

  /** What was played here, and what hints have told. */
  #marks() {
    const marks = new Map();
    const task = /** @type {Task} */ (this.#task);
    if (task.played) marks.set(task.played, { sign: "?", tone: "wrong", words: "was played, and is wrong" });
    if (this.#hints > 1) marks.set(task.solutions[0], { sign: "", tone: "right", words: "is right" });
    return marks;
  }

  /** @param {""|"right"|"wrong"} tone @param {(Node|string)[]} words */
  #say(tone, words) {
    this.#feedback.dataset.tone = tone;
    fill(this.#feedback, words);
  }

  #offer() {
    fill(
      this.#tools,
      this.#done
        ? [...this.onward()]
        : [
            this.#hints < 2 && button("hint", "Hint", () => this.hint(), {}),
            button("search", "Show the answer", () => void this.giveUp(), {}),
          ],
      this.others,
    );
  }

  /** First the row, then the cell. */
  hint() {
    const task = this.#task;
    if (!task || this.#done) return;
    if (this.#stepper.busy) this.#reset();
    this.#hints++;
    const [square] = task.solutions;
    const words =
      this.#hints === 1
        ? `${task.solutions.length > 1 ? "One answer" : "The answer"} is in row ${square.replace(/^\d+\./, "")[0]}${square.includes(".") ? `, on board ${square[0]}` : ""}.`
        : `It is ${square}.`;
    this.#board.show({ rings: this.#marks() });
    this.#say("", [h("p", {}, words)]);
    this.#offer();
  }

  /** Shows the answer and how it goes on. */
  async giveUp() {
    const task = this.#task;
    if (!task || this.#done) return;
    this.#finish("shown");
    this.#say("", [
      h(
        "p",
        {},
        h("b", {}, named(task.solutions)),
        ` ${task.solutions.length > 1 ? "are" : "is"} right. `,
        task.right ?? "",
      ),
    ]);
    await this.#goOn(task.line.length ? task.line : task.solutions.slice(0, 1));
  }

  /** @param {string[]} line */
  async #goOn(line) {
    const task = /** @type {Task} */ (this.#task);
    this.#board.playable = false;
    await this.#stepper.take(task.rules, task.moves, line, 1);
  }

  /** @param {Went} went */
  #finish(went) {
    this.#done = true;
    this.#turn++;
    this.#asked?.stop();
    this.ondone(went);
    this.#offer();
  }

  /** @param {string} square */
  async #attempt(square) {
    const task = this.#task;
    if (!task || this.#done || !this.#position?.legal.includes(square)) return;
    const turn = ++this.#turn;
    this.#board.playable = false;
    if (task.solutions.includes(square)) {
      this.#finish(this.#tries || this.#hints ? "later" : "first");
      await this.#praise(task, square);
      return;
    }
    const asks = task.open && square !== task.played;
    if (!asks) this.#tries++;
    const after = await api.position(task.rules, [...task.moves, square]);
    this.#board.show({ position: after, rings: asks ? new Map() : new Map([[square, wrong]]) });
    if (asks) this.#say("", [h("p", {}, "Is ", h("b", {}, square), " right? It is being proved …")]);
    else this.#say("wrong", [h("p", {}, h("b", {}, square), " is not it. Looking for the answer to it …")]);
    fill(
      this.#tools,
      button("undo", "Try again", () => this.#reset(), { class: "primary" }),
      this.others,
    );
    const found = await this.#consequence(task, after);
    if (turn !== this.#turn) return;
    if (asks && found.value !== null && found.value >= (task.value ?? 1)) {
      this.#finish(this.#tries || this.#hints ? "later" : "first");
      await this.#praise({ ...task, line: [square, ...found.line], plies: found.plies }, square);
      return;
    }
    if (asks) this.#tries++;
    const words = [h("b", {}, square), ` ${this.#wrongWords(after, found)}`];
    this.#say("wrong", [
      h("p", {}, words),
      found.line.length ? h("p", { class: "muted" }, "Step through the answer:") : "",
    ]);
    announce(this.#feedback.textContent ?? "");
    if (found.line.length) {
      await this.#stepper.take(task.rules, task.moves, [square, ...found.line], 2);
    }
  }

  /** @param {Task} task @param {string} square */
  async #praise(task, square) {
    const line = task.line[0] === square ? task.line : [square];
    const length = task.line[0] === square ? task.plies : null;
    const how =
      task.value === 0
        ? "It holds the draw."
        : length
          ? `It ${exactWords({ value: 1, kind: "exact", distance: length })}.`
          : task.value === 1
            ? "It wins."
            : "";
    const words = [h("b", {}, "Right: ", square, ". "), how, " ", task.right ?? ""];
    this.#say("right", [h("p", {}, words)]);
    announce(this.#feedback.textContent ?? "");
    await this.#goOn(line);
  }

  /**
   * What truth says of a try, for who made it.
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
    this.#asked = analyses.start({ type: "exact", ...subject }, (step) => {
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
    if (this.#stepper.busy && (event.key === "ArrowLeft" || event.key === "ArrowRight")) {
      this.#stepper.move(event.key === "ArrowLeft" ? -1 : 1);
      return true;
    }
    if (event.key === "h") {
      this.hint();
      return true;
    }
    if (event.key === "r" && this.#stepper.busy && !this.#done) {
      this.#reset();
      return true;
    }
    return false;
  }
}

const wrong = { sign: "?", tone: "wrong", words: "is not right" };

/** @param {string[]} squares */
export const named = (squares) =>
  squares.length > 1 ? `${squares.slice(0, -1).join(", ")} and ${squares.at(-1)}` : (squares[0] ?? "");

customElements.define("noughts-trainer", Trainer);
