// Analyses as they run: one socket, many analyses, each sent step by step. After a lost connection all of them are requested again.

import { tell } from "./news.js";

/** @import { Result } from "./api-types.js" */

/**
 * One step of an analysis, over the socket; `result` is null where the game is over.
 * @typedef {object} Step
 * @property {"step"} type
 * @property {string} id
 * @property {number} ply
 * @property {boolean} done
 * @property {number} seconds
 * @property {Result|null} result
 * @property {[number, number]|null} bounds on the value for the side to move, where the positions of a game are proved together
 */

/** Why there is no analysis, over the socket; without an id where the message had none. @typedef {{type: "error", id: string|null, error: string}} Complaint */

/** What is looked at, and the seconds for each position. @typedef {{rules: string, moves: string[], seconds: number}} Subject */

/**
 * Truth about a position, or what an agent, or truth for none, says of it or of every position of a game.
 * @typedef {Subject & ({type: "exact"} | {type: "analyse"|"game", agent: string|null, seed: number})} Asked
 */

/**
 * One analysis under way.
 * @typedef {object} Running
 * @property {() => void} stop the last step, with what was found until then, still arrives
 * @property {Promise<Step|null>} finished its last step; rejects with what went wrong
 */

const LOST = "The connection to the noughts server was lost. Check that it still runs: it is tried again and again.";
const AGAIN = 1500; // milliseconds until a lost connection is tried again

class Analyses {
  /** @type {WebSocket|null} */
  #socket = null;
  #number = 0;
  #isLost = false; // whether the connection is tried again
  /** @type {Map<string, {asked: Asked, step: (step: Step) => void, end: (step: Step|null) => void, fail: (error: Error) => void}>} */
  #waiting = new Map();

  /**
   * Starts an analysis.
   * @param {Asked} asked
   * @param {(step: Step) => void} onStep called with each step, the last one too
   * @returns {Running}
   */
  start(asked, onStep) {
    const id = `${asked.type}-${++this.#number}`;
    const finished = new Promise((end, fail) => this.#waiting.set(id, { asked, step: onStep, end, fail }));
    finished.catch(() => {}); // handled by those who wait for it
    if (!this.#send({ ...asked, id })) this.#open();
    return { stop: () => this.#stop(id), finished };
  }

  /** @param {string} id */
  #stop(id) {
    const waiting = this.#waiting.get(id);
    if (!waiting || this.#send({ type: "stop", id })) return;
    this.#waiting.delete(id); // nothing was asked yet
    waiting.end(null);
  }

  /** Sends a message if there is a connection. @param {object} message @returns {boolean} whether there is one */
  #send(message) {
    const isOpen = this.#socket?.readyState === WebSocket.OPEN;
    if (isOpen) this.#socket?.send(JSON.stringify(message));
    return isOpen;
  }

  /** Opens a connection, on which all that wait are asked for, unless there is one. */
  #open() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/analysis`);
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("open", () => this.#askAll());
    socket.addEventListener("close", () => this.#lose(socket));
    this.#socket = socket;
  }

  /** @param {Step|Complaint} message */
  #receive(message) {
    const id = message.id ?? "";
    const waiting = this.#waiting.get(id);
    if (message.type === "error") {
      this.#waiting.delete(id);
      waiting?.fail(new Error(message.error));
    } else if (waiting) {
      waiting.step(message);
      if (message.done) {
        this.#waiting.delete(id);
        waiting.end(message);
      }
    }
  }

  /** @param {WebSocket} socket */
  #lose(socket) {
    if (this.#socket !== socket) return;
    this.#socket = null;
    if (!this.#waiting.size) return;
    if (!this.#isLost) tell(LOST, { error: true });
    this.#isLost = true;
    setTimeout(() => this.#open(), AGAIN);
  }

  #askAll() {
    this.#isLost = false;
    for (const [id, { asked }] of this.#waiting) this.#send({ ...asked, id });
  }
}

export const analyses = new Analyses();

/** Proves what a position is worth. @param {Subject} subject @param {(step: Step) => void} onStep */
export const prove = (subject, onStep) => analyses.start({ type: "exact", ...subject }, onStep);
