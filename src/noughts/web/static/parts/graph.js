// <value-graph>: what each position of a game was worth, above the middle for the first player; event "ply" when one is chosen.
//
//   +1 ■──■              squares are proved values, circles estimates, the fainter the fewer visits;
//    0      ○──●         ? and ?? mark moves that gave something away;
//   −1          ■??──■   the upright line is the position on the board

import { fill, s } from "../base/dom.js";
import { signed } from "../base/format.js";

/** @typedef {import("../base/judge.js").Worth} Worth */
/** @typedef {import("../base/judge.js").Judgement} Judgement */

const [HEIGHT, LEFT, TOP] = [104, 34, 10];
const LEAST_WIDTH = 240;
const MANY_VISITS = 20_000;

export class ValueGraph extends HTMLElement {
  #plies = 0;
  #width = 600; // as wide as it stands, so that its text keeps its size
  #ply = 0;

  connectedCallback() {
    this.setAttribute("role", "slider");
    this.setAttribute("aria-label", "Value over the game");
    this.setAttribute("aria-valuemin", "0");
    this.tabIndex = 0;
    this.addEventListener("click", this);
    this.addEventListener("keydown", this);
  }

  disconnectedCallback() {
    this.removeEventListener("click", this);
    this.removeEventListener("keydown", this);
  }

  /**
   * @param {(Worth|null)[]} worths by ply
   * @param {(Judgement|null)[]} judgements by ply
   * @param {number} ply the position on the board
   * @param {[string, string]} names of the first and the second player
   */
  show(worths, judgements, ply, names) {
    this.#plies = Math.max(1, worths.length - 1);
    this.#ply = ply;
    this.#width = Math.max(LEAST_WIDTH, this.clientWidth || 600);
    const width = this.#width;
    const [x, y] = [this.#x.bind(this), (/** @type {number} */ value) => TOP + ((1 - value) / 2) * HEIGHT];
    const known = worths.map((worth, index) => ({ worth, index })).filter(({ worth }) => worth !== null);
    const path = known.map(
      ({ worth, index }, n) =>
        `${n && known[n - 1].index === index - 1 ? "L" : "M"}${x(index)} ${y(/** @type {Worth} */ (worth).value)}`,
    );
    const here = worths[ply];
    const word = here ? `${here.sure ? "proved" : "about"} ${signed(here.value)} for ${names[0]}` : "value not known";
    const mark = judgements[ply]?.sign;
    this.setAttribute("aria-valuemax", String(worths.length - 1));
    this.setAttribute("aria-valuenow", String(ply));
    this.setAttribute(
      "aria-valuetext",
      `after ${ply} moves, ${word}${mark === "??" ? ", a blunder" : mark === "?" ? ", a mistake" : ""}`,
    );
    fill(
      this,
      s(
        "svg",
        { viewBox: `0 0 ${width} ${HEIGHT + TOP + 22}`, "aria-hidden": "true", class: "graph" },
        s("rect", { class: "graph-first", x: LEFT, y: TOP, width: width - LEFT - 8, height: HEIGHT / 2 }),
        s("rect", { class: "graph-second", x: LEFT, y: TOP + HEIGHT / 2, width: width - LEFT - 8, height: HEIGHT / 2 }),
        [1, 0, -1].map((value) =>
          s("path", { class: value ? "graph-grid" : "graph-zero", d: `M${LEFT} ${y(value)}H${width - 8}` }),
        ),
        [1, 0, -1].map((value) =>
          s(
            "text",
            { x: LEFT - 6, y: y(value) + 4, class: "graph-label end" },
            value === 1 ? "+1" : value === 0 ? "0" : "−1",
          ),
        ),
        s("text", { x: LEFT - 6, y: TOP + 22, class: "graph-side first" }, names[0].slice(0, 5)),
        s("text", { x: LEFT - 6, y: TOP + HEIGHT - 12, class: "graph-side second" }, names[1].slice(0, 6)),
        this.#ticks().map((tick) => s("text", { x: x(tick), y: TOP + HEIGHT + 17, class: "graph-label" }, tick)),
        s("path", { class: "graph-here", d: `M${x(ply)} ${TOP}V${TOP + HEIGHT}` }),
        s("path", { class: "graph-line", d: path.join("") }),
        known.map(({ worth, index }) =>
          this.#point(/** @type {Worth} */ (worth), x(index), y(/** @type {Worth} */ (worth).value)),
        ),
        judgements.map((judgement, index) => {
          const worth = worths[index];
          if (!judgement?.sign || !worth) return null;
          const above = worth.value < 0.6;
          return s(
            "text",
            { x: x(index), y: y(worth.value) + (above ? -9 : 20), class: `graph-sign ${judgement.sure ? "sure" : ""}` },
            judgement.sign,
          );
        }),
      ),
    );
  }

  /** @param {number} ply */
  #x(ply) {
    return LEFT + 12 + (ply / this.#plies) * (this.#width - LEFT - 32);
  }

  /** @param {Worth} worth @param {number} x @param {number} y */
  #point(worth, x, y) {
    if (worth.sure) return s("rect", { class: "graph-sure", x: x - 4, y: y - 4, width: 8, height: 8 });
    const seen = Math.min(1, Math.log10(1 + worth.visits) / Math.log10(MANY_VISITS));
    return s("circle", { class: "graph-guess", cx: x, cy: y, r: 4, "--seen": Math.max(0.25, seen) });
  }

  #ticks() {
    const step = [1, 2, 5, 10, 20, 50, 100].find((each) => this.#plies / each <= 12) ?? 200;
    return Array.from({ length: Math.floor(this.#plies / step) + 1 }, (_, index) => index * step);
  }

  /** @param {Event} event */
  handleEvent(event) {
    if (event instanceof KeyboardEvent) {
      const to = {
        ArrowLeft: this.#ply - 1,
        ArrowDown: this.#ply - 1,
        ArrowRight: this.#ply + 1,
        ArrowUp: this.#ply + 1,
        Home: 0,
        End: this.#plies,
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      this.#tell(to);
    } else if (event instanceof MouseEvent) {
      const box = this.getBoundingClientRect();
      const place = ((event.clientX - box.left) / box.width) * this.#width;
      this.#tell(Math.round(((place - LEFT - 12) / (this.#width - LEFT - 32)) * this.#plies));
    }
  }

  /** @param {number} ply */
  #tell(ply) {
    this.dispatchEvent(new CustomEvent("ply", { detail: Math.min(this.#plies, Math.max(0, ply)) }));
  }
}

customElements.define("value-graph", ValueGraph);
