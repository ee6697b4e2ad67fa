// The teacher's desk: the way in, the wall of all boards, what is to be done, and the table of results.

import { button, calmly, check, fill, h } from "/static/base/dom.js";
import { counted } from "/static/base/format.js";
import { learnNames } from "/static/base/names.js";
import { tell, tellError } from "/static/base/news.js";
import { addressField, askedText, confirmed } from "/static/parts/asking.js";
import * as api from "./api.js";
import { assignmentForm, assignmentWords } from "./assignment.js";
import { classroom } from "./classroom.js";
import { gameGrid } from "./tile.js";

/** @typedef {import("./api-types.js").ClassAnswer} ClassState */
/** @typedef {import("./api-types.js").PupilResult} Result */

const LONGEST_NICKNAME = 24;

export class TeacherDesk extends HTMLElement {
  #head = h("p", { class: "lead", role: "status" });
  #way = h("section", { class: "panel way-in", "aria-labelledby": "class-way" });
  #task = h("div", {});
  #table = h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Results" });
  #removed = h("div", {});
  #close = h("div", { class: "tools" });
  #ended = false;
  #wall = gameGrid(
    (game) => this.#ended || game.state !== "ended",
    "No game goes on. Boards appear here when your pupils play.",
  );
  /** What each part was drawn from. @type {Map<HTMLElement, string>} */
  #drawn = new Map();
  #gone = new AbortController();

  connectedCallback() {
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    const draw = calmly(() => this.#draw());
    for (const type of ["class", "game", "line"]) classroom.addEventListener(type, draw, { signal });
    learnNames(() => {
      this.#drawn.clear();
      draw();
    });
    fill(
      this,
      h("header", { class: "area-head" }, h("h1", {}, "Your class"), this.#head),
      this.#way,
      h(
        "section",
        { class: "class-section", "aria-labelledby": "class-wall" },
        h("h2", { id: "class-wall" }, "All boards"),
        check("Show games that have ended", this.#ended, (checked) => {
          this.#ended = checked;
          this.#wall.draw();
        }),
        this.#wall.element,
      ),
      h(
        "section",
        { class: "class-section", "aria-labelledby": "class-task" },
        h("h2", { id: "class-task" }, "What is to be done"),
        this.#task,
        h("details", { class: "panel" }, h("summary", {}, "Set a task"), assignmentForm()),
      ),
      h(
        "section",
        { class: "class-section", "aria-labelledby": "class-results" },
        h("h2", { id: "class-results" }, "Results"),
        this.#table,
        h("a", { class: "button", href: "/api/class/results.csv", download: "noughts-class.csv" }, "Download as CSV"),
        this.#removed,
      ),
      this.#close,
    );
    this.#draw();
  }

  disconnectedCallback() {
    this.#gone.abort();
  }

  #draw() {
    const { state } = classroom;
    if (!this.isConnected || !state) return;
    this.#wall.draw();
    const here = state.pupils.filter((pupil) => pupil.present).length;
    const said = !classroom.connected
      ? "The connection is lost. Trying again …"
      : state.closed
        ? "The class is closed. No pupil is let in."
        : `${counted(state.pupils.length, "pupil")}, ${here} here now.`;
    if (this.#head.textContent !== said) this.#head.textContent = said;
    this.#part(this.#way, [state.closed, state.code, state.address], () => wayIn(state));
    this.#part(this.#task, [state.assignment, state.results], () => this.#currentTask(state));
    this.#part(this.#table, [state.results, state.pupils, state.assignment], () => [resultsTable(state)]);
    this.#part(this.#removed, state.removed, () => removedList(state));
    this.#part(this.#close, state.closed, () => [closing(state.closed)]);
  }

  /**
   * Draws a part anew if it is another one by now; what has the focus keeps it.
   * @param {HTMLElement} place
   * @param {unknown} from what it is drawn from
   * @param {() => (Node|string|false)[]} content
   */
  #part(place, from, content) {
    const text = JSON.stringify(from);
    if (this.#drawn.get(place) === text) return;
    this.#drawn.set(place, text);
    const focused = document.activeElement;
    const key = focused && place.contains(focused) ? focused.getAttribute("aria-label") : null;
    fill(place, content());
    if (key) /** @type {HTMLElement|null} */ (place.querySelector(`[aria-label="${CSS.escape(key)}"]`))?.focus();
  }

  /** @param {ClassState} state */
  #currentTask({ assignment, results }) {
    if (!assignment) return [h("p", { class: "muted" }, "Nothing is set.")];
    const done = results.filter((row) => row.done_at).length;
    return [
      h("p", {}, h("b", {}, assignmentWords(assignment)), assignment.words && ` ${assignment.words}`),
      h("p", { class: "muted" }, `${done} of ${counted(results.length, "pupil")} done.`),
      button("close", "Take it back", () => void api.clearAssignment().catch(tellError), {}),
    ];
  }
}

