// <imagined-line>: the boards that an agent's learned model predicts along a line of moves, beside the real boards.

import * as api from "../base/api.js";
import { signed } from "../base/format.js";
import { tellError } from "../base/news.js";
import { button, html, nothing, until, View } from "../base/view.js";
import { miniature } from "./mini.js";

/** @import { AgentAnswer, BelievedPosition as Believed, PositionAnswer as Position } from "../base/api-types.js" */
/** A line that a model can predict. @typedef {{position: Position, agent: string, line: string[]}} Offered */

const MOST_MOVES = 6;
const CELLS = /** @type {Position["cells"]} */ (["", "X", "O", "#"]); // indexed by content

export class Imagined extends View {
  /** @type {Offered|null} */
  offered = null;
  /** The predictions along it, once loaded. @type {Believed[]} */
  believed = [];

  async #ask() {
    const { offered } = this;
    if (!offered) return;
    try {
      const { agent, line, position } = offered;
      const body = { rules: position.rules, moves: position.moves, agent, line: line.slice(0, MOST_MOVES) };
      this.believed = (await api.ask("POST /api/imagined", { body })).positions;
    } catch (error) {
      tellError(error);
    }
  }

  render() {
    const { offered } = this;
    if (!offered) return nothing;
    const hasModel = (/** @type {AgentAnswer} */ kind) => kind.imagines && kind.name === offered.agent.split(":")[0];
    const shown = api.agents().then(
      (kinds) => (kinds.some(hasModel) ? this.#panel(offered.position) : nothing),
      () => nothing,
    );
    return until(shown);
  }

  /** @param {Position} seen */
  #panel(seen) {
    return html`<section class="panel imagined" aria-label="What the model imagines">
      <h2>What the model imagines</h2>
      ${
        this.believed.length
          ? line(seen, this.believed)
          : html`<p class="muted">The program sees only this position. It knows no rules, so it imagines the rest.</p>
            <div class="tools">${button("search", "Show what it believes", () => this.#ask())}</div>`
      }
    </section>`;
  }
}

/** @param {Position} seen @param {Believed[]} positions */
function line(seen, positions) {
  const blind = !positions.some((one) => one.cells);
  return html`${blind ? html`<p class="muted">This model was trained without a decoder, so that its boards cannot be shown.</p>` : nothing}
    <ol class="imagined-line">
      ${positions.map((one) => {
        const { move, legal, cells, real } = one;
        const wrong = seen.squares.filter((_, index) => cells && real && cells[index] !== real[index]);
        return html`<li class=${legal && !wrong.length ? "" : "wrong"}>
          <strong>${move === null ? "Now" : seen.squares[move]}</strong>
          ${cells ? board("Believed", seen, cells, wrong) : nothing}
          ${real ? board("Real", seen, real, []) : html`<p class="muted">This move cannot be made.</p>`}
          <p>${words(one, wrong)}</p>
        </li>`;
      })}
    </ol>`;
}

/** @param {"Believed"|"Real"} what @param {Position} seen @param {number[]} contents @param {string[]} wrong */
function board(what, seen, contents, wrong) {
  const cells = contents.map((content) => CELLS[content]);
  const marks = seen.squares.map((square, index) => [square, cells[index]]).filter(([, cell]) => cell);
  const named = marks.map((mark) => mark.join(" ")).join(", ") || "empty";
  const mistaken = wrong.length ? `, mistaken about ${wrong.join(", ")}` : "";
  return html`<figure>
    ${miniature({ ...seen, cells }, `${what}: ${named}${mistaken}`)}
    <figcaption>${what.toLowerCase()}</figcaption>
  </figure>`;
}

/** @param {Believed} one @param {string[]} wrong */
function words({ value, over, really_over: really }, wrong) {
  const parts = [`worth ${signed(value)}`];
  if (over !== null) parts.push(over ? "over" : "goes on");
  if (over !== null && really !== null && over !== really) parts.push(`but it ${over ? "goes on" : "is over"}`);
  if (wrong.length) parts.push(`wrong about ${wrong.join(", ")}`);
  return parts.join(", ");
}

customElements.define("imagined-line", Imagined);
