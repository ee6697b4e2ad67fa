// Analyses as they run: one socket, many analyses, each told step by step.

/** @typedef {import("./types.js").Step} Step */

/**
 * One analysis under way.
 * @typedef {object} Running
 * @property {() => void} stop the last step, with what was found until then, still arrives
 * @property {Promise<Step|null>} finished its last step; rejects with what went wrong
 */

const LOST = "The connection to the noughts server was lost. Check that it still runs, then try again.";

class Analyses {
  /** @type {WebSocket|null} */
  #socket = null;
  #number = 0;
  /** @type {Map<string, {step: (step: Step) => void, end: (step: Step|null) => void, fail: (error: Error) => void}>} */
  #waiting = new Map();

  /**
   * Starts an analysis.
   * @param {{type: "analyse"|"exact"|"game", rules: string, moves: string[], [more: string]: any}} asked
   * @param {(step: Step) => void} onStep called with each step, the last one too
   * @returns {Running}
   */
  start(asked, onStep) {
    const id = `${asked.type}-${++this.#number}`;
    const finished = new Promise((end, fail) => this.#waiting.set(id, { step: onStep, end, fail }));
    finished.catch(() => {}); // whoever waits for it hears of it
    this.#send({ ...asked, id });
    return { stop: () => this.#waiting.has(id) && this.#send({ type: "stop", id }), finished };
  }

  /** @param {object} message */
  #send(message) {
    const socket = this.#open();
    const text = JSON.stringify(message);
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else socket.addEventListener("open", () => socket.send(text), { once: true });
  }

  #open() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return this.#socket;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/analysis`);
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#lose(socket));
    this.#socket = socket;
    return socket;
  }

  /** @param {any} message */
  #hear(message) {
    const waiting = this.#waiting.get(message.id);
    if (message.type === "error") {
      this.#waiting.delete(message.id);
      waiting?.fail(new Error(message.error));
    } else if (message.type === "step" && waiting) {
      waiting.step(message);
      if (message.done) {
        this.#waiting.delete(message.id);
        waiting.end(message);
      }
    }
  }

  /** @param {WebSocket} socket */
  #lose(socket) {
    if (this.#socket !== socket) return;
    this.#socket = null;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const waiting of all) waiting.fail(new Error(LOST));
  }
}

export const analyses = new Analyses();
