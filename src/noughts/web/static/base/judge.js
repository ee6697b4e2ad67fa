// Judges the moves of a game from the analyses of its positions: which lost value, and whether that is proved.

import { endValue, forFirst } from "./format.js";
import { bestMoves, FEW_VISITS, losses, noise } from "./overlay.js";
import { TRUTH } from "./session.js";

/** @import { PositionAnswer as Position, Result } from "./api-types.js" */
/** @import { Node } from "./game.js" */

/** A position on the current line of a game, with its node. @typedef {{node: Node, position: Position}} Place */
/** The value of a position for the first player; `sure` if it is proved. @typedef {{value: number, sure: boolean, visits: number}} Worth */
/** @typedef {{ply: number, side: "first"|"second", move: string, loss: number, sure: boolean, sign: ""|"?"|"??", right: string[], after: number}} Judgement `after` is for the side that moved */

const MISTAKE = 0.3; // the estimated loss from which a move is marked
const BLUNDER = 0.8;

/** The result of an agent, or else the one with the most nodes. @param {Node} node @param {string} agent @returns {Result|undefined} */
export function foundBy(node, agent) {
  if (node.analysis[agent]) return node.analysis[agent];
  const others = Object.entries(node.analysis).filter(([name]) => name !== TRUTH);
  return others.map(([, result]) => result).sort((a, b) => b.nodes - a.nodes)[0];
}

/** The proved bounds on a position's value for the side to move, lower and upper. @param {Place} place @returns {[number, number]} */
function proved({ node, position }) {
  const end = endValue(position);
  if (end !== null) return [forFirst(position, end), forFirst(position, end)];
  const exact = node.analysis[TRUTH];
  if (exact?.kind === "exact" && exact.value !== null) return [exact.value, exact.value];
  return node.bounds;
}

/** The proved value of a position for the first player; null if it is not proved. @param {Place} place */
function provedValue(place) {
  const [least, most] = proved(place);
  return least === most ? forFirst(place.position, least) : null;
}

/** The number of positions of a line without a proved value. @param {Place[]} line */
export const openCount = (line) => line.filter((place) => provedValue(place) === null).length;

/** The value of a position, proved or estimated; null if there is neither. @param {Place} place @param {string} agent @returns {Worth|null} */
export function worth(place, agent) {
  const value = provedValue(place);
  if (value !== null) return { value, sure: true, visits: Infinity };
  const { node, position } = place;
  const found = foundBy(node, agent);
  if (!found || found.value === null) return null;
  return { value: forFirst(position, found.value), sure: found.kind === "exact", visits: found.nodes };
}

/** The judgement on each move of a line, by ply from 1; null if there are no results. @param {Place[]} line from the root @param {string} agent */
export const judge = (line, agent) =>
  line.map((place, ply) => (ply === 0 ? null : judgeMove(line[ply - 1], place, ply, agent)));

/** @param {Place} before @param {Place} place @param {number} ply @param {string} agent @returns {Judgement|null} */
function judgeMove(before, place, ply, agent) {
  const [side, move] = [before.position.to_move, /** @type {string} */ (place.node.move)];
  const [exact, found] = [before.node.analysis[TRUTH], foundBy(before.node, agent)];
  const right = bestMoves(exact?.kind === "exact" ? exact : found);
  const [least, most] = proved(before);
  const [low, high] = proved(place)
    .map((bound) => -bound || 0)
    .reverse(); // for the side that moved
  if (least > high || low >= most) {
    const loss = low >= most ? 0 : least === most ? least - high : 1;
    const sign = loss > 1.5 ? "??" : loss > 0.5 ? "?" : "";
    return { ply, side, move, loss, sure: true, sign, right: exact?.kind === "exact" ? right : [], after: high };
  }
  const known = losses(exact, found).get(move);
  if (!known) return null;
  const { loss, sure } = known;
  const [visits, best] = [move, found?.move].map((each) => found?.moves.find((m) => m.move === each)?.visits ?? 0);
  const judged = sure || found?.kind === "exact" || (visits >= FEW_VISITS && loss > noise(visits, best));
  const sign = !judged ? "" : loss >= (sure ? 1.5 : BLUNDER) ? "??" : loss >= (sure ? 0.5 : MISTAKE) ? "?" : "";
  const own = worth(place, agent);
  return { ply, side, move, loss, sure, sign, right, after: own ? (side === "first" ? own.value : -own.value) : 0 };
}

