// A heat map: a board whose squares are shaded by values. A square with a game opens it in the analysis.

import * as api from "../base/api.js";
import { tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { html, vars } from "../base/view.js";

/** @import { ShadedSquare as Square } from "../base/api-types.js" */

/**
 * @param {string} title
 * @param {Square[]} squares at least one; missing squares stay empty
 * @param {[number, number]} range the values of the palest and the darkest shade
 */
export function heatmap(title, squares, [low, high]) {
  const place = (/** @type {string} */ square) => [square.charCodeAt(0) - 65, Number(square.slice(1)) - 1];
  const cols = Math.max(...squares.map(({ square }) => place(square)[1])) + 1;
  const rows = Math.max(...squares.map(({ square }) => place(square)[0])) + 1;
  const cells = Array.from({ length: rows * cols }, (_, index) => {
    const found = squares.find(({ square }) => place(square)[0] * cols + place(square)[1] === index);
    if (!found) return html`<span class="heat"></span>`;
    const { square, text, game, value } = found;
    const share = high > low ? (value - low) / (high - low) : 0.5;
    const inside = html`${text}<small>${square}</small>`;
    return game
      ? html`<button type="button" class="heat" data-square=${square} aria-label=${`${square}: ${text}; open its game`}
          ${vars({ share })} @click=${() => openGame(game)}>${inside}</button>`
      : html`<span class="heat" ${vars({ share })}>${inside}</span>`;
  });
  return html`<div class="heatmap" role="group" aria-label=${title} ${vars({ cols })}>${cells}</div>`;
}

/** Opens a game in the analysis. @param {string} text rules and moves */
export function openGame(text) {
  return api
    .read(text)
    .then(({ rules, moves }) => go(routeTo("analyse", { rules, moves: moves.join(" ") })), tellError);
}
