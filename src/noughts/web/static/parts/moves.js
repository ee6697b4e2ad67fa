// Lists of moves: the moves of a game in order, and the legal moves ranked by what is thought of them.

import { fill, h } from "../base/dom.js";
import { exactText, exactWords, percent, short, signed, whole } from "../base/format.js";
import { bestMoves, losses } from "../base/overlay.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/api-types.js").Result} Result */
/** @typedef {import("../base/game.js").Node} Node */
/** @typedef {{line: string[], end: number}} Pointed a line of moves from here, and how many of them */

const MOST_ROWS = 12;

/**
 * The moves of the line being looked at; a press goes there.
 * @param {import("../base/game.js").Game} game
 * @param {(node: Node) => void} chosen
 */
export function moveList(game, chosen) {
  const nodes = game.line.slice(1);
  if (!nodes.length) return h("p", { class: "muted" }, "No move yet. Click a cell to begin.");
  return h(
    "ol",
    { class: "move-list" },
    nodes.map((node, index) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: `move-chip ${index % 2 ? "second" : "first"}`,
            "aria-current": node === game.current ? "step" : null,
            "aria-label": `Move ${index + 1}, ${node.move}`,
            onclick: () => chosen(node),
          },
          h("small", { "aria-hidden": "true" }, index + 1),
          node.move,
        ),
      ),
    ),
  );
}

/**
 * Draws the ranked moves into a place. Rows are kept apart by move, so that a pointer keeps its row while numbers change.
 * @param {HTMLElement} place
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 * @param {{all: boolean, point: (pointed: Pointed|null) => void, choose: (pointed: Pointed) => void, showAll: () => void}} how
 */
export function rankedMoves(place, exact, found, how) {
  const ranked = rank(exact, found);
  if (!ranked.length) {
    fill(place, h("p", { class: "muted" }, "Nothing is known about this position yet."));
    return;
  }
  const most = Math.max(1, ...(found?.moves ?? []).map((m) => m.visits));
  const hasPrior = found?.moves.some((m) => m.prior !== null) ?? false;
  const best = new Set(exact?.kind === "exact" ? bestMoves(exact) : []);
  if (best.size === exact?.moves.length) best.clear(); // where all are best there is nothing to choose
  const all = losses(exact, found);
  const focused =
    document.activeElement instanceof HTMLElement && place.contains(document.activeElement)
      ? document.activeElement.dataset.move
      : null;
  // Moves of which nothing is known say nothing: they are shown on request, or where there are no others.
  const told = ranked.filter((move) => all.has(move) || found?.moves.some((m) => m.move === move && m.prior !== null));
  const few = (told.length ? told : ranked).slice(0, MOST_ROWS);
  const rows = (how.all ? ranked : few).map((move) => {
    const [e, f] = [exact?.moves.find((m) => m.move === move), found?.moves.find((m) => m.move === move)];
    const pointed = { line: lineOf(move, exact, found), end: 1 };
    const whole_line = { line: pointed.line, end: pointed.line.length };
    const loss = all.get(move);
    return h(
      "tr",
      {
        class: best.has(move) || (!best.size && exact?.kind !== "exact" && move === found?.move) ? "best" : "",
        "data-row": move,
        onpointerenter: () => how.point(whole_line),
        onpointerleave: () => how.point(null),
      },
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          {
            type: "button",
            class: "move-button",
            "data-move": move,
            onclick: () => how.choose(pointed),
            onfocus: () => how.point(whole_line),
            onblur: () => how.point(null),
            "aria-label": `Play ${move}`,
          },
          move,
        ),
      ),
      h(
        "td",
        {
          class: `exact ${e?.kind === "exact" ? (Number(e.value) > 0 ? "won" : Number(e.value) < 0 ? "lost" : "even") : "open"}`,
          title: exactWords(e),
        },
        exactText(e),
      ),
      h("td", {}, f && f.value !== null && (f.visits > 0 || f.kind === "exact") ? signed(f.value) : "–"),
      h(
        "td",
        { class: "visits", "--share": f ? f.visits / most : 0, title: f ? `${whole(f.visits)} visits` : null },
        h("span", {}, f?.visits ? short(f.visits) : "–"),
      ),
      hasPrior && h("td", {}, f && f.prior !== null ? percent(f.prior) : "–"),
      h(
        "td",
        { class: loss && !loss.sure ? "unsure" : "", title: loss && !loss.sure ? "estimated" : null },
        loss ? `${loss.sure ? "" : "≈ "}${loss.loss < 0.005 ? "0" : signed(-loss.loss)}` : "–",
      ),
    );
  });
  fill(
    place,
    h(
      "table",
      { class: "ranked" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ["Move", "Exact", "Value", "Visits", hasPrior && "Prior", "Loss"]
            .filter(Boolean)
            .map((words) => h("th", { scope: "col" }, /** @type {string} */ (words))),
        ),
      ),
      h("tbody", {}, rows),
    ),
    !how.all &&
      ranked.length > few.length &&
      h("button", { type: "button", class: "link", onclick: how.showAll }, `Show all ${ranked.length} moves`),
  );
  if (focused) /** @type {HTMLElement|null} */ (place.querySelector(`[data-move="${CSS.escape(focused)}"]`))?.focus();
}

