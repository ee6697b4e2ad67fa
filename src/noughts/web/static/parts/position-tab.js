// The analysis tab for one position: overlays, ranked moves, lines, the value over the game, its tree, and its losing move.

import * as api from "../base/api.js";
import { SIDES, sideName, stateWords } from "../base/format.js";
import { Inquiry } from "../base/inquiry.js";
import { foundBy, judge, worth } from "../base/judge.js";
import { keep, keptChoices } from "../base/kept.js";
import { KINDS, overlay } from "../base/overlay.js";
import { go, routeTo } from "../base/route.js";
import { HUMAN, session, TRUTH } from "../base/session.js";
import { button, check, choice, html, keyed, nothing } from "../base/view.js";
import { agentPicker } from "./agents.js";
import { ghosts } from "./board.js";
import { address, filesPanel, share } from "./files.js";
import "./graph.js";
import "./imagined.js";
import { verdict } from "./lesson.js";
import { expectedLines, rankedMoves } from "./moves.js";
import "./notes.js";
import { Review } from "./review.js";
import "./tree.js";

/** @import { AnalyseArea, Looked } from "../areas/analyse.js" */
/** @import { Node } from "../base/game.js" */
/** @import { Judgement } from "../base/judge.js" */
/** @import { Kind } from "../base/overlay.js" */
/** @import { Pointed } from "./moves.js" */

const EXACT_SECONDS = 10;
const DEEP_SECONDS = 60;
const TICK = 800; // milliseconds for each move of an animated line
/** Overlays that are always offered; others are offered on request. @type {Kind[]} */
const FIRST_KINDS = ["none", "exact", "value"];
const DEFAULT = {
  overlay: /** @type {Kind} */ ("exact"),
  agent: "mcts:sims=100000",
  live: true,
  threats: true,
};

export class PositionTab {
  #settings = keptChoices("analyse", DEFAULT);
  #area;
  #inquiry;
  #review;
  #every = false; // whether every legal move is listed
  #kinds = false; // whether every overlay is offered
  /** @type {Pointed|null} */
  #pointed = null;
  /** The moves of the line under the pointer. @type {Map<string, import("./board.js").Ghost>} */
  #ghosts = new Map();
  /** The timer of an animated line. @type {ReturnType<typeof setInterval>|undefined} */
  #watching;

  /** @param {AnalyseArea} area */
  constructor(area) {
    this.#area = area;
    this.#inquiry = new Inquiry(() => this.draw());
    this.#review = new Review(this);
  }

  draw() {
    this.#area.requestUpdate();
  }

  get address() {
    return address("analyse");
  }

  /** Called when another game is opened. */
  forget() {
    this.#review.forget();
  }

  stop() {
    this.#halt();
    this.#inquiry.stop();
    this.#review.stop();
  }

  /** Called when another position is on the board. */
  moved() {
    this.#halt();
    this.#pointed = null;
    this.#ghosts = new Map();
    this.#look(false);
  }

  /** Requests analyses of the position. @param {boolean} again whether to repeat finished ones, for longer */
  #look(again) {
    const looked = this.#area.looked;
    if (!looked) return;
    const over = looked.position.outcome !== "ongoing";
    const how = { seconds: again ? DEEP_SECONDS : EXACT_SECONDS, again };
    if (over || this.#review.busy || !(this.#settings.live || again)) this.#inquiry.stop();
    else this.#inquiry.look(looked.game, looked.node, [TRUTH, this.#settings.agent], how);
  }

