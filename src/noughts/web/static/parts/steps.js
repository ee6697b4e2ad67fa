// One iteration of Monte-Carlo tree search in words, as a table, and on the board.

import { h } from "../base/dom.js";
import { number, sideName, signed, signedShort } from "../base/format.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/overlay.js").Cell} Cell */
/** @typedef {import("../base/api-types.js").Tried} Tried */
/** @typedef {import("../base/api-types.js").TraceAnswer} Trace */
/** @typedef {Pick<import("../base/api-types.js").Steps, "iterations"|"trace"|"children"|"tree">} Steps */

/** The name of each phase, and what it does. */
export const PHASES = [
  ["Select", "Walk down by the largest bound, as long as every move of a position has been tried."],
  ["Expand", "Add one new position to the tree."],
  ["Simulate", "Play a random game to its end from there."],
  ["Back up", "Add the result to every position on the way."],
];

/**
 * What happened in a phase.
 * @param {number} phase
 * @param {Trace} trace
 * @param {Position} position
 */
export function told(phase, { select, expand, simulate, outcome, path }, position) {
  if (phase === 0) return select.length ? `Walked ${select.join(" ")}.` : "A move here is still untried: stayed.";
  if (phase === 1) return expand ? `Added ${expand}.` : "The game was over: nothing to add.";
  const won = outcome === "draw" ? "a draw" : `${sideName(outcome, position.marks)} won`;
  if (phase === 2) return simulate.length ? `${simulate.length} random moves: ${won}.` : `Already over: ${won}.`;
  return `${path.length} ${path.length === 1 ? "position" : "positions"} updated.`;
}

/** The moves from the root with N, W, Q and bound. @param {Steps} steps */
export function childrenTable(steps) {
  if (!steps.children.length) {
    return h("p", { class: "muted" }, "Press Next phase: the first iteration tries a first move.");
  }
  const first = steps.trace?.select[0] ?? steps.trace?.expand;
  const columns = [
    ["Move", ""],
    ["N", "visits"],
    ["W", "sum of the results"],
    ["Q", "mean value, W / N"],
    ["Bound", "what selection looks at"],
  ];
  const rows = [...steps.children]
    .sort((a, b) => b.visits - a.visits)
    .map((child) =>
      h(
        "tr",
        { class: child.move === first ? "chosen" : "" },
        h("th", { scope: "row" }, child.move),
        [child.visits, number(child.total), signed(child.mean), boundText(child.bound, 3)].map((text) =>
          h("td", {}, text),
        ),
      ),
    );
  const head = columns.map(([words, about]) => h("th", { scope: "col", title: about }, words));
  return h("table", { class: "children" }, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows));
}

/** @param {number|null} bound null before the first visit @param {number} places */
const boundText = (bound, places) => (bound === null ? "∞" : bound.toFixed(places));

/**
 * What each cell shows of the moves from the root.
 * @param {Steps} steps
 * @param {string} show visits, mean, bound or none
 * @returns {Map<string, Cell>}
 */
export function stepCells({ children }, show) {
  const most = Math.max(1, ...children.map((child) => child.visits));
  const bounds = children.map((child) => child.bound ?? 0);
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
  /** @param {Tried} child @returns {Pick<Cell, "text"|"share"|"tone">} */
  const shown = ({ visits, mean, bound }) => {
    if (show === "visits") return { text: String(visits), share: visits / most, tone: "visits" };
    if (show === "mean") {
      return { text: signedShort(mean), share: Math.abs(mean), tone: mean > 0 ? "win" : mean < 0 ? "loss" : "draw" };
    }
    return {
      text: boundText(bound, 2),
      share: high > low ? ((bound ?? high) - low) / (high - low) : 1,
      tone: "visits",
    };
  };
  if (show === "none") return new Map();
  return new Map(
    children.map((child) => [
      child.move,
      { ...shown(child), words: `N ${child.visits}, Q ${signed(child.mean)}`, best: false },
    ]),
  );
}
