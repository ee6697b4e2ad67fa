// <analyse-area>: a game with its analysis, in three tabs: a position, a comparison of two programs, and a search step by step.
// The tabs share the game, the position, its boards, and the buttons to step through moves.

import * as api from "../base/api.js";
import { stateWords } from "../base/format.js";
import { placesOf } from "../base/inquiry.js";
import { announce, emptiness, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { session } from "../base/session.js";
import { button, html, nothing, View } from "../base/view.js";
import "../parts/board.js";
import { CompareTab } from "../parts/compare-tab.js";
import { address, chooseFile, loadGame } from "../parts/files.js";
import { PositionTab } from "../parts/position-tab.js";
import { SearchTab } from "../parts/search-tab.js";

/** @import { Game } from "../base/game.js" */
/** @import { Place } from "../base/judge.js" */
/** @import { Board } from "../parts/board.js" */

/**
 * The content that is drawn: a line of the game, and the position in it. While another one is loading, the game is ahead of it.
 * @typedef {Place & {game: Game, line: Place[], ply: number}} Looked
 */

/** @typedef {"analyse"|"minds"|"search"} Path a tab's path in addresses */

const EXAMPLE = "/static/example-game.json"; // a test proves the claims in its notes
const SHIPPED = "example"; // the bundled game with notes; a changed copy is saved as another game
/** The rules with which each tab begins if there is no game. @type {Record<Path, string>} */
const START = { analyse: "", minds: "bttt(D4)", search: "tic-tac-toe" };
/** @type {[Path, string][]} */
const TABS = [
  ["analyse", "Position"],
  ["minds", "Compare"],
  ["search", "Search tree"],
];

export class AnalyseArea extends View {
  /** @type {Looked|null} */
  looked = null;
  problem = ""; // why there is no game
  #tabs = { analyse: new PositionTab(this), minds: new CompareTab(this), search: new SearchTab(this) };
  /** @type {Path} */
  #path = "analyse";
  #turn = 0;

  arrive() {
    this.listen(session, "change", () => void this.refresh());
    this.listen(session, "game", () => this.#tabs.analyse.forget());
  }

  depart() {
    this.#tab.stop();
  }

  get #tab() {
    return this.#tabs[this.#path];
  }

  /** Shows the position of an address. @param {URLSearchParams} params @param {string} _name @param {string} path */
  async show(params, _name, path) {
    if (path !== this.#path) this.#tab.stop();
    this.#path = /** @type {Path} */ (path);
    const kept = params.get("game");
    if (kept) {
      try {
        const shipped = kept === SHIPPED;
        const game = shipped
          ? await (await fetch(EXAMPLE)).json()
          : (await api.ask("GET /api/games/{id}", { name: kept })).game;
        await loadGame(game, shipped ? null : kept, { shipped });
        return; // loading has gone to the game's own address
      } catch (error) {
        tellError(error);
      }
    }
    this.problem = "";
    try {
      const start = START[this.#path];
      if (!params.get("rules") && !session.game && !start)
        throw new Error("Start a game, open one from a file, or paste a position.");
      if (this.#path !== "analyse") this.#tabs[this.#path].take(params);
      if (params.get("rules") || !session.game) await session.open(params, start);
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
      return;
    }
    await this.refresh();
    if (this.#path === "analyse" && params.get("find") === "mistake") void this.#tabs.analyse.findMistake();
  }

  /** Draws the current position of the game, and lets the tab analyse it. */
  async refresh() {
    const game = session.game;
    if (!game || !this.isConnected) return;
    const turn = ++this.#turn;
    const before = this.looked?.position.text;
    try {
      const { ply } = game.current;
      const line = await placesOf(game);
      if (turn !== this.#turn) return;
      this.looked = { game, line, ply, ...line[ply] };
    } catch (error) {
      tellError(error);
      return;
    }
    this.problem = "";
    this.follow();
    const { position } = this.looked;
    if (before && before !== position.text) announce(`${position.last ?? "start"}. ${stateWords(position)}`);
    this.#tab.moved();
  }

  /** Updates the address to the current view. */
  follow() {
    go(this.#tab.address, { replace: true });
  }

  /** Cancels an update that is loading. */
  leave() {
    this.#turn++;
  }

  render() {
    if (this.problem) {
      const actions = html`<div class="tools">
        ${button("new", "New game", () => go(routeTo("new")), { kind: "primary" })} ${button("load", "Open a file", chooseFile)}
      </div>`;
      return emptiness("No game to analyse", this.problem, actions);
    }
    if (!this.looked) return nothing;
    return html`<nav class="rooms" aria-label="Analysis">
        ${TABS.map(
          ([path, words]) =>
            html`<a href=${address(path)} aria-current=${path === this.#path ? "page" : nothing}>${words}</a>`,
        )}
      </nav>
      ${this.#tab.render(this.looked)}`;
  }

  /** A playable board with the position. @param {Partial<Pick<Board, "label"|"overlay"|"rings"|"ghosts"|"threats">>} shown */
  board({ label = "Board", overlay = new Map(), rings = new Map(), ghosts = new Map(), threats = false }) {
    return html`<noughts-board .label=${label} .position=${this.looked?.position} .overlay=${overlay} .rings=${rings} .ghosts=${ghosts}
      .threats=${threats} .arrow=${ghosts.size > 0} @choose=${(/** @type {CustomEvent} */ event) => this.#play(event.detail.square)}></noughts-board>`;
  }

  /** The buttons to step through the moves. */
  controls() {
    const game = session.game;
    const [first, last] = [!game?.current.parent, !game?.current.next];
    return html`<div class="nav-row" role="toolbar" aria-label="Moves">
      ${button("first", "To the start", () => this.walk(0), { quiet: true, disabled: first })}
      ${button("back", "One move back", () => this.#step("parent"), { quiet: true, disabled: first })}
      ${button("forward", "One move forward", () => this.#step("next"), { quiet: true, disabled: last })}
      ${button("last", "To the end", () => this.walk(Infinity), { quiet: true, disabled: last })}
    </div>`;
  }

  /** @param {string} square */
  #play(square) {
    session.game?.play(square);
    session.changed();
  }

  /** Goes to a ply of the line. @param {number} ply */
  walk(ply) {
    const line = session.game?.line;
    if (line) session.goTo(line[Math.min(ply, line.length - 1)]);
  }

  /** @param {"parent"|"next"} way */
  #step(way) {
    const node = session.game?.current[way];
    if (node) session.goTo(node);
  }

  /** Handles a key. @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    if ("key" in this.#tab && this.#tab.key(event)) return true;
    if (event.key === "u" || event.key === "ArrowLeft") this.#step("parent");
    else if (event.key === "r" || event.key === "ArrowRight") this.#step("next");
    else if (event.key === "Home") this.walk(0);
    else if (event.key === "End") this.walk(Infinity);
    else return false;
    return true;
  }
}

customElements.define("analyse-area", AnalyseArea);