/**
 * Lines of moves from a position, to be pointed at and played into.
 * @param {HTMLElement} place
 * @param {[string, string[]][]} lines by what they are
 * @param {{point: (pointed: Pointed|null) => void, choose: (pointed: Pointed) => void}} how
 */
export function expectedLines(place, lines, how) {
  fill(
    place,
    lines.map(([words, line]) => {
      if (!line.length) return null;
      return h(
        "div",
        { class: "line-row", onpointerleave: () => how.point(null) },
        h("span", { class: "line-name" }, words),
        h(
          "span",
          { class: "line" },
          line.map((move, index) => {
            const pointed = { line, end: index + 1 };
            return h(
              "button",
              {
                type: "button",
                class: "line-move",
                "aria-label": `${words}: play ${line.slice(0, index + 1).join(" ")}`,
                onpointerenter: () => how.point(pointed),
                onfocus: () => how.point(pointed),
                onblur: () => how.point(null),
                onclick: () => how.choose(pointed),
              },
              h("small", { "aria-hidden": "true" }, index + 1),
              move,
            );
          }),
        ),
      );
    }),
  );
}

/**
 * The legal moves, best first: as the agent ranks them, unless truth knows better.
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 */
function rank(exact, found) {
  const order = (found ?? exact)?.moves.map((m) => m.move) ?? [];
  if (!exact) return order;
  /** @param {string} move */
  const worth = (move) => {
    const m = exact.moves.find((each) => each.move === move);
    if (!m || m.value === null || m.kind === "estimate") return 0;
    const near = m.distance ? 1 / (1 + m.distance) : 0;
    const sure = m.kind === "exact" ? 1 : 0.5;
    return m.value > 0
      ? sure * (1 + near)
      : m.value < 0
        ? -sure * (1 + near)
        : m.kind === "lower"
          ? 0.2
          : m.kind === "upper"
            ? -0.2
            : 0.1;
  };
  return order
    .map((move, index) => ({ move, index }))
    .sort((a, b) => worth(b.move) - worth(a.move) || a.index - b.index)
    .map(({ move }) => move);
}

/**
 * The line that begins with a move, as far as anybody said.
 * @param {string} move
 * @param {Result|null|undefined} exact
 * @param {Result|null|undefined} found
 */
function lineOf(move, exact, found) {
  const lines = [found, exact].map((result) => result?.principal_variation ?? []).filter((line) => line[0] === move);
  return lines.sort((a, b) => b.length - a.length)[0] ?? [move];
}
