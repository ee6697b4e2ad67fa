// Judges the moves of a game by what was found about its positions: which gave something away, and how sure that is.

import { endValue, forFirst } from "./format.js";
import { bestMoves, FEW_VISITS, losses, noise } from "./overlay.js";
import { TRUTH } from "./session.js";

/** @import { PositionAnswer as Position, Result } from "./api-types.js" */
/** @import { Node } from "./game.js" */

/** What a position is worth for the first player. @typedef {{value: number, sure: boolean, visits: number}} Worth */
/** @typedef {{ply: number, side: "first"|"second", move: string, loss: number, sure: boolean, sign: ""|"?"|"??", right: string[], after: number}} Judgement `after` is for the side that moved */

const MISTAKE = 0.3; // estimates: what a move must give away to be marked
const BLUNDER = 0.8;

/**
 * What an agent found, or else whoever looked longest.
 * @param {Node} node
 * @param {string} agent
 * @returns {Result|undefined}
 */
export function foundBy(node, agent) {
  if (node.analysis[agent]) return node.analysis[agent];
  const others = Object.entries(node.analysis).filter(([name]) => name !== TRUTH);
  return others.map(([, result]) => result).sort((a, b) => b.nodes - a.nodes)[0];
}

/**
 * What is proved of a position's value for the side to move: the least and the most.
 * @param {Node} node
 * @param {Position} position
 * @returns {[number, number]}
 */
export function proved(node, position) {
  const end = endValue(position);
  if (end !== null) return [forFirst(position, end), forFirst(position, end)];
  const exact = node.analysis[TRUTH];
  if (exact?.kind === "exact" && exact.value !== null) return [exact.value, exact.value];
  return node.bounds;
}

/** How many positions of a line have no proved value. @param {Node[]} nodes @param {Position[]} positions */
export const openCount = (nodes, positions) =>
  nodes.filter((node, ply) => proved(node, positions[ply])[0] < proved(node, positions[ply])[1]).length;

/**
 * @param {Node} node
 * @param {Position} position
 * @param {string} agent
 * @returns {Worth|null} null while nothing is known
 */
export function worth(node, position, agent) {
  const [least, most] = proved(node, position);
  if (least === most) return { value: forFirst(position, least), sure: true, visits: Infinity };
  const found = foundBy(node, agent);
  if (!found || found.value === null) return null;
  return { value: forFirst(position, found.value), sure: found.kind === "exact", visits: found.nodes };
}

/**
 * The judgement on each move of a line, by ply from 1; null where nothing is known.
 * @param {Node[]} nodes from the root
 * @param {Position[]} positions the same
 * @param {string} agent
 * @returns {(Judgement|null)[]}
 */
export function judge(nodes, positions, agent) {
  return nodes.map((_, ply) => (ply === 0 ? null : judgeMove(nodes, positions, ply, agent)));
}

/**
 * @param {Node[]} nodes
 * @param {Position[]} positions
 * @param {number} ply
 * @param {string} agent
 * @returns {Judgement|null}
 */
function judgeMove(nodes, positions, ply, agent) {
  const [before, node] = [nodes[ply - 1], nodes[ply]];
  const [side, move] = [positions[ply - 1].to_move, /** @type {string} */ (node.move)];
  const [exact, found] = [before.analysis[TRUTH], foundBy(before, agent)];
  const right = bestMoves(exact?.kind === "exact" ? exact : found);
  const [least, most] = proved(before, positions[ply - 1]);
  const [low, high] = proved(node, positions[ply])
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
  const own = worth(node, positions[ply], agent);
  return { ply, side, move, loss, sure, sign, right, after: own ? (side === "first" ? own.value : -own.value) : 0 };
}

/** @param {Position} end @returns {"first"|"second"|null} who lost; null in a draw, and while the game goes on */
const loserOf = (end) => (end.outcome === "first" ? "second" : end.outcome === "second" ? "first" : null);

/**
 * What the loser did wrong, or in a draw anybody: the dearest first, of equal ones the last.
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
 * The move that decided the game: the loser's last proved mistake; in a draw, the dearest of anybody's. Estimates decide nothing.
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
 * From where on a game was lost, as far as proofs reach back from its end.
 * @param {Node[]} nodes from the root
 * @param {Position[]} positions the same
 * @returns {{ply: number, last: number}|null} the first of the positions at the end that are all proved to be lost for the loser, and
 *   the loser's last move before it; null if there is no loser, or the game was lost before any move of the loser
 */
export function lostFrom(nodes, positions) {
  const end = positions[positions.length - 1];
  const loser = loserOf(end);
  if (!loser) return null;
  let ply = nodes.length - 1;
  while (ply > 0) {
    const [least, most] = proved(nodes[ply - 1], positions[ply - 1]);
    if (least !== most || forFirst(positions[ply - 1], least) !== (loser === "first" ? -1 : 1)) break;
    ply--;
  }
  const last = positions[ply].to_move === loser ? ply - 1 : ply;
  return last > 0 ? { ply, last } : null;
}

/**
 * Whether more proofs cannot name another move: the loser's later moves are all proved to give nothing away.
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
 * What is known by now of the move that decided a game.
 * @param {Node[]} nodes from the root
 * @param {Position[]} positions the same
 * @param {string} agent whose estimates count, too
 * @param {boolean} ended whether nothing more will be proved
 */
export function decided(nodes, positions, agent, ended) {
  const judgements = judge(nodes, positions, agent);
  const end = positions[positions.length - 1];
  const found = decisive(judgements, end);
  const others = mistakes(judgements, end).filter((each) => each !== found);
  // Distances may come later: they change no verdict.
  const known = ended || !openCount(nodes, positions) || (found !== null && isSettled(found, judgements, end));
  return { found, others, known };
}

/**
 * Where a mistake must be, though it is not named: between two positions whose proved values differ.
 * @param {Node[]} nodes from the root
 * @param {Position[]} positions the same
 * @returns {[number, number]|null} the first and the last move that it may be; null if there is no such place
 */
export function betweenMoves(nodes, positions) {
  /** @type {{ply: number, value: number}|null} */
  let later = null;
  for (let ply = nodes.length - 1; ply >= 0; ply--) {
    const [least, most] = proved(nodes[ply], positions[ply]);
    if (least !== most) continue;
    const value = forFirst(positions[ply], least);
    if (later && value !== later.value && later.ply - ply > 1) return [ply + 1, later.ply];
    later = { ply, value };
  }
  return null;
}
