// The current state of the server's class, received over a WebSocket: this visitor, the pupils and the games.

import { keep, kept } from "/static/base/kept.js";
import { tell } from "/static/base/news.js";
import { go, routeTo } from "/static/base/route.js";
import { ask } from "./api.js";

/** @import { ClassAnswer as ClassState, ClassGameAnswer as ClassGame } from "./api-types.js" */
/** @import { Body_solved_api_class_solved_post as Solved } from "./api-types.js" */

const ENDED = 4000; // the close code after which the client must not reconnect
const FIRST_PAUSE = 500; // milliseconds before reconnecting; doubled each time, up to
const LONGEST_PAUSE = 8000;
const LOST = "The connection is lost. Trying again …";
const UNKNOWN = "The server was started again: open the new address for you alone, which it printed.";

/** The address of a game. @param {string} id */
export const gameRoute = (id) => routeTo(`class/game/${id}`);

/** The whole address of a game, for a classmate. @param {string} id */
export const gameAddress = (id) => `${location.origin}/${gameRoute(id)}`;

class Classroom extends EventTarget {
  /** The id of this pupil; empty for the teacher, null until loaded. @type {string|null} */
  me = null;
  /** The class; null until loaded. @type {ClassState|null} */
  state = null;
  /** The games by id. @type {Map<string, ClassGame>} */
  games = new Map();
  /** Why the socket is not open, and what happens next; empty while it is open. */
  lost = LOST;
  #pause = FIRST_PAUSE;
  /** @type {Promise<void>|null} */
  #beginning = null;

  /** Identifies this visitor, then listens. Event: "change", of the class, of a game, or of the connection. */
  begin() {
    this.#beginning ??= this.#begin();
    return this.#beginning;
  }

  async #begin() {
    try {
      this.me = (await ask("GET /api/class")).me;
    } catch {
      return; // the server is unreachable; the area shows that itself
    }
    this.#listen();
    for (const body of this.#unsent) this.#report(body);
  }

  get isTeacher() {
    return this.me === "";
  }

  /** A pupil with nickname and presence; undefined if not loaded, or removed. @param {string} id */
  pupil(id) {
    return this.state?.pupils.find((pupil) => pupil.id === id);
  }

  /** Saves a game from the server, unless a newer version has arrived over the socket or HTTP. @param {ClassGame} game */
  take(game) {
    const before = this.games.get(game.id);
    if (before && before.version > game.version) return;
    this.games.set(game.id, game);
    this.dispatchEvent(new CustomEvent("change"));
    this.#call(before, game);
  }

  /** Reports a puzzle that the pupil solved. @param {import("/static/base/api-types.js").PuzzleAnswer} puzzle */
  solved({ rules, moves, solutions }) {
    if (this.me) this.#report({ rules, moves, move: solutions[0] });
  }

  /** Solved puzzles without an answer of the server, which the browser keeps. @returns {Solved[]} */
  get #unsent() {
    return /** @type {Solved[]|null} */ (kept(`class-solved-${this.me}`)) ?? [];
  }

  /** @param {Solved} body */
  async #report(body) {
    const others = () => this.#unsent.filter((other) => JSON.stringify(other) !== JSON.stringify(body));
    keep(`class-solved-${this.me}`, [...others(), body]);
    const { status } = await ask("POST /api/class/solved", { body }).catch((error) => error);
    // No answer, or the server is busy. Generated puzzles are rejected: only bundled ones count.
    if (status === 0 || status >= 429) setTimeout(() => this.#report(body), LONGEST_PAUSE);
    else keep(`class-solved-${this.me}`, others());
  }

  /** Notifies a pupil whose game's open seat was taken. @param {ClassGame|undefined} before @param {ClassGame} game */
  #call(before, game) {
    if (location.hash === gameRoute(game.id) || game.maker !== this.me) return;
    if (before?.state === "waiting" && game.state === "playing")
      tell("Your game has begun.", { act: ["Look", () => go(gameRoute(game.id))] });
  }

  #listen() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/class/live`);
    socket.addEventListener("open", () => {
      this.#pause = FIRST_PAUSE;
      this.#lose("");
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      this.#lose(LOST);
      if (event.code === ENDED) return location.reload(); // leads to the page for joining
      setTimeout(() => this.#listenAgain(), this.#pause);
      this.#pause = Math.min(LONGEST_PAUSE, 2 * this.#pause);
    });
  }

  /** Reconnects, unless the server no longer lets this visitor in. */
  async #listenAgain() {
    const { status } = await ask("GET /api/class").catch((error) => error);
    if (status !== 403) return this.#listen();
    if (!this.isTeacher) return location.reload(); // leads to the page for joining
    this.#lose(UNKNOWN);
  }

  /** @param {string} lost */
  #lose(lost) {
    if (lost === this.lost) return;
    this.lost = lost;
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** @param {{type: "class", class: ClassState}|{type: "game", game: ClassGame}} message */
  #receive(message) {
    if (message.type === "game") {
      this.take(message.game);
      return;
    }
    this.state = message.class;
    this.me = message.class.me;
    this.dispatchEvent(new CustomEvent("change"));
  }
}

export const classroom = new Classroom();
