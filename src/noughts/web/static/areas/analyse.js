// <analyse-area>: a game with what is thought of it: overlays, ranked moves, lines, the value over the game, the tree.

import * as api from "../base/api.js";
import { button, check, choice, fill, h } from "../base/dom.js";
import { sideName, stateWords } from "../base/format.js";
import { Inquiry } from "../base/inquiry.js";
import { foundBy, judge, worth } from "../base/judge.js";
import { keep, keptChoices } from "../base/kept.js";
import { announce, emptiness, tellError } from "../base/news.js";
import { KINDS, LEGENDS, overlay } from "../base/overlay.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { HUMAN, session, TRUTH } from "../base/session.js";
import { agentPicker } from "../parts/agents.js";
import { ghosts, playBoard } from "../parts/board.js";
import { address, chooseFile, filesPanel, loadGame, share } from "../parts/files.js";
import { ValueGraph } from "../parts/graph.js";
import { Imagined } from "../parts/imagined.js";
import { verdict } from "../parts/lesson.js";
import { expectedLines, rankedMoves } from "../parts/moves.js";
import { Notes } from "../parts/notes.js";
import { Review } from "../parts/review.js";
import { drawTree } from "../parts/tree.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/game.js").Node} Node */
/** @typedef {import("../base/judge.js").Judgement} Judgement */
/** @typedef {import("../base/overlay.js").Kind} Kind */
/** @typedef {import("../parts/moves.js").Pointed} Pointed */

const SHIPPED = "example"; // the game with notes that ships: whoever changes it keeps another one
const EXACT_SECONDS = 10;
const DEEP_SECONDS = 60;
const DEFAULT = {
  overlay: /** @type {Kind} */ ("exact"),
  agent: "mcts:sims=100000",
  live: true,
  threats: true,
};

