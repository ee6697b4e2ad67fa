// The current game, shared by all areas: its content, where it is saved, and its events.

import * as api from "./api.js";
import { Game } from "./game.js";
import { keep, kept } from "./kept.js";
import { movesOf } from "./route.js";

/** @import { Node } from "./game.js" */

const KEEP_AFTER = 800; // milliseconds without a change
export const TRUTH = "perfect"; // the key of exact values in a node's analysis
export const HUMAN = "human";

class Session extends EventTarget {
  /** @type {Game|null} */
  game = null;
  /** @type {string|null} the id of the saved game on the server */
  id = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #saving = Promise.resolve();
  /** @type {string|null} the content of a bundled game, which is saved only once it differs */
  #shipped = null;

  constructor() {
    super();
    addEventListener("storage", () => this.#takeOver());
  }

  /**
   * Makes a game the current one.
   * @param {Game} game
   * @param {string|null} [id]
   * @param {boolean} [shipped] whether it is bundled with noughts, so that it is saved only once it is changed
   */
  take(game, id = null, shipped = false) {
    this.#flush();
    this.game = game;
    this.id = id;
    this.#shipped = shipped ? editable(game) : null;
    this.#draft();
    this.dispatchEvent(new CustomEvent("game"));
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Goes to a position of the game. @param {Node} node */
  goTo(node) {
    this.game?.goTo(node);
    this.changed();
  }

  /** Reports that the game or the position in it changed, and saves it. */
  changed() {
    this.#draft();
    this.dispatchEvent(new CustomEvent("change"));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), KEEP_AFTER);
  }

  /**
   * Opens the game of an address: the current one if it has these moves, else the one from the last visit, else a new one.
   * @param {URLSearchParams} params
   * @param {string} [usual] the rules if the address has none
   */
  async open(params, usual = "") {
    const moves = movesOf(params);
    const [at, seed] = ["at", "seed"].map((name) =>
      /^\d+$/.test(params.get(name) ?? "") ? Number(params.get(name)) : null,
    );
    const players = Object.fromEntries([...params].filter(([name]) => name === "first" || name === "second"));
    const { rules } = (await api.line(params.get("rules") ?? usual, moves))[0];
    const fits = (/** @type {Game|null} */ game) =>
      game?.rules === rules &&
      (seed ?? game.seed) === game.seed && // another seed is another game
      (players.first ?? game.players.first) === game.players.first &&
      (players.second ?? game.players.second) === game.players.second &&
      game.find(moves);
    const known = [this.game, this.draft()].find(fits);
    const game = known ?? new Game(rules, { first: HUMAN, second: HUMAN, ...players }, seed ?? newSeed(), moves);
    game.find(moves);
    if (at !== null) game.find(moves.slice(0, at));
    if (game === this.game) this.changed();
    else if (known) this.resume(game);
    else this.take(game); // a new game must not replace another on the server
  }

  /** The game from the last visit, which the browser stores. */
  draft() {
    try {
      return this.#kept && Game.fromDocument(this.#kept.game);
    } catch {
      return null;
    }
  }

  /** Continues that game, with its id on the server if it has one. @param {Game} draft */
  resume(draft) {
    this.take(draft, this.#kept?.id ?? null, editable(draft) === this.#kept?.shipped);
  }

  get #kept() {
    return /** @type {{id: string|null, game: unknown, shipped?: string|null}|null} */ (kept("draft"));
  }

  #draft() {
    if (this.game) keep("draft", { id: this.id, game: this.game.toDocument(), shipped: this.#shipped });
  }

  /** Takes over what another tab wrote into this game, so that neither overwrites the other's notes and variations. */
  #takeOver() {
    const [game, other] = [this.game, this.draft()];
    if (!game || !other || !this.id || this.#kept?.id !== this.id || editable(other) === editable(game)) return;
    other.find(game.current.moves);
    this.game = other;
    this.dispatchEvent(new CustomEvent("game"));
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Saves the game on the server, so that other browsers can open it. Games with fewer than two moves are not saved. */
  #flush() {
    clearTimeout(this.#timer);
    const game = this.game;
    if (!game?.root.next?.next || editable(game) === this.#shipped) return;
    const [first, second] = [game.players.first, game.players.second].map((each) => (each === HUMAN ? "you" : each));
    const body = { name: `${game.rules} · ${first} – ${second}`, game: game.toDocument() };
    this.#saving = this.#saving.then(async () => {
      try {
        if (this.game === game && this.id) await api.ask("PUT /api/games/{id}", { name: this.id, body });
        else if (this.game === game) {
          const { id } = await api.ask("POST /api/games", { body });
          if (this.game === game) this.id = id;
          this.#draft();
        }
        this.dispatchEvent(new CustomEvent("kept", { detail: true }));
      } catch (error) {
        // It was deleted elsewhere: the next change saves it as a new game.
        if (error instanceof api.ApiError && error.status === 404) this.id = null;
        this.dispatchEvent(new CustomEvent("kept", { detail: false }));
      }
    });
  }
}

/** The parts of a game that a person can change, without the analyses. @param {Game} game */
function editable(game) {
  return JSON.stringify(game.toDocument(), (name, value) => (name === "analysis" ? undefined : value));
}

/** A random seed, so that stochastic agents play each game differently. */
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

export const session = new Session();
