// Formats values, sides and results as words and signs, in the same way everywhere on the page.

/** @import { PositionAnswer as Position } from "./api-types.js" */

const MINUS = "−";
export const SIDES = /** @type {const} */ (["first", "second"]);

/** A value with its sign and two decimals: +0.32. @param {number} value */
export function signed(value) {
  const rounded = Math.round(value * 100) / 100;
  if (rounded === 0) return "0";
  return `${rounded > 0 ? "+" : MINUS}${Math.abs(rounded).toFixed(2)}`;
}

/** A value that is short enough for a cell: +.32, −1. @param {number} value */
export const signedShort = (value) => signed(value).replace("0.", ".").replace(/\.00$/, "");

/** A count in few characters: 950, 1.2k, 34k, 2.1M. @param {number} count */
export function short(count) {
  if (count < 1000) return String(count);
  const [scaled, unit] = count < 1e6 ? [count / 1e3, "k"] : [count / 1e6, "M"];
  return `${scaled < 10 ? scaled.toFixed(1).replace(/\.0$/, "") : Math.round(scaled)}${unit}`;
}

/** @param {number} count */
export const whole = (count) => Math.round(count).toLocaleString("en-GB");

/** @param {number} share */
export const percent = (share) => `${(100 * share).toFixed(share < 0.0995 && share > 0 ? 1 : 0)}%`;

/** A number of any size to about three digits. @param {number|null} value */
export function number(value) {
  if (value === null || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1000) return whole(value);
  if (size !== 0 && size < 0.001) return value.toExponential(1);
  return String(Number(value.toPrecision(3)));
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${Math.floor(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** @param {number} count @param {string} noun */
export const counted = (count, noun) => `${whole(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Squares in words: A1, B2 and C3. @param {string[]} squares @param {"and"|"or"} [join] */
export const listed = (squares, join = "and") => squares.join(", ").replace(/, ([^,]*)$/, ` ${join} $1`);

/** The exact value or bound of a move or a position. @typedef {{value: number|null, kind: string, distance: number|null}|null|undefined} Proved */

/** Formats it as a few signs, and as words. @param {Proved} found */
function proved(found) {
  const unknown = ["?", "not known yet"];
  if (!found || found.value === null || found.kind === "estimate") return unknown;
  const { value, kind, distance } = found;
  if (kind === "lower") return value >= 0 ? ["≥0", "at least a draw"] : unknown;
  if (kind === "upper") return value <= 0 ? ["≤0", "at most a draw"] : unknown;
  if (value === 0) return ["0", "a draw"];
  const [sign, ended, ends] = value > 0 ? ["+", "won", "wins"] : [MINUS, "lost", "loses"];
  return distance ? [`${sign}${distance}`, `${ends} in ${counted(distance, "move")}`] : [ended, ends];
}

/** As a few signs: +5 is won in 5 moves of both sides, −8 lost in 8, 0 drawn, ≥0 at least drawn. @param {Proved} found */
export const exactText = (found) => proved(found)[0];

/** As words: "wins in 5 moves". @param {Proved} found */
export const exactWords = (found) => proved(found)[1];

/** Whether a value is a win, a loss or a draw. @param {number|null} value @returns {"win"|"loss"|"draw"} */
export const toneOf = (value) => (value === null || Math.abs(value) < 0.005 ? "draw" : value > 0 ? "win" : "loss");

/** @param {"first"|"second"} side @param {"own"|"shared"} marks */
export const sideName = (side, marks) =>
  marks === "own" ? (side === "first" ? "X" : "O") : side === "first" ? "First" : "Second";

/** The mark that the side to move places. @param {Position} position */
export const sideMark = ({ marks, to_move: side }) => (marks === "own" && side === "second" ? "O" : "X");

/** The side to move, or the result, in a few words. @param {Position} position */
export function stateWords(position) {
  const { outcome, marks, to_move: side, boards, winning_lines: lines } = position;
  if (outcome === "ongoing") return `${sideName(side, marks)} to move`;
  const how = lines.length
    ? `: ${lines.at(-1)?.join("–")}${boards > 1 ? " closed the last board" : ""}`
    : ", the board is full";
  return outcome === "draw" ? `A draw${how}` : `${sideName(outcome, marks)} wins${how}`;
}

/** The name of a cell's symbol. @param {string} content */
export const contentWords = (content) => ({ "": "empty", "#": "brick" })[content] ?? content;

/**
 * Converts a position's value for the side to move to the value for the first player.
 * @param {Position} position
 * @param {number} value
 */
export const forFirst = (position, value) => (position.to_move === "first" ? value : -value);

/** The value of a terminal position for the first player; null if the position is not terminal. @param {Position} position */
export const endValue = (position) => ({ ongoing: null, draw: 0, first: 1, second: -1 })[position.outcome];
