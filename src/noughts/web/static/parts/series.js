// Puzzles one after another: a set, those of a day, one that was shared, or ever new ones.

import * as api from "../base/api.js";
import { button, fill, h } from "../base/dom.js";
import { sideName } from "../base/format.js";
import { tellError } from "../base/news.js";
import { keepPuzzle, progress } from "../base/progress.js";
import { share } from "./files.js";
import { Trainer } from "./trainer.js";

/** @typedef {import("../base/api-types.js").PuzzleAnswer} Puzzle */
/** @typedef {import("../base/progress.js").Went} Went */

/** What is told beside a puzzle's number. */
export const GRADES = { easy: "easy", medium: "medium", hard: "hard" };

/**
 * @typedef {object} SeriesSettings
 * @property {string} name over the puzzles
 * @property {Puzzle[]} puzzles
 * @property {(puzzle: Puzzle, index: number) => void} shown the address follows
 * @property {(() => Promise<Puzzle>)} [more] makes another one, where they do not end
 * @property {(index: number, went: Went) => void} [done]
 * @property {() => (Node|string)[]} [ended] what stands at the end
 */

export class Series extends HTMLElement {
  #trainer = new Trainer();
  #pips = h("ol", { class: "pips", "aria-label": "Puzzles" });
  #place = h("div", {});
  #index = 0;
  /** @type {SeriesSettings} */
  settings = { name: "", puzzles: [], shown: () => {} };

  connectedCallback() {
    if (this.childElementCount) return;
    fill(
      this,
      h(
        "header",
        { class: "series-head" },
        h("a", { href: "#/learn", class: "back" }, "← Learn"),
        h("p", { class: "series-name" }, this.settings.name),
        this.#pips,
      ),
      this.#place,
    );
    this.#trainer.others = [button("share", "Share", () => void share(), { class: "plain" })];
    this.#trainer.onward = () => [this.#onward()];
    this.#trainer.ondone = (went) => this.#done(went);
  }

  /** @param {number} index */
  async go(index) {
    const { puzzles, shown } = this.settings;
    if (index >= puzzles.length) {
      this.#end();
      return;
    }
    this.#index = index;
    const puzzle = puzzles[index];
    this.#draw();
    shown(puzzle, index);
    if (!this.#trainer.isConnected) fill(this.#place, this.#trainer);
    await this.#trainer.take({ ...puzzle, ...(await taskWords(puzzle)) });
  }

  #onward() {
    const { puzzles, more } = this.settings;
    const last = this.#index === puzzles.length - 1;
    if (!last) return button("forward", "Next puzzle", () => void this.go(this.#index + 1), { class: "primary" });
    if (more) return button("forward", "Next puzzle", () => void this.#more(), { class: "primary" });
    return button("forward", "Finish", () => this.#end(), { class: "primary" });
  }

  async #more() {
    fill(this.#place, h("p", { class: "muted waiting" }, "Making a puzzle: positions are played and proved …"));
    try {
      const puzzle = await /** @type {() => Promise<Puzzle>} */ (this.settings.more)();
      if (!this.isConnected) return;
      this.settings.puzzles.push(puzzle);
      await this.go(this.settings.puzzles.length - 1);
    } catch (error) {
      tellError(error);
      fill(
        this.#place,
        button("redo", "Try again", () => void this.#more(), { class: "primary" }),
      );
    }
  }

  /** @param {Went} went */
  #done(went) {
    const puzzle = this.settings.puzzles[this.#index];
    keepPuzzle(puzzle.id, went);
    document.dispatchEvent(new CustomEvent("puzzle-done", { detail: { puzzle, went } }));
    this.settings.done?.(this.#index, went);
    this.#draw();
  }

  #end() {
    const went = progress().puzzles;
    const solved = this.settings.puzzles.filter(({ id }) => went[id] === "first" || went[id] === "later").length;
    fill(
      this.#place,
      h(
        "div",
        { class: "empty" },
        h("h2", {}, `${solved} of ${this.settings.puzzles.length} solved`),
        this.settings.ended?.() ?? "",
        h("p", {}, h("a", { href: "#/learn", class: "button primary" }, "Back to Learn")),
      ),
    );
  }

  #draw() {
    const went = progress().puzzles;
    const { puzzles, more } = this.settings;
    this.#pips.hidden = puzzles.length < 2 || Boolean(more);
    fill(
      this.#pips,
      puzzles.map((puzzle, index) => {
        const how = went[puzzle.id];
        const words = how === "first" || how === "later" ? "solved" : how === "shown" ? "given up" : "open";
        return h(
          "li",
          {},
          h(
            "button",
            {
              type: "button",
              class: `pip ${how ?? ""}`,
              "aria-current": index === this.#index ? "step" : null,
              "aria-label": `Puzzle ${index + 1}, ${words}`,
              onclick: () => void this.go(index),
            },
            puzzles.length <= 10 ? index + 1 : "",
          ),
        );
      }),
    );
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    return this.#trainer.isConnected && this.#trainer.key(event);
  }
}

/**
 * What is asked of a puzzle, in words.
 * @param {Puzzle} puzzle
 */
async function taskWords(puzzle) {
  const position = await api.position(puzzle.rules, puzzle.moves);
  const side = sideName(position.to_move, position.marks);
  const others = puzzle.otherwise === 0 ? "only draw" : puzzle.otherwise === -1 ? "lose" : "are worse";
  const few = puzzle.solutions.length > 1 ? "Two moves are right" : "One move is right";
  return {
    where: `${puzzle.name} · ${GRADES[puzzle.grade]}`,
    title: puzzle.value === 1 ? `${side} to move and win` : `${side} to move and hold the draw`,
    words: `${few}, all others ${others}.`,
  };
}

customElements.define("puzzle-series", Series);
