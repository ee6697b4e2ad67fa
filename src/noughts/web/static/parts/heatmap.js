// A board whose squares are shaded by a value each; a square that has a game opens it in the analysis.

import * as api from "../base/api.js";
import { h } from "../base/dom.js";
import { tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";

/** @typedef {import("../base/api-types.js").Square} Square */

/**
 * @param {string} title
 * @param {Square[]} squares at least one; those that are missing stay empty
 * @param {[number, number]} [range] from the palest value to the darkest; those of the squares unless given
 */
export function heatmap(title, squares, range) {
  const place = (/** @type {string} */ square) => [square.charCodeAt(0) - 65, Number(square.slice(1)) - 1];
  const cols = Math.max(...squares.map(({ square }) => place(square)[1])) + 1;
  const rows = Math.max(...squares.map(({ square }) => place(square)[0])) + 1;
  const values = squares.map(({ value }) => value);
  const [low, high] = range ?? [Math.min(...values), Math.max(...values)];
  const cells = Array.from({ length: rows * cols }, (_, index) => {
    const found = squares.find(({ square }) => place(square)[0] * cols + place(square)[1] === index);
    if (!found) return h("span", { class: "heat" });
    const share = high > low ? (found.value - low) / (high - low) : 0.5;
    const inside = [found.text, h("small", {}, found.square)];
    if (!found.game) return h("span", { class: "heat", "--share": share }, inside);
    const { game } = found;
    return h(
      "button",
      {
        type: "button",
        class: "heat",
        "--share": share,
        "data-square": found.square,
        "aria-label": `${found.square}: ${found.text}; open its game`,
        onclick: () => void openGame(game),
      },
      inside,
    );
  });
  return h("div", { class: "heatmap", "--cols": cols, role: "group", "aria-label": title }, cells);
}

/**
 * Opens a game in the analysis.
 * @param {string} text rules and moves
 * @param {Record<string, string>} [players]
 */
export async function openGame(text, players = {}) {
  try {
    const position = await api.read(text);
    go(routeTo("analyse", { rules: position.rules, moves: position.moves.join(" "), ...players }));
  } catch (error) {
    tellError(error);
  }
}
