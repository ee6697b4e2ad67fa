// A whole game looked through: how far it is, the move that decided it, what was right, and how it would have gone.

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

/** A line of a game that is looked through, and whose estimates count where truth is not known. @typedef {{game: Game, line: Place[], agent: string}} Looked */

const SECONDS = 15; // for each position; what is known is shown at once
const SECOND_OPINION = "mcts:sims=20000"; // where truth is out of reach
const OPINION_SECONDS = 4;

export class Review {
  /** @type {import("../base/analysis.js").Running|null} */
  #running = null;
  /** @type {Looked|null} the game that is looked through */
  #looked = null;
  /** @type {Looked|null} the game whose mistake is looked for */
  #sought = null;
  /** What the lesson shows; nothing before there is one. @type {unknown} */
  #lesson = nothing;
  #shown = 0; // the ply of the mistake that was gone to, 0 before
  #tab;

  /** @param {PositionTab} tab around it */
  constructor(tab) {
    this.#tab = tab;
  }

  /** Whether a game is being looked through. */
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

  /** Another game is on the table. */
  forget() {
    this.stop();
    this.#running = this.#sought = this.#looked = null;
    this.#shown = 0;
    this.#lesson = nothing;
    this.#tab.draw();
  }

  /** The lesson, and how far the analysis of the game is. */
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

  /** Looks through every position of a line: truth first, then a second opinion where truth is out of reach. @param {Looked} looked */
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

  /** More is known. @param {Looked} looked */
  #advance(looked) {
    if (this.#sought) this.#teach(this.#sought, false);
    else if (!openCount(looked.line)) this.#sum(looked);
    this.#tab.draw();
  }

  /** Looks through a game, goes to the move that decided it as soon as it is known, and shows what was right. @param {Looked} sought */
  async findMistake(sought) {
    this.#sought = sought;
    if (!this.busy) await this.wholeGame(sought);
    if (session.game === sought.game && this.#sought) this.#teach(this.#sought, true);
  }

  /** Shows what came of a whole game, in a line. @param {Looked} looked */
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
   * Shows the mistake as far as it is known.
   * @param {Looked} sought
   * @param {boolean} ended whether nothing more will be found
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
 * How it would have gone, and how it was punished: lines from the position before the mistake.
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
