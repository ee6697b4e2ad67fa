// <play-area>: a game in progress against a program or a friend, or between two programs.

import * as api from "../base/api.js";
import { exactWords, sideName, signed, stateWords } from "../base/format.js";
import { Game } from "../base/game.js";
import { Inquiry } from "../base/inquiry.js";
import { keep, keptChoices } from "../base/kept.js";
import { called } from "../base/names.js";
import { announce, emptiness, tellError } from "../base/news.js";
import { bestMoves, overlay } from "../base/overlay.js";
import { go, routeTo } from "../base/route.js";
import { HUMAN, newSeed, session, TRUTH } from "../base/session.js";
import { button, check, html, nothing, View } from "../base/view.js";
import { advice } from "../parts/adviser.js";
import "../parts/board.js";
import { Coach } from "../parts/coach.js";
import { address, mistakeAddress, seeMistake, share } from "../parts/files.js";
import { moveList } from "../parts/moves.js";
import { ending, scorecard } from "../parts/scorecard.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */
/** @import { Node } from "../base/game.js" */

const HINT_SECONDS = 2;
const ADVISER = "mcts:sims=3000"; // if exact values are not found in time
const PAUSE = 500; // milliseconds between the moves of two programs

/** @param {Game} game */
const isPlayed = ({ players }) => players.first === HUMAN || players.second === HUMAN;

/** @param {Game} game @param {number} ply */
const isHumansTurn = ({ players }, ply) => players[ply % 2 === 0 ? "first" : "second"] === HUMAN;

export class PlayArea extends View {
  choices = keptChoices("play", { coach: false });
  /** @type {Position|null} */
  position = null;
  unreadable = ""; // why the address contains no game
  problem = ""; // why the game cannot continue
  kept = "";
  waiting = ""; // the move that waits for the coach
  /** The current hint: its words, and the cells that it marks. @type {{words: string, cells: Map<string, import("../base/overlay.js").Cell>}|null} */
  hint = null;
  #coach = new Coach();
  #thinking = new AbortController();
  #inquiry = new Inquiry(() => this.#showHint());
  #paused = false;
  #turn = 0; // each change starts a new turn; answers for older turns are dropped

  arrive() {
    this.listen(session, "change", () => void this.#refresh());
    this.listen(session, "kept", ({ detail: ok }) => {
      this.kept = ok ? "Kept on this machine." : "Kept in this browser only: the server could not take it.";
    });
  }

  depart() {
    this.#thinking.abort();
    this.#turnHint(false);
    this.#coach.leave();
  }

  /** Shows the game of an address. @param {URLSearchParams} params */
  async show(params) {
    this.unreadable = "";
    if (!params.get("rules") && !session.game) {
      go(routeTo("new"), { replace: true });
      dispatchEvent(new HashChangeEvent("hashchange"));
      return;
    }
    try {
      if (params.get("rules")) await session.open(params);
    } catch (error) {
      this.unreadable = /** @type {Error} */ (error).message;
      return;
    }
    const game = session.game;
    // The person may have taken moves back. If a program is to move, the game continues at its end.
    if (game?.current.next && !isHumansTurn(game, game.current.ply)) game.goTo(/** @type {Node} */ (game.line.at(-1)));
    await this.#refresh();
  }

  render() {
    if (this.unreadable) {
      const begin = button("new", "New game", () => go(routeTo("new")), { kind: "primary" });
      return emptiness("This address holds no game", this.unreadable, begin);
    }
    const [game, position] = [session.game, this.position];
    if (!game || !position) return nothing;
    const over = position.outcome !== "ongoing";
    const mine = this.#isMine(game, position);
    const { coach } = this.choices;
    const ring = { sign: "", tone: "played", words: "about to be played" };
    return html`<div class="table">
      <div class="table-board">
        <noughts-board .position=${position} .playable=${mine} .threats=${coach} .overlay=${this.hint?.cells ?? new Map()}
          .rings=${new Map(this.waiting ? [[this.waiting, ring]] : [])}
          @choose=${(/** @type {CustomEvent} */ event) => this.#human(event.detail.square)}></noughts-board>
        <p class="hint-words" ?hidden=${!this.hint}>${this.hint?.words}</p>
      </div>
      <div class="table-side stack">
        <div class="panel status-panel">
          <h1 class="state">${this.#state(game, position)}</h1>
          ${this.#note(game, position)}
          <div class="scorecard">${scorecard(game.players, position)}</div>
        </div>
        <p class="advice" aria-live="polite">${coach && mine ? advice(position) : ""}</p>
        ${this.#coach} ${over ? this.#ending(game, position) : nothing}
        <div class="tools" role="toolbar" aria-label="Game">
          ${button("undo", "Undo", () => this.undo(), { disabled: !game.current.parent })}
          ${button("hint", "Hint", () => this.#turnHint(!this.hint), {
            kind: "hint-button",
            title: "Show the best move (h)",
            pressed: this.hint !== null,
            disabled: !mine,
          })}
          ${isPlayed(game) ? nothing : button(this.#paused ? "play" : "pause", this.#paused ? "Go on" : "Pause", () => this.#turnPause())}
          ${button("share", "Share", share)}
        </div>
        <div class="panel"><h2>Moves</h2>${moveList(game, (node) => session.goTo(node))}</div>
        <p class="muted sentence">${position.sentence}</p>
        ${check(
          "Coach: stop me before a move that gives the game away, and mark what lines threaten",
          coach,
          (checked) => {
            this.choices = { coach: checked };
            keep("play", this.choices);
            this.#watchOver();
          },
        )}
        <small class="muted">${this.kept}</small>
      </div>
    </div>`;
  }

  /** Whether a person is to move. @param {Game} game @param {Position} position */
  #isMine(game, position) {
    return position.outcome === "ongoing" && game.players[position.to_move] === HUMAN;
  }

