// <noughts-board>: a position with its analysis, as an ARIA grid.
//
//        1  2  3      arrows move between cells, Enter plays: event "choose" {square}
//     A  X  +5 #      overlays fill empty cells; ghosts are the numbered moves of a line;
//     B  ·  X  O      rings mark single cells; complete lines are struck through, and joined edges are dashed
//     C  O  ·  ·

import { contentWords, sideMark } from "../base/format.js";
import { html, nothing, svg, View, vars } from "../base/view.js";
import { threatAt } from "./adviser.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */
/** @import { Cell } from "../base/overlay.js" */
/** @typedef {{content: string, number: number}} Ghost */
/** @typedef {{sign: string, tone: string, words: string}} Ring */

const LARGE = 10; // rows or columns; on larger boards numbers are too small to read, so only colours show
const SMALL_CELL = 32; // pixels; a finger may miss a smaller cell, so it takes a second touch to play there
const LETTERS = "ABCDEFGHIJKLMNOPQRS";

/** The part of a board's name about its joined edges. */
const JOINED = {
  none: "",
  rows: ", top and bottom edges joined",
  columns: ", left and right edges joined",
  both: ", opposite edges joined",
};

/** The numbers from 0 to length - 1. @param {number} length */
const range = (length) => [...Array(length).keys()];

/** A mark in a box of one unit around its centre: X as strokes, O as a ring. @param {string} content */
const mark = (
  content,
) => html`<svg class=${`mark mark-${content.toLowerCase()}`} viewBox="-.5 -.5 1 1" aria-hidden="true">
    ${content === "O" ? svg`<circle r=".26" pathLength="1" />` : svg`<path d="M-.25-.25.25.25M.25-.25-.25.25" pathLength="1" />`}
  </svg>`;

/** Strokes over a whole board, in cells from its corner. @param {string} kind @param {Position} position @param {number[][]} strokes */
const segments = (
  kind,
  { rows, cols },
  strokes,
) => html`<svg class=${kind} viewBox=${`0 0 ${cols} ${rows}`} aria-hidden="true">
    ${strokes.map(([x1, y1, x2, y2]) => svg`<line x1=${x1} y1=${y1} x2=${x2} y2=${y2} pathLength="1" />`)}
  </svg>`;

export class Board extends View {
  /** @type {Position|null} */
  position = null;
  /** The content of empty cells. @type {Map<string, Cell>} */
  overlay = new Map();
  /** @type {Map<string, Ghost>} */
  ghosts = new Map();
  /** @type {Map<string, Ring>} */
  rings = new Map();
  free = false; // whether every cell may be chosen, as in the rules builder, or only the legal ones
  playable = true; // whether cells can be chosen at all
  threats = false; // whether cells that would complete a line are marked
  arrow = false; // whether an arrow points from the last move but one to the last; of the ghosts if there are any
  label = "Board"; // the name of the grid
  focused = "";
  pending = ""; // a small cell that was touched once
  /** Squares whose mark is new in this position; its drawing is animated. @type {Set<string>} */
  #fresh = new Set();

  /** Focuses the cell that had the focus last. */
  async focusCell() {
    await this.updateComplete;
    this.#cell(this.focused)?.focus();
  }

