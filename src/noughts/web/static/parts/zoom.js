// Large boards made larger: by buttons, by Ctrl and the wheel, and by two fingers; one finger or the scroll bars move them.

import { button, h } from "../base/dom.js";

const MOST = 4;
const STEP = 1.5;

/**
 * A frame in which a board can be made larger.
 * @param {HTMLElement} box the board, as wide as its frame at first
 * @returns {HTMLElement[]} the frame, and the buttons below it
 */
export function zoomFrame(box) {
  const frame = h("div", { class: "zoom-frame" }, box);
  let zoom = 1;
  /** @type {Map<number, PointerEvent>} fingers on the board */
  const fingers = new Map();
  let [apart, before] = [0, 1];
  const smaller = button("zoom-out", "Smaller", () => to(zoom / STEP), { quiet: true, class: "plain" });
  const larger = button("zoom-in", "Larger", () => to(zoom * STEP), { quiet: true, class: "plain" });
  const tools = h("div", { class: "zoom-tools", role: "group", "aria-label": "Size of the board" }, smaller, larger);

  /** What lies at a place of the frame stays there. @param {number} wanted @param {number} [x] @param {number} [y] */
  function to(wanted, x = frame.clientWidth / 2, y = frame.clientHeight / 2) {
    const next = Math.max(1, Math.min(MOST, wanted));
    const grown = next / zoom;
    const [left, top] = [(frame.scrollLeft + x) * grown - x, (frame.scrollTop + y) * grown - y];
    zoom = next;
    if (zoom === 1) frame.style.blockSize = "";
    else frame.style.blockSize ||= `${frame.clientHeight}px`;
    box.style.inlineSize = `${100 * zoom}%`;
    frame.scrollTo(left, top);
    smaller.disabled = zoom === 1;
    larger.disabled = zoom === MOST;
  }

  /** How far apart two fingers are, and the middle between them. */
  function pinch() {
    const [a, b] = [...fingers.values()];
    const { left, top } = frame.getBoundingClientRect();
    return {
      far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
      x: (a.clientX + b.clientX) / 2 - left,
      y: (a.clientY + b.clientY) / 2 - top,
    };
  }

  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 2) [apart, before] = [pinch().far, zoom];
  });
  frame.addEventListener("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, event);
    if (fingers.size !== 2 || !apart) return;
    const { far, x, y } = pinch();
    to((before * far) / apart, x, y);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    frame.addEventListener(end, (event) => fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
  }
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const { left, top } = frame.getBoundingClientRect();
      to(zoom * (event.deltaY < 0 ? 1.15 : 1 / 1.15), event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  smaller.disabled = true;
  return [frame, tools];
}
