// <imagined-line>: what an agent's learned model believes the board to be along a line of moves, beside the real boards.

import * as api from "../base/api.js";
import { signed } from "../base/format.js";
import { tellError } from "../base/news.js";
import { button, html, nothing, reactive, View } from "../base/view.js";
import { miniature } from "./mini.js";

/** @import { BelievedAnswer as Believed, PositionAnswer as Position } from "../base/api-types.js" */
/** A line that can be imagined. @typedef {{rules: string, moves: string[], agent: string, line: string[]}} Offered */

const MOST_MOVES = 6;

export class Imagined extends View {
  static properties = reactive("offered");

  #name = ""; // of the position and the agent that are offered
  #known = false; // whether the agent has a model
  /** @type {Believed[]} */
  #believed = [];

  constructor() {
    super();
    /** @type {Offered|null} */
    this.offered = null;
  }

  async willUpdate() {
    const { rules, moves, agent } = this.offered ?? { rules: "", moves: [], agent: "" };
    const name = JSON.stringify([rules, moves, agent]);
    if (name === this.#name) return;
    this.#name = name;
    this.#known = false;
    this.#believed = [];
    const kinds = await api.agents().catch(() => []);
    if (name !== this.#name) return;
    this.#known = kinds.some((kind) => kind.imagines && kind.name === agent.split(":")[0]);
    this.requestUpdate();
  }

  async #ask() {
    const [offered, name] = [this.offered, this.#name];
    if (!offered) return;
    try {
      const { positions } = await api.ask("POST /api/imagined", {
        body: { ...offered, line: offered.line.slice(0, MOST_MOVES) },
      });
      if (name !== this.#name) return;
      this.#believed = positions;
      this.requestUpdate();
    } catch (error) {
      tellError(error);
    }
  }

  render() {
    if (!this.#known) return nothing;
    return html`<section class="panel imagined" aria-label="What the model imagines">
      <h2>What the model imagines</h2>
      ${
        this.#believed.length
          ? this.#line(this.#believed)
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
