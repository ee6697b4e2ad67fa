// <value-graph>: the value of each position of a game, above the middle if good for the first player. Event "ply" when one is chosen.
//
//   +1 ■──■              squares are proved values, circles are estimates, paler with fewer visits;
//    0      ○──●         ? and ?? mark mistakes and blunders;
//   −1          ■??──■   the vertical line is the position on the board

import { signed } from "../base/format.js";
import { html, nothing, svg, View, vars } from "../base/view.js";

/** @import { Judgement, Worth } from "../base/judge.js" */

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [104, 34, 8, 10, 22];
const BESIDE = 12; // space between an edge and the first or last position
const LEAST_WIDTH = 240;
const MANY_VISITS = 20_000;
const MOST_TICKS = 12;

export class ValueGraph extends View {
  /** By ply. @type {(Worth|null)[]} */
  worths = [];
  /** By ply. @type {(Judgement|null)[]} */
  judgements = [];
  ply = 0; // of the position on the board
  /** The names of the first and the second player. @type {[string, string]} */
  names = ["", ""];
  #width = 600; // the width on the page, so that text is not scaled

  get #last() {
    return Math.max(1, this.worths.length - 1);
  }

  willUpdate() {
    this.#width = Math.max(LEAST_WIDTH, this.clientWidth || 600);
  }

  /** The value of the position on the board, in words. */
  get #words() {
    const [here, sign] = [this.worths[this.ply], this.judgements[this.ply]?.sign];
    const value = here
      ? `${here.sure ? "proved" : "about"} ${signed(here.value)} for ${this.names[0]}`
      : "value not known";
    const mark = sign === "??" ? ", a blunder" : sign === "?" ? ", a mistake" : "";
    return `after ${this.ply} moves, ${value}${mark}`;
  }

  /** The x coordinate of a ply. @param {number} ply */
  #x = (ply) => LEFT + BESIDE + (ply / this.#last) * (this.#width - LEFT - RIGHT - 2 * BESIDE);

  /** @param {number} value */
  #y = (value) => TOP + ((1 - value) / 2) * HEIGHT;

  render() {
    const [width, half] = [this.#width - LEFT - RIGHT, HEIGHT / 2];
    let line = "";
    this.worths.forEach((worth, ply) => {
      if (worth) line += `${this.worths[ply - 1] ? "L" : "M"}${this.#x(ply)} ${this.#y(worth.value)}`;
    });
    return html`<svg viewBox=${`0 0 ${this.#width} ${HEIGHT + TOP + BOTTOM}`} class="graph" tabindex="0" role="slider"
      aria-label="Value over the game" aria-valuemin="0" aria-valuemax=${this.worths.length - 1} aria-valuenow=${this.ply}
      aria-valuetext=${this.#words} @click=${this.#click} @keydown=${this.#key}>
      <rect class="graph-first" x=${LEFT} y=${TOP} width=${width} height=${half} />
      <rect class="graph-second" x=${LEFT} y=${TOP + half} width=${width} height=${half} />
      ${[1, 0, -1].map(
        (value) => svg`<path class=${value ? "graph-grid" : "graph-zero"} d=${`M${LEFT} ${this.#y(value)}h${width}`} />
          <text x=${LEFT - 6} y=${this.#y(value) + 4} class="graph-label end">${["−1", "0", "+1"][value + 1]}</text>`,
      )}
      <text x=${LEFT - 6} y=${TOP + 22} class="graph-side first">${this.names[0].slice(0, 5)}</text>
      <text x=${LEFT - 6} y=${TOP + HEIGHT - 12} class="graph-side second">${this.names[1].slice(0, 6)}</text>
      ${this.#ticks().map((ply) => svg`<text x=${this.#x(ply)} y=${TOP + HEIGHT + 17} class="graph-label">${ply}</text>`)}
      <path class="graph-here" d=${`M${this.#x(this.ply)} ${TOP}v${HEIGHT}`} />
      <path class="graph-line" d=${line} />
      ${this.worths.map((worth, ply) => (worth ? this.#point(worth, ply) : nothing))}
    </svg>`;
  }

  /** @param {Worth} worth @param {number} ply */
  #point({ value, sure, visits }, ply) {
    const [x, y, judgement] = [this.#x(ply), this.#y(value), this.judgements[ply]];
    const seen = Math.max(0.25, Math.min(1, Math.log10(1 + visits) / Math.log10(MANY_VISITS)));
    const kind = `graph-sign ${judgement?.sure ? "sure" : ""}`;
    return svg`${
      sure
        ? svg`<rect class="graph-sure" x=${x - 4} y=${y - 4} width="8" height="8" />`
        : svg`<circle class="graph-guess" cx=${x} cy=${y} r="4" ${vars({ seen })} />`
    }${judgement?.sign ? svg`<text x=${x} y=${y + (value < 0.6 ? -9 : 20)} class=${kind}>${judgement.sign}</text>` : nothing}`;
  }

  #ticks() {
    const step = [1, 2, 5, 10, 20, 50, 100].find((each) => this.#last / each <= MOST_TICKS) ?? 200;
    return Array.from({ length: Math.floor(this.#last / step) + 1 }, (_, index) => index * step);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const [back, on] = [this.ply - 1, this.ply + 1];
    const keys = { ArrowLeft: back, ArrowDown: back, ArrowRight: on, ArrowUp: on, Home: 0, End: this.#last };
    const to = /** @type {Record<string, number>} */ (keys)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#choose(to);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { left, width } = this.getBoundingClientRect();
    const place = ((event.clientX - left) / width) * this.#width;
    this.#choose(Math.round(((place - this.#x(0)) / (this.#x(this.#last) - this.#x(0))) * this.#last));
  }

  /** @param {number} ply */
  #choose(ply) {
    this.dispatchEvent(new CustomEvent("ply", { detail: Math.min(this.#last, Math.max(0, ply)) }));
  }
}

customElements.define("value-graph", ValueGraph);
