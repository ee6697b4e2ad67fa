// Live analyses: one socket carries many analyses, each sent step by step. After a lost connection all are requested again.

import { tell } from "./news.js";

/** @import { Result } from "./api-types.js" */

/**
 * One step of an analysis, from the socket; `result` is null in a terminal position.
 * @typedef {object} Step
 * @property {"step"} type
 * @property {string} id
 * @property {number} ply
 * @property {boolean} done
 * @property {number} seconds
 * @property {Result|null} result
 * @property {[number, number]|null} bounds on the value for the side to move, if the positions of a game are proved together
 */

/** The error of an analysis, from the socket; its id is null if the message had none. @typedef {{type: "error", id: string|null, error: string}} Complaint */

/** The position or game to analyse, and the seconds for each position. @typedef {{rules: string, moves: string[], seconds: number}} Subject */

/**
 * A request: exact values of a position (`exact`), or an analysis of it or of every position of a game, by an agent, or exact if null.
 * @typedef {Subject & ({type: "exact"} | {type: "analyse"|"game", agent: string|null, seed: number})} Asked
 */

/**
 * A running analysis.
 * @typedef {object} Running
 * @property {() => void} stop stops it; a last step with the latest result still arrives
 * @property {Promise<Step|null>} finished its last step; rejects with the error
 */

const LOST = "The connection to the noughts server was lost. Check that it still runs: it is tried again and again.";
const AGAIN = 1500; // milliseconds before reconnecting

class Analyses {
  /** @type {WebSocket|null} */
  #socket = null;
  #number = 0;
  #isLost = false; // whether it is reconnecting
  /** @type {Map<string, {asked: Asked, step: (step: Step) => void, end: (step: Step|null) => void, fail: (error: Error) => void}>} */
  #waiting = new Map();

  /**
   * Starts an analysis.
   * @param {Asked} asked
   * @param {(step: Step) => void} onStep called with each step, also the last
   * @returns {Running}
   */
  start(asked, onStep) {
    const id = `${asked.type}-${++this.#number}`;
    const finished = new Promise((end, fail) => this.#waiting.set(id, { asked, step: onStep, end, fail }));
    finished.catch(() => {}); // callers handle it
    if (!this.#send({ ...asked, id })) this.#open();
    return { stop: () => this.#stop(id), finished };
  }

  /** @param {string} id */
  #stop(id) {
    const waiting = this.#waiting.get(id);
    if (!waiting || this.#send({ type: "stop", id })) return;
    this.#waiting.delete(id); // it was not sent yet
    waiting.end(null);
  }

  /** Sends a message if the connection is open. @param {object} message @returns {boolean} whether it is open */
  #send(message) {
    const isOpen = this.#socket?.readyState === WebSocket.OPEN;
    if (isOpen) this.#socket?.send(JSON.stringify(message));
    return isOpen;
  }

  /** Opens a connection unless there is one; then all waiting analyses are requested. */
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

/** Computes the exact value of a position. @param {Subject} subject @param {(step: Step) => void} onStep */
export const prove = (subject, onStep) => analyses.start({ type: "exact", ...subject }, onStep);