  /** @param {string} square */
  #cell(square) {
    return /** @type {HTMLElement|null} */ (this.querySelector(`.cell[data-square="${square}"]`));
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    const { position } = this;
    if (!position || !changed.has("position")) return;
    const before = /** @type {Position|null|undefined} */ (changed.get("position"));
    const same = before?.squares.length === position.squares.length;
    const isFresh = (/** @type {string} */ _, /** @type {number} */ index) =>
      same && position.cells[index] !== "" && before.cells[index] !== position.cells[index];
    this.#fresh = new Set(position.squares.filter(isFresh));
    this.pending = "";
    if (!position.squares.includes(this.focused)) this.focused = position.squares[0];
    const { rows, cols, boards, marks } = position;
    for (const [name, value] of Object.entries({ rows, cols, boards }))
      this.style.setProperty(`--${name}`, String(value));
    this.classList.toggle("large", Math.max(rows, cols) > LARGE);
    this.classList.toggle("shared", marks === "shared");
  }

  render() {
    const { position } = this;
    if (!position) return nothing;
    const legal = new Set(position.legal);
    return range(position.boards).map((board) => this.#face(position, board, legal));
  }

  /** @param {Position} position @param {number} board @param {Set<string>} legal */
  #face(position, board, legal) {
    const { rows, cols, boards, squares, edges, strokes, winning_lines: lines, wrap } = position;
    const first = board * rows * cols;
    const isHere = (/** @type {number} */ line) =>
      Math.floor(squares.indexOf(lines[line][0]) / (rows * cols)) === board;
    const closed = boards > 1 && position.closed.includes(board);
    const name = (boards > 1 ? `${this.label} ${board + 1}` : this.label) + JOINED[wrap] + (closed ? ", closed" : "");
    return html`<div class="face-frame">
      ${boards > 1 ? html`<div class="face-name" aria-hidden="true">Board ${board + 1}</div>` : nothing}
      <div class="face-box">
      <div class="face ${closed ? "closed" : ""}" role="grid" aria-label=${name}
        @click=${this} @keydown=${this} @focusin=${this}>
        <div class="board-row board-head" role="row">
          <span class="corner" role="columnheader"><span class="unseen">row</span></span>
          ${range(cols).map((col) => html`<span role="columnheader" class="coordinate">${col + 1}</span>`)}
        </div>
        ${range(rows).map(
          (row) => html`<div class="board-row" role="row">
            <span role="rowheader" class="coordinate">${LETTERS[row]}</span>
            ${range(cols).map((col) => this.#draw(position, first + row * cols + col, legal))}
          </div>`,
        )}
      </div>
      ${segments("joined", position, edges)}
      ${segments("struck", position, strokes.filter((_, line) => isHere(line)).flat())}
      ${this.arrow ? this.#arrow(position, first) : nothing}
      </div>
    </div>`;
  }

  /** The arrow from the last move but one to the last, on one board. @param {Position} position @param {number} first the index of its first cell */
  #arrow({ rows, cols, squares, moves }, first) {
    const way = this.ghosts.size ? [...moves.slice(-1), ...this.ghosts.keys()] : moves;
    const [from, to] = way.slice(-2).map((square) => squares.indexOf(square) - first);
    if (to === undefined || Math.min(from, to) < 0 || Math.max(from, to) >= rows * cols) return nothing;
    const [x, y] = [(from % cols) + 0.5, Math.floor(from / cols) + 0.5];
    const [across, down] = [(to % cols) + 0.5 - x, Math.floor(to / cols) + 0.5 - y];
    const far = Math.hypot(across, down);
    const turned = `translate(${x} ${y}) rotate(${(Math.atan2(down, across) * 180) / Math.PI})`;
    return html`<svg class="arrow" viewBox=${`0 0 ${cols} ${rows}`} aria-hidden="true">
      ${svg`<path transform=${turned} d=${`M.3 0H${far - 0.35}m-.18-.16.18.16-.18.16`} />`}
    </svg>`;
  }

  /** Draws a cell. @param {Position} position @param {number} index @param {Set<string>} legal */
  #draw(position, index, legal) {
    const [square, content] = [position.squares[index], position.cells[index]];
    const shown = content === "" ? this.overlay.get(square) : undefined;
    const [ghost, ring] = [this.ghosts.get(square), this.rings.get(square)];
    const threat = this.threats ? threatAt(position, square) : null;
    const [last, open] = [position.last === square, this.playable && (this.free || legal.has(square))];
    const pending = this.pending === square;
    const isMark = content === "X" || content === "O";
    const classes = [
      "cell",
      content === "#" && "brick",
      isMark && `holds-${content}`,
      last && "last",
      open && "open",
      pending && "pending",
      shown && `shown tone-${shown.tone}`,
      shown?.best && "best",
      ghost && "ghost",
      ring && `ringed ring-${ring.tone}`,
      threat && `threatened threat-${threat.tone}`,
      this.#fresh.has(square) && "fresh",
    ];
    const words = [
      square,
      contentWords(content),
      last && "last move",
      shown && shown.words + (shown.best ? ", best" : ""),
      ghost && `move ${ghost.number} of the line`,
      ring?.words,
      threat?.words,
      pending && "touch again to play",
    ];
    const wouldBe = open && !this.free && !shown && content === "" ? sideMark(position) : "";
    const inside = ghost
      ? html`${mark(ghost.content)}<span class="number" aria-hidden="true">${ghost.number}</span>`
      : isMark
        ? mark(content)
        : shown
          ? html`<span class="text" aria-hidden="true" ${vars({ length: shown.text.length })}>${shown.text}</span>`
          : wouldBe
            ? mark(wouldBe)
            : nothing;
    return html`<div class=${classes.filter(Boolean).join(" ")} role="gridcell" data-square=${square}
      tabindex=${square === this.focused ? 0 : -1} aria-label=${words.filter(Boolean).join(", ")}
      aria-disabled=${!open} ${vars({ share: shown?.share ?? 0 })}
      >${inside}${ring ? html`<span class="sign" aria-hidden="true">${ring.sign}</span>` : nothing}</div>`;
  }

  /** @param {Event} event */
  handleEvent(event) {
    const target = event.target instanceof Element ? event.target.closest(".cell") : null;
    const square = target instanceof HTMLElement ? target.dataset.square : null;
    if (!target || !square) return;
    if (event.type === "focusin") this.focused = square;
    else if (event instanceof KeyboardEvent) this.#key(event, square);
    else if (/** @type {PointerEvent} */ (event).pointerType === "touch" && target.clientWidth < SMALL_CELL)
      this.#touch(square);
    else this.#choose(square);
  }

  /** Chooses a small cell at the second touch. @param {string} square */
  #touch(square) {
    if (this.pending === square) this.#choose(square);
    else this.pending = this.playable && this.position?.legal.includes(square) ? square : "";
  }

  /** @param {string} square */
  #choose(square) {
    if (this.playable && (this.free || this.position?.legal.includes(square)))
      this.dispatchEvent(new CustomEvent("choose", { detail: { square } }));
  }

  /** @param {KeyboardEvent} event @param {string} square */
  #key(event, square) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#choose(square);
      return;
    }
    const { rows, cols, boards, squares, wrap } = /** @type {Position} */ (this.position);
    const size = rows * cols;
    const index = squares.indexOf(square);
    let [board, row, col] = [Math.floor(index / size), Math.floor((index % size) / cols), index % cols];
    const to = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [row - 1, col],
      ArrowDown: [row + 1, col],
      ArrowLeft: [row, col - 1],
      ArrowRight: [row, col + 1],
      Home: [row, 0],
      End: [row, cols - 1],
      PageUp: [0, col],
      PageDown: [rows - 1, col],
    })[event.key];
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    [row, col] = to;
    // Past an edge comes the next board, or the opposite side if the edges are joined.
    if (wrap === "columns" || wrap === "both") col = (col + cols) % cols;
    if (wrap === "rows" || wrap === "both") row = (row + rows) % rows;
    if (col < 0 && board > 0) [board, col] = [board - 1, cols - 1];
    if (col >= cols && board < boards - 1) [board, col] = [board + 1, 0];
    if (row < 0 || row >= rows || col < 0 || col >= cols) return;
    this.focused = squares[board * size + row * cols + col];
    this.#cell(this.focused)?.focus();
  }
}

customElements.define("noughts-board", Board);

/**
 * The moves of a line as ghosts on a board, numbered from 1.
 * @param {Position[]} positions after 0, 1, ... moves; the line begins after the first `from` moves
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
