// One simulation of a search in words, as a table, and on the board. The data of the trace select the text: its `judge`, which
// evaluates new positions, selects the phases, and its `formula` selects the text about selection.

import { number, percent, sideName, signed, signedShort, toneOf } from "../base/format.js";
import { html, table } from "../base/view.js";

/** @import { PositionAnswer as Position, Steps, TreeNode } from "../base/api-types.js" */
/** @import { Cell } from "../base/overlay.js" */

const MOST_UNTRIED = 12; // untried moves in the table

/** @typedef {"select"|"expand"|"rollout"|"backup"} PhaseKey */
/** @typedef {{key: PhaseKey, name: string, about: string}} Phase */

/** @type {Phase} */
const SELECT = { key: "select", name: "Select", about: "Walk down the tree, each time to the most promising move." };
/** @type {Phase} */
const BACK_UP = { key: "backup", name: "Back up", about: "Add the result to every position on the way." };

/** The phases of a simulation, by the evaluation of new positions. @type {Record<Steps["judge"], Phase[]>} */
export const PHASES = {
  rollout: [
    SELECT,
    { key: "expand", name: "Expand", about: "Add one new position to the tree." },
    { key: "rollout", name: "Simulate", about: "Play a random game to its end from there." },
    BACK_UP,
  ],
  network: [
    SELECT,
    { key: "expand", name: "Expand and evaluate", about: "Add one new position, and ask the network for V and P." },
    BACK_UP,
  ],
};

/** The criterion of selection: its name and its formula. @type {Record<Steps["formula"], [string, string]>} */
export const FORMULAS = {
  ucb1: ["Bound", "bound = Q + c · √(ln n / N), where n counts the visits of all moves here and Q = W / N."],
  puct: [
    "Score",
    "score = Q + c · P · √n / (1 + N), where n counts the visits of all moves here and P is the network's prior.",
  ],
  muzero: ["Score", "score = Q, scaled to those seen nearby, + c · P · √n / (1 + N), where P is the network's prior."],
  gumbel: [
    "Score",
    "score = ln P + scaled Q. From the position on the board the moves likeliest by P are tried in turn; half of them, those " +
      "of lower score, drop out again and again. Deeper down, visits follow the policy that the scores make.",
  ],
};

/**
 * Describes a phase of a simulation.
 * @param {PhaseKey} phase
 * @param {Steps} steps
 * @param {Position} position
 */
export function phaseWords(phase, { select, expand, rollout, outcome, path, judge }, position) {
  if (phase === "select")
    return select.length ? `Walked ${select.join(" ")}.` : "A move here is still untried: stayed.";
  const leaf = path[path.length - 1];
  if (phase === "expand") {
    const added = expand ? `Added ${expand}.` : "The game was over: nothing to add.";
    return judge === "network" ? `${added} Value ${signed(leaf.worth ?? 0)} for who moved there.` : added;
  }
  if (phase === "rollout") {
    const won = outcome === "first" || outcome === "second" ? `${sideName(outcome, position.marks)} won` : "a draw";
    return rollout.length ? `${rollout.length} random moves: ${won}.` : `Already over: ${won}.`;
  }
  return `${path.length} ${path.length === 1 ? "position" : "positions"} updated.`;
}

/** A table of the moves from the root, with their statistics. @param {Steps} steps */
export function childrenTable(steps) {
  if (!steps.tried.length) return html`<p class="muted">Press Next phase: the first simulation tries a first move.</p>`;
  const first = steps.select[0] ?? steps.expand;
  /** @type {[string, (child: TreeNode) => string|number][]} */
  const columns = [
    ["N", (child) => child.visits],
    ["W", (child) => number(child.total).replace("-", "−")],
    ["Q", (child) => (child.visits ? signed(child.mean) : "–")],
    ["P", (child) => percent(child.prior ?? 0)],
    [FORMULAS[steps.formula][0], (child) => scoreText(child.score, 3)],
  ];
  const shown = columns.filter(([name]) => name !== "P" || steps.judge === "network");
  const rows = steps.tried
    .filter((child, index) => child.visits || index < MOST_UNTRIED)
    .map(
      (child) => html`<tr class=${child.moves[0] === first ? "chosen" : ""}>
        <th scope="row">${child.moves[0]}</th>${shown.map(([, text]) => html`<td>${text(child)}</td>`)}
      </tr>`,
    );
  return html`${table("children", ["Move", ...shown.map(([name]) => name)], rows)}
    <p class="muted">N visits, W the sum of their results, Q = W / N${steps.judge === "network" ? ", P the network's prior" : ""}.</p>`;
}

/** @param {number|null} score null before the first visit @param {number} places */
const scoreText = (score, places) => (score === null ? "∞" : score.toFixed(places).replace("-", "−"));

/** The overlays that the board can show. @param {Steps|null} steps @returns {Record<string, [string, string]>} */
export const boardChoices = (steps) => ({
  visits: ["N", "how often each move was tried"],
  mean: ["Q", "the mean result of each move, for the side to move"],
  ...(steps?.judge === "network" && { prior: ["P", "how likely the network takes each move to be, in percent"] }),
  score: [FORMULAS[steps?.formula ?? "ucb1"][0], "what selection compares the moves by"],
  none: ["Off", ""],
});

/**
 * The content of each cell, for the moves from the root.
 * @param {Steps} steps
 * @param {string} show visits, mean, prior, score or none
 * @returns {Map<string, Cell>}
 */
export function stepCells({ tried }, show) {
  const seen = tried.filter((child) => child.visits || show === "prior");
  const most = Math.max(1, ...seen.map((child) => child.visits));
  const likeliest = Math.max(...seen.map((child) => child.prior ?? 0));
  const scores = seen.map((child) => child.score ?? 0);
  const [low, high] = [Math.min(...scores), Math.max(...scores)];
  /** @param {TreeNode} child @returns {Pick<Cell, "text"|"share"|"tone">} */
  const shown = ({ visits, mean, score, prior }) => {
    if (show === "visits") return { text: String(visits), share: visits / most, tone: "visits" };
    if (show === "prior")
      return { text: percent(prior ?? 0).replace("%", ""), share: (prior ?? 0) / likeliest, tone: "visits" };
    if (show === "mean") return { text: signedShort(mean), share: Math.abs(mean), tone: toneOf(mean) };
    const share = high > low ? ((score ?? high) - low) / (high - low) : 1;
    return { text: scoreText(score, 2), share, tone: "visits" };
  };
  if (show === "none") return new Map();
  const words = (/** @type {TreeNode} */ { visits, mean }) => `N ${visits}, Q ${signed(mean)}`;
  return new Map(seen.map((child) => [child.moves[0], { ...shown(child), words: words(child), best: false }]));
}
