// <puzzle-series>: puzzles one after another: a set, the daily ones, a shared one, or endless new ones.

import * as api from "../base/api.js";
import { sideName } from "../base/format.js";
import { emptiness, LoadedView, tellError } from "../base/news.js";
import { isSolved, keepMistake, keepPuzzle, progress } from "../base/progress.js";
import { button, html, linkButton, nothing } from "../base/view.js";
import { share } from "./files.js";
import { Trainer } from "./trainer.js";

/** @import { PuzzleAnswer as Puzzle } from "../base/api-types.js" */
/** @typedef {import("./trainer.js").Task & {id: string}} Practised a mistake that is due for practice */
/** @import { Went } from "../base/progress.js" */

/**
 * @typedef {object} SeriesSettings
 * @property {string} name the heading
 * @property {(Puzzle|Practised)[]} puzzles
 * @property {(puzzle: Puzzle|Practised, index: number) => void} shown updates the address
 * @property {(() => Promise<Puzzle>)} [more] makes another puzzle, for an endless series
 * @property {(index: number, went: Went) => void} [done]
 * @property {unknown} [ended] the content at the end
 */

/** The heading of a series: a link back, and its name. @param {unknown} words @param {unknown} [pips] */
export const learnHead = (words, pips = nothing) => html`<header class="series-head">
    <a href="#/learn" class="back">← Learn</a><p class="series-name">${words}</p>${pips}
  </header>`;

export class Series extends LoadedView {
  index = 0;
  /** The results of practised mistakes. @type {Record<string, Went>} */
  practised = {};
  #trainer = new Trainer();

  /** @param {SeriesSettings} settings */
  constructor(settings) {
    super();
    this.settings = settings;
    this.#trainer.others = button("share", "Share", share, { kind: "plain" });
    this.#trainer.onward = () => this.#onward();
    this.#trainer.ondone = (went) => this.#done(went);
  }

  /** @param {number} index */
  async go(index) {
    const { puzzles, shown } = this.settings;
    const puzzle = puzzles[index];
    const task = "title" in puzzle ? puzzle : { ...puzzle, ...(await taskWords(puzzle)) };
    this.index = index;
    shown(puzzle, index);
    this.content = () => this.#trainer;
    await this.#trainer.take(task);
  }

  #onward() {
    const { puzzles, more } = this.settings;
    const primary = { kind: "primary" };
    if (this.index < puzzles.length - 1)
      return button("forward", "Next puzzle", () => this.go(this.index + 1).catch(tellError), primary);
    if (more) return button("forward", "Next puzzle", () => this.#more(more), primary);
    return button("forward", "Finish", () => (this.content = () => this.#end()), primary);
  }

  /** @param {() => Promise<Puzzle>} make */
  #more(make) {
    return this.load(async () => {
      this.content = () => html`<p class="muted waiting">Making a puzzle: positions are played and proved …</p>`;
      const puzzle = await make();
      if (!this.isConnected) return () => nothing; // the user has left meanwhile
      this.settings.puzzles.push(puzzle);
      await this.go(this.settings.puzzles.length - 1);
      return this.content;
    });
  }

  /** @param {Went} went */
  #done(went) {
    const puzzle = this.settings.puzzles[this.index];
    if ("title" in puzzle) this.practised = { ...this.practised, [puzzle.id]: went };
    else {
      keepPuzzle(puzzle.id, went);
      if (went !== "first" && this.#trainer.task) keepMistake(this.#trainer.task);
      document.dispatchEvent(new CustomEvent("puzzle-done", { detail: { puzzle, went } }));
    }
    this.settings.done?.(this.index, went);
    this.requestUpdate();
  }

  /** @override */
  render() {
    const { name, puzzles, more } = this.settings;
    const went = this.#went;
    const pip = (/** @type {{id: string}} */ { id }, /** @type {number} */ index) => {
      const words = isSolved(went[id]) ? "solved" : went[id] === "shown" ? "given up" : "open";
      return html`<li>
        <button type="button" class="pip ${went[id] ?? ""}" aria-current=${index === this.index ? "step" : nothing}
          aria-label=${`Puzzle ${index + 1}, ${words}`} @click=${() => this.go(index).catch(tellError)}>${puzzles.length <= 10 ? index + 1 : ""}</button>
      </li>`;
    };
    const pips = puzzles.length > 1 && !more;
    return html`${learnHead(name, pips ? html`<ol class="pips" aria-label="Puzzles">${puzzles.map(pip)}</ol>` : nothing)}
      ${this.content()}`;
  }

  get #went() {
    return { ...progress().puzzles, ...this.practised };
  }

  #end() {
    const { puzzles, ended } = this.settings;
    const solved = puzzles.filter(({ id }) => isSolved(this.#went[id])).length;
    return emptiness(`${solved} of ${puzzles.length} solved`, ended, linkButton("#/learn", "Back to Learn", "primary"));
  }
}

/** The task of a puzzle in words. @param {Puzzle} puzzle */
async function taskWords(puzzle) {
  const position = await api.position(puzzle.rules, puzzle.moves);
  const side = sideName(position.to_move, position.marks);
  const others = puzzle.otherwise === 0 ? "only draw" : puzzle.otherwise === -1 ? "lose" : "are worse";
  const few = puzzle.solutions.length > 1 ? "Two moves are right" : "One move is right";
  return {
    where: `${puzzle.name} · ${puzzle.grade}`,
    title: puzzle.value === 1 ? `${side} to move and win` : `${side} to move and hold the draw`,
    words: `${few}, all others ${others}.`,
  };
}

customElements.define("puzzle-series", Series);
