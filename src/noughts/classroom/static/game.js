// A game in the class: the board live, whose turn it is, and what its players may do. Others watch.

import { position as positionAfter } from "/static/base/api.js";
import { button, fill, h } from "/static/base/dom.js";
import { sideName } from "/static/base/format.js";
import { announce, emptiness, tellError } from "/static/base/news.js";
import { routeTo } from "/static/base/route.js";
import { HUMAN } from "/static/base/session.js";
import { addressField, confirmed } from "/static/parts/asking.js";
import { playBoard } from "/static/parts/board.js";
import * as api from "./api.js";
import { classroom, gameAddress } from "./classroom.js";
import { gameWords, isAway, seatName } from "./tile.js";

/** @typedef {import("./api-types.js").ClassGameAnswer} ClassGame */
/** @typedef {import("/static/base/api-types.js").PositionAnswer} Position */

const SIDES = /** @type {const} */ (["first", "second"]);

export class ClassGameView extends HTMLElement {
  #id;
  #board = playBoard("Board", (square) => void this.#play(square));
  #state = h("h1", { class: "state" });
  #note = h("p", { class: "note", role: "status" });
  #players = h("div", { class: "scorecard" });
  #tools = h("div", { class: "tools" });
  #sentence = h("p", { class: "muted sentence" });
  #moves = h("p", { class: "class-moves muted" });
  /** @type {ClassGame|null} */
  #game = null;
  #sending = false;
  #turn = 0;
  #said = "";
  #offered = "";
  #gone = new AbortController();

  /** @param {string} id */
  constructor(id) {
    super();
    this.#id = id;
  }

  connectedCallback() {
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    classroom.addEventListener(
      "game",
      (event) => {
        const { id, game } = /** @type {CustomEvent} */ (event).detail;
        if (id === this.#id) void this.#show(game);
      },
      { signal },
    );
    const again = () => this.#game && this.#words();
    classroom.addEventListener("class", again, { signal });
    classroom.addEventListener("line", again, { signal });
    void this.#load();
  }

  disconnectedCallback() {
    this.#gone.abort();
  }

  async #load() {
    try {
      await this.#show(classroom.games.get(this.#id) ?? (await api.game(this.#id)));
    } catch (error) {
      fill(
        this,
        emptiness(
          "This game is not there",
          /** @type {Error} */ (error).message,
          h("a", { class: "button primary", href: "#/class" }, "To the class"),
        ),
      );
    }
  }

