// A whole game looked through: how far it is, the move that decided it, what was right, and how it would have gone.

import { button, calmly, fill, h } from "../base/dom.js";
import { counted, sideName } from "../base/format.js";
import { lookThrough } from "../base/inquiry.js";
import { betweenMoves, decisive, isSettled, judge, mistakes, openCount } from "../base/judge.js";
import { announce, tell, tellError } from "../base/news.js";
import { HUMAN, session, TRUTH } from "../base/session.js";
import { share } from "./files.js";
import { lesson, noMistake, truthProblem } from "./lesson.js";
import { expectedLines } from "./moves.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/api-types.js").Result} Result */
/** @typedef {import("../base/game.js").Game} Game */
/** @typedef {import("../base/game.js").Node} Node */
/** @typedef {import("../base/judge.js").Judgement} Judgement */
/** @typedef {import("./moves.js").Pointed} Pointed */

/** A game that is looked through. @typedef {{game: Game, nodes: Node[], positions: Position[], agent: string}} Looked */

/**
 * What the lesson asks of the area around it.
 * @typedef {object} Around
 * @property {() => void} draw more is known
 * @property {(node: Node) => void} show go to a position
 * @property {(node: Node, pointed: Pointed|null) => void} point draw a line from a position on the board
 * @property {(node: Node) => void} playOn play from a position
 */

const SECONDS = 15; // for each position; what is known is told at once
const SECOND_OPINION = "mcts:sims=20000"; // where truth is out of reach
const OPINION_SECONDS = 4;

export class Review {
  progress = h("div", { class: "progress-row", hidden: true });
  lesson = h("section", { class: "lesson", hidden: true, "aria-label": "The mistake" });
  /** @type {import("../base/analysis.js").Running|null} */
  #running = null;
  /** @type {Looked|null} the game that is looked through */
  #looked = null;
  /** @type {Looked|null} the game whose mistake is looked for */
  #sought = null;
  #taught = ""; // what the lesson shows
  #told = 0; // the ply of the mistake that was gone to, 0 before
  #around;
  #draw;

