// <line-board>: a game on a small board to step through or watch, with a link to the analysis.

import * as api from "../base/api.js";
import { routeTo } from "../base/route.js";
import { html, linkButton, nothing, View } from "../base/view.js";
import "./board.js";
import { Stepper } from "./stepper.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */

export class LineBoard extends View {
  rules = "";
  /** The moves of the game, which is first shown at its end. @type {string[]} */
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

/** Lets a run's program play itself with its current weights, and returns the last position. An error ends the game. @param {string} rules @param {string} agent @param {AbortSignal} signal */
export async function gameWithItself(rules, agent, signal) {
  let position = await api.position(rules, []);
  while (position.outcome === "ongoing")
    position = (await api.move({ rules, moves: position.moves, agent, seed: 0 }, signal)).position;
  return position;
}
