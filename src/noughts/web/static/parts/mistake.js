// <mistake-finder>: finds the mistake of a lost game, shows the position before it, and lets the learner find the right move.

import { sideName } from "../base/format.js";
import { Game } from "../base/game.js";
import { lookThrough, placesOf } from "../base/inquiry.js";
import { betweenMoves, decided } from "../base/judge.js";
import { emptiness, tellError } from "../base/news.js";
import { keepMistake } from "../base/progress.js";
import { go } from "../base/route.js";
import { HUMAN, session, TRUTH } from "../base/session.js";
import { button, html, linkButton, nothing, View } from "../base/view.js";
import { address, seeMistake, share } from "./files.js";
import { noMistake } from "./lesson.js";
import { Trainer } from "./trainer.js";

/** @import { PositionAnswer as Position, Result } from "../base/api-types.js" */
/** @import { Judgement, Place } from "../base/judge.js" */

const SECONDS = 15; // for each position

/** Whether a person who played against a program made the mistake. @param {Game} game @param {Judgement} mistake */
export const isOwn = ({ players }, { side }) => players[side] === HUMAN && players.first !== players.second;

/**
 * Makes a task of a mistake: find the right move.
 * @param {Game} game
 * @param {Position} position the position before it
 * @param {Judgement} mistake
 * @param {Result} before the exact values there
 * @returns {import("./trainer.js").Task}
 */
export function mistakeTask(game, position, mistake, before) {
  const who = isOwn(game, mistake) ? "you" : sideName(mistake.side, position.marks);
  const kept = before.moves.filter((move) => move.kind === "exact" && move.value === before.value);
  const line = before.principal_variation;
  const wins = before.value === 1 && line.length === before.distance;
  const known = before.moves.every((move) => move.kind === "exact" || move.kind === "upper");
  const count = !known ? "" : kept.length === 1 ? " One move is right." : ` ${kept.length} moves are right.`;
  return {
    rules: game.rules,
    moves: position.moves,
    where: `${game.rules} · move ${mistake.ply}`,
    title: before.value === 1 ? "Find the move that wins" : "Find the move that holds the draw",
    words: `Here ${who} played ${mistake.move}, and threw the game away.${count}`,
    open: !known,
    solutions: [...new Set([...(wins ? [line[0]] : []), ...kept.map((move) => move.move)])],
    line: wins ? line : [],
    plies: wins ? before.distance : null,
    value: before.value,
    played: mistake.move,
  };
}

const instead = button("analyse", "Analyse instead", seeMistake, { kind: "plain" });

export class MistakeFinder extends View {
  /** @type {unknown} */
  view = nothing;
  #trainer = new Trainer();
  /** @type {import("../base/analysis.js").Running|null} */
  #running = null;
  #found = false;
  #game;

  /** @param {Game} game the game with the mistake */
  constructor(game) {
    super();
    this.#game = game;
  }

  arrive() {
    if (!this.#found) void this.#seek().catch(tellError);
  }

  depart() {
    this.#running?.stop();
  }

  render() {
    return this.view;
  }

  async #seek() {
    const line = await placesOf(this.#game);
    this.#look(line, false);
    if (this.#found) return;
    try {
      this.#running = lookThrough(this.#game, line, TRUTH, SECONDS, () => this.#look(line, false));
      await this.#running.finished;
    } catch (error) {
      tellError(error);
    }
    this.#look(line, true);
  }

  /** Shows the mistake if the results so far decide it. @param {Place[]} line @param {boolean} ended whether the proofs have ended */
  #look(line, ended) {
    if (this.#found || !this.isConnected) return;
    const { found, known } = decided(line, TRUTH, ended);
    const before = found && line[found.ply - 1].node.analysis[TRUTH];
    if (known && found && before?.kind === "exact") this.#ask(line[found.ply - 1].position, found, before);
    else if (ended || (known && !found)) this.#end(emptiness(...noMistake(line), instead));
    else {
      const between = betweenMoves(line);
      const where = between ? ` It is between moves ${between[0]} and ${between[1]}.` : "";
      this.view = emptiness(
        "Where was it lost?",
        html`<span role="status">Looking for the move that decided the game.${where}</span>`,
        html`<progress aria-label=${`${line.length} positions are being proved`}></progress> ${instead}`,
      );
    }
  }

  /** @param {unknown} view */
  #end(view) {
    this.#found = true;
    this.#running?.stop();
    this.view = view;
  }

  /** @param {Position} position @param {Judgement} mistake @param {Result} before */
  #ask(position, mistake, before) {
    const task = mistakeTask(this.#game, position, mistake, before);
    if (isOwn(this.#game, mistake)) keepMistake(task);
    this.#trainer.others = html`${button("share", "Share", share, { kind: "plain" })}
      ${button("analyse", "Analyse", seeMistake, { kind: "plain" })}`;
    this.#trainer.onward =
      () => html`${button("play", "Play it right from here", () => this.#playOn(mistake.ply - 1), { kind: "primary" })}
      ${linkButton("#/learn/daily", "Try a puzzle")}`;
    this.#end(this.#trainer);
    void this.#trainer.take(task);
  }

  /** @param {number} ply */
  #playOn(ply) {
    const { rules, players, seed, lineMoves } = this.#game;
    session.take(new Game(rules, { ...players }, seed, lineMoves.slice(0, ply)));
    go(address("play"));
  }
}

customElements.define("mistake-finder", MistakeFinder);
