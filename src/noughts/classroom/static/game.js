// <class-game>: a live game in the class: the board, whose turn it is, and the players' actions. Others watch.

import { position as positionAfter } from "/static/base/api.js";
import { SIDES } from "/static/base/format.js";
import { announce, emptiness, tellError } from "/static/base/news.js";
import { routeTo } from "/static/base/route.js";
import { HUMAN } from "/static/base/session.js";
import { button, html, linkButton, nothing, View } from "/static/base/view.js";
import { addressField, confirmed } from "/static/parts/asking.js";
import "/static/parts/board.js";
import { playerRow } from "/static/parts/scorecard.js";
import { ask } from "./api.js";
import { classroom, gameAddress } from "./classroom.js";
import { gameWords, isMyTurn, players } from "./tile.js";

/** @import { ClassGameAnswer as ClassGame } from "./api-types.js" */
/** @import { PositionAnswer as Position } from "/static/base/api-types.js" */

export class ClassGameView extends View {
  gameId = ""; // its id in the class
  /** @type {{game: ClassGame, position: Position}|null} */
  shown = null;
  problem = "";
  sending = false;
  #turn = 0;
  #announced = "";

  arrive() {
    this.listen(classroom, "change", () => {
      const game = this.#latest ?? this.shown?.game;
      if (game) void this.#show(game);
    });
    void this.updateComplete.then(() => this.#load());
  }

  /** The latest state of the game; undefined if the class has not received it. */
  get #latest() {
    return classroom.games.get(this.gameId);
  }

  async #load() {
    try {
      await this.#show(this.#latest ?? (await ask("GET /api/class/games/{id}", { name: this.gameId })));
    } catch (error) {
      this.problem = /** @type {Error} */ (error).message;
    }
  }

  /** @param {ClassGame} game */
  async #show(game) {
    const turn = ++this.#turn;
    const position = await positionAfter(game.rules, game.moves);
    if (turn === this.#turn && this.isConnected) this.shown = { game, position };
  }

  render() {
    if (this.problem)
      return emptiness("This game cannot be shown", this.problem, linkButton("#/class", "To the class", "primary"));
    if (!this.shown) return nothing;
    const { game, position } = this.shown;
    const words = gameWords(game);
    const state = words[0].toUpperCase() + words.slice(1);
    if (state !== this.#announced) announce(state);
    this.#announced = state;
    return html`<div class="table">
      <div class="table-board">
        <noughts-board .position=${position} .playable=${isMyTurn(game) && !this.sending}
          @choose=${(/** @type {CustomEvent} */ event) => this.#play(game, event.detail.square)}></noughts-board>
      </div>
      <div class="table-side stack">
        <a href="#/class" class="back">← The class</a>
        <div class="panel status-panel">
          <h1 class="state">${state}</h1>
          <p class="note" role="status">${note(game)}</p>
          <div class="scorecard">
            ${players(game).map(({ name, away }, index) => {
              const side = SIDES[index];
              return playerRow(
                { ...position, to_move: game.to_move ?? position.to_move, outcome: game.outcome || position.outcome },
                side,
                html`${name}${game.mine === side ? " (you)" : ""}${away ? html`<small class="muted"> ${away}</small>` : nothing}`,
              );
            })}
          </div>
        </div>
        <div class="tools">${this.#tools(game)}</div>
        <p class="muted sentence">${position.sentence}</p>
        <p class="class-moves muted">${game.moves.length ? `Moves: ${game.moves.join(" ")}` : ""}</p>
      </div>
    </div>`;
  }

  /** The actions that are possible now. @param {ClassGame} game */
  #tools(game) {
    const { state, mine, outcome } = game;
    const ours = mine !== null;
    if (state === "waiting" && ours)
      return html`<div class="waiting-game">
        <p>Send this link to a classmate. The game begins when one opens it and presses Play.</p>
        ${addressField(gameAddress(this.gameId))} ${button("flag", "Close", () => this.#do("resign"))}
      </div>`;
    if (state === "waiting" && classroom.me) return button("play", "Play", () => this.#do("take"), { kind: "primary" });
    if (state === "playing" && ours) return button("flag", "Resign", () => this.#resign());
    if (state !== "ended") return nothing;
    const lost = outcome !== "" && outcome !== "draw";
    return html`${lost ? linkButton(routeTo("learn/mistake", asGame(game)), "Where was it lost?") : nothing}
      ${linkButton(routeTo("analyse", asGame(game)), "Analyse")}`;
  }

  /** @param {ClassGame} game @param {string} square */
  async #play(game, square) {
    if (this.sending) return;
    this.sending = true;
    try {
      const body = { ply: game.moves.length, move: square };
      classroom.take(await ask("POST /api/class/games/{id}/moves", { name: this.gameId, body }));
    } catch (error) {
      tellError(error);
    }
    this.sending = false;
    await this.#show(this.#latest ?? game).catch(tellError);
  }

  /** @param {"take"|"resign"} what */
  #do(what) {
    const failed = (/** @type {import("/static/base/api.js").ApiError} */ error) => {
      tellError(error);
      if (error.status === 422) void this.#load(); // a classmate may have been first
    };
    ask(`POST /api/class/games/{id}/${what}`, { name: this.gameId }).then((game) => classroom.take(game), failed);
  }

  async #resign() {
    if (await confirmed("Resign this game?", "Your opponent wins.", "Resign")) this.#do("resign");
  }
}

/** A note on the connection, a failed program, or an absent opponent. @param {ClassGame} game */
function note(game) {
  if (classroom.lost) return classroom.lost;
  if (game.why) return `The program failed: ${game.why}`;
  const other = players(game).find(({ away }, index) => away && game.mine !== SIDES[index] && game.state === "playing");
  if (other?.away === "removed") return `${other.name} was removed from the class, and will not move.`;
  return other ? `${other.name} is away, and can come back.` : "";
}

/** The game as parameters of the other areas' addresses. @param {ClassGame} game */
function asGame(game) {
  const { rules, moves, seed } = game;
  const [first, second] = game.seats.map(({ agent }) => agent || HUMAN);
  return { rules, moves: moves.join(" "), first, second, seed };
}

customElements.define("class-game", ClassGameView);
