// A game of the class as a small picture, which changes as the game goes on: for the wall and for lists.

import * as api from "/static/base/api.js";
import { fill, h } from "/static/base/dom.js";
import { miniature } from "/static/parts/mini.js";
import { classroom, gameRoute } from "./classroom.js";

/** @typedef {import("./api-types.js").ClassGameAnswer} ClassGame */
/** @typedef {import("./api-types.js").SeatAnswer} Seat */

const SIDES = /** @type {const} */ (["first", "second"]);

/** What a seat's player is called. @param {Seat} seat */
export function seatName(seat) {
  if (seat.kind === "open") return "no player yet";
  return seat.kind === "pupil" ? (classroom.pupil(seat.id)?.nickname ?? seat.name) : seat.name;
}

/** Whether a player is a pupil who has not the page open. @param {Seat} seat */
export const isAway = (seat) => seat.kind === "pupil" && !classroom.pupil(seat.id)?.present;

/** How a game stands, in a few words, for the visitor who looks. @param {ClassGame} game */
export function gameWords(game) {
  const { state, mine, to_move: side, outcome } = game;
  if (state === "waiting") return "waits for a player";
  if (state === "withdrawn") return "was replaced by another game";
  if (state === "playing" && side) {
    if (side === mine) return "your move";
    return `${seatName(game[side])} to move${isAway(game[side]) ? ", away" : ""}`;
  }
  if (outcome === "") return "ended without a result";
  if (outcome === "draw") return "a draw";
  const how = game.ending === "resigned" ? ", by resignation" : "";
  return `${outcome === mine ? "you" : seatName(game[outcome])} won${how}`;
}

export class ClassTile extends HTMLElement {
  #picture = h("span", { class: "tile-picture" });
  #players = h("span", { class: "tile-players" });
  #words = h("span", { class: "tile-words muted" });
  #link = h("a", { class: "tile-link" }, this.#picture, this.#players, this.#words);
  #drawn = "";

  connectedCallback() {
    if (!this.childElementCount) fill(this, this.#link);
  }

  /** Shows a game as it is now. @param {ClassGame} game */
  show(game) {
    this.#link.href = gameRoute(game.id);
    const words = gameWords(game);
    this.#words.textContent = words;
    this.classList.toggle("my-turn", game.to_move !== null && game.to_move === game.mine);
    this.classList.toggle("over", game.state === "ended");
    fill(
      this.#players,
      SIDES.map((side) =>
        h(
          "span",
          {
            class: `tile-player ${side} ${game.to_move === side ? "on-turn" : ""} ${isAway(game[side]) ? "away" : ""}`,
          },
          seatName(game[side]),
          isAway(game[side]) && h("span", { class: "unseen" }, " (away)"),
        ),
      ),
    );
    const moves = game.moves.join(" ");
    if (moves === this.#drawn && this.#picture.childElementCount) return;
    this.#drawn = moves;
    api.position(game.rules, game.moves).then(
      (position) => this.#drawn === moves && fill(this.#picture, miniature(position, "")),
      () => {}, // the next move draws it
    );
  }
}

customElements.define("class-tile", ClassTile);

/**
 * A grid of games, kept as the class goes on.
 * @param {(game: ClassGame) => boolean} wanted
 * @param {string} nothing said if there are none
 */
export function gameGrid(wanted, nothing) {
  const grid = h("div", { class: "tiles" });
  /** @type {Map<string, ClassTile>} */
  const tiles = new Map();
  const note = h("p", { class: "muted" }, nothing);
  const rank = (/** @type {ClassGame} */ game) =>
    game.state === "ended" ? 2 : game.to_move !== null && game.to_move === game.mine ? 0 : 1;
  const draw = () => {
    const games = [...classroom.games.values()].filter(wanted);
    games.sort(
      (one, other) => rank(one) - rank(other) || (rank(one) === 2 ? (one.updated < other.updated ? 1 : -1) : 0),
    );
    const order = games.map((game) => {
      const tile = tiles.get(game.id) ?? new ClassTile();
      tiles.set(game.id, tile);
      tile.show(game);
      return tile;
    });
    for (const [id, tile] of tiles) if (!order.includes(tile)) tiles.delete(id);
    // Only where the order is another one: what has the focus keeps it.
    if (order.length !== grid.childElementCount || order.some((tile, index) => grid.children[index] !== tile))
      grid.replaceChildren(...order);
    note.hidden = order.length > 0;
  };
  return { element: h("div", {}, note, grid), draw };
}
