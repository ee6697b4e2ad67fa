// <home-area>: a board to play on immediately, a sentence about noughts, links to the main areas, examples, and the games.

import * as api from "../base/api.js";
import { stateWords } from "../base/format.js";
import { tellError } from "../base/news.js";
import { routeTo } from "../base/route.js";
import { newSeed } from "../base/session.js";
import { button, html, icon, linkButton, nothing, View } from "../base/view.js";
import "../parts/board.js";
import { LOST_GAME } from "../parts/files.js";
import { picture } from "../parts/mini.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */

const RULES = "tic-tac-toe";
const AGENT = "mcts:sims=1000";
const NAME = "Otto";

/** Address, icon, title and description. @type {[string, string, string, string][]} */
const DOORS = [
  ["#/new", "play-area", "Play", "Against programs of every strength, or a friend. Then see where it was lost."],
  ["#/learn", "learn", "Learn", "Find the move: lessons, and puzzles whose every answer is proved."],
  ["#/studies", "studies", "Research", "Compare programs with exact truth: watch, compare, read what was found."],
];

export class HomeArea extends View {
  /** @type {Position|null} */
  position = null;
  /** @type {import("../base/api-types.js").PresetAnswer[]} */
  games = [];
  #seed = newSeed();

  async show() {
    if (this.position) return;
    api.presets().then((games) => (this.games = games), tellError);
    await this.#begin();
  }

  async #begin() {
    this.#seed = newSeed();
    try {
      this.position = await api.position(RULES, []);
    } catch (error) {
      tellError(error);
    }
  }

  render() {
    return html`<div class="hero">
        <div class="hero-words">
          <h1>Games of lines, and the truth about every move.</h1>
          <p class="lead">
            Play tic-tac-toe and its relatives against programs that think, and afterwards see exactly where the game was
            won and lost: not guessed, proved.
          </p>
        </div>
        ${this.#game()}
      </div>
      <nav class="doors" aria-label="What there is">
        ${DOORS.map(
          ([href, name, title, about]) => html`<a class="door" href=${href}>
            ${icon(name)}<span class="door-words"><b>${title}</b><span class="muted">${about}</span></span>
          </a>`,
        )}
      </nav>
      <section class="page-section" aria-labelledby="home-examples">
        <h2 id="home-examples">See for yourself</h2>
        <ul class="examples">
          <li><a href=${LOST_GAME}>A lost game, explained</a>
            <span class="muted">Eight moves of Brick Tic-Tac-Toe: which one lost, and how it would have been won.</span></li>
          <li><a href="#/analyse?game=example">A game with notes</a>
            <span class="muted">Two mistakes on 4x4: step through the moves and read what is proved about each, and why.</span></li>
          <li><a href="#/studies/exact-values">Who wins, exactly</a>
            <span class="muted">The brick on every square, and other games: for each the proved value, and how many moves the win takes.</span></li>
          <li><a href="#/studies/betazero-adversaries">A paper, measured again</a>
            <span class="muted">How often do three programs lose tic-tac-toe to a simple one? The paper’s numbers, and ours beside them.</span></li>
          <li><a href="#/runs?run=example">A network that taught itself</a>
            <span class="muted">It learned Brick Tic-Tac-Toe from nothing. Play against it, look into it, prove it.</span></li>
        </ul>
      </section>
      <section class="page-section" aria-labelledby="home-games">
        <h2 id="home-games">The games</h2>
        <ul class="gallery">
          ${this.games.map(
            ({ name, text, sample }) => html`<li><a href=${routeTo("new", { rules: text })}>
              <span class="gallery-picture">${picture(text, sample)}</span>${name}</a></li>`,
          )}
        </ul>
      </section>`;
  }

  #game() {
    const position = this.position;
    const over = position !== null && position.outcome !== "ongoing";
    const mine = position?.to_move === "first" && !over;
    const goesOn = !mine ? `${NAME} thinks …` : position.ply ? "Your move." : "Your move: touch a square.";
    const words = !position ? "" : over ? stateWords(position) : goesOn;
    return html`<div class="hero-board">
      <noughts-board .label=${"A game of tic-tac-toe"} .position=${position} .playable=${mine}
        @choose=${(/** @type {CustomEvent} */ event) => this.#play(event.detail.square)}></noughts-board>
      <p class="hero-state" role="status">${words}</p>
      <p class="hero-then">${over ? this.#after(position) : nothing}</p>
    </div>`;
  }

  /** @param {Position} end */
  #after(end) {
    const where = { rules: RULES, moves: end.moves.join(" "), first: "human", second: AGENT, seed: this.#seed };
    const lost = end.outcome === "second";
    return html`${lost ? linkButton(routeTo("learn/mistake", where), "Find the move that was right", "primary") : nothing}
      ${button("", "Again", () => this.#begin())} ${linkButton(routeTo("new"), "A larger game")}`;
  }

  /** @param {string} square */
  async #play(square) {
    const before = this.position;
    if (!before) return;
    try {
      const position = await api.position(RULES, [...before.moves, square]);
      this.position = position;
      if (position.outcome !== "ongoing") return;
      const asked = { rules: RULES, moves: position.moves, agent: AGENT, seed: this.#seed };
      const found = await api.move(asked, new AbortController().signal);
      if (this.isConnected && this.position === position) this.position = found.position;
    } catch (error) {
      tellError(error);
      this.position = before;
    }
  }
}

customElements.define("home-area", HomeArea);
