// The marks: X as strokes, O as a ring. A brick is a hatched cell, drawn by the style sheet.

import { s } from "../base/dom.js";

/**
 * A mark in a box of one unit around its middle.
 * @param {string} content X or O
 */
export function mark(content) {
  const shape =
    content === "O"
      ? s("circle", { r: 0.26, pathLength: 1 })
      : s("path", { d: "M-.25-.25.25.25M.25-.25-.25.25", pathLength: 1 });
  return s(
    "svg",
    { class: `mark mark-${content.toLowerCase()}`, viewBox: "-.5 -.5 1 1", "aria-hidden": "true" },
    shape,
  );
}
