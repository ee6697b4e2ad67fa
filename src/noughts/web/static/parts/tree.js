// The game's tree as text: the main line in a row, variations indented below the move that they replace.

import { button, fill, h } from "../base/dom.js";

/** @typedef {import("../base/game.js").Node} Node */
/** @typedef {import("../base/game.js").Game} Game */

/**
 * Draws the tree into a place.
 * @param {HTMLElement} place
 * @param {Game} game
 * @param {Map<Node, string>} signs ? and ?? by node
 * @param {{choose: (node: Node) => void, promote: (node: Node) => void, remove: (node: Node) => void}} how
 */
export function drawTree(place, game, signs, how) {
  const focused = place.contains(document.activeElement);
  if (!game.root.children.length) {
    fill(place, h("p", { class: "muted" }, "No move yet. Click a cell of the board to play one."));
    return;
  }
  fill(place, h("div", { class: "variation main" }, variation(game.root.children[0], game, signs, how)));
  const current = /** @type {HTMLElement|null} */ (place.querySelector("[aria-current]"));
  if (focused) current?.focus({ preventScroll: true });
  if (current && place.scrollHeight > place.clientHeight) {
    const top = current.offsetTop - place.offsetTop;
    if (top < place.scrollTop || top > place.scrollTop + place.clientHeight - 30)
      place.scrollTop = top - place.clientHeight / 2;
  }
}

/**
 * A line of moves from a node on, its variations between them.
 * @param {Node} start
 * @param {Game} game
 * @param {Map<Node, string>} signs
 * @param {{choose: (node: Node) => void, promote: (node: Node) => void, remove: (node: Node) => void}} how
 * @returns {HTMLElement[]}
 */
function variation(start, game, signs, how) {
  const parts = [];
  for (let node = /** @type {Node|null} */ (start); node; node = node.children[0] ?? null) {
    parts.push(chip(node, game, signs.get(node) ?? "", how));
    const others = node.parent && node !== start ? node.parent.children.slice(1) : [];
    // The siblings of the first move of a variation are listed by whoever lists that variation.
    const besides = node === start && node.parent === game.root ? game.root.children.slice(1) : others;
    for (const other of besides) {
      parts.push(
        h(
          "div",
          { class: "variation" },
          variation(other, game, signs, how),
          h(
            "span",
            { class: "variation-tools" },
            button("up", "Make this the main line", () => how.promote(other), { quiet: true, class: "plain tiny" }),
            button("close", "Delete this variation", () => how.remove(other), { quiet: true, class: "plain tiny" }),
          ),
        ),
      );
    }
  }
  return parts;
}

/** @param {Node} node @param {Game} game @param {string} sign @param {{choose: (node: Node) => void}} how */
function chip(node, game, sign, how) {
  const here = node === game.current;
  const { ply } = node;
  const words = { "": "", "?": ", a mistake", "??": ", a blunder" }[sign];
  return h(
    "button",
    {
      type: "button",
      class: `move-chip ${ply % 2 ? "first" : "second"} ${sign ? "marked" : ""}`,
      "aria-current": here ? "step" : null,
      "aria-label": `Move ${ply}, ${node.move}${words}`,
      onclick: () => how.choose(node),
    },
    h("small", { "aria-hidden": "true" }, ply),
    node.move,
    sign && h("b", { "aria-hidden": "true" }, sign),
  );
}
