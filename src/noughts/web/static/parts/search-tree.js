// <search-tree>: the growing tree of a search: a box for each position with its move, N, Q and, with a network, P. The path of the last
// simulation is highlighted phase by phase, and its numbers change only when the result is backed up.

import { counted, percent, sideName, signed, signedShort, toneOf } from "../base/format.js";
import { html, nothing, repeat, svg, View, vars } from "../base/view.js";

/** @import { PositionAnswer as Position, Steps, TreeNode } from "../base/api-types.js" */
/** @import { PhaseKey } from "./steps.js" */

const MOST = 48; // boxes; more are unreadable
const [WIDE, HIGH, RIGHT, DOWN] = [84, 32, 116, 37]; // the size of a box, and the distance to the next

/** @typedef {{node: TreeNode, key: string, depth: number, row: number, children: Place[]}} Place */

export class SearchTree extends View {
  /** @type {Steps|null} */
  steps = null;
  /** The phase of the last simulation; null before the first. @type {PhaseKey|null} */
  phase = null;
  /** @type {Position|null} */
  position = null;
  /** The end of the last simulation's path. @type {Place|undefined} */
  #end;

  render() {
    const { steps, phase, position } = this;
    if (!steps || !position) return nothing;
    const { path: walked, gained, expand, simulations } = steps;
    const path = new Map(walked.map((node, index) => [node.moves.join(" "), { ...node, gained: gained[index] }]));
    const last = [...path.keys()].at(-1);
    const fresh = expand ? (last ?? null) : null;
    const nodes = new Map([...walked, ...steps.nodes.slice(0, MOST + 1)].map((node) => [node.moves.join(" "), node]));
    if (phase === "select" && fresh !== null) nodes.delete(fresh); // it is not added yet
    const places = arranged(nodes, position.squares);
    this.#end = places.find((place) => place.key === last);
    const width = (Math.max(...places.map((place) => place.depth)) + 2) * RIGHT;
    const height = Math.max(2, ...places.map((place) => place.row + 1)) * DOWN;
    const way = simulations ? `; the last simulation went ${last || "nowhere"}` : "";
    const draw = (/** @type {Place} */ place) => {
      const walked = path.get(place.key);
      return box(place, walked, place.key === fresh, phase);
    };
    return html`<div class="tree-frame" tabindex="0" role="group" aria-label="The tree">
      <svg class="tree-drawing" role="img" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}
        aria-label=${`A tree of ${counted(simulations, "simulation")}${way}`}>
        <g class="tree-edges">${places.flatMap((place) => place.children.map((child) => edge(place, child, path.has(child.key))))}</g>
        <g>${repeat(places, ({ key }) => key, draw)}</g>
        ${this.#end && simulations ? verdict(this.#end, steps, phase, position) : nothing}
      </svg>
    </div>`;
  }

