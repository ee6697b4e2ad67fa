// The outcome of a proof: a seal, or a game that refutes the program.

import { counted } from "../base/format.js";
import { called } from "../base/names.js";
import { html, icon, nothing } from "../base/view.js";
import "./line-board.js";

/** A game of a proof, as `noughts prove --json` prints it. @typedef {{rules: string, answer: string, positions: number, lost: number, game: string[]|null, unchecked: string|null}} ProvedGame */
/** @typedef {{agent: string, side: "first"|"second", proved: boolean, games: ProvedGame[]}} Proof */

/**
 * Reads the outcome of a proof, which is JSON at the end of its output.
 * @param {string} said
 * @returns {Proof|null} null if it ended without one
 */
export function readProof(said) {
  try {
    return JSON.parse(said.slice(said.indexOf("{\n")));
  } catch {
    return null;
  }
}

/** @param {Proof} proof */
export function seal({ agent, side, proved, games }) {
  const name = html`<span title=${agent}>${called(agent)}</span>`;
  const several = games.length > 1;
  const positions = counted(
    games.reduce((sum, game) => sum + game.positions, 0),
    "position",
  );
  const refuted = games.find(({ answer }) => answer === "refuted");
  if (proved) {
    const does = games.every(({ answer }) => answer.startsWith("wins")) ? "wins" : "never loses";
    return html`<p class="seal">${icon("seal")}<span><b>Proved: ${does} as ${side} player${several ? ` of ${games.length} games` : ""}</b>
      Every reply to it was tried, and a second program checked the proof: ${positions}. ${name}</span></p>`;
  }
  if (!refuted) {
    const open = games.find(({ unchecked }) => unchecked) ?? games[0];
    return html`<p class="seal open">Not decided as ${side} player: ${open?.unchecked ?? open?.answer ?? "no game was walked"}. ${name}</p>`;
  }
  const held = games.filter(({ answer }) => answer !== "refuted").length;
  return html`<div class="seal lost">
    <p><b>It can be beaten as ${side} player</b>${several ? ` of ${games.length - held} of ${games.length} games` : ""}. This game of ${refuted.rules} beats it: ${name}</p>
    ${refuted.game ? html`<line-board .rules=${refuted.rules} .moves=${refuted.game}></line-board>` : nothing}
  </div>`;
}
