// <move-coach>: solves the position while a person thinks, and warns before a move that provably loses value.

import { prove } from "../base/analysis.js";
import * as api from "../base/api.js";
import { exactWords, sideName } from "../base/format.js";
import { Inquiry } from "../base/inquiry.js";
import { announce } from "../base/news.js";
import { TRUTH } from "../base/session.js";
import { button, html, nothing, View } from "../base/view.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */
/** @import { Game } from "../base/game.js" */

/** A warning about a move that waits to be played; `decide` plays it or takes it back. @typedef {{square: string, words: string, decide: (go: boolean) => void}} Warning */

const LOOK_SECONDS = 30; // while a person thinks
const WAIT = 1500; // milliseconds for which a move is held back if its value is not proved yet
const REPLY_SECONDS = 1.2;

export class Coach extends View {
  /** @type {Warning|null} */
  warning = null;
  #inquiry = new Inquiry(() => {});
  /** The position that is being solved. @type {import("../base/judge.js").Place|null} */
  #place = null;

  /** Starts to solve the current position of a game. @param {Game} game @param {Position} position */
  look(game, position) {
    if (this.#place?.node === game.current) return;
    this.leave();
    this.#place = { node: game.current, position };
    this.#inquiry.look(game, game.current, [TRUTH], { seconds: LOOK_SECONDS });
  }

  /** Stops, and forgets the position. */
  leave() {
    this.#inquiry.stop();
    this.#place = this.warning = null;
  }

  /**
   * Whether to play a move: no loss of value was proved in time, or the person insists.
   * @param {string} square
   * @returns {Promise<boolean>}
   */
  async ask(square) {
    const place = this.#place;
    if (!place) return true;
    const words = await this.#loss(place.position, square);
    if (!words || this.#place !== place) return this.#place === place;
    announce(`Wait. ${words}`);
    const decided = new Promise((decide) => (this.warning = { square, words, decide }));
    await this.updateComplete;
    this.querySelector("button")?.focus();
    const go = await decided;
    this.warning = null;
    return go;
  }

  render() {
    if (!this.warning) return nothing;
    const { square, words, decide } = this.warning;
    return html`<section class="coach loss" aria-label="Coach">
      <p><b>Wait. </b>${words}</p>
      <div class="tools">
        ${button("undo", "Think again", () => decide(false), { kind: "primary" })}
        ${button("play", `Play ${square} all the same`, () => decide(true))}
      </div>
    </section>`;
  }

  /** Describes the value that a move loses; null if no loss is proved. @param {Position} position @param {string} square */
  async #loss(position, square) {
    let found = this.#lossNow(square);
    const end = Date.now() + WAIT;
    while (found === undefined && Date.now() < end && this.#place?.position === position) {
      await new Promise((done) => setTimeout(done, 100));
      found = this.#lossNow(square);
    }
    if (!found) return null;
    const after = await api.position(position.rules, [...position.moves, square]);
    if (after.outcome !== "ongoing") return `${square} completes a line, and that loses.`;
    const other = sideName(after.to_move, after.marks);
    if (found === "draw") return `${square} gives away the win: ${other} can hold the draw.`;
    const subject = { rules: position.rules, moves: after.moves, seconds: REPLY_SECONDS };
    const last = await prove(subject, () => {}).finished.catch(() => null);
    const reply = last?.result;
    const how =
      reply?.kind === "exact" && reply.value === 1 ? `: ${other} answers ${reply.move} and ${exactWords(reply)}` : "";
    return `${square} loses${how}.`;
  }

  /**
   * The result that a move provably allows, if it is worse; null if the move is proved optimal, undefined if neither is proved.
   * @param {string} square
   * @returns {"draw"|"loss"|null|undefined}
   */
  #lossNow(square) {
    const result = this.#place?.node.analysis[TRUTH];
    const move = result?.moves.find((each) => each.move === square);
    if (!result || !move || move.kind === "estimate") return undefined;
    const best = Math.max(...result.moves.map((each) => least(each)));
    if (move.kind !== "lower" && move.value !== null && move.value < best) return move.value < 0 ? "loss" : "draw";
    if (move.kind === "exact" && result.kind === "exact") return null;
    return undefined;
  }
}

/** The proved lower bound of a move's value. @param {{kind: string, value: number|null}} move */
const least = ({ kind, value }) => (value !== null && (kind === "exact" || kind === "lower") ? value : -1);

customElements.define("move-coach", Coach);