export class AnalyseArea extends HTMLElement {
  #settings = keptChoices("analyse", DEFAULT);
  #board = playBoard("Board", (square) => this.#play(square));
  #graph = new ValueGraph();
  #state = h("h1", { class: "state" });
  #verdict = h("div", { class: "verdict" });
  #legend = h("p", { class: "legend muted" });
  #ranked = h("div", { class: "ranked-place" });
  #lines = h("div", { class: "lines" });
  #imagined = new Imagined();
  #notes = new Notes();
  #tree = h("div", { class: "tree", role: "group", "aria-label": "Moves and variations" });
  #inquiry = new Inquiry(() => this.#draw());
  #review = new Review({
    draw: () => this.#draw(),
    show: (node) => this.#goTo(node),
    point: (node, pointed) => void this.#point(node === session.game?.current ? pointed : null),
    playOn: (node) => this.#playOn(node),
  });
  #nav = [
    button("first", "To the start", () => this.#walk(0), { quiet: true }),
    button("back", "One move back", () => this.undo(), { quiet: true }),
    button("forward", "One move forward", () => this.redo(), { quiet: true }),
    button("last", "To the end", () => this.#walk(Infinity), { quiet: true }),
  ];
  /** @type {Position|null} */
  #position = null;
  /** @type {Node[]} the line that is drawn: while another is asked for, the game is ahead of it */
  #nodes = [];
  /** @type {Position[]} of that line */
  #positions = [];
  #ply = 0;
  #all = false;
  /** @type {Pointed|null} */
  #pointed = null;
  #turn = 0;
  #gone = new AbortController();

  connectedCallback() {
    this.#gone = new AbortController();
    session.addEventListener("change", () => void this.#refresh(), { signal: this.#gone.signal });
    session.addEventListener("game", () => this.#review.forget(), { signal: this.#gone.signal });
    this.#graph.addEventListener("ply", (event) => this.#walk(/** @type {CustomEvent} */ (event).detail), {
      signal: this.#gone.signal,
    });
  }

  disconnectedCallback() {
    this.#gone.abort();
    this.#inquiry.stop();
    this.#review.stop();
  }

  /** Shows the position of an address. @param {URLSearchParams} params */
  async show(params) {
    const kept = params.get("game");
    if (kept) {
      try {
        const { game } = await api.game(kept);
        await loadGame(game, kept === SHIPPED ? null : kept, { shipped: kept === SHIPPED });
        return; // that led to the game's own address
      } catch (error) {
        tellError(error);
      }
    }
    try {
      const rules = params.get("rules") ?? session.game?.rules;
      if (!rules) throw new Error("Start a game, open one from a file, or paste a position.");
      if (params.get("rules")) {
        const players = { first: params.get("first") ?? undefined, second: params.get("second") ?? undefined };
        const at = params.has("at") ? Number(params.get("at")) : Infinity;
        await session.open(rules, movesOf(params), players, at, params.has("seed") ? Number(params.get("seed")) : null);
      }
    } catch (error) {
      fill(
        this,
        emptiness(
          "No game to analyse",
          /** @type {Error} */ (error).message,
          h(
            "div",
            { class: "tools" },
            button("new", "New game", () => go(routeTo("new")), { class: "primary" }),
            button("load", "Open a file", () => chooseFile(), {}),
          ),
        ),
      );
      return;
    }
    this.#build();
    await this.#refresh();
    if (params.get("find") === "mistake") void this.#findMistake();
  }

  #build() {
    const { overlay: shown, agent, live, threats } = this.#settings;
    fill(
      this,
      h(
        "div",
        { class: "table analysis" },
        h(
          "div",
          { class: "table-board" },
          choice("Show on the board", KINDS, shown, (value) => this.#set({ overlay: value })),
          this.#board,
          this.#legend,
          h("div", { class: "nav-row", role: "toolbar", "aria-label": "Moves" }, this.#nav),
          h("div", { class: "panel graph-panel" }, this.#graph),
        ),
        h(
          "div",
          { class: "table-side" },
          h("div", { class: "panel status-panel" }, this.#state, this.#verdict, this.#notes.element),
          this.#review.lesson,
          this.#review.progress,
          h(
            "div",
            { class: "tools", role: "toolbar", "aria-label": "Game" },
            button("analyse", "Analyse the whole game", () => void this.#wholeGame(), { class: "primary" }),
            button("play", "Play from here", () => this.#playOn(), {}),
            button("share", "Share", () => void share(), { quiet: true }),
          ),
          h(
            "section",
            { class: "panel", "aria-label": "Moves, best first" },
            h("h2", {}, "Moves, best first"),
            this.#ranked,
            this.#lines,
          ),
          this.#imagined.element,
          h("section", { class: "panel", "aria-label": "The game" }, h("h2", {}, "The game"), this.#tree),
          h(
            "details",
            { class: "panel" },
            h("summary", {}, "Who analyses"),
            agentPicker("Agent", agent, (text) => this.#set({ agent: text })),
            check("Analyse every position I look at", live, (checked) => this.#set({ live: checked })),
            check("Mark what lines threaten", threats, (checked) => this.#set({ threats: checked })),
            h(
              "div",
              { class: "tools" },
              button("analyse", "Look deeper here", () => this.#look(true), {}),
              button(
                "stop",
                "Stop",
                () => {
                  this.#inquiry.stop();
                  this.#draw();
                },
                {},
              ),
            ),
          ),
          filesPanel(() => this.#board.overlay),
        ),
      ),
    );
  }

  /** @param {Partial<typeof DEFAULT>} changed */
  #set(changed) {
    Object.assign(this.#settings, changed);
    keep("analyse", this.#settings);
    this.#board.threats = this.#settings.threats;
    if (changed.agent !== undefined || changed.live !== undefined) this.#look(false);
    else this.#draw();
  }

  /** Draws another position of the game, and asks about it. */
  async #refresh() {
    const game = session.game;
    if (!game || !this.isConnected || !this.querySelector(".analysis")) return;
    const turn = ++this.#turn;
    const before = this.#position?.text;
    try {
      const [nodes, moves, ply] = [game.line, game.lineMoves, game.current.ply];
      const positions = moves.length ? await api.line(game.rules, moves) : [await api.position(game.rules, [])];
      if (turn !== this.#turn) return;
      this.#nodes = nodes;
      this.#positions = positions;
      this.#ply = ply;
      this.#position = positions[ply];
    } catch (error) {
      tellError(error);
      return;
    }
    this.#pointed = null;
    this.#board.threats = this.#settings.threats;
    this.#board.show({ position: this.#position, ghosts: new Map() });
    go(address("analyse"), { replace: true });
    if (before && before !== this.#position.text)
      announce(`${this.#position.last ?? "start"}. ${stateWords(this.#position)}`);
    this.#look(false);
    this.#draw();
  }

  /** @param {boolean} again also what was answered, and longer */
  #look(again) {
    const game = session.game;
    if (!game || !this.#position) return;
    if (this.#position.outcome !== "ongoing" || this.#review.busy || !(this.#settings.live || again))
      this.#inquiry.stop();
    else
      this.#inquiry.look(game, game.current, [TRUTH, this.#settings.agent], {
        seconds: again ? DEEP_SECONDS : EXACT_SECONDS,
        again,
      });
  }

  /** Draws what is known about the position on the board. */
  #draw() {
    const [game, position] = [session.game, this.#position];
    if (!game || !position || !this.isConnected) return;
    const [line, node] = [this.#nodes, this.#nodes[this.#ply]];
    const [exact, found] = [node.analysis[TRUTH], foundBy(node, this.#settings.agent)];
    const judgements = judge(line, this.#positions, this.#settings.agent);
    const worths = line.map((each, ply) => worth(each, this.#positions[ply], this.#settings.agent));
    // Where no solver helps, the board shows what the agent thinks instead.
    const withPriors =
      this.#settings.overlay === "prior"
        ? [found, ...Object.values(node.analysis)].find((each) => each?.moves.some((m) => m.prior !== null))
        : null;
    const unknown = this.#settings.overlay === "exact" && !exact && this.#inquiry.problems.has(TRUTH);
    this.#board.show({
      overlay: overlay(unknown ? "value" : this.#settings.overlay, exact, withPriors ?? found),
      rings: this.#rings(judgements, node),
    });
    this.#legend.textContent = unknown
      ? `Truth is out of reach here, so the agent’s values are shown. ${LEGENDS.value}`
      : this.#settings.overlay === "prior" && !withPriors
        ? "Only agents with a network (az) have priors: choose one under “Who analyses”."
        : LEGENDS[this.#settings.overlay];
    if (this.#settings.threats) this.#legend.append(" A bar under a cell: a line is completed or threatened there.");
    this.#state.textContent = stateWords(position);
    this.#notes.show(node);
    fill(
      this.#verdict,
      verdict(position, exact, found, judgements[node.ply], { agent: this.#settings.agent, asked: this.#inquiry }),
    );
    const how = {
      point: (/** @type {Pointed|null} */ pointed) => void this.#point(pointed),
      choose: (/** @type {Pointed} */ pointed) => this.#playLine(pointed),
    };
    if (position.outcome === "ongoing") {
      rankedMoves(this.#ranked, exact, found, {
        ...how,
        all: this.#all,
        showAll: () => {
          this.#all = true;
          this.#draw();
        },
      });
      expectedLines(
        this.#lines,
        [
          ["Truth expects", (exact?.kind === "exact" && exact.principal_variation) || []],
          ["The agent expects", found?.principal_variation ?? []],
        ],
        how,
      );
      const of = { rules: game.rules, moves: position.moves, agent: this.#settings.agent };
      const [own, best] = [node.analysis[of.agent], exact].map((each) => each?.principal_variation ?? []);
      if (own.length) void this.#imagined.offer({ ...of, line: own.length < best.length ? best : own });
    } else {
      this.#imagined.clear();
      fill(
        this.#ranked,
        h("p", { class: "muted" }, "The game is over. Go back to see what else could have been played."),
      );
      fill(this.#lines);
    }
    const signs = new Map(line.map((each, ply) => [each, judgements[ply]?.sign ?? ""]));
    drawTree(this.#tree, game, signs, {
      choose: (each) => this.#goTo(each),
      promote: (each) => {
        game.promote(each);
        session.changed();
      },
      remove: (each) => {
        game.remove(each);
        session.changed();
      },
    });
    const names = /** @type {[string, string]} */ (
      /** @type {const} */ (["first", "second"]).map((side) => sideName(side, position.marks))
    );
    this.#graph.show(worths, judgements, node.ply, names);
    for (const [index, each] of this.#nav.entries()) each.disabled = index < 2 ? !node.parent : !node.next;
  }

  /** The mistake that follows, and what was right. @param {(Judgement|null)[]} judgements @param {Node} node */
  #rings(judgements, node) {
    const rings = new Map();
    const next = judgements[node.ply + 1];
    if (!next) return rings;
    if (!next.sign) {
      if (node.next) rings.set(next.move, { sign: "", tone: "played", words: "played in the game" });
      return rings;
    }
    rings.set(next.move, {
      sign: next.sign,
      tone: "wrong",
      words: next.sure ? "played, a proved mistake" : "played, probably a mistake",
    });
    for (const square of next.right)
      rings.set(square, { sign: "✓", tone: "right", words: next.sure ? "right" : "probably right" });
    return rings;
  }

  /** Replays a line on the board, numbered, while it is pointed at. @param {Pointed|null} pointed */
  async #point(pointed) {
    this.#pointed = pointed;
    const game = session.game;
    if (!game) return;
    if (!pointed) {
      this.#board.show({ ghosts: new Map() });
      return;
    }
    const before = game.current.moves;
    try {
      const positions = await api.line(game.rules, [...before, ...pointed.line.slice(0, pointed.end)]);
      if (this.#pointed === pointed) this.#board.show({ ghosts: ghosts(positions, before.length) });
    } catch {
      // a line that the server does not follow is not shown
    }
  }

  /** @param {Pointed} pointed */
  #playLine(pointed) {
    const game = session.game;
    if (!game) return;
    game.follow(game.current, pointed.line, pointed.end);
    session.changed();
  }

  /** @param {string} square */
  #play(square) {
    session.game?.play(square);
    session.changed();
  }

  /** @param {Node} node */
  #goTo(node) {
    session.game?.goTo(node);
    session.changed();
  }

  /** @param {number} ply */
  #walk(ply) {
    const line = session.game?.line;
    if (line) this.#goTo(line[Math.min(ply, line.length - 1)]);
  }

  undo() {
    if (session.game?.current.parent) this.#goTo(session.game.current.parent);
  }

  redo() {
    if (session.game?.current.next) this.#goTo(session.game.current.next);
  }

  /** @param {Node} [node] from another position than the one on the board */
  #playOn(node) {
    const game = session.game;
    if (!game) return;
    if (node) game.goTo(node);
    // From a position in the middle the later moves stay in the tree; the side to move is the person's.
    const side = game.current.ply % 2 === 0 ? "first" : "second";
    const [agent] = [game.players.first, game.players.second].filter((player) => player !== HUMAN);
    if (agent) game.players = side === "first" ? { first: HUMAN, second: agent } : { first: agent, second: HUMAN };
    game.current.followed = null;
    this.#turn++; // what is being drawn here says nothing any more about where the game is
    go(routeTo("play", { rules: game.rules, moves: game.current.moves.join(" "), ...game.players, seed: game.seed }));
  }

  /** Looks through every position of the line. */
  async #wholeGame() {
    const game = session.game;
    if (!game || this.#review.busy) return;
    this.#inquiry.stop();
    await this.#review.wholeGame(game, this.#nodes, this.#positions, this.#settings.agent);
  }

  /** Finds the move that decided the game. */
  async #findMistake() {
    const game = session.game;
    if (!game) return;
    game.goTo(/** @type {Node} */ (game.line.at(-1)));
    await this.#refresh();
    this.#settings.overlay = "exact";
    /** @type {HTMLInputElement|null} */ (this.querySelector("input[value=exact]"))?.click();
    await this.#review.findMistake(game, this.#nodes, this.#positions, this.#settings.agent);
  }

  /** What the keys do here. @param {KeyboardEvent} event @returns {boolean} whether it was used */
  key(event) {
    const kinds = KINDS.map(([kind]) => kind);
    switch (event.key) {
      case "u":
      case "ArrowLeft":
        this.undo();
        return true;
      case "r":
      case "ArrowRight":
        this.redo();
        return true;
      case "Home":
        this.#walk(0);
        return true;
      case "End":
        this.#walk(Infinity);
        return true;
      case "a":
        void this.#wholeGame();
        return true;
      case "p":
        this.#playOn();
        return true;
      case "o": {
        const next = kinds[(kinds.indexOf(this.#settings.overlay) + 1) % kinds.length];
        /** @type {HTMLInputElement|null} */ (this.querySelector(`input[value=${next}]`))?.click();
        return true;
      }
      default:
        return false;
    }
  }
}

customElements.define("analyse-area", AnalyseArea);
