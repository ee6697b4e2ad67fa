// Display names of programs: the opponent's name if it has one, else the training run or the kind of program.

import * as api from "./api.js";
import { HUMAN } from "./session.js";

// Modules that import this one wait for the names. If the request fails, agents get the names of their kinds.
const names = new Map((await api.opponents().catch(() => [])).map(({ agent, name }) => [agent, name]));

/** The names of the kinds of programs. @type {Record<string, string>} */
const KINDS = {
  random: "Random",
  minimax: "Minimax",
  mcts: "Monte-Carlo search",
  threats: "Threats",
  mc: "Flat Monte Carlo",
  omniscient: "Omniscient",
  perfect: "Perfect play",
  az: "AlphaZero",
  mz: "MuZero",
  es: "Evolved",
};

/** @param {string} kind */
export const kindName = (kind) => KINDS[kind] ?? kind;

/**
 * The name of a player in a sentence: "you", an opponent's name, the training run, or the kind of program, without its settings.
 * @param {string} player
 */
export function called(player) {
  if (player === HUMAN) return "you";
  const [kind, rest = ""] = player.split(/:(.*)/s);
  const run = ["az", "mz", "es"].includes(kind) ? rest.split(",")[0] : "";
  return names.get(player) ?? (run || kindName(kind));
}
