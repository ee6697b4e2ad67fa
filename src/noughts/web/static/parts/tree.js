// <game-tree>: a game's tree as text: the main line in a row, with variations indented below the moves that they replace.
// Events "choose", "promote" and "remove" with a node.

import { button, html, View } from "../base/view.js";
import { moveChip } from "./moves.js";

/** @import { Game, Node } from "../base/game.js" */

const WORDS = /** @type {Record<string, string>} */ ({ "?": ", a mistake", "??": ", a blunder" });

export class GameTree extends View {
  /** @type {Game|null} */
  game = null;
  /** ? and ?? by node. Assign a new map to render the tree again. @type {Map<Node, string>} */
  signs = new Map();
  /** The current move at the last rendering. @type {Node|null} */
  #seen = null;

  render() {
    const root = this.game?.root;
    if (!root?.children.length) return html`<p class="muted">No move yet. Click a cell of the board to play one.</p>`;
    return html`<div class="variation main">${this.#variation(root.children[0])}</div>`;
  }

  /** Scrolls to the current move, and moves the focus to it if another move had it. */
  updated() {
    const here = this.game?.current ?? null;
    if (here === this.#seen) return;
    this.#seen = here;
    const current = /** @type {HTMLElement|null} */ (this.querySelector("[aria-current]"));
    if (!current) return;
    if (this.contains(document.activeElement)) current.focus({ preventScroll: true });
    const top = current.offsetTop - this.offsetTop;
    if (top < this.scrollTop || top > this.scrollTop + this.clientHeight - 30)
      this.scrollTo(0, top - this.clientHeight / 2);
  }

  /** The line of moves from a node, with its variations. @param {Node} start @returns {unknown[]} */
  #variation(start) {
    const parts = [];
    for (let node = /** @type {Node|null} */ (start); node; node = node.children[0] ?? null) {
      parts.push(this.#chip(node));
      // The siblings of the first move of a variation are listed with that variation.
      const listed = node !== start || node === this.game?.root.children[0];
      const others = listed ? (node.parent?.children.slice(1) ?? []) : [];
      parts.push(...others.map((other) => this.#other(other)));
    }
    return parts;
  }

  /** @param {Node} node the first node of a variation */
  #other(node) {
    const look = { quiet: true, kind: "plain tiny" };
    return html`<div class="variation">
      ${this.#variation(node)}
      <span class="variation-tools">
        ${button("up", "Make this the main line", () => this.#send("promote", node), look)}
        ${button("close", "Delete this variation", () => this.#send("remove", node), look)}
      </span>
    </div>`;
  }

  /** @param {Node} node */
  #chip(node) {
    const sign = this.signs.get(node) ?? "";
    const { ply, move } = node;
    const label = `Move ${ply}, ${move}${WORDS[sign] ?? ""}`;
    return moveChip({ ply, move, here: node === this.game?.current, sign, label }, () => this.#send("choose", node));
  }

  /** @param {string} name @param {Node} node */
  #send = (name, node) => this.dispatchEvent(new CustomEvent(name, { detail: node }));
}

customElements.define("game-tree", GameTree);
