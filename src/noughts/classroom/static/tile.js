// A game of the class as a small picture, which changes as the game goes on: for the wall and for lists.

import { SIDES } from "/static/base/format.js";
import { html, nothing, repeat } from "/static/base/view.js";
import { picture } from "/static/parts/mini.js";
import { classroom, gameRoute } from "./classroom.js";

/** @import { ClassGameAnswer as ClassGame, SeatAnswer as Seat } from "./api-types.js" */

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
  return `${mine ? `you ${outcome === mine ? "win" : "lose"}` : `${seatName(game[outcome])} won`}${how}`;
}

/** A game as it is now. @param {ClassGame} game */
function tile(game) {
  const isMine = game.to_move !== null && game.to_move === game.mine;
  const player = (/** @type {"first"|"second"} */ side) => {
    const away = isAway(game[side]);
    const classes = `tile-player ${side} ${game.to_move === side ? "on-turn" : ""} ${away ? "away" : ""}`;
    return html`<span class=${classes}>${seatName(game[side])}${away ? html`<span class="unseen"> (away)</span>` : nothing}</span>`;
  };
  return html`<div class="class-tile ${isMine ? "my-turn" : ""} ${game.state === "ended" ? "over" : ""}">
    <a class="tile-link" href=${gameRoute(game.id)}>
      <span class="tile-picture">${picture(game.rules, game.moves)}</span>
      <span class="tile-players">${SIDES.map(player)}</span>
      <span class="tile-words muted">${gameWords(game)}</span>
    </a>
  </div>`;
}

/** Where a game stands among others: first those with one's own move, last those that have ended. @param {ClassGame} game */
const rank = (game) => (game.state === "ended" ? 2 : game.to_move !== null && game.to_move === game.mine ? 0 : 1);

/** A grid of games. @param {(game: ClassGame) => boolean} wanted @param {string} nothingYet shown if there are none */
export function gameGrid(wanted, nothingYet) {
  const games = [...classroom.games.values()].filter((game) => game.state !== "withdrawn" && wanted(game));
  games.sort((one, other) => rank(one) - rank(other) || (rank(one) === 2 ? (one.updated < other.updated ? 1 : -1) : 0));
  if (!games.length) return html`<p class="muted">${nothingYet}</p>`;
  return html`<div class="tiles">${repeat(games, ({ id }) => id, tile)}</div>`;
}
