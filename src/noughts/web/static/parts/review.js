// The analysis of a whole game: its progress, the deciding move, the right moves, and how the game would have continued.

import { counted, sideName } from "../base/format.js";
import { lookThrough } from "../base/inquiry.js";
import { betweenMoves, decided, judge, openCount } from "../base/judge.js";
import { announce, tell, tellError } from "../base/news.js";
import { keepMistake } from "../base/progress.js";
import { session, TRUTH } from "../base/session.js";
import { button, html, nothing } from "../base/view.js";
import { share } from "./files.js";
import { lesson, noMistake, truthProblem } from "./lesson.js";
import { isOwn, mistakeTask } from "./mistake.js";
import { expectedLines, moveChip } from "./moves.js";

/** @import { Result } from "../base/api-types.js" */
/** @import { Game, Node } from "../base/game.js" */
/** @import { Judgement, Place } from "../base/judge.js" */
/** @import { Pointed } from "./moves.js" */
/** @import { PositionTab } from "./position-tab.js" */

/** A line of a game to analyse, and the agent whose estimates count if exact values are missing. @typedef {{game: Game, line: Place[], agent: string}} Looked */

const SECONDS = 15; // for each position; results are shown immediately
const SECOND_OPINION = "mcts:sims=20000"; // for positions that the solver cannot solve
const OPINION_SECONDS = 4;

export class Review {
  /** @type {import("../base/analysis.js").Running|null} */
  #running = null;
  /** @type {Looked|null} the game that is analysed */
  #looked = null;
  /** @type {Looked|null} the game whose mistake is searched for */
  #sought = null;
  /** The content of the lesson, if there is one. @type {unknown} */
  #lesson = nothing;
  #shown = 0; // the ply of the mistake that is shown, 0 for none
  #tab;

  /** @param {PositionTab} tab the tab that contains it */
  constructor(tab) {
    this.#tab = tab;
  }

  /** Whether a game is being analysed. */
  get busy() {
    return this.#running !== null;
  }

  /** Whether there is a lesson. */
  get teaches() {
    return this.#lesson !== nothing;
  }

  stop() {
    this.#running?.stop();
  }

  /** Called when another game is opened. */
  forget() {
    this.stop();
    this.#running = this.#sought = this.#looked = null;
    this.#shown = 0;
    this.#lesson = nothing;
    this.#tab.draw();
  }

