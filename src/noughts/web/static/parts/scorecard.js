// The players, whose turn it is, and the result from the user's point of view.

import { SIDES, sideName } from "../base/format.js";
import { called } from "../base/names.js";
import { HUMAN } from "../base/session.js";
import { html, nothing } from "../base/view.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */
/** @import { Players } from "../base/game.js" */

/**
 * A player: the mark, the name, and whether it is to move or has won.
 * @param {Position} position
 * @param {"first"|"second"} side
 * @param {unknown} name
 */
export function playerRow({ marks, outcome, to_move: mover }, side, name) {
  const onTurn = outcome === "ongoing" && mover === side;
  const symbol = marks === "own" ? sideName(side, "own") : side === "first" ? "1" : "2";
  return html`<div class="player ${side} ${onTurn ? "on-turn" : ""}">
    <span class="player-mark" aria-hidden="true">${symbol}</span><span class="player-name">${name}</span>
    ${outcome === side ? html`<span class="player-won">won</span>` : nothing}
  </div>`;
}

/** The two players, one above the other. @param {Players} players @param {Position} position */
export function scorecard(players, position) {
  const friends = players.first === HUMAN && players.second === HUMAN;
  return SIDES.map((side) => {
    const player = players[side];
    const you = friends ? `${sideName(side, position.marks)}, at this screen` : "You";
    return playerRow(position, side, player === HUMAN ? you : html`<span title=${player}>${called(player)}</span>`);
  });
}

/**
 * The result of a game, from the point of view of its only person; empty if the game is not over.
 * @param {Players} players
 * @param {Position} position
 */
export function ending(players, position) {
  const { outcome } = position;
  if (outcome === "ongoing") return "";
  if (outcome === "draw") return "A draw";
  const people = SIDES.filter((side) => players[side] === HUMAN);
  if (people.length !== 1) return `${sideName(outcome, position.marks)} wins`;
  return people[0] === outcome ? "You win" : "You lose";
}
