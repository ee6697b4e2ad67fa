// A position as a small static drawing, for cards and lists.

import * as api from "../base/api.js";
import { html, nothing, svg, until } from "../base/view.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */

const GAP = 0.6; // between boards, in cells

/** @param {Position} position @param {string} [words] the name for screen readers; if empty, the drawing is decoration */
export function miniature({ rows, cols, boards, cells }, words = "") {
  const across = Math.min(boards, Math.ceil(Math.sqrt(boards)));
  const down = Math.ceil(boards / across);
  let [grid, crosses] = ["", ""];
  /** @type {unknown[]} */
  const others = [];
  for (let board = 0; board < boards; board++) {
    const [left, top] = [(board % across) * (cols + GAP), Math.floor(board / across) * (rows + GAP)];
    for (let row = 0; row <= rows; row++) grid += `M${left} ${top + row}h${cols}`;
    for (let col = 0; col <= cols; col++) grid += `M${left + col} ${top}v${rows}`;
    for (let cell = 0; cell < rows * cols; cell++) {
      const [x, y] = [left + (cell % cols), top + Math.floor(cell / cols)];
      const content = cells[board * rows * cols + cell];
      if (content === "X") crosses += `M${x + 0.25} ${y + 0.25}l.5 .5m0-.5l-.5 .5`;
      if (content === "O") others.push(svg`<circle class="mini-o" cx=${x + 0.5} cy=${y + 0.5} r=".27" />`);
      if (content === "#")
        others.push(svg`<rect class="mini-brick" x=${x + 0.1} y=${y + 0.1} width=".8" height=".8" />`);
    }
  }
  const [width, height] = [across * cols + (across - 1) * GAP, down * rows + (down - 1) * GAP];
  return html`<svg class="mini" viewBox=${`-.1 -.1 ${width + 0.2} ${height + 0.2}`} role=${words ? "img" : nothing}
      aria-label=${words || nothing} aria-hidden=${words ? nothing : "true"}>
      <path class="mini-grid" d=${grid} />${others}${crosses ? svg`<path class="mini-x" d=${crosses} />` : nothing}
    </svg>`;
}

/** Loads and draws a position. If that fails, there is no picture. @param {string} rules @param {string[]} moves */
export const picture = (rules, moves) => until(api.position(rules, moves).then(miniature, () => nothing));