  /** @param {Partial<typeof DEFAULT>} changed */
  #set(changed) {
    Object.assign(this.#settings, changed);
    keep("analyse", this.#settings);
    if (changed.agent !== undefined || changed.live !== undefined) this.#look(false);
    this.draw();
  }

  /** @param {Looked} looked */
  render(looked) {
    const { game, line, ply, node, position } = looked;
    const { agent, threats } = this.#settings;
    const [exact, found] = [node.analysis[TRUTH], foundBy(node, agent)];
    const judgements = judge(line, agent);
    const { cells, legend } = this.#overlay(node);
    const signs = new Map(line.map((place, index) => [place.node, judgements[index]?.sign ?? ""]));
    const names = SIDES.map((side) => sideName(side, position.marks));
    const every = this.#kinds || !FIRST_KINDS.includes(this.#settings.overlay);
    const { none, exact: proved, value } = KINDS;
    const kinds = every ? KINDS : { none, exact: proved, value };
    const offerAll = () => {
      this.#kinds = true;
      this.draw();
    };
    return html`<div class="table analysis">
      <div class="table-board">
        <div class="overlay-row">
          ${choice("Show on the board", kinds, this.#settings.overlay, (kind) => this.#set({ overlay: kind }))}
          ${every ? nothing : button("", "More", offerAll, { kind: "plain", label: "More to show" })}
        </div>
        ${this.#area.board({ overlay: cells, threats, rings: rings(judgements, node), ghosts: this.#ghosts })}
        ${this.#area.controls()}
        <p class="legend muted">${legend}</p>
        <div class="panel graph-panel">
          <value-graph .worths=${line.map((place) => worth(place, agent))} .judgements=${judgements}
            .ply=${ply} .names=${names} @ply=${(/** @type {CustomEvent} */ event) => this.#area.walk(event.detail)}></value-graph>
        </div>
      </div>
      <div class="table-side stack">
        <div class="panel status-panel">
          <h1 class="state">${stateWords(position)}</h1>
          <div class="verdict">${verdict(position, exact, found, judgements[ply], { agent, asked: this.#inquiry })}</div>
          ${keyed(node, html`<position-note class="annotations" .node=${node}></position-note>`)}
        </div>
        ${this.#review.render()}
        <div class="tools" role="toolbar" aria-label="Game">
          ${button("analyse", "Analyse the whole game", () => this.#wholeGame(), { kind: this.#review.teaches ? "" : "primary" })}
          ${button("play", "Play from here", () => this.playOn())} ${button("share", "Share", share, { quiet: true })}
        </div>
        <section class="panel" aria-label="Moves, best first">
          <h2>Moves, best first</h2>
          ${this.#moves(looked)}
        </section>
        ${keyed(position.text + agent, html`<imagined-line .offered=${this.#imagines(looked)}></imagined-line>`)}
        <section class="panel" aria-label="The game">
          <h2>The game</h2>
          <game-tree class="tree" role="group" aria-label="Moves and variations" .game=${game} .signs=${signs}
            @choose=${(/** @type {CustomEvent} */ event) => session.goTo(event.detail)}
            @promote=${(/** @type {CustomEvent} */ event) => this.#change(() => game.promote(event.detail))}
            @remove=${(/** @type {CustomEvent} */ event) => this.#change(() => game.remove(event.detail))}></game-tree>
        </section>
        ${this.#who()} ${filesPanel(game, cells)}
      </div>
    </div>`;
  }

  /** The overlay of the board and its legend. If the position is not solved, they show the program's estimates. @param {Node} node */
  #overlay(node) {
    const { overlay: kind, agent, threats } = this.#settings;
    const [exact, found] = [node.analysis[TRUTH], foundBy(node, agent)];
    const unknown = kind === "exact" && !exact && this.#inquiry.problems.has(TRUTH);
    const withPriors =
      kind === "prior"
        ? [found, ...Object.values(node.analysis)].find((each) => each?.moves.some((m) => m.prior !== null))
        : null;
    const legend = unknown
      ? `This position could not be solved, so these are the program’s estimates. ${KINDS.value[1]}`
      : kind === "prior" && !withPriors
        ? "Only programs with a network (az) have priors: choose one under “Which program”."
        : KINDS[kind][1];
    const bars = threats ? " A bar under a cell: a line is completed or threatened there." : "";
    return { cells: overlay(unknown ? "value" : kind, exact, withPriors ?? found), legend: legend + bars };
  }

  /** @param {Looked} looked */
  #moves({ node, position }) {
    if (position.outcome !== "ongoing")
      return html`<p class="muted">The game is over. Go back to see what else could have been played.</p>`;
    const [exact, found] = [node.analysis[TRUTH], foundBy(node, this.#settings.agent)];
    const how = {
      point: (/** @type {Pointed|null} */ pointed) => this.pointAt(pointed),
      watch: (/** @type {string[]} */ line) => void this.watch(line),
      choose: (/** @type {Pointed} */ { line, end }) => this.#change((game) => game.follow(game.current, line, end)),
      all: this.#every,
      showAll: () => {
        this.#every = true;
        this.draw();
      },
    };
    const proved = exact?.kind === "exact" ? exact.principal_variation : [];
    const expected = found?.principal_variation ?? [];
    /** @type {[string, string[]][]} */
    const lines = Object.entries({ Proved: proved, "The program expects": expected });
    return html`${rankedMoves(exact, found, how)} ${expectedLines(lines, how)}`;
  }

  /** The line that the program's model can predict. @param {Looked} looked */
  #imagines({ node, position }) {
    if (position.outcome !== "ongoing") return null;
    const { agent } = this.#settings;
    const [own, best] = [agent, TRUTH].map((name) => node.analysis[name]?.principal_variation ?? []);
    if (!own.length) return null;
    return { position, agent, line: own.length < best.length ? best : own };
  }

  #who() {
    const { agent, live, threats } = this.#settings;
    return html`<details class="panel">
      <summary>Which program</summary>
      ${agentPicker("Program", agent, (text) => this.#set({ agent: text }))}
      ${check("Analyse every position I look at", live, (checked) => this.#set({ live: checked }))}
      ${check("Mark what lines threaten", threats, (checked) => this.#set({ threats: checked }))}
      <div class="tools">${button("analyse", "Look deeper here", () => this.#look(true))} ${button("stop", "Stop", () => this.#inquiry.stop())}</div>
    </details>`;
  }

  /** Shows the line under the pointer, in place of an animated one. A pointer that leaves does not stop an animation. @param {Pointed|null} pointed @param {Node} [node] the start of the line */
  pointAt(pointed, node = session.game?.current) {
    if (pointed) this.#halt();
    if (!this.#watching) void this.#point(node === session.game?.current ? pointed : null);
  }

  /** Animates a line on the board, move by move. @param {string[]} line @param {Node} [node] its start, if not the position on the board */
  async watch(line, node = session.game?.current) {
    if (node && node !== session.game?.current) {
      session.goTo(node);
      await this.#area.refresh();
    }
    this.#halt();
    let end = 0;
    const next = () => {
      void this.#point({ line, end: ++end });
      if (end === line.length) this.#halt();
    };
    this.#watching = setInterval(next, TICK);
    next();
  }

  #halt() {
    clearInterval(this.#watching);
    this.#watching = undefined;
  }

  /** Shows a line as numbered moves on the board. @param {Pointed|null} pointed */
  async #point(pointed) {
    this.#pointed = pointed;
    const game = session.game;
    if (!game) return;
    let shown = new Map();
    if (pointed) {
      const before = game.current.moves;
      const line = [...before, ...pointed.line.slice(0, pointed.end)];
      // A line that the server rejects is not shown.
      const positions = await api.line(game.rules, line).catch(() => null);
      if (this.#pointed !== pointed) return;
      if (positions) shown = ghosts(positions, before.length);
    }
    this.#ghosts = shown;
    this.draw();
  }

  /** @param {(game: import("../base/game.js").Game) => unknown} change */
  #change(change) {
    if (session.game) change(session.game);
    session.changed();
  }

  /** @param {Node} [node] the start, if not the position on the board */
  playOn(node) {
    const game = session.game;
    if (!game) return;
    if (node) game.goTo(node);
    // Later moves stay in the tree. The person plays the side to move.
    const side = game.current.ply % 2 === 0 ? "first" : "second";
    const [agent] = [game.players.first, game.players.second].filter((player) => player !== HUMAN);
    if (agent) game.players = side === "first" ? { first: HUMAN, second: agent } : { first: agent, second: HUMAN };
    game.current.followed = null;
    this.#area.leave(); // an unfinished update here must not overwrite the address
    go(routeTo("play", { ...game.params, moves: game.current.moves.join(" ") }));
  }

  /** Analyses every position of the line. */
  async #wholeGame() {
    const looked = this.#area.looked;
    if (!looked || this.#review.busy) return;
    this.#inquiry.stop();
    await this.#review.wholeGame({ ...looked, agent: this.#settings.agent });
  }

  /** Finds the move that decided the game. */
  async findMistake() {
    const game = session.game;
    if (!game) return;
    game.goTo(/** @type {Node} */ (game.line.at(-1)));
    this.#settings.overlay = "exact";
    await this.#area.refresh();
    const looked = this.#area.looked;
    this.#inquiry.stop();
    if (looked) await this.#review.findMistake({ ...looked, agent: this.#settings.agent });
  }

  /** @param {KeyboardEvent} event @returns {boolean} whether the key was used */
  key(event) {
    if (event.key === "a") void this.#wholeGame();
    else if (event.key === "p") this.playOn();
    else if (event.key === "o") {
      const kinds = /** @type {Kind[]} */ (Object.keys(KINDS));
      this.#set({ overlay: kinds[(kinds.indexOf(this.#settings.overlay) + 1) % kinds.length] });
    } else return false;
    return true;
  }
}

/** Marks the next move if it is a mistake, and the right moves. @param {(Judgement|null)[]} judgements @param {Node} node */
function rings(judgements, node) {
  const found = new Map();
  const next = judgements[node.ply + 1];
  if (!next) return found;
  if (!next.sign) {
    if (node.next) found.set(next.move, { sign: "", tone: "played", words: "played in the game" });
    return found;
  }
  const words = next.sure ? "played, a proved mistake" : "played, probably a mistake";
  found.set(next.move, { sign: next.sign, tone: "wrong", words });
  for (const square of next.right)
    found.set(square, { sign: "✓", tone: "right", words: next.sure ? "right" : "probably right" });
  return found;
}