  /** Shows the lesson, and the progress of the analysis. */
  render() {
    return html`${this.teaches ? html`<section class="lesson loss" aria-label="The mistake">${this.#lesson}</section>` : nothing}
      ${this.#running ? this.#progress() : nothing}`;
  }

  #progress() {
    const { line } = /** @type {Looked} */ (this.#looked);
    const open = openCount(line);
    const between = betweenMoves(line);
    const words = between
      ? `Still proving: the mistake is between moves ${between[0]} and ${between[1]}`
      : open
        ? `Proving: ${line.length - open} of ${line.length} positions are known`
        : "Looking at how each position goes on";
    return html`<div class="progress-row">
      <span>${words}</span>
      <progress max=${line.length} value=${line.length - open} aria-label="Analysis of the game"></progress>
      ${button("stop", "Stop", () => this.stop())}
    </div>`;
  }

  /** Analyses every position of a line: exactly, then by a program if some positions cannot be solved. @param {Looked} looked */
  async wholeGame(looked) {
    const { line, agent } = looked;
    if (line.length < 2) {
      tell("There is no move to analyse yet: click a cell to play one.");
      return;
    }
    this.#looked = looked;
    const problem = await this.#ask(looked, TRUTH).catch((error) => /** @type {Error} */ (error).message);
    if (this.#looked === looked && this.#running && openCount(line))
      await this.#ask(looked, SECOND_OPINION).catch(tellError);
    if (this.#looked !== looked) return;
    this.#running = null;
    if (problem) tell(`${truthProblem(problem)} The game was estimated instead.`);
    session.changed();
    const marked = judge(line, agent).filter((each) => each?.sign).length;
    if (!this.#sought) this.#sum(looked);
    announce(`The game is analysed: ${marked ? counted(marked, "mistake") : noMistake(line)[0]}.`);
  }

  /** @param {Looked} looked @param {string} agent */
  async #ask(looked, agent) {
    this.#running = lookThrough(looked.game, looked.line, agent, agent === TRUTH ? SECONDS : OPINION_SECONDS, () => {
      if (this.#looked === looked) this.#advance(looked);
    });
    this.#tab.draw();
    await this.#running.finished;
    return "";
  }

  /** Called when there are new results. @param {Looked} looked */
  #advance(looked) {
    if (this.#sought) this.#teach(this.#sought, false);
    else if (!openCount(looked.line)) this.#sum(looked);
    this.#tab.draw();
  }

  /** Analyses a game, goes to the deciding move as soon as it is found, and shows the right moves. @param {Looked} sought */
  async findMistake(sought) {
    this.#sought = sought;
    if (!this.busy) await this.wholeGame(sought);
    if (session.game === sought.game && this.#sought) this.#teach(this.#sought, true);
  }

  /** Sums up the analysis of a game in a line. @param {Looked} looked */
  #sum(looked) {
    const { line, agent } = looked;
    const { found } = decided(line, agent, true);
    const see = () => {
      this.#sought = looked;
      this.#shown = 0;
      this.#teach(looked, true);
    };
    this.#lesson = found
      ? html`<h2>Move ${found.ply}, ${found.move}, decided the game</h2>
          <div class="tools">${button("analyse", "See why", see, { kind: "primary" })}</div>`
      : this.#none(looked);
    this.#tab.draw();
  }

  /**
   * Shows the mistake if it is found.
   * @param {Looked} sought
   * @param {boolean} ended whether the analysis has ended
   */
  #teach(sought, ended) {
    const { game, line, agent } = sought;
    if (session.game !== game) return;
    const { found, others, known } = decided(line, agent, ended);
    if (!found || !known) {
      if (known) this.#lesson = this.#none(sought);
      this.#tab.draw();
      return;
    }
    this.#lesson = this.#mistake(sought, found, others);
    this.#tab.draw();
    if (this.#shown === found.ply) return;
    this.#shown = found.ply;
    const { node, position } = line[found.ply - 1];
    const before = node.analysis[TRUTH];
    if (before?.kind === "exact" && isOwn(game, found)) keepMistake(mistakeTask(game, position, found, before));
    session.goTo(node);
    announce(`Move ${found.ply}, ${found.move}, decided the game. Right was ${found.right.join(" or ")}.`);
  }

  /** @param {Looked} sought */
  #none(sought) {
    const [words, why] = noMistake(sought.line);
    const again = button("analyse", "Look again", () => this.findMistake(sought), { kind: "primary" });
    return html`<h2>${words}</h2><p>${why}</p>
      ${betweenMoves(sought.line) ? html`<div class="tools">${again}</div>` : nothing}`;
  }

  /** @param {Looked} sought @param {Judgement} found @param {Judgement[]} others */
  #mistake({ game, line }, found, others) {
    const who = isOwn(game, found) ? "you" : sideName(found.side, line[0].position.marks);
    const [before, after] = line.slice(found.ply - 1).map(({ node }) => node);
    const how = {
      point: (/** @type {Pointed|null} */ pointed) => this.#tab.pointAt(pointed, before),
      watch: (/** @type {string[]} */ line) => void this.#tab.watch(line, before),
      choose: (/** @type {Pointed} */ { line, end }) => {
        game.follow(before, line, end);
        session.changed();
      },
    };
    const other = (/** @type {Judgement} */ { ply, move, sign }) =>
      moveChip({ ply, move, sign }, () => session.goTo(line[ply - 1].node));
    return html`${lesson(found, before.analysis[TRUTH], who)} ${expectedLines(lines(found, before, after), how)}
      ${others.length ? html`<p class="other-mistakes">Other mistakes: ${others.map(other)}</p>` : nothing}
      <div class="tools">
        ${button("play", "Play it right from here", () => this.#tab.playOn(before), { kind: "primary" })}
        ${button("share", "Share this position", share)}
      </div>`;
  }
}

/**
 * Lines from the position before the mistake: the win that was missed, and the refutation of the mistake.
 * @param {Judgement} found
 * @param {Node} before
 * @param {Node} after
 * @returns {[string, string[]][]}
 */
function lines(found, before, after) {
  const [kept, answer] = [before, after].map((node) => node.analysis[TRUTH]);
  const wins = (/** @type {Result|undefined} */ result) =>
    result?.kind === "exact" && result.value === 1 && result.principal_variation.length >= (result.distance ?? 2);
  return [
    ["How to win", wins(kept) ? kept.principal_variation : []],
    [`Why not ${found.move}`, wins(answer) ? [found.move, ...answer.principal_variation] : []],
  ];
}
