// <minds-area>: two agents, or an agent and the truth, on one position, side by side, with what they disagree about.

import * as api from "../base/api.js";
import { button, choice, fill, h } from "../base/dom.js";
import { exactWords, percent, signed, stateWords } from "../base/format.js";
import { Inquiry } from "../base/inquiry.js";
import { keep, keptChoices } from "../base/kept.js";
import { emptiness, tellError } from "../base/news.js";
import { bestMoves, overlay } from "../base/overlay.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { session, TRUTH } from "../base/session.js";
import { agentPicker } from "../parts/agents.js";
import { playBoard } from "../parts/board.js";
import { address } from "../parts/files.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/api-types.js").Result} Result */

const SECONDS = 10;
const START = "bttt(D4)";
const EXACT = /** @type {[string, string]} */ ([TRUTH, "exact truth"]);
const DEFAULT = {
  a: "mcts:sims=1000",
  b: TRUTH,
  show: /** @type {"choice"|import("../base/overlay.js").Kind} */ ("choice"),
};

/**
 * How an agent divides its choice among the moves: by visits, else by its prior, else evenly among the best. Truth chooses when it is
 * proved, and not before.
 * @param {string} agent
 * @param {Result|undefined} result
 * @returns {Map<string, number>}
 */
export function shares(agent, result) {
  const found = new Map();
  if (!result || (agent === TRUTH && result.kind !== "exact")) return found;
  /** @param {(m: import("../base/api-types.js").MoveResultAnswer) => number} weight */
  const divide = (weight) => {
    const total = result.moves.reduce((sum, m) => sum + weight(m), 0);
    for (const m of result.moves) if (weight(m) > 0) found.set(m.move, weight(m) / total);
  };
  if (result.kind === "exact") {
    const best = bestMoves(result);
    for (const move of best) found.set(move, 1 / best.length);
  } else if (result.moves.some((m) => m.visits > 0)) divide((m) => m.visits);
  else if (result.moves.some((m) => m.prior !== null)) divide((m) => m.prior ?? 0);
  else if (result.move) found.set(result.move, 1);
  return found;
}

