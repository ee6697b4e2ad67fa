// Live analyses of the current position, by agents and exact, with each result saved in the game's tree.

import { analyses, prove } from "./analysis.js";
import * as api from "./api.js";
import { TRUTH } from "./session.js";
import { calmly } from "./view.js";

/** @import { Game, Node } from "./game.js" */
/** @import { Place } from "./judge.js" */
/** @import { Result } from "./api-types.js" */

const TRIES = 6; // an agent that must be loaded first may return no result within its time
const PAUSE = 120; // milliseconds at a position before the first request, so that stepping through a game sends none

/** Results that a later step or another analysis may improve. @type {WeakSet<Result>} */
const partial = new WeakSet();

export class Inquiry {
  /** @type {Map<string, import("./analysis.js").Running>} */
  #running = new Map();
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #look = 0;
  #changed;
  /** Error messages, by agent. @type {Map<string, string>} */
  problems = new Map();

  /** @param {() => void} changed called after each step */
  constructor(changed) {
    this.#changed = calmly(changed);
  }

  /** The agents whose analyses are running. */
  get busy() {
    return [...this.#running.keys()];
  }

  /**
   * Requests analyses of a position from the agents whose results it lacks, and stops all earlier analyses.
   * @param {{rules: string, seed: number}} game
   * @param {Node} node
   * @param {string[]} agents may include `TRUTH`
   * @param {{seconds: number, again?: boolean}} how
   */
  look(game, node, agents, how) {
    this.stop();
    const look = this.#look;
    const open = agents.filter((agent) => how.again || !node.analysis[agent] || partial.has(node.analysis[agent]));
    if (!open.length) return;
    this.#timer = setTimeout(() => {
      for (const agent of open) this.#ask(game, node, agent, how.seconds, look, TRIES);
      this.#changed();
    }, PAUSE);
  }

  /** @param {{rules: string, seed: number}} game @param {Node} node @param {string} agent @param {number} seconds @param {number} look @param {number} tries */
  #ask(game, node, agent, seconds, look, tries) {
    const subject = { rules: game.rules, moves: node.moves, seconds };
    const onStep = (/** @type {import("./analysis.js").Step} */ step) => {
      if (step.result) {
        node.analysis[agent] = step.result;
        if (!step.done || look !== this.#look) partial.add(step.result);
      }
      this.#changed();
    };
    const running =
      agent === TRUTH
        ? prove(subject, onStep)
        : analyses.start({ type: "analyse", ...subject, agent, seed: game.seed }, onStep);
    this.#running.set(agent, running);
    const end = (/** @type {string} */ problem) => {
      if (look !== this.#look) return;
      this.#running.delete(agent);
      if (problem) this.problems.set(agent, problem);
      this.#changed();
    };
    running.finished.then(
      (last) => {
        if (last?.result || look !== this.#look) end("");
        else if (tries > 1) this.#ask(game, node, agent, seconds, look, tries - 1);
        else end(`Nothing was found in ${TRIES} times ${seconds} seconds: look deeper, or give it less to do.`);
      },
      (error) => end(error.message),
    );
  }

  /** Stops all analyses. Their results so far are kept. */
  stop() {
    clearTimeout(this.#timer);
    this.#look++;
    for (const running of this.#running.values()) running.stop();
    this.#running.clear();
    this.problems.clear();
    this.#changed();
  }
}

/** The nodes and positions of a game's current line, from its root to its end. @param {Game} game @returns {Promise<Place[]>} */
export async function placesOf(game) {
  const nodes = game.line;
  const positions = await api.line(game.rules, game.lineMoves);
  return nodes.map((node, ply) => ({ node, position: positions[ply] }));
}

/**
 * Requests an agent's analysis of every position of a line, and saves the results in the tree.
 * @param {{rules: string, seed: number}} game
 * @param {Place[]} line from the root
 * @param {string} agent
 * @param {number} seconds for each position
 * @param {() => void} onStep
 */
export function lookThrough(game, line, agent, seconds, onStep) {
  const { moves } = line[line.length - 1].position;
  const asked = agent === TRUTH ? null : agent;
  const changed = calmly(onStep);
  return analyses.start({ type: "game", rules: game.rules, moves, agent: asked, seed: game.seed, seconds }, (step) => {
    const { node } = line[step.ply];
    const isWorse = node.analysis[agent]?.kind === "exact" && step.result?.kind !== "exact";
    if (step.result && !isWorse) node.analysis[agent] = step.result;
    if (step.bounds) node.bounds = step.bounds;
    changed();
  });
}
