// What agents are called for people: the opponents with a name; all others by their text.

import * as api from "./api.js";
import { HUMAN } from "./session.js";

/** @type {Map<string, string>} */
const names = new Map();

/** Learns the names; `then` is called once they are known. @param {() => void} then */
export function learnNames(then) {
  if (names.size) return;
  api.opponents().then(
    (found) => {
      for (const { agent, name } of found) names.set(agent, name);
      then();
    },
    () => {}, // without names there are texts
  );
}

/**
 * A player as it is called in a sentence: you, Otto, or an agent's text.
 * @param {string} player
 */
export const called = (player) => (player === HUMAN ? "you" : (names.get(player) ?? player));
