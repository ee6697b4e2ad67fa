// <noughts-board>: a position, with what is thought of it, as an ARIA grid.
//
//        1  2  3      arrows move between cells, Enter plays: event "choose" {square}
//     A  X  +5 #      a pointer or focus on a cell: event "point" {square}, null when it leaves
//     B  ·  X  O      overlays write into empty cells; ghosts are moves of a line, numbered;
//     C  O  ·  ·      rings mark single cells; complete lines are struck through, and joined edges are dashed

import { fill, h, s } from "../base/dom.js";
import { contentWords, stateWords } from "../base/format.js";
import { threatAt } from "./adviser.js";
import { mark } from "./marks.js";
import { zoomFrame } from "./zoom.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/overlay.js").Cell} Cell */
/** @typedef {{content: string, number: number}} Ghost */
/** @typedef {{sign: string, tone: string, words: string}} Ring */

const LARGE = 10; // rows or columns; on larger boards numbers are too small to be read, and colours tell
const LETTERS = "ABCDEFGHIJKLMNOPQRS";

/** What a board's name says of its joined edges. */
const JOINED = {
  none: "",
  rows: ", top and bottom edges joined",
  columns: ", left and right edges joined",
  both: ", opposite edges joined",
};

/** A stroke, in cells from the corner of the board. @param {number[]} stroke */
const segment = ([x1, y1, x2, y2]) => s("line", { x1, y1, x2, y2, pathLength: 1 });

export class Board extends HTMLElement {
  /** @type {Position|null} */
  #position = null;
  /** @type {Map<string, Cell>} */
  #overlay = new Map();
  /** @type {Map<string, Ghost>} */
  #ghosts = new Map();
  /** @type {Map<string, Ring>} */
  #rings = new Map();
  /** @type {Map<string, HTMLElement>} cells by square */
  #cells = new Map();
  /** @type {Map<string, string>} what each cell was drawn from, to draw only what changed */
  #drawn = new Map();
  #shape = "";
  #focused = "";
  #struck = ""; // what the strokes were drawn from: drawn anew, they would begin to move again
  /** Whether every cell may be chosen, as in the rules builder; else the legal ones. */
  free = false;
  /** Whether cells can be chosen at all. */
  playable = true;
  /** Whether cells with which a line would be completed are marked. */
  threats = false;
  /** What the grid is called. */
  label = "Board";

  connectedCallback() {
    this.addEventListener("click", this);
    this.addEventListener("keydown", this);
    this.addEventListener("pointerover", this);
    this.addEventListener("pointerleave", this);
    this.addEventListener("focusin", this);
  }

  disconnectedCallback() {
    for (const type of ["click", "keydown", "pointerover", "pointerleave", "focusin"])
      this.removeEventListener(type, this);
  }

  get position() {
    return this.#position;
  }

  /** What is written into empty cells. */
  get overlay() {
    return this.#overlay;
  }

