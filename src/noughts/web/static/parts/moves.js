// Lists of moves: the moves of a game in order, and the legal moves ranked by their analysis.

import { exactText, exactWords, percent, short, signed, toneOf, whole } from "../base/format.js";
import { bestMoves, losses } from "../base/overlay.js";
import { html, nothing, repeat, table, vars } from "../base/view.js";

/** @import { Result } from "../base/api-types.js" */
/** @import { Node } from "../base/game.js" */
/** @typedef {{line: string[], end: number}} Pointed a line of moves from here, and how many of them to show */

const MOST_ROWS = 12;

/** The content of a move's button. @typedef {{ply: number, move: string|null, number?: number, here?: boolean, sign?: string, label?: string}} Chip */

/** A move as a button, in the colour of its player. @param {Chip} chip @param {() => void} act */
export const moveChip = ({ ply, move, number = ply, here = false, sign = "", label }, act) => html`<button type="button"
    class="move-chip ${ply % 2 ? "first" : "second"} ${sign ? "marked" : ""}" aria-current=${here ? "step" : nothing}
    aria-label=${label ?? nothing} @click=${act}
    ><small aria-hidden="true">${number}</small>${move}${sign ? html`<b aria-hidden="true">${sign}</b>` : nothing}</button>`;

/**
 * The moves of the current line, as buttons that go to their positions.
 * @param {import("../base/game.js").Game} game
 * @param {(node: Node) => void} chosen
 */
export function moveList(game, chosen) {
  const nodes = game.line.slice(1);
  if (!nodes.length) return html`<p class="muted">No move yet. Click a cell to begin.</p>`;
  const chip = (/** @type {Node} */ node, /** @type {number} */ index) => {
    const label = `Move ${index + 1}, ${node.move}`;
    return moveChip({ ply: index + 1, move: node.move, here: node === game.current, label }, () => chosen(node));
  };
  return html`<ol class="move-list">${nodes.map((node, index) => html`<li>${chip(node, index)}</li>`)}</ol>`;
}

/**
 * A table of the ranked legal moves. Rows are keyed by move, so that a row stays under the pointer while its numbers change.
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 * @param {{all: boolean, point: (pointed: Pointed|null) => void, choose: (pointed: Pointed) => void, showAll: () => void}} how
 */
export function rankedMoves(exact, found, how) {
  const ranked = rank(exact, found);
  if (!ranked.length) return html`<p class="muted">Nothing is known about this position yet.</p>`;
  const most = Math.max(1, ...(found?.moves ?? []).map((m) => m.visits));
  const hasPrior = found?.moves.some((m) => m.prior !== null) ?? false;
  const best = new Set(exact?.kind === "exact" ? bestMoves(exact) : []);
  if (best.size === exact?.moves.length) best.clear(); // if all moves are best, none is marked
  const all = losses(exact, found);
  // Moves without results are shown on request, or if there are no others.
  const known = ranked.filter((move) => all.has(move) || found?.moves.some((m) => m.move === move && m.prior !== null));
  const few = (known.length ? known : ranked).slice(0, MOST_ROWS);
  const row = (/** @type {string} */ move) => {
    const [e, f] = [exact, found].map((result) => result?.moves.find((m) => m.move === move));
    const line = lineOf(move, exact, found);
    const whole_line = { line, end: line.length };
    const loss = all.get(move);
    const isBest = best.has(move) || (!best.size && exact?.kind !== "exact" && move === found?.move);
    const proved = e?.kind === "exact" ? toneOf(e.value) : "open";
    const unsure = loss && !loss.sure;
    return html`<tr class=${isBest ? "best" : ""} data-row=${move}
        @pointerenter=${() => how.point(whole_line)} @pointerleave=${() => how.point(null)}>
      <th scope="row">
        <button type="button" class="move-button" aria-label=${`Play ${move}`} @click=${() => how.choose({ line, end: 1 })}
          @focus=${() => how.point(whole_line)} @blur=${() => how.point(null)}>${move}</button>
      </th>
      <td class="exact ${proved}" title=${exactWords(e)}>${exactText(e)}</td>
      <td>${f && f.value !== null && (f.visits > 0 || f.kind === "exact") ? signed(f.value) : "–"}</td>
      <td class="visits" title=${f ? `${whole(f.visits)} visits` : nothing} ${vars({ share: f ? f.visits / most : 0 })}
        ><span>${f?.visits ? short(f.visits) : "–"}</span></td>
      ${hasPrior ? html`<td>${f && f.prior !== null ? percent(f.prior) : "–"}</td>` : nothing}
      <td class=${unsure ? "unsure" : ""} title=${unsure ? "estimated" : nothing}
        >${loss ? `${loss.sure ? "" : "≈ "}${loss.loss < 0.005 ? "0" : signed(-loss.loss)}` : "–"}</td>
    </tr>`;
  };
  const heads = ["Move", "Exact", "Value", "Visits", ...(hasPrior ? ["Prior"] : []), "Loss"];
  const more = !how.all && ranked.length > few.length;
  const rows = repeat(how.all ? ranked : few, (move) => move, row);
  return html`${table("ranked", heads, rows)}
    ${more ? html`<button type="button" class="link" @click=${how.showAll}>Show all ${ranked.length} moves</button>` : nothing}`;
}

/**
 * Lines of moves from a position, which can be pointed at, watched, and played.
 * @param {[string, string[]][]} lines labels and moves
 * @param {{point: (pointed: Pointed|null) => void, choose: (pointed: Pointed) => void, watch: (line: string[]) => void}} how
 */
export const expectedLines = (lines, how) =>
  html`<div class="lines">${lines
    .filter(([, line]) => line.length)
    .map(
      ([words, line]) => html`<div class="line-row" @pointerleave=${() => how.point(null)}>
      <button type="button" class="line-name" aria-label=${`${words}: watch it on the board`} @click=${() => how.watch(line)}>▸ ${words}</button>
      <span class="line">${line.map((move, index) => {
        const pointed = { line, end: index + 1 };
        return html`<button type="button" class="line-move" aria-label=${`${words}: play ${line.slice(0, index + 1).join(" ")}`}
          @pointerenter=${() => how.point(pointed)} @focus=${() => how.point(pointed)} @blur=${() => how.point(null)}
          @click=${() => how.choose(pointed)}><small aria-hidden="true">${index + 1}</small> ${move}</button>`;
      })}</span>
    </div>`,
    )}</div>`;

/**
 * The legal moves, best first: sorted by exact values, and among equals by the agent.
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 */
function rank(exact, found) {
  const order = (found ?? exact)?.moves.map((m) => m.move) ?? [];
  if (!exact) return order;
  /** @param {string} move */
  const worth = (move) => {
    const m = exact.moves.find((each) => each.move === move);
    if (!m || m.value === null || m.kind === "estimate") return 0;
    const near = m.distance ? 1 / (1 + m.distance) : 0;
    const sure = m.kind === "exact" ? 1 : 0.5;
    if (m.value !== 0) return Math.sign(m.value) * sure * (1 + near);
    return m.kind === "lower" ? 0.2 : m.kind === "upper" ? -0.2 : 0.1;
  };
  return order.toSorted((a, b) => worth(b) - worth(a));
}

/**
 * The longest line of either result that begins with a move; at least the move itself.
 * @param {string} move
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 */
function lineOf(move, exact, found) {
  const lines = [found, exact].map((result) => result?.principal_variation ?? []).filter((line) => line[0] === move);
  return lines.sort((a, b) => b.length - a.length)[0] ?? [move];
}