  /** Scrolls to the end of the path, without scrolling the page. */
  updated() {
    const frame = this.firstElementChild;
    if (!this.#end || !frame) return;
    const [x, y] = [this.#end.depth * RIGHT, this.#end.row * DOWN];
    if (x < frame.scrollLeft || x + 2 * RIGHT > frame.scrollLeft + frame.clientWidth)
      frame.scrollLeft = Math.max(0, x + 2 * RIGHT - frame.clientWidth);
    if (y < frame.scrollTop || y + DOWN > frame.scrollTop + frame.clientHeight)
      frame.scrollTop = Math.max(0, y - frame.clientHeight / 2);
  }
}

customElements.define("search-tree", SearchTree);

/**
 * Draws a position. Before the result is backed up, the numbers on the path are those before the simulation.
 * @param {Place} place
 * @param {TreeNode & {gained: number}|undefined} walked the effect of the simulation here
 * @param {boolean} fresh whether the simulation added it
 * @param {PhaseKey|null} phase
 */
function box({ node, depth, row }, walked, fresh, phase) {
  const backed = phase === "backup";
  const visits = node.visits - (walked && !backed ? 1 : 0);
  const total = node.total - (walked && !backed ? walked.gained : 0);
  const mean = visits ? total / visits : null;
  const gained = walked && backed ? walked.gained : null;
  const prior = node.prior === null || node.prior === undefined ? "" : ` · ${percent(node.prior)}`;
  return svg`<g class=${`tree-node ${fresh ? "fresh" : walked ? "walked" : ""}`}
      ${vars({ x: `${depth * RIGHT + 2}px`, y: `${row * DOWN + 4}px` })}>
    <rect width=${WIDE} height=${HIGH} rx="6" />
    <rect class=${`tree-tone ${toneOf(mean)}`} width="4" height=${HIGH} rx="2" ${vars({ strength: 0.25 + 0.75 * Math.abs(mean ?? 0) })} />
    <text class="tree-move" x="11" y="13">${node.moves.at(-1) ?? "board"}</text>
    <text class="tree-visits" x=${WIDE - 6} y="13">${visits}</text>
    <text class="tree-numbers" x="11" y="27">${mean === null ? "new" : signed(mean)}${prior}</text>
    ${gained === null ? nothing : svg`<text class=${`tree-gained ${toneOf(gained)}`} x=${WIDE + 3} y="12">${signedShort(gained)}</text>`}
  </g>`;
}

/**
 * The evaluation of the position at the end of the path.
 * @param {Place} end
 * @param {Steps} steps
 * @param {PhaseKey|null} phase
 * @param {Position} position
 */
function verdict(end, { path, outcome }, phase, position) {
  const worth = path.at(-1)?.worth ?? null;
  const valued = outcome === "ongoing" && worth !== null && phase === "expand" && `V ${signed(worth)}`;
  const won = outcome === "draw" ? "a draw" : outcome !== "ongoing" && `${sideName(outcome, position.marks)} won`;
  const words = valued || (phase === "rollout" && won);
  if (!words) return nothing;
  const [x, y] = [end.depth * RIGHT + WIDE + 2, end.row * DOWN + 4 + HIGH / 2];
  return svg`<g class="tree-verdict"><path d=${`M${x} ${y}h22`} /><text x=${x + 28} y=${y + 4}>${words}</text></g>`;
}

/**
 * The layout of the nodes: a row for each leaf, and each parent in the middle of its children. Siblings are in the order of the
 * board, so that new ones do not change the order of the others.
 * @param {Map<string, TreeNode>} nodes
 * @param {string[]} squares
 * @returns {Place[]} each after its parent
 */
function arranged(nodes, squares) {
  const order = new Map(squares.map((square, index) => [square, index]));
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const [key, node] of [...nodes].sort(([, one], [, other]) => one.moves.length - other.moves.length)) {
    const parent = places.get(node.moves.slice(0, -1).join(" "));
    if (node.moves.length && !parent) continue; // its parent has too few visits to be shown
    const place = { node, key, depth: node.moves.length, row: 0, children: [] };
    places.set(key, place);
    if (node.moves.length) parent?.children.push(place);
  }
  let row = 0;
  /** @param {Place} place */
  const settle = (place) => {
    place.children.sort((one, other) => rank(one, order) - rank(other, order));
    for (const child of place.children) settle(child);
    place.row = place.children.length ? (place.children[0].row + (place.children.at(-1)?.row ?? 0)) / 2 : row++;
  };
  const root = places.get("");
  if (root) settle(root);
  return [...places.values()];
}

/** @param {Place} place @param {Map<string, number>} order */
const rank = (place, order) => order.get(place.node.moves.at(-1) ?? "") ?? 0;

/** @param {Place} from @param {Place} to @param {boolean} lit */
function edge(from, to, lit) {
  const [x, y] = [from.depth * RIGHT + WIDE + 2, from.row * DOWN + 4 + HIGH / 2];
  const [across, below] = [RIGHT - WIDE, to.row * DOWN + 4 + HIGH / 2];
  const share = to.node.visits / Math.max(1, from.node.visits);
  const d = `M${x} ${y}C${x + across / 2} ${y} ${x + across / 2} ${below} ${x + across} ${below}`;
  return svg`<path class=${lit ? "lit" : ""} d=${d} stroke-width=${(1 + 4 * share).toFixed(1)} />`;
}