  /** @param {Game} game @param {Position} position */
  #state({ players }, position) {
    if (position.outcome !== "ongoing") return ending(players, position);
    const friends = players.first === HUMAN && players.second === HUMAN;
    return players[position.to_move] === HUMAN && !friends ? "Your move" : stateWords(position);
  }

  /** @param {Game} game @param {Position} position */
  #note({ players }, position) {
    if (this.problem)
      return html`<p class="note">${this.problem} ${button("redo", "Try again", () => this.#refresh())}</p>`;
    const player = players[position.to_move];
    if (position.outcome !== "ongoing" || (player === HUMAN && players.first === players.second)) return nothing;
    if (player === HUMAN)
      return html`<p class="note">
        ${position.marks === "own" ? `You play ${sideName(position.to_move, "own")}.` : "Both players place X."}
      </p>`;
    return this.#paused
      ? html`<p class="note">Paused.</p>`
      : html`<p class="note thinking">${called(player)} is thinking …</p>`;
  }

  /** The panel at the end of a game: find the mistake, or play again. @param {Game} game @param {Position} position */
  #ending(game, position) {
    const words = ending(game.players, position);
    const lines = position.winning_lines.map((line) => line.join("–")).join(" and ");
    const find = button("hint", "Find the move first", () => go(mistakeAddress(game)), { kind: "primary" });
    const swapped = game.players.first !== game.players.second;
    const tone = words === "You win" ? "win" : words === "You lose" ? "loss" : "draw";
    return html`<section class="ending ${tone}" aria-label="How the game ended">
      <p>${lines ? `${lines} ${position.winning_lines.length > 1 ? "are each" : "is"} ${position.k} in a row.` : "The board is full."}</p>
      <div class="tools">
        ${isPlayed(game) && words !== "You win" ? find : nothing}
        ${button("analyse", "See where it went wrong", seeMistake)}
        ${button("redo", "Play again", () => this.#again(false))}
        ${isPlayed(game) && swapped ? button("swap", "Again, other side", () => this.#again(true)) : nothing}
      </div>
    </section>`;
  }

  /** Draws the current position, and requests a program's move if it is its turn. */
  async #refresh() {
    const game = session.game;
    if (!game || !this.isConnected) return;
    const turn = ++this.#turn;
    this.#thinking.abort();
    this.problem = this.waiting = "";
    this.#turnHint(false);
    let position;
    try {
      position = await api.position(game.rules, game.current.moves);
    } catch (error) {
      tellError(error);
      this.problem = "The board could not be drawn.";
      return;
    }
    if (turn !== this.#turn) return;
    const before = this.position;
    this.position = position;
    this.requestUpdate();
    this.#watchOver();
    go(address("play"), { replace: true });
    if (before?.text !== position.text)
      announce(`${position.last ? `${position.last} played. ` : ""}${this.#state(game, position)}`);
    if (position.outcome === "ongoing" && !this.#isMine(game, position) && !this.#paused)
      void this.#reply(game, position, turn);
  }

  /** Starts the coach if it is enabled and a person is to move, or stops it. */
  #watchOver() {
    const [game, position] = [session.game, this.position];
    if (this.choices.coach && game && position && this.#isMine(game, position)) this.#coach.look(game, position);
    else this.#coach.leave();
  }

  /** @param {Game} game @param {Position} position @param {number} turn */
  async #reply(game, position, turn) {
    const agent = game.players[position.to_move];
    const thinking = new AbortController();
    this.#thinking = thinking;
    try {
      const [found] = await Promise.all([
        api.move({ rules: game.rules, moves: position.moves, agent, seed: game.seed }, thinking.signal),
        !isPlayed(game) && new Promise((done) => setTimeout(done, PAUSE)),
      ]);
      if (turn !== this.#turn || session.game !== game) return;
      if (found.result) game.current.analysis[agent] = found.result;
      game.play(found.move, { main: true });
      session.changed();
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      if (name === "AbortError" || turn !== this.#turn) return;
      this.problem = `${called(agent)} could not move: ${message}`;
    }
  }

  /** @param {string} square */
  async #human(square) {
    const game = session.game;
    if (!game || !this.position?.legal.includes(square) || this.position.ply !== game.current.ply) return;
    if (this.choices.coach) {
      const turn = this.#turn;
      this.waiting = square;
      const goes = await this.#coach.ask(square);
      if (turn !== this.#turn) return;
      this.waiting = "";
      if (!goes) return;
    }
    game.play(square, { main: true });
    session.changed();
  }

  /** Steps back or forward to the nearest position with a person to move. @param {"parent"|"next"} way */
  #step(way) {
    const game = session.game;
    let node = game?.current[way];
    if (!game || !node) return;
    while (node[way] && isPlayed(game) && !isHumansTurn(game, node.ply)) node = /** @type {Node} */ (node[way]);
    session.goTo(node);
  }

  /** Takes back a person's last move, and the reply to it. */
  undo() {
    if (session.game && !isPlayed(session.game)) this.#paused = true;
    this.#step("parent");
  }

  /** Swaps the sides of the players. The game continues; once it is over, its result stays. */
  #swap() {
    const game = session.game;
    if (!game || this.position?.outcome !== "ongoing") return;
    game.players = { first: game.players.second, second: game.players.first };
    session.changed();
  }

  /** @param {boolean} swapped */
  #again(swapped) {
    const old = session.game;
    if (!old) return;
    const { first, second } = old.players;
    session.take(new Game(old.rules, swapped ? { first: second, second: first } : { first, second }, newSeed()));
    void (/** @type {import("../parts/board.js").Board} */ (this.querySelector("noughts-board")).focusCell());
  }

  #turnPause() {
    this.#paused = !this.#paused;
    void this.#refresh();
  }

  /** Shows or hides the best moves: exact ones if they are found in time, else those of a program. @param {boolean} wanted */
  #turnHint(wanted) {
    const [game, position] = [session.game, this.position];
    if ((this.hint !== null) === wanted || (wanted && !(game && position && this.#isMine(game, position)))) return;
    this.hint = wanted ? { words: "Looking …", cells: new Map() } : null;
    this.#inquiry.stop();
    if (wanted && game) this.#inquiry.look(game, game.current, [TRUTH, ADVISER], { seconds: HINT_SECONDS });
    this.#showHint();
  }

  /** Shows the hint from the results so far. */
  #showHint() {
    const { [TRUTH]: exact, [ADVISER]: found } = session.game?.current.analysis ?? {};
    const sure = exact?.kind === "exact";
    const best = bestMoves(sure ? exact : found);
    if (!this.hint || !best.length) return;
    const value = sure ? exactWords(exact) : `about ${signed(found?.value ?? 0)}, not proved`;
    const words = `${best.slice(0, 4).join(", ")}${best.length > 4 ? " and others" : ""}: ${value}.`;
    const cells = overlay(sure ? "exact" : "value", exact, found);
    if (words !== this.hint.words) announce(`Hint: ${words}`);
    this.hint = { words, cells: new Map([...cells].filter(([square]) => best.includes(square))) };
  }

  /** Handles a key. @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    const does = /** @type {Record<string, () => void>} */ ({
      u: () => this.undo(),
      r: () => this.#step("next"),
      s: () => this.#swap(),
      a: () => go(address("analyse")),
      h: () => event.repeat || this.#turnHint(!this.hint),
    })[event.key];
    does?.();
    return does !== undefined;
  }
}

customElements.define("play-area", PlayArea);
