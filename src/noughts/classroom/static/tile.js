// A game of the class as a small live picture, for the teacher's wall and for lists.

import { SIDES } from "/static/base/format.js";
import { called } from "/static/base/names.js";
import { html, nothing, repeat } from "/static/base/view.js";
import { picture } from "/static/parts/mini.js";
import { classroom, gameRoute } from "./classroom.js";

/** @import { ClassGameAnswer as ClassGame } from "./api-types.js" */

/** Whether a pupil without an open page is "away" or was "removed"; empty for others. @param {string} [id] */
const absence = (id) => (!id || classroom.pupil(id)?.present ? "" : classroom.pupil(id) ? "away" : "removed");

/** The player of each side: the name, and why it is absent. @param {ClassGame} game */
export const players = ({ seats, nicknames }) =>
  seats.map(({ pupil, agent }, index) => ({
    name: pupil ? nicknames[index] : agent ? called(agent) : "no player yet",
    away: classroom.state ? absence(pupil) : "",
  }));

/** Describes the state of a game in a few words, from this visitor's point of view. @param {ClassGame} game */
export function gameWords(game) {
  const { state, mine, to_move: side, outcome } = game;
  const [first, second] = players(game);
  if (state === "waiting") return "waits for a player";
  if (state === "playing" && side) {
    if (side === mine) return "your move";
    const { name, away } = side === "first" ? first : second;
    return `${name} to move${away && `, ${away}`}`;
  }
  if (outcome === "") return "ended without a result";
  if (outcome === "draw") return "a draw";
  const how = game.ending === "resigned" ? ", by resignation" : "";
  return `${mine ? `you ${outcome === mine ? "win" : "lose"}` : `${(outcome === "first" ? first : second).name} won`}${how}`;
}

/** Whether this visitor is to move. @param {ClassGame} game */
export const isMyTurn = (game) => game.to_move !== null && game.to_move === game.mine;

/** Draws the current state of a game. @param {ClassGame} game */
function tile(game) {
  const player = (/** @type {{name: string, away: string}} */ { name, away }, /** @type {number} */ index) => {
    const classes = `tile-player ${SIDES[index]} ${game.to_move === SIDES[index] ? "on-turn" : ""} ${away ? "away" : ""}`;
    return html`<span class=${classes}>${name}${away ? html`<span class="unseen"> (${away})</span>` : nothing}</span>`;
  };
  return html`<div class="class-tile ${isMyTurn(game) ? "my-turn" : ""} ${game.state === "ended" ? "over" : ""}">
    <a class="tile-link" href=${gameRoute(game.id)}>
      <span class="tile-picture">${picture(game.rules, game.moves)}</span>
      <span class="tile-players">${players(game).map(player)}</span>
      <span class="tile-words muted">${gameWords(game)}</span>
    </a>
  </div>`;
}

/** The rank of a game in the list: games with your move first, finished games last. @param {ClassGame} game */
const rank = (game) => (game.state === "ended" ? 2 : isMyTurn(game) ? 0 : 1);

/** A grid of games. @param {(game: ClassGame) => boolean} wanted @param {string} nothingYet shown if there are none */
export function gameGrid(wanted, nothingYet) {
  const games = [...classroom.games.values()].filter(wanted);
  games.sort((one, other) => rank(one) - rank(other) || (rank(one) === 2 ? (one.updated < other.updated ? 1 : -1) : 0));
  if (!games.length) return html`<p class="muted">${nothingYet}</p>`;
  return html`<div class="tiles">${repeat(games, ({ id }) => id, tile)}</div>`;
}