  /** @param {Around} around */
  constructor(around) {
    this.#around = around;
    this.#draw = calmly(() => {
      around.draw();
      if (this.#running) this.#show();
      if (this.#sought) this.#teach(false);
      else if (this.#looked && !openCount(this.#looked.nodes, this.#looked.positions)) this.#sum(this.#looked);
    });
  }

  /** Whether a game is being looked through. */
  get busy() {
    return this.#running !== null;
  }

  stop() {
    this.#running?.stop();
  }

  /** Another game is on the table. */
  forget() {
    this.stop();
    this.#running = this.#sought = null;
    this.#looked = null;
    this.#told = 0;
    this.#taught = "";
    this.lesson.hidden = true;
    this.progress.hidden = true;
  }

  /**
   * Looks through every position of the line: truth first, then a second opinion where truth is out of reach.
   * @param {Game} game
   * @param {Node[]} nodes of a line of it
   * @param {Position[]} positions of these
   * @param {string} agent whose estimates count where truth is not known
   */
  async wholeGame(game, nodes, positions, agent) {
    if (nodes.length < 2) {
      tell("There is no move to analyse yet: click a cell to play one.");
      return;
    }
    const looked = { game, nodes, positions, agent };
    this.#looked = looked;
    const problem = await this.#ask(looked, TRUTH).catch((error) => /** @type {Error} */ (error).message);
    if (this.#looked === looked && this.#running && openCount(nodes, positions))
      await this.#ask(looked, SECOND_OPINION).catch(tellError);
    if (this.#looked !== looked) return;
    this.#running = null;
    this.progress.hidden = true;
    if (problem) tell(`Truth: ${truthProblem(problem)} The game was estimated instead.`);
    session.changed();
    const marked = judge(nodes, positions, agent).filter((each) => each?.sign).length;
    if (!this.#sought) this.#sum(looked);
    announce(`The game is analysed: ${marked ? counted(marked, "mistake") : noMistake(nodes, positions)[0]}.`);
  }

  /**
   * Looks through a game, goes to the move that decided it as soon as it is known, and says what was right.
   * @param {Game} game
   * @param {Node[]} nodes of a line of it
   * @param {Position[]} positions of these
   * @param {string} agent
   */
  async findMistake(game, nodes, positions, agent) {
    this.#sought = { game, nodes, positions, agent };
    if (!this.busy) await this.wholeGame(game, nodes, positions, agent);
    if (session.game === game && this.#sought) this.#teach(true);
  }

  /** Says what came of a whole game, in a line. @param {Looked} looked */
  #sum({ nodes, positions, agent }) {
    const found = decisive(judge(nodes, positions, agent), positions[positions.length - 1]);
    const [words, why] = noMistake(nodes, positions);
    const see = () => button("analyse", "See why", () => this.#seek({ nodes, positions, agent }), { class: "primary" });
    this.#write(JSON.stringify([found?.ply, words, why]), () =>
      fill(
        this.lesson,
        found
          ? [h("h2", {}, `Move ${found.ply}, ${found.move}, decided the game`), h("div", { class: "tools" }, see())]
          : [h("h2", {}, words), h("p", {}, why)],
      ),
    );
  }

  /** @param {Pick<Looked, "nodes"|"positions"|"agent">} looked */
  #seek(looked) {
    if (!session.game) return;
    this.#sought = { game: session.game, ...looked };
    this.#told = 0;
    this.#teach(true);
  }

  /**
   * Shows the mistake as far as it is known.
   * @param {boolean} ended whether nothing more will be found
   */
  #teach(ended) {
    const sought = /** @type {Looked} */ (this.#sought);
    const { game, nodes, positions, agent } = sought;
    if (session.game !== game) return;
    const judgements = judge(nodes, positions, agent);
    const end = positions[positions.length - 1];
    const found = decisive(judgements, end);
    const known = ended || !openCount(nodes, positions); // distances may come later: they change no verdict
    if (!found || !(known || isSettled(found, judgements, end))) {
      if (known) this.#write(JSON.stringify(noMistake(nodes, positions)), () => this.#none(sought));
      return;
    }
    const [before, after] = [nodes[found.ply - 1], nodes[found.ply]];
    const others = mistakes(judgements, end).filter((each) => each !== found);
    const lines = this.#lines(found, before, after);
    this.#write(JSON.stringify([found, lines, others, before.analysis[TRUTH]?.distance]), () =>
      this.#mistake(sought, found, lines, others),
    );
    if (this.#told === found.ply) return;
    this.#told = found.ply;
    this.#around.show(before);
    announce(this.lesson.textContent ?? "");
  }

  /** Draws the lesson if it says something else than before. @param {string} what @param {() => void} draw */
  #write(what, draw) {
    if (this.#taught === what) return;
    this.#taught = what;
    draw();
    this.lesson.hidden = false;
  }

  /** @param {Looked} sought */
  #none({ game, nodes, positions, agent }) {
    const [words, why] = noMistake(nodes, positions);
    fill(
      this.lesson,
      h("h2", {}, words),
      h("p", {}, why),
      betweenMoves(nodes, positions) &&
        h(
          "div",
          { class: "tools" },
          button("analyse", "Look again", () => void this.findMistake(game, nodes, positions, agent), {
            class: "primary",
          }),
        ),
    );
  }

  /**
   * How it would have gone, and how it was punished: lines from the position before the mistake.
   * @param {Judgement} found
   * @param {Node} before
   * @param {Node} after
   * @returns {[string, string[]][]}
   */
  #lines(found, before, after) {
    const [kept, answer] = [before, after].map((node) => node.analysis[TRUTH]);
    const wins = (/** @type {Result|undefined} */ result) =>
      result?.kind === "exact" && result.value === 1 && result.principal_variation.length >= (result.distance ?? 2);
    return [
      ["How to win", wins(kept) ? kept.principal_variation : []],
      [`Why not ${found.move}`, wins(answer) ? [found.move, ...answer.principal_variation] : []],
    ];
  }

  /**
   * @param {Looked} sought
   * @param {Judgement} found
   * @param {[string, string[]][]} lines
   * @param {Judgement[]} others
   */
  #mistake({ game, nodes, positions }, found, lines, others) {
    const you = game.players[found.side] === HUMAN && game.players.first !== game.players.second;
    const who = you ? "you" : sideName(found.side, positions[0].marks);
    const before = nodes[found.ply - 1];
    const place = h("div", { class: "lines" });
    expectedLines(place, lines, {
      point: (pointed) => this.#around.point(before, pointed),
      choose: ({ line, end }) => {
        game.follow(before, line, end);
        session.changed();
      },
    });
    fill(
      this.lesson,
      lesson(found, before.analysis[TRUTH], who),
      place,
      others.length > 0 &&
        h(
          "p",
          { class: "other-mistakes" },
          "Other mistakes: ",
          others.map((each) =>
            h(
              "button",
              { type: "button", class: "move-chip", onclick: () => this.#around.show(nodes[each.ply - 1]) },
              h("small", { "aria-hidden": "true" }, each.ply),
              `${each.move}${each.sign}`,
            ),
          ),
        ),
      h(
        "div",
        { class: "tools" },
        button("play", "Play it right from here", () => this.#around.playOn(before), { class: "primary" }),
        button("share", "Share this position", () => void share(), {}),
      ),
    );
  }

  /** @param {Looked} looked @param {string} agent @returns {Promise<string>} "" when all is asked */
  async #ask({ game, nodes }, agent) {
    this.#running = lookThrough(game, nodes, agent, agent === TRUTH ? SECONDS : OPINION_SECONDS, this.#draw);
    this.#show();
    await this.#running.finished;
    this.#draw();
    return "";
  }

  /** How far it is. */
  #show() {
    const { nodes, positions } = /** @type {Looked} */ (this.#looked);
    const open = openCount(nodes, positions);
    const between = betweenMoves(nodes, positions);
    this.progress.hidden = false;
    fill(
      this.progress,
      h(
        "span",
        {},
        between
          ? `Still proving: the mistake is between moves ${between[0]} and ${between[1]}`
          : open
            ? `Proving: ${nodes.length - open} of ${nodes.length} positions are known`
            : "Looking at how each position goes on",
      ),
      h("progress", { max: nodes.length, "aria-label": "Analysis of the game", value: nodes.length - open }),
      button("stop", "Stop", () => this.stop(), {}),
    );
  }
}
