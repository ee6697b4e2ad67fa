// A whole game looked through: how far it is, the move that decided it, and what was right.

import { button, fill, h } from "../base/dom.js";
import { counted, sideName } from "../base/format.js";
import { lookThrough } from "../base/inquiry.js";
import { decisive, judge } from "../base/judge.js";
import { announce, tell, tellError } from "../base/news.js";
import { HUMAN, session, TRUTH } from "../base/session.js";
import { share } from "./files.js";
import { lesson, noMistake, truthProblem } from "./lesson.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/game.js").Game} Game */
/** @typedef {import("../base/judge.js").Judgement} Judgement */

const SECONDS = 4; // for each position
const SECOND_OPINION = "mcts:sims=20000"; // where truth is out of reach

export class Review {
  progress = h("div", { class: "progress-row", hidden: true });
  lesson = h("section", { class: "lesson", hidden: true, "aria-label": "The mistake" });
  /** @type {import("../base/analysis.js").Running|null} */
  #running = null;
  #draw;

  /** @param {() => void} draw called when more is known */
  constructor(draw) {
    this.#draw = draw;
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
    this.#running = null;
    this.lesson.hidden = true;
    this.progress.hidden = true;
  }

  /**
   * Looks through every position of the line: truth first, then a second opinion where truth is out of reach.
   * @param {Game} game
   * @param {Position[]} positions of its line
   * @param {string} agent whose estimates count where truth is not known
   */
  async wholeGame(game, positions, agent) {
    const nodes = game.line;
    if (nodes.length < 2) {
      tell("There is no move to analyse yet: click a cell to play one.");
      return;
    }
    const problem = await this.#ask(game, TRUTH, "Proving").catch((error) => /** @type {Error} */ (error).message);
    const unproved = nodes.slice(0, -1).some((node) => node.analysis[TRUTH]?.kind !== "exact");
    if (session.game === game && this.#running && unproved)
      await this.#ask(game, SECOND_OPINION, "Estimating").catch(tellError);
    if (session.game !== game) return;
    this.#running = null;
    this.progress.hidden = true;
    if (problem) tell(`Truth: ${truthProblem(problem)} The game was estimated instead.`);
    session.changed();
    const marked = judge(nodes, positions, agent).filter((each) => each?.sign).length;
    announce(`The game is analysed: ${marked ? counted(marked, "mistake") : "no mistake found"}.`);
  }

  /**
   * Looks through a game and finds the move that decided it; says so if there is none.
   * @param {Game} game
   * @param {Position[]} positions of its line
   * @param {string} agent
   * @returns {Promise<Judgement|null>}
   */
  async findMistake(game, positions, agent) {
    if (!this.busy) await this.wholeGame(game, positions, agent);
    if (session.game !== game) return null;
    const end = positions[positions.length - 1];
    const found = decisive(judge(game.line, positions, agent), end);
    if (!found) {
      fill(this.lesson, h("h2", {}, "No mistake found"), h("p", {}, noMistake(game.line, end)));
      this.lesson.hidden = false;
    }
    return found;
  }

  /**
   * Says what was right instead of a mistake.
   * @param {Game} game
   * @param {Judgement} found
   * @param {Position[]} positions of the line
   * @param {() => void} playOn
   */
  teach(game, found, positions, playOn) {
    const you = game.players[found.side] === HUMAN && game.players.first !== game.players.second;
    const who = you ? "you" : sideName(found.side, positions[0].marks);
    fill(
      this.lesson,
      lesson(found, game.line[found.ply - 1].analysis[TRUTH], who),
      h(
        "div",
        { class: "tools" },
        button("play", "Play it right from here", playOn, { class: "primary" }),
        button("share", "Share this position", () => void share(), {}),
      ),
    );
    this.lesson.hidden = false;
    announce(this.lesson.textContent ?? "");
  }

  /** @param {Game} game @param {string} agent @param {string} words @returns {Promise<string>} "" when all is asked */
  async #ask(game, agent, words) {
    const nodes = game.line;
    this.#show(words, 0, nodes.length);
    this.#running = lookThrough(game, nodes, agent, SECONDS, (done) => {
      if (session.game !== game) return;
      this.#show(words, done, nodes.length);
      this.#draw();
    });
    await this.#running.finished;
    return "";
  }

  /** @param {string} words @param {number} done @param {number} total */
  #show(words, done, total) {
    this.progress.hidden = false;
    fill(
      this.progress,
      h("span", {}, `${words} position ${Math.min(done + 1, total)} of ${total}`),
      h("progress", { max: total, "aria-label": "Analysis of the game", value: done }),
      button("stop", "Stop", () => this.stop(), {}),
    );
  }
}
