// Who plays, whose turn it is, and how it ended for the person at the screen.

import { h } from "../base/dom.js";
import { sideName } from "../base/format.js";
import { called } from "../base/names.js";
import { HUMAN } from "../base/session.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/types.js").Players} Players */

const SIDES = /** @type {const} */ (["first", "second"]);

/**
 * The two players, one below the other.
 * @param {Players} players
 * @param {Position} position
 */
export function scorecard(players, position) {
  const friends = players.first === HUMAN && players.second === HUMAN;
  return SIDES.map((side) => {
    const onTurn = position.outcome === "ongoing" && position.to_move === side;
    const symbol = position.marks === "own" ? sideName(side, "own") : side === "first" ? "1" : "2";
    const you = friends ? `${sideName(side, position.marks)}, at this screen` : "You";
    return h(
      "div",
      { class: `player ${side} ${onTurn ? "on-turn" : ""}` },
      h("span", { class: "player-mark", "aria-hidden": "true" }, symbol),
      h(
        "span",
        { class: "player-name" },
        players[side] === HUMAN ? you : called(players[side]),
        called(players[side]) !== players[side] &&
          players[side] !== HUMAN &&
          h("small", { class: "muted" }, ` ${players[side]}`),
      ),
      position.outcome === side && h("span", { class: "player-won" }, "won"),
    );
  });
}

/**
 * How a game ended, as the only person in it sees it; empty while it goes on.
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