/** @param {Position} end @returns {"first"|"second"|null} who lost; null in a draw or an unfinished game */
export const loserOf = (end) => (end.outcome === "first" ? "second" : end.outcome === "second" ? "first" : null);

/**
 * The mistakes of the loser, or in a draw of both sides: the costliest first, among equals the latest.
 * @param {(Judgement|null)[]} judgements
 * @param {Position} end
 * @returns {Judgement[]}
 */
function mistakes(judgements, end) {
  const loser = loserOf(end);
  const marked = /** @type {Judgement[]} */ (judgements.filter((j) => j?.sign && (loser === null || j.side === loser)));
  return marked.sort((a, b) => Number(b.sure) - Number(a.sure) || b.loss - a.loss || b.ply - a.ply);
}

/**
 * The move that decided the game: the loser's last proved mistake, or in a draw the costliest of both sides. Estimates do not count.
 * @param {(Judgement|null)[]} judgements
 * @param {Position} end
 * @returns {Judgement|null}
 */
export function decisive(judgements, end) {
  const sure = mistakes(judgements, end).filter((each) => each.sure);
  if (sure.length && loserOf(end)) return sure.reduce((a, b) => (b.ply > a.ply ? b : a));
  return sure[0] ?? null;
}

/**
 * Finds the position from which on a game was lost, as far back from its end as proofs reach.
 * @param {Place[]} line from the root
 * @returns {{ply: number, last: number}|null} the first of the positions at the end that are all proved to be lost for the loser, and
 *   the loser's last move before it; null if there is no loser, or the game was lost before any move of the loser
 */
export function lostFrom(line) {
  const loser = loserOf(line[line.length - 1].position);
  if (!loser) return null;
  const lost = loser === "first" ? -1 : 1;
  const ply = 1 + line.slice(0, -1).findLastIndex((place) => provedValue(place) !== lost);
  const last = line[ply].position.to_move === loser ? ply - 1 : ply;
  return last > 0 ? { ply, last } : null;
}

/**
 * Whether further proofs cannot change the deciding move: the loser's later moves are all judged by proof.
 * @param {Judgement} found
 * @param {(Judgement|null)[]} judgements
 * @param {Position} end
 */
function isSettled(found, judgements, end) {
  const loser = loserOf(end);
  const later = judgements.filter((_, ply) => ply > found.ply && (ply - found.ply) % 2 === 0);
  return loser !== null && later.every((each) => each?.sure);
}

/**
 * Finds the move that decided a game, from the results so far.
 * @param {Place[]} line from the root
 * @param {string} agent whose estimates count, too
 * @param {boolean} ended whether the proofs have ended
 */
export function decided(line, agent, ended) {
  const judgements = judge(line, agent);
  const end = line[line.length - 1].position;
  const found = decisive(judgements, end);
  const others = mistakes(judgements, end).filter((each) => each !== found);
  // Distances may still be missing, but they cannot change the verdict.
  const known = ended || !openCount(line) || (found !== null && isSettled(found, judgements, end));
  return { found, others, known };
}

/**
 * Finds the moves among which a mistake must be: those between two positions whose proved values differ.
 * @param {Place[]} line from the root
 * @returns {[number, number]|null} the first and the last of these moves; null if there are none
 */
export function betweenMoves(line) {
  const known = line.map((place, ply) => ({ ply, value: provedValue(place) })).filter(({ value }) => value !== null);
  const at = known.findLastIndex(({ ply, value }, index) => {
    const before = known[index - 1];
    return before && value !== before.value && ply - before.ply > 1;
  });
  return at < 0 ? null : [known[at - 1].ply + 1, known[at].ply];
}