  /**
   * Shows a position, and what else is given; what is left out stays as it is.
   * @param {{position?: Position, overlay?: Map<string, Cell>, ghosts?: Map<string, Ghost>, rings?: Map<string, Ring>}} given
   */
  show(given) {
    if (given.position) this.#position = given.position;
    if (given.overlay) this.#overlay = given.overlay;
    if (given.ghosts) this.#ghosts = given.ghosts;
    if (given.rings) this.#rings = given.rings;
    if (!this.#position) return;
    const { rows, cols, boards, wrap } = this.#position;
    const shape = `${rows}x${cols}x${boards} ${wrap}`;
    if (shape !== this.#shape) this.#build(shape);
    this.#position.squares.forEach((square, index) => {
      this.#draw(square, index);
    });
    this.#strike();
    this.querySelectorAll(".face").forEach((face, board) => {
      const closed = this.#position?.closed.includes(board) && boards > 1;
      face.classList.toggle("closed", closed);
      face.setAttribute("aria-label", this.#faceName(board) + (closed ? ", closed" : ""));
    });
    this.classList.toggle("over", this.#position.outcome !== "ongoing");
    this.classList.toggle("shared", this.#position.marks === "shared");
    this.classList.toggle("first-to-move", this.#position.to_move === "first");
    this.classList.toggle("quiet", !this.playable);
  }

  /** Moves the focus to the cell that has it, or had it last. */
  focusCell() {
    this.#cells.get(this.#focused)?.focus();
  }

  /** @param {number} board */
  #faceName(board) {
    const name = (this.#position?.boards ?? 1) > 1 ? `${this.label} ${board + 1}` : this.label;
    return name + JOINED[this.#position?.wrap ?? "none"];
  }

  /** @param {string} shape */
  #build(shape) {
    const { rows, cols, boards, squares, edges } = /** @type {Position} */ (this.#position);
    this.#shape = shape;
    this.#cells.clear();
    this.#drawn.clear();
    this.#struck = "";
    this.style.setProperty("--rows", String(rows));
    this.style.setProperty("--cols", String(cols));
    this.style.setProperty("--boards", String(boards));
    this.#focused = squares[0];
    const faces = [];
    for (let board = 0; board < boards; board++) {
      const header = h(
        "div",
        { class: "board-row board-head", role: "row" },
        h("span", { class: "corner", role: "columnheader" }, h("span", { class: "unseen" }, "row")),
      );
      for (let col = 0; col < cols; col++)
        header.append(h("span", { role: "columnheader", class: "coordinate" }, col + 1));
      const lines = [header];
      for (let row = 0; row < rows; row++) {
        const line = h(
          "div",
          { class: "board-row", role: "row" },
          h("span", { role: "rowheader", class: "coordinate" }, LETTERS[row]),
        );
        for (let col = 0; col < cols; col++) {
          const square = squares[board * rows * cols + row * cols + col];
          const cell = h("div", {
            class: "cell",
            role: "gridcell",
            tabindex: square === this.#focused ? 0 : -1,
            "data-square": square,
          });
          this.#cells.set(square, cell);
          line.append(cell);
        }
        lines.push(line);
      }
      const [joined, struck] = ["joined", "struck"].map((name) =>
        s("svg", { class: name, viewBox: `0 0 ${cols} ${rows}`, "aria-hidden": "true" }),
      );
      fill(joined, edges.map(segment));
      const face = h("div", { class: "face", role: "grid" }, lines);
      faces.push(
        h(
          "div",
          { class: "face-frame" },
          boards > 1 && h("div", { class: "face-name", "aria-hidden": "true" }, `Board ${board + 1}`),
          this.#framed(h("div", { class: "face-box" }, face, joined, struck)),
        ),
      );
    }
    fill(this, faces);
  }

  /** A large board in a frame in which it can be made larger; others as they are. @param {HTMLElement} box */
  #framed(box) {
    const { rows, cols } = /** @type {Position} */ (this.#position);
    const large = Math.max(rows, cols) > LARGE;
    this.classList.toggle("large", large);
    return large ? zoomFrame(box) : box;
  }

  /** @param {string} square @param {number} index */
  #draw(square, index) {
    const position = /** @type {Position} */ (this.#position);
    const cell = /** @type {HTMLElement} */ (this.#cells.get(square));
    const content = position.cells[index];
    const shown = this.#overlay.get(square);
    const ghost = this.#ghosts.get(square);
    const ring = this.#rings.get(square);
    const threat = this.threats ? threatAt(position, square) : null;
    const last = position.last === square;
    const open = this.playable && (this.free || position.legal.includes(square));
    const state = JSON.stringify([
      content,
      shown,
      ghost,
      ring,
      threat,
      last,
      open,
      position.to_move,
      position.outcome !== "ongoing",
    ]);
    if (this.#drawn.get(square) === state) return;
    const fresh = this.#drawn.has(square) && content !== "" && !cell.classList.contains(`holds-${content}`);
    this.#drawn.set(square, state);
    const classes = ["cell"];
    if (content === "#") classes.push("brick");
    if (content === "X" || content === "O") classes.push(`holds-${content}`);
    if (last) classes.push("last");
    if (open) classes.push("open");
    if (shown) classes.push("shown", `tone-${shown.tone}`);
    if (shown?.best) classes.push("best");
    if (ghost) classes.push("ghost");
    if (ring) classes.push("ringed", `ring-${ring.tone}`);
    if (threat) classes.push("threatened", `threat-${threat.tone}`);
    if (fresh) classes.push("fresh");
    cell.className = classes.join(" ");
    cell.style.setProperty("--share", String(shown?.share ?? 0));
    const words = [
      square,
      contentWords(content),
      last ? "last move" : "",
      shown && content === "" ? shown.words + (shown.best ? ", best" : "") : "",
      ghost ? `move ${ghost.number} of the line` : "",
      ring?.words ?? "",
      threat?.words ?? "",
    ];
    cell.setAttribute("aria-label", words.filter(Boolean).join(", "));
    cell.setAttribute("aria-disabled", String(!open));
    fill(
      cell,
      (content === "X" || content === "O") && mark(content),
      ghost && mark(ghost.content),
      ghost && h("span", { class: "number", "aria-hidden": "true" }, ghost.number),
      shown &&
        !ghost &&
        content === "" &&
        h("span", { class: "text", "aria-hidden": "true", "--length": shown.text.length }, shown.text),
      ring && h("span", { class: "sign", "aria-hidden": "true" }, ring.sign),
      open &&
        !this.free &&
        !ghost &&
        !shown &&
        content === "" &&
        mark(position.marks === "own" && position.to_move === "second" ? "O" : "X"),
    );
  }

  /** Strikes the complete lines through. */
  #strike() {
    const { rows, cols, squares, strokes, winning_lines: lines } = /** @type {Position} */ (this.#position);
    const state = JSON.stringify(strokes);
    if (this.#struck === state) return;
    this.#struck = state;
    this.querySelectorAll(".struck").forEach((face, board) => {
      const found = strokes.filter((_, line) => Math.floor(squares.indexOf(lines[line][0]) / (rows * cols)) === board);
      fill(face, found.flat().map(segment));
    });
  }

  /** @param {Event} event */
  handleEvent(event) {
    const target = event.target instanceof Element ? event.target.closest(".cell") : null;
    const square = target instanceof HTMLElement ? (target.dataset.square ?? null) : null;
    if (event.type === "pointerover" || event.type === "pointerleave")
      this.#tell("point", event.type === "pointerleave" ? null : square);
    else if (event.type === "focusin" && square) this.#moveTo(square, false);
    else if (event.type === "click" && square) this.#choose(square);
    else if (event instanceof KeyboardEvent && square) this.#key(event, square);
  }

  /** @param {string} square */
  #choose(square) {
    const position = this.#position;
    if (!position || !this.playable || !(this.free || position.legal.includes(square))) return;
    this.#tell("choose", square);
  }

  /** @param {string} name @param {string|null} square */
  #tell(name, square) {
    this.dispatchEvent(new CustomEvent(name, { detail: { square } }));
  }

  /** @param {KeyboardEvent} event @param {string} square */
  #key(event, square) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, cols, boards, squares, wrap } = /** @type {Position} */ (this.#position);
    const size = rows * cols;
    const index = squares.indexOf(square);
    let [board, row, col] = [Math.floor(index / size), Math.floor((index % size) / cols), index % cols];
    switch (event.key) {
      case "ArrowUp":
        row--;
        break;
      case "ArrowDown":
        row++;
        break;
      case "ArrowLeft":
        col--;
        break;
      case "ArrowRight":
        col++;
        break;
      case "Home":
        col = 0;
        break;
      case "End":
        col = cols - 1;
        break;
      case "PageUp":
        row = 0;
        break;
      case "PageDown":
        row = rows - 1;
        break;
      case "Enter":
      case " ":
        event.preventDefault();
        this.#choose(square);
        return;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    // Past an edge the next board begins, or the opposite side if they are joined.
    if (wrap === "columns" || wrap === "both") col = (col + cols) % cols;
    if (wrap === "rows" || wrap === "both") row = (row + rows) % rows;
    if (col < 0 && board > 0) [board, col] = [board - 1, cols - 1];
    if (col >= cols && board < boards - 1) [board, col] = [board + 1, 0];
    if (row < 0 || row >= rows || col < 0 || col >= cols) return;
    this.#moveTo(squares[board * size + row * cols + col], true);
  }

  /** @param {string} square @param {boolean} focus */
  #moveTo(square, focus) {
    this.#cells.get(this.#focused)?.setAttribute("tabindex", "-1");
    this.#focused = square;
    const cell = this.#cells.get(square);
    cell?.setAttribute("tabindex", "0");
    if (focus) cell?.focus();
    this.#tell("point", square);
  }

  /** The position in one sentence, for announcements. */
  get words() {
    return this.#position ? stateWords(this.#position) : "";
  }
}

customElements.define("noughts-board", Board);

/**
 * A board that shows a position and cannot be played on.
 * @param {Position} position
 * @param {string} label
 */
export function smallBoard(position, label) {
  const board = new Board();
  board.playable = false;
  board.label = label;
  board.classList.add("small");
  board.show({ position });
  return board;
}

/**
 * A board to play on.
 * @param {string} label
 * @param {(square: string) => void} [chosen]
 */
export function playBoard(label, chosen) {
  const board = new Board();
  board.label = label;
  if (chosen) board.addEventListener("choose", (event) => chosen(/** @type {CustomEvent} */ (event).detail.square));
  return board;
}

/**
 * The moves of a line as ghosts on a board: the first of each square, numbered from 1.
 * @param {Position[]} positions after 0, 1, ... moves; the line begins after the first `from`
 * @param {number} from
 * @returns {Map<string, Ghost>}
 */
export function ghosts(positions, from) {
  const found = new Map();
  const end = positions[positions.length - 1];
  end.moves.slice(from).forEach((square, index) => {
    found.set(square, { content: end.cells[end.squares.indexOf(square)], number: index + 1 });
  });
  return found;
}
