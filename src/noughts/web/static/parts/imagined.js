// <imagined-line>: what an agent's learned model believes the board to be along a line of moves, beside the real boards.

import * as api from "../base/api.js";
import { signed } from "../base/format.js";
import { tellError } from "../base/news.js";
import { button, html, nothing, until, View } from "../base/view.js";
import { miniature } from "./mini.js";

/** @import { AgentAnswer, BelievedAnswer as Believed, PositionAnswer as Position } from "../base/api-types.js" */
/** A line that can be imagined. @typedef {{rules: string, moves: string[], agent: string, line: string[]}} Offered */

const MOST_MOVES = 6;

export class Imagined extends View {
  /** @type {Offered|null} */
  offered = null;
  /** What was believed along it, once that was asked. @type {Believed[]} */
  believed = [];

  async #ask() {
    const { offered } = this;
    if (!offered) return;
    try {
      const body = { ...offered, line: offered.line.slice(0, MOST_MOVES) };
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
      (kinds) => (kinds.some(hasModel) ? this.#panel() : nothing),
      () => nothing,
    );
    return until(shown);
  }

  #panel() {
    return html`<section class="panel imagined" aria-label="What the model imagines">
      <h2>What the model imagines</h2>
      ${
        this.believed.length
          ? this.#line(this.believed)
          : html`<p class="muted">The program sees this position alone. What comes after it, it imagines: it knows no rules.</p>
            <div class="tools">${button("search", "Show what it believes", () => this.#ask())}</div>`
      }
    </section>`;
  }

  /** @param {Believed[]} positions */
  #line(positions) {
    const seen = /** @type {Position} */ (positions[0].real);
    const blind = !positions.some((one) => one.cells);
    return html`${blind ? html`<p class="muted">This model was trained without a decoder, so that its boards cannot be shown.</p>` : nothing}
      <ol class="imagined-line">
        ${positions.map(
          (one) => html`<li class=${one.legal && !one.wrong.length ? "" : "wrong"}>
            <strong>${one.move ?? "Now"}</strong>
            ${one.cells ? board("Believed", { ...(one.real ?? seen), cells: one.cells }, one.wrong) : nothing}
            ${one.real ? board("Real", one.real, []) : html`<p class="muted">This move cannot be made.</p>`}
            <p>${words(one)}</p>
          </li>`,
        )}
      </ol>`;
  }
}

/** @param {"Believed"|"Real"} what @param {Position} position @param {string[]} wrong */
function board(what, position, wrong) {
  const marks = position.squares.map((square, index) => [square, position.cells[index]]).filter(([, cell]) => cell);
  const named = marks.map((mark) => mark.join(" ")).join(", ") || "empty";
  const mistaken = wrong.length ? `, mistaken about ${wrong.join(", ")}` : "";
  return html`<figure>
    ${miniature(position, `${what}: ${named}${mistaken}`)}
    <figcaption>${what.toLowerCase()}</figcaption>
  </figure>`;
}

/** @param {Believed} one */
function words({ value, over, real, wrong }) {
  const parts = [`worth ${signed(value)}`];
  if (over !== null) parts.push(over ? "over" : "goes on");
  if (over !== null && real && over !== (real.outcome !== "ongoing"))
    parts.push(`but it ${over ? "goes on" : "is over"}`);
  if (wrong.length) parts.push(`wrong about ${wrong.join(", ")}`);
  return parts.join(", ");
}

customElements.define("imagined-line", Imagined);
