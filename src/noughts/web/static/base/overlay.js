// What to write into each cell of a board: exact values, estimates, visits, priors, and losses against the best move.

import { exactText, exactWords, percent, short, signed, signedShort } from "./format.js";

/** @import { Result } from "./api-types.js" */

/**
 * What a cell shows. `tone` and `share` (0 to 1) give its ground, `text` is written, `words` are read aloud,
 * `best` puts a ring around it.
 * @typedef {{tone: "win"|"loss"|"draw"|"plain"|"visits", share: number, text: string, words: string, best: boolean}} Cell
 */

/** @typedef {"none"|"exact"|"value"|"visits"|"prior"|"loss"} Kind */

/** What each shows, in a word and in a sentence. @type {Record<Kind, [string, string]>} */
export const KINDS = {
  none: ["Off", "the board alone"],
  exact: ["Exact", "the proved value of each move, with the distance to the end"],
  value: ["Value", "what the program expects of each move"],
  visits: ["Visits", "how often the search went through each move"],
  prior: ["Prior", "what the network thought before the search"],
  loss: ["Loss", "how much each move gives away against the best"],
};

/** Visits of a move under which its estimate says nothing yet. */
export const FEW_VISITS = 10;

const ERRORS = 4; // standard errors between two estimates that say something: of hundreds of moves, one is best by chance

/**
 * How far two means of outcomes from -1 to +1 may lie apart by chance; a result that is no mean of visits has no chance in it.
 * @param {...number} visits of each mean
 */
export const noise = (...visits) =>
  ERRORS * Math.sqrt(visits.reduce((sum, count) => sum + (count > 0 ? 1 / count : 0), 0));

/** What the signs of each overlay mean, one line below the board. */
export const LEGENDS = {
  none: "",
  exact: "+5 wins in 5 moves, −8 loses in 8, 0 draws, ? is not known yet. Ringed: best.",
  value:
    "What the program expects for the side to move: from −1, it loses, to +1, it wins. Grey: may be chance. Ringed: its choice.",
  visits: "How often the search went through each move. Ringed: the program’s choice.",
  prior: "The network's probability of each move before it searched. Ringed: the largest.",
  loss: "What each move gives away against the best one: 0 nothing, −2 a won game lost. Exact values where they are known.",
};

/**
 * The moves that are best by a result: the highest values proved, or else the one it would play.
 * @param {Result|null|undefined} result
 * @returns {string[]}
 */
export function bestMoves(result) {
  if (!result) return [];
  if (result.kind === "exact") {
    const proved = result.moves.filter((m) => m.kind === "exact" && m.value === result.value);
    if (!proved.length) return result.move ? [result.move] : [];
    const known = proved.map((m) => m.distance).filter((distance) => distance !== null);
    const distance = result.value === 1 ? Math.min(...known) : Math.max(...known);
    const nearest = proved.filter((m) => m.distance === distance);
    return (result.value !== 0 && nearest.length ? nearest : proved).map((m) => m.move);
  }
  return result.move ? [result.move] : [];
}

/**
 * What every move gives away against the best, by move: exact where truth knows both, else as the agent estimates.
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
 * What each cell shows.
 * @param {Kind} kind
 * @param {Result|null|undefined} exact what truth says
 * @param {Result|null|undefined} found what the agent says
 * @returns {Map<string, Cell>}
 */
export function overlay(kind, exact, found) {
  if (kind === "exact") return exactCells(exact);
  if (kind === "loss") return lossCells(exact, found);
  /** @type {Map<string, Cell>} */
  const cells = new Map();
  if (!found || kind === "none") return cells;
  const most = Math.max(1, ...found.moves.map((m) => m.visits));
  const top = Math.max(0, ...found.moves.map((m) => m.prior ?? 0));
  for (const m of found.moves) {
    const best = m.move === found.move;
    if (kind === "value" && m.value !== null && (m.visits > 0 || m.kind === "exact")) {
      const tone =
        m.kind === "estimate" && (m.visits < FEW_VISITS || Math.abs(m.value) < noise(m.visits))
          ? "plain" // that may be chance
          : m.value > 0.005
            ? "win"
            : m.value < -0.005
              ? "loss"
              : "draw";
      const share = Math.max(0.1, Math.abs(m.value));
      cells.set(m.move, { tone, share, text: signedShort(m.value), words: `value ${signed(m.value)}`, best });
    } else if (kind === "visits" && m.visits > 0) {
      cells.set(m.move, {
        tone: "visits",
        share: m.visits / most,
        text: short(m.visits),
        words: `${m.visits} visits`,
        best,
      });
    } else if (kind === "prior" && m.prior !== null) {
      const text = m.prior < 0.005 ? "0" : percent(m.prior).replace("%", "");
      cells.set(m.move, {
        tone: "visits",
        share: m.prior / (top || 1),
        text,
        words: `prior ${percent(m.prior)}`,
        best: m.prior === top,
      });
    }
  }
  return cells;
}

/** @param {Result|null|undefined} exact @returns {Map<string, Cell>} */
function exactCells(exact) {
  const cells = new Map();
  const best = new Set(exact?.kind === "exact" ? bestMoves(exact) : []);
  if (best.size === exact?.moves.length) best.clear(); // where all are best there is nothing to choose
  for (const m of exact?.moves ?? []) {
    const known = m.value !== null && m.kind === "exact";
    const tone = !known
      ? "plain"
      : /** @type {number} */ (m.value) > 0
        ? "win"
        : /** @type {number} */ (m.value) < 0
          ? "loss"
          : "draw";
    cells.set(m.move, {
      tone,
      share: tone === "win" ? 0.85 : tone === "draw" ? 0.45 : known ? 0.15 : 0, // what wins is seen first
      text: exactText(m),
      words: exactWords(m),
      best: best.has(m.move),
    });
  }
  return cells;
}

/** @param {Result|null|undefined} exact @param {Result|null|undefined} found @returns {Map<string, Cell>} */
function lossCells(exact, found) {
  const cells = new Map();
  for (const [move, { loss, sure }] of losses(exact, found)) {
    const small = loss < 0.005;
    const words = small ? "gives nothing away" : `gives away ${loss.toFixed(2)}${sure ? ", proved" : ""}`;
    const text = small ? "0" : signedShort(-loss);
    cells.set(move, {
      tone: small ? "win" : "loss",
      share: small ? 0.5 : Math.min(1, loss / 2),
      text,
      words,
      best: small,
    });
  }
  return cells;
}