  #build() {
    fill(
      this,
      h(
        "div",
        { class: "table" },
        h("div", { class: "table-board" }, this.#board),
        h(
          "div",
          { class: "table-side" },
          h("a", { href: "#/class", class: "back" }, "← The class"),
          h("div", { class: "panel status-panel" }, this.#state, this.#note, this.#players),
          this.#tools,
          this.#sentence,
          this.#moves,
        ),
      ),
    );
  }

  /** @param {ClassGame} game */
  async #show(game) {
    const turn = ++this.#turn;
    const position = await positionAfter(game.rules, game.moves);
    if (turn !== this.#turn || !this.isConnected) return;
    if (!this.#game) this.#build();
    this.#game = game;
    this.#board.playable = this.#isMyTurn && !this.#sending;
    this.#board.show({ position });
    this.#sentence.textContent = position.sentence;
    this.#moves.textContent = game.moves.length ? `Moves: ${game.moves.join(" ")}` : "";
    this.#words();
    this.#offer();
  }

  get #isMyTurn() {
    return this.#game !== null && this.#game.to_move !== null && this.#game.to_move === this.#game.mine;
  }

  #words() {
    const game = /** @type {ClassGame} */ (this.#game);
    const position = /** @type {Position} */ (this.#board.position);
    const words = endWords(game) || gameWords(game);
    const said = words[0].toUpperCase() + words.slice(1);
    this.#state.textContent = said;
    if (said !== this.#said) announce(said);
    this.#said = said;
    const away = SIDES.find((side) => game.mine !== side && isAway(game[side]) && game.state === "playing");
    this.#note.textContent = !classroom.connected
      ? "The connection is lost. Trying again …"
      : game.why
        ? `The program failed: ${game.why}`
        : away
          ? `${seatName(game[away])} is away, and can come back.`
          : "";
    fill(
      this.#players,
      SIDES.map((side) => {
        const symbol = position.marks === "own" ? sideName(side, "own") : side === "first" ? "1" : "2";
        const you = game.mine === side ? " (you)" : "";
        return h(
          "div",
          { class: `player ${side} ${game.to_move === side ? "on-turn" : ""}` },
          h("span", { class: "player-mark", "aria-hidden": "true" }, symbol),
          h(
            "span",
            { class: "player-name" },
            seatName(game[side]) + you,
            isAway(game[side]) && h("small", { class: "muted" }, " away"),
          ),
          game.outcome === side && h("span", { class: "player-won" }, "won"),
        );
      }),
    );
  }

  /** What may be done now; drawn anew only when that is something else. */
  #offer() {
    const game = /** @type {ClassGame} */ (this.#game);
    const { state, mine } = game;
    const removed = SIDES.some(
      (side) => game[side].kind === "pupil" && classroom.state && !classroom.pupil(game[side].id),
    );
    const offered = JSON.stringify([state, mine, game.outcome, removed]);
    if (offered === this.#offered) return;
    this.#offered = offered;
    const isPupil = classroom.me.role === "pupil";
    const ours = mine !== null;
    const taking = state === "waiting" && !ours && isPupil;
    fill(
      this.#tools,
      taking && button("play", "Play", () => this.#do(api.takeSeat(this.#id)), { class: "primary" }),
      state === "waiting" && ours && this.#waiting(),
      state === "playing" && ours && !removed && button("flag", "Resign", () => void this.#resign(), {}),
      state === "playing" &&
        ours &&
        removed &&
        button("close", "End it: the other has left", () => this.#do(api.resign(this.#id)), {}),
      state === "ended" && game.outcome !== "" && game.outcome !== "draw" && this.#lesson(),
      state === "ended" && h("a", { class: "button", href: routeTo("analyse", this.#asGame()) }, "Analyse"),
    );
  }

  /** For the pupil who waits: the link. */
  #waiting() {
    return h(
      "div",
      { class: "waiting-game" },
      h("p", {}, "Send this link to a classmate. The game begins when one opens it and presses Play."),
      addressField(gameAddress(this.#id)),
    );
  }

  #asGame() {
    const game = /** @type {ClassGame} */ (this.#game);
    const player = (/** @type {"first"|"second"} */ side) => (game[side].kind === "agent" ? game[side].id : HUMAN);
    return {
      rules: game.rules,
      moves: game.moves.join(" "),
      first: player("first"),
      second: player("second"),
      seed: game.seed,
    };
  }

  #lesson() {
    return h("a", { class: "button", href: routeTo("learn/mistake", this.#asGame()) }, "Where was it lost?");
  }

  /** @param {string} square */
  async #play(square) {
    const game = this.#game;
    if (!game || this.#sending) return;
    this.#sending = true;
    this.#board.playable = false;
    try {
      classroom.take(await api.move(this.#id, game.moves.length, square));
    } catch (error) {
      tellError(error);
    }
    this.#sending = false;
    if (this.#game) await this.#show(classroom.games.get(this.#id) ?? this.#game).catch(tellError);
  }

  /** @param {Promise<ClassGame>} answer */
  #do(answer) {
    answer.then((game) => classroom.take(game), tellError);
  }

  async #resign() {
    if (await confirmed("Resign this game?", "The other one has won it then.", "Resign"))
      this.#do(api.resign(this.#id));
  }
}

/** How a game ended for the one who played it; empty for others, and while it goes on. @param {ClassGame} game */
function endWords({ state, mine, outcome, ending }) {
  if (state !== "ended" || mine === null || outcome === "") return "";
  if (outcome === "draw") return "A draw";
  const how = ending === "resigned" ? ", by resignation" : "";
  return `You ${outcome === mine ? "win" : "lose"}${how}`;
}

customElements.define("class-game", ClassGameView);
