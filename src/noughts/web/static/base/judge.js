// Judges the moves of a game by what was found about its positions: which gave something away, and how sure that is.

import { endValue, forFirst } from "./format.js";
import { bestMoves, losses } from "./overlay.js";
import { TRUTH } from "./session.js";

/** @typedef {import("./api-types.js").PositionAnswer} Position */
/** @typedef {import("./api-types.js").Result} Result */
/** @typedef {import("./game.js").Node} Node */

/** What a position is worth for the first player. @typedef {{value: number, sure: boolean, visits: number}} Worth */
/** @typedef {{ply: number, side: "first"|"second", move: string, loss: number, sure: boolean, sign: ""|"?"|"??", right: string[], after: number}} Judgement `after` is for the side that moved */

const MISTAKE = 0.3; // estimates: what a move must give away to be marked
const BLUNDER = 0.8;
const FEW_VISITS = 10; // a move looked at so seldom is not judged by its estimate

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
 * @param {Node} node
 * @param {Position} position
 * @param {string} agent
 * @returns {Worth|null} null while nothing is known
 */
export function worth(node, position, agent) {
  const end = endValue(position);
  if (end !== null) return { value: end, sure: true, visits: Infinity };
  const exact = node.analysis[TRUTH];
  if (exact?.kind === "exact" && exact.value !== null)
    return { value: forFirst(position, exact.value), sure: true, visits: Infinity };
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
  return nodes.map((node, ply) => {
    if (ply === 0) return null;
    const [before, after] = [nodes[ply - 1], worth(node, positions[ply], agent)];
    const exact = before.analysis[TRUTH];
    const found = foundBy(before, agent);
    const side = positions[ply - 1].to_move;
    const own = after && { ...after, value: side === "first" ? after.value : -after.value };
    const known = losses(exact, found).get(/** @type {string} */ (node.move));
    let [loss, sure] = [known?.loss ?? 0, known?.sure ?? false];
    if (exact?.kind === "exact" && exact.value !== null && own?.sure) [loss, sure] = [exact.value - own.value, true];
    else if (!known) return null;
    const visits = found?.moves.find((m) => m.move === node.move)?.visits ?? 0;
    const judged = sure || visits >= FEW_VISITS || found?.kind === "exact";
    const sign = !judged
      ? ""
      : sure
        ? loss > 1.5
          ? "??"
          : loss > 0.5
            ? "?"
            : ""
        : loss >= BLUNDER
          ? "??"
          : loss >= MISTAKE
            ? "?"
            : "";
    const right = bestMoves(exact?.kind === "exact" ? exact : found);
    return { ply, side, move: /** @type {string} */ (node.move), loss, sure, sign, right, after: own?.value ?? 0 };
  });
}

/**
 * The move that decided the game: the loser's last proved mistake, or else its largest likely one; in a draw, anybody's.
 * @param {(Judgement|null)[]} judgements
 * @param {Position} end
 * @returns {Judgement|null}
 */
export function decisive(judgements, end) {
  const loser = end.outcome === "first" ? "second" : end.outcome === "second" ? "first" : null;
  const marked = /** @type {Judgement[]} */ (judgements.filter((j) => j?.sign && (loser === null || j.side === loser)));
  const proved = marked.filter((j) => j.sure);
  if (proved.length) return loser ? proved[proved.length - 1] : proved.reduce((a, b) => (b.loss > a.loss ? b : a));
  return marked.length ? marked.reduce((a, b) => (b.loss > a.loss ? b : a)) : null;
}
