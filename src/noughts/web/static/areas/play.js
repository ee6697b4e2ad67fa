// <play-area>: a game being played, against a program, a friend, or by two programs.

import { analyses } from "../base/analysis.js";
import * as api from "../base/api.js";
import { button, check, fill, h, icon } from "../base/dom.js";
import { exactWords, sideName, signed, stateWords } from "../base/format.js";
import { Game } from "../base/game.js";
import { keep, keptChoices } from "../base/kept.js";
import { called, learnNames } from "../base/names.js";
import { announce, emptiness, tellError } from "../base/news.js";
import { bestMoves, overlay } from "../base/overlay.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { HUMAN, newSeed, session, TRUTH } from "../base/session.js";
import { advice } from "../parts/adviser.js";
import { playBoard } from "../parts/board.js";
import { Coach } from "../parts/coach.js";
import { address, mistakeAddress, share } from "../parts/files.js";
import { moveList } from "../parts/moves.js";
import { ending, scorecard } from "../parts/scorecard.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */

const HINT_SECONDS = 2;
const ADVISER = "mcts:sims=3000"; // where truth is not known in time
const PAUSE = 500; // milliseconds between the moves of two programs

export class PlayArea extends HTMLElement {
  #choices = keptChoices("play", { threats: false, coach: false });
  #advice = h("p", { class: "advice", "aria-live": "polite" });
  #coach = new Coach();
  #board = playBoard("Board", (square) => this.#human(square));
  #state = h("h1", { class: "state" });
  #note = h("p", { class: "note" });
  #players = h("div", { class: "scorecard" });
  #ending = h("section", { class: "ending", hidden: true, "aria-label": "How the game ended" });
  #moves = h("div", { class: "panel moves-panel" });
  #sentence = h("p", { class: "muted sentence" });
  #keptNote = h("small", { class: "muted" });
  #undo = button("undo", "Undo", () => this.undo(), {});
  #redo = button("redo", "Redo", () => this.redo(), {});
  #hint = button("hint", "Hint", () => void this.hint(!this.#hinting), {
    class: "hint-button",
    title: "Show the best move (hold h)",
    "aria-pressed": "false",
  });
  #pause = button("pause", "Pause", () => this.#turnPause(), { hidden: true });
  #hinted = h("p", { class: "hint-words", hidden: true });
  /** @type {Position|null} */
  #position = null;
  /** @type {AbortController|null} */
  #thinking = null;
  /** @type {import("../base/analysis.js").Running[]} */
  #asked = [];
  #hinting = false;
  #paused = false;
  #gone = new AbortController();
  #turn = 0; // each change begins a new turn; answers to older ones are dropped

  connectedCallback() {
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    learnNames(() => session.game && this.#position && this.#words(session.game, this.#position));
    session.addEventListener("change", () => void this.#refresh(), { signal });
    session.addEventListener(
      "kept",
      (event) => {
        const ok = /** @type {CustomEvent} */ (event).detail;
        this.#keptNote.textContent = ok
          ? "Kept on this machine."
          : "Kept in this browser only: the server could not take it.";
      },
      { signal },
    );
  }

  disconnectedCallback() {
    this.#gone.abort();
    this.#thinking?.abort();
    this.hint(false);
    this.#coach.leave();
  }

  /** Shows the game of an address. @param {URLSearchParams} params */
  async show(params) {
    const rules = params.get("rules") ?? session.game?.rules;
    if (!rules) {
      go(routeTo("new"), { replace: true });
      dispatchEvent(new HashChangeEvent("hashchange"));
      return;
    }
    if (params.get("rules")) {
      try {
        const players = { first: params.get("first") ?? undefined, second: params.get("second") ?? undefined };
        const at = params.has("at") ? Number(params.get("at")) : Infinity;
        await session.open(rules, movesOf(params), players, at, params.has("seed") ? Number(params.get("seed")) : null);
      } catch (error) {
        fill(
          this,
          emptiness(
            "This address holds no game",
            /** @type {Error} */ (error).message,
            button("new", "New game", () => go(routeTo("new")), { class: "primary" }),
          ),
        );
        return;
      }
    }
    const game = session.game;
    // A person may have taken moves back; where a program is to move the game stands at its end.
    if (game?.current.next && !isHumansTurn(game))
      game.goTo(/** @type {import("../base/game.js").Node} */ (game.line.at(-1)));
    this.#build();
    await this.#refresh();
  }

  /** @param {Game} game */
  #isHuman(game) {
    return game.players.first === HUMAN || game.players.second === HUMAN;
  }

  #build() {
    fill(
      this,
      h(
        "div",
        { class: "table" },
        h("div", { class: "table-board" }, this.#board, this.#hinted),
        h(
          "div",
          { class: "table-side" },
          h("div", { class: "panel status-panel" }, this.#state, this.#note, this.#players),
          this.#advice,
          this.#coach.element,
          this.#ending,
          h(
            "div",
            { class: "tools", role: "toolbar", "aria-label": "Game" },
            this.#undo,
            this.#redo,
            this.#hint,
            this.#pause,
            button("swap", "Swap sides", () => this.swap(), {}),
            button("analyse", "Analyse", () => go(address("analyse")), {}),
            button("share", "Share", () => void share(), {}),
            button("new", "New game", () => go(routeTo("new")), {}),
          ),
          this.#moves,
          this.#sentence,
          check("Adviser: mark what lines threaten, and say so", this.#choices.threats, (checked) => {
            this.#choices.threats = checked;
            keep("play", this.#choices);
            this.#board.threats = checked;
            this.#board.show({});
            this.#advise();
          }),
          check("Coach: stop me before a move that gives the game away", this.#choices.coach, (checked) => {
            this.#choices.coach = checked;
            keep("play", this.#choices);
            this.#watchOver();
          }),
          this.#keptNote,
        ),
      ),
    );
  }

  /** Draws the current position, and lets a program reply if it is its turn. */
  async #refresh() {
    const game = session.game;
    if (!game || !this.isConnected) return;
    const turn = ++this.#turn;
    this.#thinking?.abort();
    this.#thinking = null;
    this.hint(false);
    let position;
    try {
      position = await api.position(game.rules, game.current.moves);
    } catch (error) {
      tellError(error);
      this.#undo.disabled = !game.current.parent;
      fill(
        this.#note,
        "The board could not be drawn. ",
        button("redo", "Try again", () => void this.#refresh(), {}),
      );
      return;
    }
    if (turn !== this.#turn) return;
    const before = this.#position;
    this.#position = position;
    const over = position.outcome !== "ongoing";
    const player = game.players[position.to_move];
    const mine = player === HUMAN && !over;
    this.#board.playable = mine;
    this.#board.threats = this.#choices.threats;
    this.#board.show({ position, overlay: new Map(), ghosts: new Map(), rings: new Map() });
    this.#sentence.textContent = position.sentence;
    this.#undo.disabled = !game.current.parent;
    this.#redo.disabled = !game.current.next;
    this.#hint.disabled = over || !mine;
    this.#pause.hidden = this.#isHuman(game);
    this.#words(game, position);
    fill(
      this.#moves,
      h("h2", {}, "Moves"),
      moveList(game, (node) => {
        game.goTo(node);
        session.changed();
      }),
    );
    this.#end(game, position);
    this.#advise();
    this.#watchOver();
    go(address("play"), { replace: true });
    if (before?.text !== position.text)
      announce([position.last && `${position.last} played.`, this.#state.textContent].filter(Boolean).join(" "));
    if (!over && !mine && !this.#paused) void this.#reply(game, position, turn);
  }

  /** Says what lines threaten, if it is a person's turn and that is wanted. */
  #advise() {
    const wanted = this.#choices.threats && this.#board.playable && this.#position;
    this.#advice.textContent = wanted ? advice(wanted) : "";
  }

  /** Lets the coach look at the position, if it is a person's turn and the coach is wanted. */
  #watchOver() {
    const [game, position] = [session.game, this.#position];
    if (this.#choices.coach && game && position && this.#board.playable) this.#coach.look(game, position);
    else this.#coach.leave();
  }

  /** @param {Game} game @param {Position} position */
  #words(game, position) {
    const player = game.players[position.to_move];
    const over = position.outcome !== "ongoing";
    const alone = game.players.first !== HUMAN || game.players.second !== HUMAN;
    this.#state.textContent = over
      ? ending(game.players, position)
      : player === HUMAN && alone
        ? "Your move"
        : stateWords(position);
    const symbol =
      position.marks === "own" ? `You play ${sideName(position.to_move, "own")}.` : "Both players place X.";
    this.#note.textContent = over
      ? ""
      : player !== HUMAN
        ? this.#paused
          ? "Paused."
          : `${called(player)} is thinking …`
        : alone
          ? symbol
          : "";
    this.#note.classList.toggle("thinking", !over && player !== HUMAN && !this.#paused);
    fill(this.#players, scorecard(game.players, position));
  }

  /** What to do at the end: see why, play again, tell somebody. @param {Game} game @param {Position} position */
  #end(game, position) {
    const over = position.outcome !== "ongoing";
    this.#ending.hidden = !over;
    if (!over) return;
    const words = ending(game.players, position);
    const lines = position.winning_lines;
    const how = lines.length
      ? `${lines.map((line) => line.join("–")).join(" and ")} is ${position.k} in a row.`
      : "The board is full.";
    this.#ending.dataset.verdict = words === "You win" ? "won" : words === "You lose" ? "lost" : "over";
    fill(
      this.#ending,
      h("p", {}, how),
      h(
        "div",
        { class: "tools" },
        this.#isHuman(game) &&
          words !== "You win" &&
          button("hint", "Find the move first", () => go(mistakeAddress(game)), { class: "primary" }),
        button("analyse", "See where it went wrong", () => go(`${address("analyse")}&find=mistake`), {}),
        button("redo", "Play again", () => this.#again(false), {}),
        this.#isHuman(game) &&
          game.players.first !== game.players.second &&
          button("swap", "Again, other side", () => this.#again(true), {}),
      ),
    );
  }

  /** @param {Game} game @param {Position} position @param {number} turn */
  async #reply(game, position, turn) {
    const agent = game.players[position.to_move];
    const thinking = new AbortController();
    this.#thinking = thinking;
    const watching = !this.#isHuman(game);
    try {
      const [found] = await Promise.all([
        api.move({ rules: game.rules, moves: position.moves, agent, seed: game.seed }, thinking.signal),
        watching && new Promise((done) => setTimeout(done, PAUSE)),
      ]);
      if (turn !== this.#turn || session.game !== game) return;
      this.#thinking = null;
      if (found.result) game.current.analysis[agent] = found.result;
      game.play(found.move, { main: true });
      session.changed();
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError" || turn !== this.#turn) return;
      this.#thinking = null;
      this.#note.classList.remove("thinking");
      fill(
        this.#note,
        `${called(agent)} could not move: ${/** @type {Error} */ (error).message} `,
        button("redo", "Try again", () => void this.#refresh(), {}),
      );
    }
  }

  /** @param {string} square */
  #human(square) {
    const game = session.game;
    if (!game || !this.#position?.legal.includes(square) || this.#position.ply !== game.current.ply) return;
    const play = () => {
      game.play(square, { main: true });
      session.changed();
    };
    if (!this.#choices.coach) {
      play();
      return;
    }
    const turn = this.#turn;
    this.#board.show({ rings: new Map([[square, { sign: "", tone: "played", words: "about to be played" }]]) });
    void this.#coach.ask(square).then((go) => {
      if (turn !== this.#turn) return;
      this.#board.show({ rings: new Map() });
      if (go) play();
    });
  }

  /** Takes back the last move of a person, and the reply to it. */
  undo() {
    const game = session.game;
    if (!game?.current.parent) return;
    let node = game.current.parent;
    const human = (/** @type {number} */ ply) => game.players[ply % 2 === 0 ? "first" : "second"] === HUMAN;
    while (node.parent && !human(node.ply) && this.#isHuman(game)) node = node.parent;
    this.#paused ||= !this.#isHuman(game);
    this.#showPause();
    game.goTo(node);
    session.changed();
  }

  /** Makes moves again that were taken back, to the next turn of a person. */
  redo() {
    const game = session.game;
    if (!game?.current.next) return;
    let node = game.current.next;
    const human = (/** @type {number} */ ply) => game.players[ply % 2 === 0 ? "first" : "second"] === HUMAN;
    while (node.next && !human(node.ply) && this.#isHuman(game)) node = node.next;
    game.goTo(node);
    session.changed();
  }

  /** The players change sides; the game goes on. */
  swap() {
    const game = session.game;
    if (!game) return;
    game.players = { first: game.players.second, second: game.players.first };
    session.changed();
  }

  /** @param {boolean} swapped */
  #again(swapped) {
    const old = session.game;
    if (!old) return;
    const players = swapped ? { first: old.players.second, second: old.players.first } : { ...old.players };
    session.take(new Game(old.rules, players, newSeed()));
    this.#board.focusCell();
  }

  #turnPause() {
    this.#paused = !this.#paused;
    this.#showPause();
    void this.#refresh();
  }

  #showPause() {
    fill(
      this.#pause,
      icon(this.#paused ? "play" : "pause"),
      h("span", { class: "words" }, this.#paused ? "Go on" : "Pause"),
    );
  }

  /** Shows or hides the best moves: exact ones if truth is known in time, else an adviser's. @param {boolean} wanted */
  async hint(wanted) {
    if (this.#hinting === wanted) return;
    if (wanted && this.#hint.disabled) return;
    this.#hinting = wanted;
    this.#hint.setAttribute("aria-pressed", String(wanted));
    for (const each of this.#asked.splice(0)) each.stop();
    this.#hinted.hidden = !wanted;
    if (!wanted) {
      this.#board.show({ overlay: new Map(), rings: new Map() });
      return;
    }
    this.#hinted.textContent = "Looking …";
    const [game, position] = [/** @type {Game} */ (session.game), /** @type {Position} */ (this.#position)];
    const node = game.current;
    const show = () => {
      if (this.#hinting && session.game?.current === node) this.#showHint(node.analysis[TRUTH], node.analysis[ADVISER]);
    };
    show();
    const common = { rules: game.rules, moves: position.moves };
    const exact =
      node.analysis[TRUTH]?.kind === "exact"
        ? null
        : analyses.start({ type: "exact", ...common, seconds: HINT_SECONDS }, (step) => {
            if (step.result) node.analysis[TRUTH] = step.result;
            show();
          });
    const adviser = node.analysis[ADVISER]
      ? null
      : analyses.start(
          { type: "analyse", ...common, agent: ADVISER, seed: game.seed, seconds: HINT_SECONDS },
          (step) => {
            if (step.result) node.analysis[ADVISER] = step.result;
            show();
          },
        );
    for (const each of [exact, adviser]) {
      if (!each) continue;
      this.#asked.push(each);
      each.finished.catch(() => {}); // the other one may know
    }
  }

  /**
   * @param {import("../base/api-types.js").Result|undefined} exact
   * @param {import("../base/api-types.js").Result|undefined} found
   */
  #showHint(exact, found) {
    const sure = exact?.kind === "exact";
    const best = bestMoves(sure ? exact : found);
    if (!best.length) return;
    const cells = overlay(sure ? "exact" : "value", exact, found);
    const value = sure ? exactWords(exact) : `about ${signed(found?.value ?? 0)}, not proved`;
    this.#hinted.textContent = `${best.slice(0, 4).join(", ")}${best.length > 4 ? " and others" : ""}: ${value}.`;
    announce(`Hint: ${this.#hinted.textContent}`);
    this.#board.show({ overlay: new Map([...cells].filter(([square]) => best.includes(square))) });
  }

  /** What the keys do here. @param {KeyboardEvent} event @returns {boolean} whether it was used */
  key(event) {
    switch (event.key) {
      case "u":
        this.undo();
        return true;
      case "r":
        this.redo();
        return true;
      case "s":
        this.swap();
        return true;
      case "a":
        go(address("analyse"));
        return true;
      case "h":
        void this.hint(true);
        return true;
      default:
        return false;
    }
  }

  /** @param {KeyboardEvent} event */
  keyUp(event) {
    if (event.key === "h") this.hint(false);
  }
}

/** @param {Game} game */
const isHumansTurn = (game) => game.players[game.current.ply % 2 === 0 ? "first" : "second"] === HUMAN;

customElements.define("play-area", PlayArea);
