// <zoom-frame>: a board that is made larger by buttons, by Ctrl and the wheel, and by two fingers; one finger or the scroll bars move it.

import { button, html, nothing, reactive, View, vars } from "../base/view.js";

const MOST = 4;
const STEP = 1.5;

export class ZoomFrame extends View {
  static properties = reactive("content");

  #zoom = 1;
  /** Fingers on the board. @type {Map<number, PointerEvent>} */
  #fingers = new Map();
  /** Between two fingers when they touched the board, and how large it was then. */
  #pinched = { far: 0, zoom: 1 };

  constructor() {
    super();
    /** A board, as wide as the frame at first. @type {unknown} */
    this.content = nothing;
  }

  render() {
    return html`<div class="zoom-frame" ${vars({ zoom: this.#zoom })} @pointerdown=${this.#down} @pointermove=${this.#move}
        @pointerup=${this.#up} @pointercancel=${this.#up} @wheel=${this.#wheel}>${this.content}</div>
      <div class="zoom-tools" role="group" aria-label="Size of the board">
        ${button("zoom-out", "Smaller", () => this.#to(this.#zoom / STEP), { quiet: true, kind: "plain", disabled: this.#zoom === 1 })}
        ${button("zoom-in", "Larger", () => this.#to(this.#zoom * STEP), { quiet: true, kind: "plain", disabled: this.#zoom === MOST })}
      </div>`;
  }

  get #frame() {
    return /** @type {HTMLElement} */ (this.firstElementChild);
  }

  /** What lies at a place of the frame stays there. @param {number} wanted @param {number} [x] @param {number} [y] */
  async #to(wanted, x = this.#frame.clientWidth / 2, y = this.#frame.clientHeight / 2) {
    const frame = this.#frame;
    const next = Math.max(1, Math.min(MOST, wanted));
    const grown = next / this.#zoom;
    const [left, top] = [(frame.scrollLeft + x) * grown - x, (frame.scrollTop + y) * grown - y];
    this.#zoom = next;
    if (next === 1) frame.style.blockSize = "";
    else frame.style.blockSize ||= `${frame.clientHeight}px`;
    this.requestUpdate();
    await this.updateComplete;
    frame.scrollTo(left, top);
  }

  /** How far apart two fingers are, and the middle between them. */
  #pinch() {
    const [a, b] = [...this.#fingers.values()];
    const { left, top } = this.#frame.getBoundingClientRect();
    return {
      far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
      x: (a.clientX + b.clientX) / 2 - left,
      y: (a.clientY + b.clientY) / 2 - top,
    };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType !== "touch") return;
    this.#fingers.set(event.pointerId, event);
    if (this.#fingers.size === 2) this.#pinched = { far: this.#pinch().far, zoom: this.#zoom };
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    this.#fingers.set(event.pointerId, event);
    if (this.#fingers.size !== 2 || !this.#pinched.far) return;
    const { far, x, y } = this.#pinch();
    void this.#to((this.#pinched.zoom * far) / this.#pinched.far, x, y);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    this.#fingers.delete(event.pointerId);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { left, top } = this.#frame.getBoundingClientRect();
    void this.#to(this.#zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15), event.clientX - left, event.clientY - top);
  }
}

customElements.define("zoom-frame", ZoomFrame);
