// After a lost game: the mistake is looked for, the position before it is shown, and the learner finds what was right.

import * as api from "../base/api.js";
import { button, calmly, fill, h } from "../base/dom.js";
import { sideName } from "../base/format.js";
import { Game } from "../base/game.js";
import { lookThrough } from "../base/inquiry.js";
import { betweenMoves, decisive, isSettled, judge, openCount } from "../base/judge.js";
import { tellError } from "../base/news.js";
import { go } from "../base/route.js";
import { HUMAN, session, TRUTH } from "../base/session.js";
import { address, share } from "./files.js";
import { noMistake } from "./lesson.js";
import { Trainer } from "./trainer.js";

/** @typedef {import("../base/api-types.js").PositionAnswer} Position */
/** @typedef {import("../base/judge.js").Judgement} Judgement */

const SECONDS = 15; // for each position

export class MistakeFinder extends HTMLElement {
  #trainer = new Trainer();
  /** @type {import("../base/analysis.js").Running|null} */
  #running = null;
  #found = false;

  disconnectedCallback() {
    this.#running?.stop();
  }

  /** Looks for the mistake of the game on the table. @param {Game} game */
  async seek(game) {
    const nodes = game.line;
    const positions = await api.line(game.rules, game.lineMoves);
    const end = positions[positions.length - 1];
    const look = () => {
      if (this.#found || !this.isConnected) return;
      const judgements = judge(nodes, positions, TRUTH);
      const mistake = decisive(judgements, end);
      const before = mistake && nodes[mistake.ply - 1].analysis[TRUTH];
      if (mistake?.right.length && isSettled(mistake, judgements, end) && before?.kind === "exact") {
        this.#ask(game, positions, mistake, before);
        return;
      }
      if (!mistake && !openCount(nodes, positions)) {
        this.#none(nodes, positions);
        return;
      }
      const between = betweenMoves(nodes, positions);
      const where = between ? `It is between moves ${between[0]} and ${between[1]}.` : "";
      this.#wait(`Looking for the move that decided the game. ${where}`, nodes.length);
    };
    look();
    if (this.#found) return;
    try {
      this.#running = lookThrough(game, nodes, TRUTH, SECONDS, calmly(look));
      await this.#running.finished;
    } catch (error) {
      tellError(error);
    }
    if (this.#found || !this.isConnected) return;
    const judgements = judge(nodes, positions, TRUTH);
    const mistake = decisive(judgements, end);
    const before = mistake && nodes[mistake.ply - 1].analysis[TRUTH];
    if (mistake && before?.kind === "exact") this.#ask(game, positions, mistake, before);
    else this.#none(nodes, positions);
  }

  /** No move is to blame. @param {import("../base/game.js").Node[]} nodes @param {Position[]} positions */
  #none(nodes, positions) {
    this.#found = true;
    this.#running?.stop();
    const [words, why] = noMistake(nodes, positions);
    fill(this, h("div", { class: "empty" }, h("h2", {}, words), h("p", {}, why), this.#analyse()));
  }

  /** @param {string} words @param {number} count of positions */
  #wait(words, count) {
    fill(
      this,
      h(
        "div",
        { class: "empty" },
        h("h2", {}, "Where was it lost?"),
        h("p", { role: "status" }, words),
        h("progress", { "aria-label": `${count} positions are being proved` }),
        this.#analyse(),
      ),
    );
  }

  #analyse() {
    return button("analyse", "Analyse instead", () => go(`${address("analyse")}&find=mistake`), { class: "plain" });
  }

  /** @param {Game} game @param {Position[]} positions @param {Judgement} mistake @param {import("../base/api-types.js").Result} before */
  #ask(game, positions, mistake, before) {
    this.#found = true;
    this.#running?.stop();
    const position = positions[mistake.ply - 1];
    const you = game.players[mistake.side] === HUMAN && game.players.first !== game.players.second;
    const who = you ? "you" : sideName(mistake.side, position.marks);
    const kept = before.moves.filter((move) => move.kind === "exact" && move.value === before.value);
    const line = before.principal_variation;
    const wins = before.value === 1 && line.length === before.distance;
    this.#trainer.others = [
      button("share", "Share", () => void share(), { class: "plain" }),
      button("analyse", "Analyse", () => go(`${address("analyse")}&find=mistake`), { class: "plain" }),
    ];
    this.#trainer.onward = () => [
      button("play", "Play it right from here", () => this.#playOn(game, mistake.ply - 1), { class: "primary" }),
      h("a", { href: "#/learn/daily", class: "button" }, "Try a puzzle"),
    ];
    fill(this, this.#trainer);
    void this.#trainer.take({
      rules: game.rules,
      moves: position.moves,
      where: `${game.rules} · move ${mistake.ply}`,
      title: before.value === 1 ? "Find the move that wins" : "Find the move that holds the draw",
      words: `Here ${who} played ${mistake.move}, and threw the game away.${allKnown(before) ? (kept.length === 1 ? " One move is right." : ` ${kept.length} moves are right.`) : ""}`,
      open: !allKnown(before),
      solutions: [...new Set([...(wins ? [line[0]] : []), ...kept.map((move) => move.move)])],
      line: wins ? line : [],
      plies: wins ? before.distance : null,
      value: before.value,
      played: mistake.move,
    });
  }

  /** @param {Game} game @param {number} ply */
  #playOn(game, ply) {
    session.take(new Game(game.rules, { ...game.players }, game.seed, game.lineMoves.slice(0, ply)));
    go(address("play"));
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    return this.#trainer.isConnected && this.#trainer.key(event);
  }
}

/** Whether it is known of each move if it keeps the value. @param {import("../base/api-types.js").Result} result */
const allKnown = (result) => result.moves.every((move) => move.kind === "exact" || move.kind === "upper");

customElements.define("mistake-finder", MistakeFinder);