export class MindsArea extends HTMLElement {
  #settings = keptChoices("minds", DEFAULT);
  #boards = [
    playBoard("First mind", (square) => this.#play(square)),
    playBoard("Second mind", (square) => this.#play(square)),
    playBoard("Difference", (square) => this.#play(square)),
  ];
  #says = [h("div", { class: "mind-says" }), h("div", { class: "mind-says" })];
  #headline = h("p", { class: "headline", role: "status" });
  #table = h("div", { class: "scroll" });
  #state = h("p", { class: "muted" });
  /** One inquiry for each mind: asking one does not drop the other. */
  #inquiries = [new Inquiry(() => this.#draw()), new Inquiry(() => this.#draw())];
  #back = button("back", "One move back", () => this.undo(), { quiet: true });
  #forward = button("forward", "One move forward", () => this.redo(), { quiet: true });
  /** @type {Position|null} */
  #position = null;
  #gone = new AbortController();
  #turn = 0;

  connectedCallback() {
    this.#gone = new AbortController();
    session.addEventListener("change", () => void this.#refresh(), { signal: this.#gone.signal });
  }

  disconnectedCallback() {
    this.#gone.abort();
    for (const each of this.#inquiries) each.stop();
  }

  /** @param {URLSearchParams} params */
  async show(params) {
    try {
      const rules = params.get("rules") ?? session.game?.rules ?? START;
      if (params.get("rules") || !session.game) {
        const players = { first: params.get("first") ?? undefined, second: params.get("second") ?? undefined };
        await session.open(
          rules,
          movesOf(params),
          players,
          params.has("at") ? Number(params.get("at")) : Infinity,
          null,
        );
      }
      if (params.get("a")) this.#settings.a = /** @type {string} */ (params.get("a"));
      if (params.get("b")) this.#settings.b = /** @type {string} */ (params.get("b"));
    } catch (error) {
      fill(
        this,
        emptiness(
          "No position to compare on",
          /** @type {Error} */ (error).message,
          button("new", "New game", () => go(routeTo("new")), { class: "primary" }),
        ),
      );
      return;
    }
    if (!this.querySelector(".minds")) this.#build();
    await this.#refresh();
  }

  #build() {
    const { a, b, show } = this.#settings;
    /** @param {number} index @param {string} label @param {string} value @param {"a"|"b"} name */
    const mind = (index, label, value, name) =>
      h(
        "section",
        { class: "mind panel", "aria-label": label },
        agentPicker(label, value, (text) => this.#set({ [name]: text }), [EXACT]),
        this.#says[index],
        this.#boards[index],
      );
    fill(
      this,
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Two minds"),
        h(
          "p",
          { class: "lead" },
          "Two agents on one position, or an agent beside the exact truth. Click a cell of any board to play there.",
        ),
      ),
      h(
        "div",
        { class: "minds-tools" },
        choice(
          "Show on the boards",
          [
            ["choice", "Choice", "how each divides its choice among the moves"],
            ["value", "Value"],
            ["visits", "Visits"],
            ["prior", "Prior"],
            ["exact", "Exact"],
          ],
          show,
          (value) => this.#set({ show: value }),
        ),
        h(
          "div",
          { class: "tools" },
          this.#back,
          this.#forward,
          button("analyse", "Analyse", () => go(address("analyse")), {}),
        ),
        this.#state,
      ),
      h(
        "div",
        { class: "minds" },
        mind(0, "First mind", a, "a"),
        mind(1, "Second mind", b, "b"),
        h(
          "section",
          { class: "mind panel differing", "aria-label": "Where they disagree" },
          h("h2", {}, "Where they disagree"),
          this.#headline,
          this.#boards[2],
          this.#table,
        ),
      ),
    );
  }

  /** @param {Partial<typeof DEFAULT>} changed */
  #set(changed) {
    Object.assign(this.#settings, changed);
    keep("minds", this.#settings);
    this.#address();
    this.#look();
    this.#draw();
  }

  #address() {
    const { a, b } = this.#settings;
    go(`${address("minds")}&a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`, { replace: true });
  }

  async #refresh() {
    const game = session.game;
    if (!game || !this.isConnected) return;
    const turn = ++this.#turn;
    try {
      const position = await api.position(game.rules, game.current.moves);
      if (turn !== this.#turn) return;
      this.#position = position;
    } catch (error) {
      tellError(error);
      return;
    }
    this.#state.textContent = stateWords(this.#position);
    for (const board of this.#boards) board.show({ position: this.#position, overlay: new Map() });
    this.#back.disabled = !game.current.parent;
    this.#forward.disabled = !game.current.next;
    this.#address();
    this.#look();
    this.#draw();
  }

  #look() {
    const game = session.game;
    if (!game || !this.#position) return;
    [this.#settings.a, this.#settings.b].forEach((agent, index) => {
      if (this.#position?.outcome === "ongoing")
        this.#inquiries[index].look(game, game.current, [agent], { seconds: SECONDS });
      else this.#inquiries[index].stop();
    });
  }

  #draw() {
    const [game, position] = [session.game, this.#position];
    if (!game || !position || !this.isConnected) return;
    const node = game.current;
    const agents = [this.#settings.a, this.#settings.b];
    const results = agents.map((agent) => /** @type {Result|undefined} */ (node.analysis[agent]));
    agents.forEach((agent, index) => {
      this.#boards[index].show({ overlay: this.#cells(agent, results[index]) });
      fill(this.#says[index], this.#words(agent, results[index], this.#inquiries[index], position));
    });
    this.#compare(agents, results, position);
  }

  /** @param {string} agent @param {Result|undefined} result */
  #cells(agent, result) {
    const { show } = this.#settings;
    if (show === "exact")
      return overlay("exact", result?.moves.some((m) => m.kind !== "estimate") ? result : null, null);
    if (show !== "choice") return overlay(show, null, result);
    const all = shares(agent, result);
    const top = Math.max(0, ...all.values());
    return new Map(
      [...all]
        .filter(([, share]) => share >= 0.005)
        .map(([square, share]) => [
          square,
          {
            tone: /** @type {const} */ ("visits"),
            share: share / (top || 1),
            text: percent(share).replace("%", ""),
            words: `${percent(share)} of its choice`,
            best: square === result?.move || result?.kind === "exact",
          },
        ]),
    );
  }

  /** @param {string} agent @param {Result|undefined} result @param {Inquiry} inquiry @param {Position} position */
  #words(agent, result, inquiry, position) {
    if (position.outcome !== "ongoing") return [h("p", { class: "muted" }, "The game is over.")];
    const problem = inquiry.problems.get(agent);
    if (problem) return [h("p", { class: "problem" }, problem)];
    if (!result) return [h("p", { class: "muted" }, "Thinking …")];
    const busy = inquiry.busy.length ? " …" : "";
    if (agent === TRUTH) {
      return result.kind === "exact"
        ? [h("p", {}, h("b", {}, bestMoves(result).slice(0, 5).join(", ")), `: ${exactWords(result)}.${busy}`)]
        : [
            h(
              "p",
              { class: "muted" },
              busy ? "Being proved …" : `Not proved in ${SECONDS} seconds; some moves may be.`,
            ),
          ];
    }
    return [
      h(
        "p",
        {},
        h("b", {}, result.move ?? "–"),
        result.value === null ? "" : ` ${result.kind === "exact" ? exactWords(result) : signed(result.value)}`,
        busy,
      ),
    ];
  }

  /** @param {string[]} agents @param {(Result|undefined)[]} results @param {Position} position */
  #compare([first, second], [a, b], position) {
    const [mineA, mineB] = [shares(first, a), shares(second, b)];
    if (!mineA.size || !mineB.size || position.outcome !== "ongoing") {
      this.#headline.textContent = position.outcome === "ongoing" ? "Waiting for both." : "";
      fill(this.#table);
      this.#boards[2].show({ overlay: new Map() });
      return;
    }
    const squares = [...new Set([...mineA.keys(), ...mineB.keys()])];
    const rows = squares
      .map((square) => ({ square, a: mineA.get(square) ?? 0, b: mineB.get(square) ?? 0 }))
      .sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b));
    const apart = rows.reduce((sum, row) => sum + Math.abs(row.a - row.b), 0) / 2;
    const [topA, topB] = [a?.move, b?.move];
    const truth = first === TRUTH ? a : second === TRUTH ? b : null;
    const other = first === TRUTH ? b : a;
    const judged = truth?.moves.find((m) => m.move === other?.move);
    const known = truth?.kind === "exact" && judged?.kind === "exact";
    const wrong = known ? Number(judged.value) < Number(truth.value) : null; // a slower win is a win
    const quickest = truth !== null && bestMoves(truth).includes(other?.move ?? "");
    const does = judged?.value === 0 ? "draws" : exactWords(judged);
    const same = wrong === null ? topA === topB : !wrong;
    this.#headline.textContent =
      wrong === null
        ? `${same ? `Both choose ${topA}` : `${topA} against ${topB}`}; their choices are ${percent(apart)} apart.`
        : wrong
          ? `The agent's ${other?.move} is a mistake: it ${does}.`
          : `The agent's ${other?.move} ${quickest ? "is one of the best" : "gives nothing away"}: it ${does}.`;
    const cells = new Map(
      rows
        .filter((row) => Math.abs(row.a - row.b) >= 0.03)
        .map((row) => {
          const more = row.a - row.b;
          return [
            row.square,
            {
              tone: /** @type {"win"|"loss"} */ (more > 0 ? "win" : "loss"),
              share: Math.abs(more),
              text: `${more > 0 ? "1" : "2"}·${Math.round(Math.abs(more) * 100)}`,
              words: `${more > 0 ? "the first" : "the second"} mind likes it more by ${percent(Math.abs(more))}`,
              best: false,
            },
          ];
        }),
    );
    this.#boards[2].show({ overlay: cells });
    const value = (/** @type {Result|undefined} */ result, /** @type {string} */ move) => {
      const m = result?.moves.find((each) => each.move === move);
      if (!m || m.value === null || (m.visits === 0 && m.kind === "estimate")) return "–";
      return m.kind === "estimate" ? signed(m.value) : exactWords(m);
    };
    fill(
      this.#table,
      h("p", { class: "muted" }, "1·40: the first mind gives the move 40 points of a hundred more; 2·40: the second."),
      h(
        "table",
        { class: "differences" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Move", "First", "Second", "First thinks", "Second thinks"].map((words) =>
              h("th", { scope: "col" }, words),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          rows
            .slice(0, 8)
            .map((row) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, row.square),
                h("td", {}, percent(row.a)),
                h("td", {}, percent(row.b)),
                h("td", {}, value(a, row.square)),
                h("td", {}, value(b, row.square)),
              ),
            ),
        ),
      ),
    );
  }

  /** @param {string} square */
  #play(square) {
    session.game?.play(square);
    session.changed();
  }

  undo() {
    if (!session.game?.current.parent) return;
    session.game.goTo(session.game.current.parent);
    session.changed();
  }

  redo() {
    if (!session.game?.current.next) return;
    session.game.goTo(session.game.current.next);
    session.changed();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "u" || event.key === "ArrowLeft") this.undo();
    else if (event.key === "r" || event.key === "ArrowRight") this.redo();
    else if (event.key === "a") go(address("analyse"));
    else return false;
    return true;
  }
}

customElements.define("minds-area", MindsArea);
