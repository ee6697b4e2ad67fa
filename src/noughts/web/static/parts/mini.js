// A position as a small drawing, for cards and lists: no cells to play on, one picture with a name.

import { s } from "../base/dom.js";
import { stateWords } from "../base/format.js";

/**
 * @param {import("../base/api-types.js").PositionAnswer} position
 * @param {string} [words] what it is called; decoration only if empty
 */
export function miniature(position, words = stateWords(position)) {
  const { rows, cols, boards, cells } = position;
  const across = Math.min(boards, Math.ceil(Math.sqrt(boards)));
  const down = Math.ceil(boards / across);
  const gap = 0.6;
  const parts = [];
  for (let board = 0; board < boards; board++) {
    const [left, top] = [(board % across) * (cols + gap), Math.floor(board / across) * (rows + gap)];
    for (let row = 0; row <= rows; row++)
      parts.push(s("path", { class: "mini-grid", d: `M${left} ${top + row}h${cols}` }));
    for (let col = 0; col <= cols; col++)
      parts.push(s("path", { class: "mini-grid", d: `M${left + col} ${top}v${rows}` }));
    for (let cell = 0; cell < rows * cols; cell++) {
      const content = cells[board * rows * cols + cell];
      const [x, y] = [left + (cell % cols), top + Math.floor(cell / cols)];
      if (content === "#")
        parts.push(s("rect", { class: "mini-brick", x: x + 0.1, y: y + 0.1, width: 0.8, height: 0.8 }));
      if (content === "X") parts.push(s("path", { class: "mini-x", d: `M${x + 0.25} ${y + 0.25}l.5 .5m0-.5l-.5 .5` }));
      if (content === "O") parts.push(s("circle", { class: "mini-o", cx: x + 0.5, cy: y + 0.5, r: 0.27 }));
    }
  }
  const width = across * cols + (across - 1) * gap;
  const height = down * rows + (down - 1) * gap;
  const named = words ? { role: "img", "aria-label": words } : { "aria-hidden": "true" };
  return s("svg", { class: "mini", viewBox: `-.1 -.1 ${width + 0.2} ${height + 0.2}`, ...named }, parts);
}
