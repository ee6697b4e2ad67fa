// <search-area>: Monte-Carlo tree search, one iteration at a time: select, expand, simulate, back up.
// An agent with a network is shown as what it thinks before it searches, and after.

import * as api from "../base/api.js";
import { button, choice, field, fill, h } from "../base/dom.js";
import { percent, signed } from "../base/format.js";
import { Inquiry } from "../base/inquiry.js";
import { announce, emptiness, tellError } from "../base/news.js";
import { overlay } from "../base/overlay.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { session } from "../base/session.js";
import { agentPicker } from "../parts/agents.js";
import { ghosts, playBoard } from "../parts/board.js";
import { address } from "../parts/files.js";
import { childrenTable, PHASES, stepCells, told } from "../parts/steps.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../parts/steps.js").Steps} Steps */

const START = "tic-tac-toe";
const TICK = 900; // milliseconds a phase while it runs

export class SearchArea extends HTMLElement {
  #iterations = 0;
  #phase = 3; // of the last iteration; after "back up" the next one begins
  #c = 1;
  #seed = 0;
  #show = "mean";
  /** @type {Steps|null} */
  #steps = null;
  /** @type {Position|null} */
  #position = null;
  #board = playBoard("Board", (square) => {
    session.game?.play(square);
    session.changed();
  });
  #phases = h("ol", { class: "phases" });
  #count = h("h2", { "aria-live": "off" });
  #words = h("p", { class: "muted" });
  #children = h("div", { class: "scroll" });
  #tree = h("ul", {
    class: "search-tree plain-list",
    tabindex: "0",
    "aria-label": "Positions of the tree, the most visited first below each other",
  });
  #run = button("play", "Run", () => this.#turn(), {});
  #network = h("div", { class: "network-says" });
  #agent = "";
  #inquiry = new Inquiry(() => this.#drawNetwork());
  /** @type {ReturnType<typeof setInterval>|undefined} */
  #timer;
  /** @type {AbortController|undefined} */
  #asked;
  #gone = new AbortController();

  connectedCallback() {
    this.#gone = new AbortController();
    session.addEventListener("change", () => void this.#restart(), { signal: this.#gone.signal });
  }

  disconnectedCallback() {
    this.#gone.abort();
    this.#inquiry.stop();
    this.#halt();
  }

  /** @param {URLSearchParams} params */
  async show(params) {
    try {
      const rules = params.get("rules") ?? session.game?.rules ?? START;
      this.#iterations = Number(params.get("n")) || 0;
      if (params.get("rules") || !session.game)
        await session.open(rules, movesOf(params), {}, params.has("at") ? Number(params.get("at")) : Infinity, null);
    } catch (error) {
      fill(
        this,
        emptiness(
          "No position to search",
          /** @type {Error} */ (error).message,
          button("new", "New game", () => go(routeTo("new")), { class: "primary" }),
        ),
      );
      return;
    }
    if (!this.querySelector(".table")) this.#build();
    await this.#restart();
  }

  #build() {
    const constant = h("input", {
      type: "number",
      min: 0,
      step: 0.1,
      value: this.#c,
      onchange: () => {
        this.#c = Math.max(0, Number(constant.value));
        void this.#to(this.#iterations, 3);
      },
    });
    const seed = h("input", {
      type: "number",
      min: 0,
      step: 1,
      value: this.#seed,
      onchange: () => {
        this.#seed = Math.max(0, Math.floor(Number(seed.value)));
        void this.#to(this.#iterations, 3);
      },
    });
    const network = h(
      "details",
      { class: "panel", ontoggle: () => network.open && void this.#openNetwork() },
      h("summary", {}, "With a network"),
      this.#network,
    );
    fill(
      this,
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Watch the search"),
        h(
          "p",
          { class: "lead" },
          "Monte-Carlo tree search, one iteration at a time. Click a cell to search from another position.",
        ),
      ),
      h(
        "div",
        { class: "table" },
        h(
          "div",
          { class: "table-board" },
          choice(
            "Show on the board",
            [
              ["visits", "N", "visits"],
              ["mean", "Q", "mean value"],
              ["bound", "Bound", "what selection looks at"],
              ["none", "Off"],
            ],
            this.#show,
            (value) => {
              this.#show = value;
              this.#draw();
            },
          ),
          this.#board,
          this.#words,
        ),
        h(
          "div",
          { class: "table-side" },
          h("div", { class: "panel" }, this.#count, this.#phases),
          h(
            "div",
            { class: "search-tools", role: "toolbar", "aria-label": "Search" },
            button("forward", "Next phase", () => void this.#nextPhase(), { class: "primary" }),
            this.#run,
            button("back", "One iteration back", () => void this.#to(this.#iterations - 1, 3), { quiet: true }),
            button("", "+1", () => void this.#to(this.#iterations + 1, 3), { "aria-label": "One iteration" }),
            button("", "+10", () => void this.#to(this.#iterations + 10, 3), { "aria-label": "Ten iterations" }),
            button("", "+100", () => void this.#to(this.#iterations + 100, 3), {
              "aria-label": "A hundred iterations",
            }),
            button("first", "Begin again", () => void this.#to(0, 3), {}),
          ),
          h(
            "section",
            { class: "panel" },
            h("h2", {}, "The moves from here"),
            h(
              "p",
              { class: "formula" },
              "bound = ",
              h("b", {}, "Q"),
              " + c · √(ln n / ",
              h("b", {}, "N"),
              "), where n counts the visits of all moves here and Q = W / N.",
            ),
            this.#children,
          ),
          h("section", { class: "panel" }, h("h2", {}, "The tree"), this.#tree),
          h(
            "details",
            { class: "panel" },
            h("summary", {}, "Constant and seed"),
            h("div", { class: "search-tools" }, field("c", constant), field("Seed", seed)),
          ),
          network,
        ),
      ),
    );
  }

  /** Another position, or the first: the search begins anew. */
  async #restart() {
    const game = session.game;
    if (!game || !this.isConnected || !this.querySelector(".table")) return;
    try {
      const position = await api.position(game.rules, game.current.moves);
      const same = this.#position?.text === position.text;
      this.#position = position;
      this.#board.show({ position, overlay: new Map(), ghosts: new Map(), rings: new Map() });
      await this.#to(same || this.#steps === null ? this.#iterations : 0, 3);
      this.#askNetwork();
    } catch (error) {
      tellError(error);
    }
  }

  /** Shows the search after so many iterations, at a phase of the last one. @param {number} iterations @param {number} phase */
  async #to(iterations, phase) {
    const [game, position] = [session.game, this.#position];
    if (!game || !position) return;
    iterations = Math.max(0, iterations);
    this.#asked?.abort();
    this.#asked = new AbortController();
    try {
      if (position.outcome === "ongoing" && iterations > 0) {
        this.#steps = await api.steps(
          { rules: game.rules, moves: position.moves, c: this.#c, seed: this.#seed, iterations },
          this.#asked.signal,
        );
      } else {
        this.#steps = { iterations: 0, trace: null, children: [], tree: [] };
      }
      this.#iterations = iterations;
      this.#phase = phase;
      go(`${address("search")}${iterations ? `&n=${iterations}` : ""}`, { replace: true });
      await this.#draw();
    } catch (error) {
      this.#halt();
      tellError(error);
    }
  }

  async #nextPhase() {
    if (this.#phase < 3) await this.#to(this.#iterations, this.#phase + 1);
    else await this.#to(this.#iterations + 1, 0);
  }

  #turn() {
    if (this.#timer) {
      this.#halt();
      return;
    }
    this.#timer = setInterval(() => void this.#nextPhase(), TICK);
    this.#run.querySelector(".words")?.replaceChildren("Pause");
    void this.#nextPhase();
  }

  #halt() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#run.querySelector(".words")?.replaceChildren("Run");
  }

  async #draw() {
    const [steps, position] = [this.#steps, this.#position];
    if (!steps || !position) return;
    const trace = steps.trace;
    this.#count.textContent = steps.iterations ? `Iteration ${steps.iterations}` : "No iteration yet";
    fill(
      this.#phases,
      PHASES.map(([name, about], index) =>
        h(
          "li",
          { class: "phase", "aria-current": trace && index === this.#phase ? "step" : null },
          h("h3", {}, name),
          h("p", {}, trace && index <= this.#phase ? told(index, trace, position) : about),
        ),
      ),
    );
    fill(this.#children, childrenTable(steps));
    fill(
      this.#tree,
      steps.tree.length
        ? steps.tree.map((node) =>
            h(
              "li",
              { "--depth": Math.max(0, node.moves.length - 1) },
              h("b", {}, node.moves.at(-1) ?? "here"),
              h("span", { class: "muted" }, `N ${node.visits}  Q ${signed(node.mean)}`),
            ),
          )
        : h("li", { class: "muted" }, "Only the position on the board."),
    );
    if (trace)
      announce(`Iteration ${steps.iterations}, ${PHASES[this.#phase][0]}: ${told(this.#phase, trace, position)}`);
    await this.#drawBoard(steps, position);
  }

  /** @param {Steps} steps @param {Position} position */
  async #drawBoard(steps, position) {
    const cells = stepCells(steps, this.#show);
    const trace = steps.trace;
    const rings = new Map();
    /** @type {string[]} */
    let line = [];
    if (trace) {
      const tree = [...trace.select, ...(trace.expand ? [trace.expand] : [])];
      line =
        this.#phase === 0
          ? trace.select
          : this.#phase === 1
            ? tree
            : this.#phase === 2
              ? [...tree, ...trace.simulate]
              : [];
      if (this.#phase >= 1 && trace.expand)
        rings.set(trace.expand, { sign: "+", tone: "right", words: "added to the tree" });
      if (this.#phase === 3)
        for (const [index, move] of tree.entries())
          rings.set(move, { sign: String(index + 1), tone: "right", words: "updated" });
    }
    const from = position.moves.length;
    const positions = line.length ? await api.line(position.rules, [...position.moves, ...line]) : [];
    if (this.#steps !== steps) return;
    this.#board.show({ overlay: cells, rings, ghosts: positions.length ? ghosts(positions, from) : new Map() });
    this.#words.textContent =
      position.outcome === "ongoing"
        ? ({
            visits: "N: how often each move was tried.",
            mean: "Q: the mean result of each move, for the side to move.",
            bound: "The bound: where the search goes next, once every move has been tried.",
            none: "",
          }[this.#show] ?? "")
        : "The game is over: take a move back to search.";
  }

  async #openNetwork() {
    try {
      const kinds = await api.agents();
      const trained = kinds.filter((kind) => kind.targets?.length);
      if (!trained.length) {
        fill(
          this.#network,
          h(
            "p",
            { class: "muted" },
            "There is no trained network yet: make one with `noughts train`, for example `noughts train tic-tac-toe`, then reload.",
          ),
        );
        return;
      }
      this.#agent ||= `${trained[0].name}:${trained[0].targets?.[0].text}`;
      fill(
        this.#network,
        agentPicker("Network", this.#agent, (text) => {
          this.#agent = text;
          this.#askNetwork();
        }),
        h("div", { class: "network-table scroll" }),
      );
      this.#askNetwork();
    } catch (error) {
      tellError(error);
    }
  }

  #askNetwork() {
    const game = session.game;
    if (game && this.#agent && this.#position?.outcome === "ongoing")
      this.#inquiry.look(game, game.current, [this.#agent], { seconds: 10 });
  }

  #drawNetwork() {
    const place = /** @type {HTMLElement|null} */ (this.querySelector(".network-table"));
    const result = session.game?.current.analysis[this.#agent];
    if (!place) return;
    const problem = this.#inquiry.problems.get(this.#agent);
    if (!result) {
      fill(place, h("p", { class: problem ? "problem" : "muted" }, problem ?? "Thinking …"));
      return;
    }
    this.#board.show({ overlay: overlay("prior", null, result), ghosts: new Map() });
    const rows = [...result.moves].sort((a, b) => (b.prior ?? 0) - (a.prior ?? 0)).slice(0, 10);
    fill(
      place,
      h("p", {}, `Value ${signed(result.value ?? 0)}. The board shows the priors.`),
      h(
        "table",
        { class: "children" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["Move", "Prior", "N", "Q"].map((words) => h("th", { scope: "col" }, words)),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((m) =>
            h(
              "tr",
              { class: m.move === result.move ? "chosen" : "" },
              h("th", { scope: "row" }, m.move),
              h("td", {}, m.prior === null ? "–" : percent(m.prior)),
              h("td", {}, m.visits),
              h("td", {}, m.value === null || !m.visits ? "–" : signed(m.value)),
            ),
          ),
        ),
      ),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "ArrowRight") void this.#nextPhase();
    else if (event.key === "ArrowLeft") void this.#to(this.#iterations - 1, 3);
    else if (event.key === " ") this.#turn();
    else if (event.key === "u" && session.game?.current.parent) {
      session.game.goTo(session.game.current.parent);
      session.changed();
    } else return false;
    return true;
  }
}

customElements.define("search-area", SearchArea);
