// One metric over a run as a line, small enough to fit beside others.

import { number, short } from "../base/format.js";
import { html, svg } from "../base/view.js";

const [LEFT, RIGHT, TOP, BOTTOM] = [44, 10, 10, 22];

/**
 * @param {string} name
 * @param {{x: number, y: number}[]} points
 * @param {{size?: [number, number], range?: [number, number]}} [how] `range` from bottom to top; by default that of the points
 */
export function curve(name, points, { size: [width, height] = [320, 150], range } = {}) {
  const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
  const [low, high] = range ?? [Math.min(...ys), Math.max(...ys)];
  const [bottom, top] = high > low ? [low, high] : [low - 0.5, high + 0.5];
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  const x = (/** @type {number} */ value) =>
    LEFT + (last > first ? (value - first) / (last - first) : 1) * (width - LEFT - RIGHT);
  const y = (/** @type {number} */ value) => TOP + (1 - (value - bottom) / (top - bottom)) * (height - TOP - BOTTOM);
  const end = points[points.length - 1];
  const words = `${name}: from ${number(points[0].y)} at ${points[0].x} to ${number(end.y)} at ${end.x}`;
  const line = points.map((p, index) => `${index ? "L" : "M"}${x(p.x).toFixed(1)} ${y(p.y).toFixed(1)}`).join("");
  return html`<svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${words}>
    ${[bottom, (bottom + top) / 2, top].map(
      (value) => svg`<path class="curve-grid" d=${`M${LEFT} ${y(value)}H${width - RIGHT}`} />
        <text class="curve-label" x=${LEFT - 5} y=${y(value) + 4} text-anchor="end">${number(value)}</text>`,
    )}
    <text class="curve-label" x=${LEFT} y=${height - 5}>${short(first)}</text>
    <text class="curve-label" x=${width - RIGHT} y=${height - 5} text-anchor="end">${short(last)}</text>
    <path class="curve-line" d=${line} />
    <circle class="curve-end" cx=${x(end.x)} cy=${y(end.y)} r="3.5" />
  </svg>`;
}
