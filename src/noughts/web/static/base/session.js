// The game on the table, shared by all areas: what it is, where it is kept, and who hears when it changes.

import * as api from "./api.js";
import { Game } from "./game.js";
import { keep, kept } from "./kept.js";
import { movesOf } from "./route.js";

/** @import { Players } from "./types.js" */

const KEEP_AFTER = 800; // milliseconds without a change
export const TRUTH = "perfect"; // under this name exact values stand in a node's analysis
export const HUMAN = "human";

class Session extends EventTarget {
  /** @type {Game|null} */
  game = null;
  /** @type {string|null} the number under which the server keeps the game */
  id = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #saving = Promise.resolve();
  /** @type {string|null} what was put on the table and is nobody's own: as long as the game says the same, nobody keeps it */
  #shipped = null;

  /**
   * Puts a game on the table.
   * @param {Game} game
   * @param {string|null} [id]
   * @param {boolean} [shipped] whether it ships with noughts, so that it is kept only once it is changed
   */
  take(game, id = null, shipped = false) {
    this.#flush();
    this.game = game;
    this.id = id;
    this.#shipped = shipped ? said(game) : null;
    this.#draft();
    this.dispatchEvent(new CustomEvent("game"));
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** Says that the game changed, or the place in it, and keeps it. */
  changed() {
    this.#draft();
    this.dispatchEvent(new CustomEvent("change"));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#flush(), KEEP_AFTER);
  }

  /**
   * The game of an address: the one on the table if it has these moves, the one kept from the last visit, or a new one.
   * @param {string} rules
   * @param {string[]} moves
   * @param {Partial<Players>} players
   * @param {number} at the ply to look at
   * @param {number|null} seed
   */
  async open(rules, moves, players, at, seed) {
    const end = moves.length ? await api.line(rules, moves) : [await api.position(rules, [])];
    const canonical = end[0].rules;
    const known = this.#known(canonical, moves, players, seed);
    const game = known ?? new Game(canonical, fullPlayers(players), seed ?? newSeed(), moves);
    game.find(moves);
    if (at < moves.length) game.find(moves.slice(0, at));
    if (game !== this.game) {
      if (known) this.resume(game);
      else this.take(game); // a new game takes no other one's place on the server
    } else {
      this.changed();
    }
  }

  /**
   * @param {string} rules
   * @param {string[]} moves
   * @param {Partial<Players>} players
   * @param {number|null} seed another one is another game
   * @returns {Game|null}
   */
  #known(rules, moves, players, seed) {
    /** @param {Game} game */
    const fits = (game) =>
      game.rules === rules &&
      (seed ?? game.seed) === game.seed &&
      (players.first ?? game.players.first) === game.players.first &&
      (players.second ?? game.players.second) === game.players.second &&
      game.find(moves);
    if (this.game && fits(this.game)) return this.game;
    const draft = this.draft();
    return draft && fits(draft) ? draft : null;
  }

  /** The game kept by the browser from the last visit. */
  draft() {
    try {
      const draft = this.#kept;
      return draft ? Game.fromDocument(draft.game) : null;
    } catch {
      return null;
    }
  }

  /** Puts that game on the table again, in its place on the server if it has one. @param {Game} draft */
  resume(draft) {
    this.take(draft, this.#kept?.id ?? null, said(draft) === this.#kept?.shipped);
  }

  get #kept() {
    return /** @type {{id: string|null, game: unknown, shipped?: string|null}|null} */ (kept("draft"));
  }

  #draft() {
    if (this.game) keep("draft", { id: this.id, game: this.game.toDocument(), shipped: this.#shipped });
  }

  /** Hands the game to the server, so that it survives this browser. Before the first two moves there is nothing to keep. */
  #flush() {
    clearTimeout(this.#timer);
    const game = this.game;
    if (!game?.root.next?.next || said(game) === this.#shipped) return;
    const body = { name: gameName(game), game: game.toDocument() };
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
        // Deleted elsewhere: the next change keeps it anew.
        if (error instanceof api.ApiError && error.status === 404) this.id = null;
        this.dispatchEvent(new CustomEvent("kept", { detail: false }));
      }
    });
  }
}

/** @param {Partial<Players>} players @returns {Players} */
function fullPlayers({ first, second }) {
  return { first: first ?? HUMAN, second: second ?? HUMAN };
}

/** All that a person may change in a game: not what was found out about its positions meanwhile. @param {Game} game */
function said(game) {
  return JSON.stringify(game.toDocument(), (name, value) => (name === "analysis" ? undefined : value));
}

/** A seed for a new game: agents that draw at random play another game each time. */
export function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}

/** @param {Game} game */
export function gameName(game) {
  return `${game.rules} · ${playerName(game.players.first)} – ${playerName(game.players.second)}`;
}

/** @param {string} player */
export function playerName(player) {
  return player === HUMAN ? "you" : player;
}

export const session = new Session();

/**
 * Puts the game of an address on the table.
 * @param {URLSearchParams} params
 * @param {string} [rules] where the address has none
 */
export function openAddress(params, rules = "") {
  const [at, seed] = ["at", "seed"].map((name) => (params.has(name) ? Number(params.get(name)) : null));
  const players = { first: params.get("first") ?? undefined, second: params.get("second") ?? undefined };
  return session.open(params.get("rules") ?? rules, movesOf(params), players, at ?? Infinity, seed);
}
