// Overlays fill the cells of a board with exact values, estimates, visits, priors, or losses against the best move.

import { exactText, exactWords, percent, short, signed, signedShort, toneOf } from "./format.js";

/** @import { MoveResultAnswer as MoveResult, Result } from "./api-types.js" */

/**
 * The content of a cell. `tone` and `share` (0 to 1) define its background, `text` is shown, `words` are for screen readers,
 * `best` draws a ring.
 * @typedef {{tone: "win"|"loss"|"draw"|"plain"|"visits", share: number, text: string, words: string, best: boolean}} Cell
 */

/** @typedef {"none"|"exact"|"value"|"visits"|"prior"|"loss"} Kind */

/** Each overlay's name, and its explanation below the board. @type {Record<Kind, [string, string]>} */
export const KINDS = {
  none: ["Off", ""],
  exact: ["Exact", "+5 wins in 5 moves, −8 loses in 8, 0 draws, ? is not known yet. Ringed: best."],
  value: [
    "Value",
    "The program's estimate for the side to move, from −1 (it loses) to +1 (it wins). Grey: may be chance. Ringed: its choice.",
  ],
  visits: ["Visits", "How often the search went through each move. Ringed: the program’s choice."],
  prior: ["Prior", "The network's probability of each move before it searched. Ringed: the largest."],
  loss: [
    "Loss",
    "The loss by each move, compared with the best one: 0 is none, −2 a won game lost. Exact values where they are known.",
  ],
};

/** A move with fewer visits has no reliable estimate. */
export const FEW_VISITS = 10;

const ERRORS = 4; // standard errors for a significant difference; high, because one of hundreds of moves seems best at random

/**
 * The random difference that is possible between two means of outcomes from -1 to +1. Means without visits are not random.
 * @param {...number} visits the number of visits of each mean
 */
export const noise = (...visits) =>
  ERRORS * Math.sqrt(visits.reduce((sum, count) => sum + (count > 0 ? 1 / count : 0), 0));

/**
 * The best moves of a result: those with the highest proved value, or else the chosen move.
 * @param {Result|null|undefined} result
 * @returns {string[]}
 */
export function bestMoves(result) {
  if (!result) return [];
  const { kind, value, moves, move } = result;
  const proved = kind === "exact" ? moves.filter((m) => m.kind === "exact" && m.value === value) : [];
  if (!proved.length) return move ? [move] : [];
  const known = proved.map((m) => m.distance).filter((distance) => distance !== null);
  const distance = value === 1 ? Math.min(...known) : Math.max(...known);
  const nearest = proved.filter((m) => m.distance === distance);
  return (value !== 0 && nearest.length ? nearest : proved).map((m) => m.move);
}

/**
 * The loss of each move against the best one: exact if both values are proved, else estimated by the agent.
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 * @returns {Map<string, {loss: number, sure: boolean}>}
 */
export function losses(exact, found) {
  const all = new Map();
  if (exact && exact.kind === "exact" && exact.value !== null) {
    for (const m of exact.moves) {
      if (m.kind === "exact" && m.value !== null) all.set(m.move, { loss: exact.value - m.value, sure: true });
    }
  }
  const seen = (found?.moves ?? []).filter((m) => m.value !== null && (m.visits > 0 || m.kind === "exact"));
  const best = Math.max(...seen.map((m) => /** @type {number} */ (m.value)));
  for (const m of seen) {
    if (!all.has(m.move)) all.set(m.move, { loss: best - /** @type {number} */ (m.value), sure: false });
  }
  return all;
}

/**
 * The content of each cell.
 * @param {Kind} kind
 * @param {Result|null|undefined} exact the exact values
 * @param {Result|null|undefined} found the agent's result
 * @returns {Map<string, Cell>}
 */
export function overlay(kind, exact, found) {
  if (kind === "exact") return exactCells(exact);
  if (kind === "loss") return lossCells(exact, found);
  if (!found || kind === "none") return new Map();
  const most = Math.max(1, ...found.moves.map((m) => m.visits));
  const top = Math.max(0, ...found.moves.map((m) => m.prior ?? 0));
  /** @param {MoveResult} m @returns {Cell|null} */
  const cell = ({ move, kind: known, value, visits, prior }) => {
    const best = move === found.move;
    if (kind === "value" && value !== null && (visits > 0 || known === "exact")) {
      const chance = known === "estimate" && (visits < FEW_VISITS || Math.abs(value) < noise(visits));
      const tone = chance ? "plain" : toneOf(value);
      const share = Math.max(0.1, Math.abs(value));
      return { tone, share, text: signedShort(value), words: `value ${signed(value)}`, best };
    }
    if (kind === "visits" && visits > 0)
      return { tone: "visits", share: visits / most, text: short(visits), words: `${visits} visits`, best };
    if (kind !== "prior" || prior === null) return null;
    const text = prior < 0.005 ? "0" : percent(prior).replace("%", "");
    return { tone: "visits", share: prior / (top || 1), text, words: `prior ${percent(prior)}`, best: prior === top };
  };
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  for (const m of found.moves) {
    const shown = cell(m);
    if (shown) cells.set(m.move, shown);
  }
  return cells;
}

const EXACT_SHARES = { win: 0.85, draw: 0.45, loss: 0.15, plain: 0 }; // wins stand out most

/** @param {Result|null|undefined} exact @returns {Map<string, Cell>} */
function exactCells(exact) {
  const cells = new Map();
  const best = new Set(exact?.kind === "exact" ? bestMoves(exact) : []);
  if (best.size === exact?.moves.length) best.clear(); // if all moves are best, none is marked
  for (const m of exact?.moves ?? []) {
    const tone = m.value !== null && m.kind === "exact" ? toneOf(m.value) : "plain";
    const [text, words] = [exactText(m), exactWords(m)];
    cells.set(m.move, { tone, share: EXACT_SHARES[tone], text, words, best: best.has(m.move) });
  }
  return cells;
}

/** @param {Result|null|undefined} exact @param {Result|null|undefined} found @returns {Map<string, Cell>} */
function lossCells(exact, found) {
  const cells = new Map();
  for (const [move, { loss, sure }] of losses(exact, found)) {
    const words = `gives away ${loss.toFixed(2)}${sure ? ", proved" : ""}`;
    const gives = { tone: "loss", share: Math.min(1, loss / 2), text: signedShort(-loss), words, best: false };
    const keeps = { tone: "win", share: 0.5, text: "0", words: "gives nothing away", best: true };
    cells.set(move, loss < 0.005 ? keeps : gives);
  }
  return cells;
}
