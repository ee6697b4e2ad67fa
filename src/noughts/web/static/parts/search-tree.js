// The tree of a search as a picture that grows: a box for each position with its move, N, Q and, of a network, P. The way of the
// last simulation is lit phase by phase, and its numbers change only when the result is backed up.

import { fill, h, s } from "../base/dom.js";
import { counted, percent, sideName, signed, signedShort } from "../base/format.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/api-types.js").Steps} Steps */
/** @typedef {import("../base/api-types.js").TreeNode} TreeNode */
/** @typedef {import("./steps.js").PhaseKey} PhaseKey */

const MOST = 48; // boxes: more would be read by nobody
const [WIDE, HIGH, RIGHT, DOWN] = [84, 32, 116, 37]; // of a box, and from one to the next

/** @typedef {{node: TreeNode, key: string, depth: number, row: number, children: Place[]}} Place */

export class SearchTree {
  #edges = s("g", { class: "tree-edges" });
  #boxes = s("g", {});
  #drawing = s("svg", { class: "tree-drawing", role: "img" }, this.#edges, this.#boxes);
  element = h("div", { class: "tree-frame", tabindex: "0", role: "group", "aria-label": "The tree" }, this.#drawing);
  /** @type {Map<string, SVGElement>} */
  #drawn = new Map();

  /**
   * @param {Steps} steps
   * @param {PhaseKey|null} phase of the last simulation; null before the first
   * @param {Position} position
   */
  show(steps, phase, position) {
    const path = new Map((steps.trace?.path ?? []).map((node) => [node.moves.join(" "), node]));
    const fresh = steps.trace?.expand ? (steps.trace.path.at(-1)?.moves.join(" ") ?? null) : null;
    const hidden = phase === "select" ? fresh : null; // it is not there yet
    const nodes = new Map([[steps.root.moves.join(" "), steps.root]]);
    for (const node of [...path.values(), ...steps.tree.slice(0, MOST)]) nodes.set(node.moves.join(" "), node);
    if (hidden !== null) nodes.delete(hidden);
    const places = arranged(nodes, position.squares);
    const rows = Math.max(...places.map((place) => place.row)) + 1;
    const deepest = Math.max(...places.map((place) => place.depth));
    const [width, height] = [(deepest + 2) * RIGHT, Math.max(2, rows) * DOWN];
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      this.#drawing.setAttribute(name, String(value));
    const way = steps.trace ? `; the last simulation went ${[...path.keys()].at(-1) || "nowhere"}` : "";
    this.#drawing.setAttribute("aria-label", `A tree of ${counted(steps.iterations, "simulation")}${way}`);

    fill(
      this.#edges,
      places.flatMap((place) => place.children.map((child) => edge(place, child, path.has(child.key)))),
    );
    const gone = new Set(this.#drawn.keys());
    for (const place of places) {
      gone.delete(place.key);
      const walked = path.get(place.key);
      // Before the result is backed up, the numbers are those before the simulation.
      const waits = walked !== undefined && phase !== "backup";
      const visits = place.node.visits - (waits ? 1 : 0);
      const total = place.node.total - (waits ? walked.gained : 0);
      this.#box(place, {
        visits,
        mean: visits ? total / visits : null,
        state: place.key === fresh ? "fresh" : walked ? "walked" : "",
        gained: walked && phase === "backup" ? walked.gained : null,
      });
    }
    for (const key of gone) {
      this.#drawn.get(key)?.remove();
      this.#drawn.delete(key);
    }
    const end = places.find((place) => place.key === [...path.keys()].at(-1));
    if (end && steps.trace) this.#verdict(end, steps.trace, phase, position);
    if (end) this.#reveal(end);
  }

  /**
   * @param {Place} place
   * @param {{visits: number, mean: number|null, state: string, gained: number|null}} told
   */
  #box({ node, key, depth, row }, { visits, mean, state, gained }) {
    let box = this.#drawn.get(key);
    if (!box) {
      box = this.#boxes.appendChild(s("g", { class: "tree-node" }));
      this.#drawn.set(key, box);
    }
    box.setAttribute("class", `tree-node ${state}`);
    box.style.setProperty("transform", `translate(${depth * RIGHT + 2}px, ${row * DOWN + 4}px)`);
    const tone = mean === null || Math.abs(mean) < 0.005 ? "draw" : mean > 0 ? "win" : "loss";
    const numbers = [
      mean === null ? "new" : signed(mean),
      node.prior === null || node.prior === undefined ? null : percent(node.prior),
    ];
    fill(
      box,
      s("rect", { width: WIDE, height: HIGH, rx: 6 }),
      s("rect", {
        class: `tree-tone ${tone}`,
        width: 4,
        height: HIGH,
        rx: 2,
        "--strength": 0.25 + 0.75 * Math.abs(mean ?? 0),
      }),
      s("text", { class: "tree-move", x: 11, y: 13 }, node.moves.at(-1) ?? "board"),
      s("text", { class: "tree-visits", x: WIDE - 6, y: 13 }, visits),
      s("text", { class: "tree-numbers", x: 11, y: 27 }, numbers.filter(Boolean).join(" · ")),
      gained !== null &&
        s(
          "text",
          { class: `tree-gained ${gained < 0 ? "loss" : gained > 0 ? "win" : "draw"}`, x: WIDE + 3, y: 12 },
          signedShort(gained),
        ),
    );
  }

  /**
   * What the position at the end of the way was judged to be.
   * @param {Place} end
   * @param {NonNullable<Steps["trace"]>} trace
   * @param {PhaseKey|null} phase
   * @param {Position} position
   */
  #verdict(end, trace, phase, position) {
    const key = " verdict";
    this.#drawn.get(key)?.remove();
    this.#drawn.delete(key);
    const worth = trace.path.at(-1)?.worth ?? null;
    const words =
      trace.outcome === null
        ? worth !== null && phase === "expand" && `V ${signed(worth)}`
        : phase === "rollout" &&
          (trace.outcome === "draw" ? "a draw" : `${sideName(trace.outcome, position.marks)} won`);
    if (!words) return;
    const [x, y] = [end.depth * RIGHT + WIDE + 2, end.row * DOWN + 4 + HIGH / 2];
    const drawn = this.#boxes.appendChild(
      s("g", { class: "tree-verdict" }, s("path", { d: `M${x} ${y}h22` }), s("text", { x: x + 28, y: y + 4 }, words)),
    );
    this.#drawn.set(key, drawn);
  }

  /** Brings the end of the way into sight, without moving the page. @param {Place} end */
  #reveal(end) {
    const [frame, x, y] = [this.element, end.depth * RIGHT, end.row * DOWN];
    if (x < frame.scrollLeft || x + 2 * RIGHT > frame.scrollLeft + frame.clientWidth)
      frame.scrollLeft = Math.max(0, x + 2 * RIGHT - frame.clientWidth);
    if (y < frame.scrollTop || y + DOWN > frame.scrollTop + frame.clientHeight)
      frame.scrollTop = Math.max(0, y - frame.clientHeight / 2);
  }
}

/**
 * Where each node stands: a row for each leaf, a parent in the middle of its children. Siblings stand in the order of the board, so
 * that none changes its place among them when others come.
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
    if (node.moves.length && !parent) continue; // the node above it was visited too little to be shown
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
  return s("path", {
    class: lit ? "lit" : "",
    d: `M${x} ${y}C${x + across / 2} ${y} ${x + across / 2} ${below} ${x + across} ${below}`,
    "stroke-width": (1 + 4 * share).toFixed(1),
  });
}
