// What programs are called for people: those with a name by it, the others by their run or by what they do.

import * as api from "./api.js";
import { HUMAN } from "./session.js";

// Modules that import this one wait for them; without an answer agents are called by their texts.
const names = new Map((await api.opponents().catch(() => [])).map(({ agent, name }) => [agent, name]));

/** What the kinds of programs are called. @type {Record<string, string>} */
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
 * A player as it is called in a sentence: you, Otto, the run that trained it, or what it does; its settings stand behind the name.
 * @param {string} player
 */
export function called(player) {
  if (player === HUMAN) return "you";
  const [kind, rest = ""] = player.split(/:(.*)/s);
  const run = ["az", "mz", "es"].includes(kind) ? rest.split(",")[0] : "";
  return names.get(player) ?? (run || kindName(kind));
}
