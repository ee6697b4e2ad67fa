// <home-area>: a board to touch at once, one sentence that says what this is, three doors, and the games in their middle.

import * as api from "../base/api.js";
import { fill, h, icon } from "../base/dom.js";
import { stateWords } from "../base/format.js";
import { tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { newSeed } from "../base/session.js";
import { playBoard } from "../parts/board.js";
import { miniature } from "../parts/mini.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */

const RULES = "tic-tac-toe";
const AGENT = "mcts:sims=1000";
const NAME = "Otto";

/** Address, icon, title, and what is behind it. @type {[string, string, string, string][]} */
const DOORS = [
  ["#/new", "play-area", "Play", "Against programs of every strength, or a friend. Then see where it was lost."],
  ["#/learn", "learn", "Learn", "Find the move: lessons, and puzzles whose every answer is proved."],
  [
    "#/research",
    "studies",
    "Research",
    "Programs beside exact truth: watch them think, match them, read what was found.",
  ],
];

/** What there is to see at once: address, words, and what it shows. @type {[string, string, string][]} */
const EXAMPLES = [
  [
    "#/analyse?rules=bttt(D4)&moves=A1+C3+A2+C4+A6+C5+F7+C6&first=human&second=minimax:depth=2&seed=1&find=mistake",
    "A lost game, explained",
    "Eight moves of Brick Tic-Tac-Toe: which one lost, and how it would have been won.",
  ],
  [
    "#/analyse?game=example",
    "A game with notes",
    "Two mistakes on 4x4: step through the moves and read what is proved about each, and why.",
  ],
  [
    "#/studies/exact-values",
    "Who wins, exactly",
    "The brick on every square, and other games: for each the proved value, and how many plies the win takes.",
  ],
  [
    "#/studies/betazero-adversaries",
    "A paper, measured again",
    "How often do three programs lose tic-tac-toe to a simple one? The paper’s numbers, and ours beside them.",
  ],
  [
    "#/runs?run=example",
    "A network that taught itself",
    "It learned Brick Tic-Tac-Toe from nothing. Play against it, look into it, prove it.",
  ],
];

export class HomeArea extends HTMLElement {
  #board = playBoard("A game of tic-tac-toe", (square) => void this.#play(square));
  #state = h("p", { class: "hero-state", role: "status" });
  #then = h("p", { class: "hero-then" });
  /** @type {Position|null} */
  #position = null;
  #seed = newSeed();

  connectedCallback() {
    const games = h("ul", { class: "gallery" });
    api.presets().then((presets) => fill(games, presets.map(picture)), tellError);
    fill(
      this,
      h(
        "div",
        { class: "hero" },
        h(
          "div",
          { class: "hero-words" },
          h("h1", {}, "Games of lines, and the truth about every move."),
          h(
            "p",
            { class: "lead" },
            "Play tic-tac-toe and its relatives against programs that think, and afterwards see exactly where the game was won and lost: not guessed, proved.",
          ),
        ),
        h("div", { class: "hero-board" }, this.#board, this.#state, this.#then),
      ),
      h(
        "nav",
        { class: "doors", "aria-label": "What there is" },
        DOORS.map(([href, name, title, about]) =>
          h(
            "a",
            { class: "door", href },
            icon(name),
            h("span", { class: "door-words" }, h("b", {}, title), h("span", { class: "muted" }, about)),
          ),
        ),
      ),
      h(
        "section",
        { class: "home-section", "aria-labelledby": "home-examples" },
        h("h2", { id: "home-examples" }, "See for yourself"),
        h(
          "ul",
          { class: "examples" },
          EXAMPLES.map(([href, words, about]) =>
            h("li", {}, h("a", { href }, words), h("span", { class: "muted" }, about)),
          ),
        ),
      ),
      h(
        "section",
        { class: "home-section", "aria-labelledby": "home-games" },
        h("h2", { id: "home-games" }, "The games"),
        games,
      ),
    );
  }

  show() {
    if (!this.#position) void this.#begin().catch(tellError);
  }

  async #begin() {
    this.#seed = newSeed();
    this.#then.textContent = "";
    this.#draw(await api.position(RULES, []));
  }

  /** @param {Position} position */
  #draw(position) {
    this.#position = position;
    const over = position.outcome !== "ongoing";
    const mine = position.to_move === "first" && !over;
    this.#board.playable = mine;
    this.#board.show({ position });
    this.#state.textContent = over
      ? stateWords(position)
      : position.ply === 0
        ? "Your move: touch a square."
        : mine
          ? "Your move."
          : `${NAME} thinks …`;
    if (!over) return;
    const players = { first: "human", second: AGENT, seed: this.#seed };
    const where = { rules: RULES, moves: position.moves.join(" "), ...players };
    const lost = position.outcome === "second";
    fill(
      this.#then,
      lost
        ? h("a", { class: "button primary", href: routeTo("learn/mistake", where) }, "Find the move that was right")
        : "",
      " ",
      h("button", { type: "button", class: "button", onclick: () => void this.#begin().catch(tellError) }, "Again"),
      " ",
      h("a", { class: "button", href: routeTo("new") }, "A larger game"),
    );
  }

  /** @param {string} square */
  async #play(square) {
    const before = this.#position;
    if (!before) return;
    try {
      const position = await api.position(RULES, [...before.moves, square]);
      this.#draw(position);
      if (position.outcome !== "ongoing") return;
      const asked = { rules: RULES, moves: position.moves, agent: AGENT, seed: this.#seed };
      const found = await api.move(asked, new AbortController().signal);
      if (this.isConnected && this.#position === position) this.#draw(found.position);
    } catch (error) {
      tellError(error);
      this.#draw(before);
    }
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    if (event.key !== "p") return false;
    go(routeTo("new"));
    return true;
  }
}

/** A game in its middle. @param {import("../base/api-types.js").PresetAnswer} preset */
function picture({ name, text, sample }) {
  const place = h("span", { class: "gallery-picture" });
  api.position(text, sample).then(
    (position) => place.append(miniature(position, "")),
    () => {}, // then it has no picture
  );
  return h("li", {}, h("a", { href: routeTo("new", { rules: text }) }, place, name));
}

customElements.define("home-area", HomeArea);
