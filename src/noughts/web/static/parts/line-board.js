// <line-board>: a game on a small board, to be stepped through or watched; it can be opened in the analysis.

import * as api from "../base/api.js";
import { routeTo } from "../base/route.js";
import { html, linkButton, nothing, View } from "../base/view.js";
import "./board.js";
import { Stepper } from "./stepper.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */

export class LineBoard extends View {
  rules = "";
  /** The game, shown from its end. @type {string[]} */
  moves = [];
  /** @type {Position|null} */
  shown = null;
  #stepper = new Stepper((shown) => (this.shown = shown));

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has("moves")) void this.#stepper.take(this.rules, [], this.moves, this.moves.length);
  }

  render() {
    if (!this.shown) return nothing;
    const analyse = routeTo("analyse", { rules: this.rules, moves: this.moves.join(" ") });
    return html`<noughts-board .label=${"The game"} .position=${this.shown} .playable=${false} .arrow=${true}></noughts-board>
      ${this.#stepper} ${linkButton(analyse, "Analyse this game", "plain")}`;
  }
}

customElements.define("line-board", LineBoard);

/** A game with itself by the program of a run, as its weights are now; a move that fails ends it. @param {string} rules @param {string} agent @param {AbortSignal} signal */
export async function gameWithItself(rules, agent, signal) {
  let position = await api.position(rules, []);
  while (position.outcome === "ongoing")
    position = (await api.move({ rules, moves: position.moves, agent, seed: 0 }, signal)).position;
  return position;
}