/** How pupils join. @param {ClassState} state */
function wayIn({ closed, code = "", address = "" }) {
  if (closed) return [h("h2", { id: "class-way" }, "The class is closed")];
  return [
    h(
      "div",
      { class: "way-words" },
      h("h2", { id: "class-way" }, "Join with this code"),
      h("p", { class: "join-code" }, code),
      h("p", { class: "muted" }, "at this address, which the picture holds, too:"),
      addressField(address),
    ),
    h("img", { class: "qr", src: "/api/class/code.svg", alt: `A QR code of ${address}`, width: 200, height: 200 }),
  ];
}

/** @param {ClassState} state */
function resultsTable({ results, pupils, assignment }) {
  const present = new Set(pupils.filter((pupil) => pupil.present).map((pupil) => pupil.id));
  const heads = ["Pupil", "Played", "Won", "Drawn", "Lost", "Puzzles", "Task", ""];
  return h(
    "table",
    { class: "results" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((words) => h("th", { scope: "col" }, words || h("span", { class: "unseen" }, "What to do"))),
      ),
    ),
    h(
      "tbody",
      {},
      results.map((row) =>
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "row" },
            h("span", { class: present.has(row.id) ? "pupil-here" : "pupil-away" }, row.nickname),
            !present.has(row.id) && h("small", { class: "muted" }, " away"),
          ),
          [row.played, row.won, row.drawn, row.lost, row.solved].map((count) => h("td", {}, count)),
          h("td", {}, assignment ? taskDone(row, assignment.kind === "puzzles" ? (assignment.count ?? 0) : 0) : "–"),
          h("td", { class: "row-tools" }, rowTools(row)),
        ),
      ),
    ),
  );
}

/** @param {Result} row @param {number} count */
function taskDone({ done, done_at: at }, count) {
  if (at) return `done ${new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
  return count ? `${done} of ${count}` : "not yet";
}

/** @param {Result} row */
function rowTools({ id, nickname }) {
  const rename = async () => {
    const name = await askedText(`Rename ${nickname}`, "Nickname", nickname, LONGEST_NICKNAME);
    if (name !== null) await api.changePupil(id, { nickname: name });
  };
  const remove = async () => {
    const sure = await confirmed(
      `Remove ${nickname}?`,
      "The pupil is let in no more. What was played stays.",
      "Remove",
    );
    if (!sure) return;
    await api.changePupil(id, { removed: true });
    tell(`Removed ${nickname}.`, { undo: () => takeBack(id) });
  };
  /** @type {[string, () => Promise<void>][]} */
  const tools = [
    ["Rename", rename],
    ["Remove", remove],
  ];
  return tools.map(([words, act]) =>
    button("", words, () => void act().catch(tellError), { class: "plain", "aria-label": `${words} ${nickname}` }),
  );
}

/** @param {string} id of a pupil who was removed */
const takeBack = (id) => void api.changePupil(id, { removed: false }).catch(tellError);

/** @param {ClassState} state */
function removedList({ removed = [] }) {
  if (!removed.length) return [];
  return [
    h("h3", {}, "Removed"),
    h(
      "ul",
      { class: "plain-list mates" },
      removed.map(({ id, nickname }) =>
        h(
          "li",
          { class: "mate" },
          h("span", {}, nickname),
          button("undo", "Take back", () => takeBack(id), {
            "aria-label": `Take ${nickname} back`,
          }),
        ),
      ),
    ),
  ];
}

/** @param {boolean} closed */
function closing(closed) {
  if (closed) return button("redo", "Open the class again", () => void api.closeClass(false).catch(tellError), {});
  const close = async () => {
    const words =
      "No pupil is let in any more. What was played stays, and you can open it again as long as the server runs.";
    if (await confirmed("Close the class?", words, "Close")) await api.closeClass(true);
  };
  return button("close", "Close the class", () => void close().catch(tellError), {});
}

customElements.define("teacher-desk", TeacherDesk);
