// Requests to the server over HTTP. Every position on the page comes from here, because the page does not implement the rules.

/** @import { PositionAnswer as Position, Routes } from "./api-types.js" */

const MOST_POSITIONS = 3000;

/** An error from the server, in one line. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status the HTTP status, 0 if the server did not answer */
  constructor(message, status) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * Sends a request to the server.
 * @template {keyof Routes} Route
 * @param {Route} route its method and path, such as "GET /api/games/{id}"
 * @param {object} [asked]
 * @param {string} [asked.name] replaces the braces in the path
 * @param {Record<string, string>} [asked.query]
 * @param {Routes[Route]["body"]} [asked.body]
 * @param {AbortSignal} [asked.signal]
 * @returns {Promise<Routes[Route]["answer"]>}
 */
export async function ask(route, { name = "", query = {}, body, signal } = {}) {
  const [method, path] = route.split(" ");
  const search = new URLSearchParams(query).toString();
  const address = path.replace(/\{\w+\}/, encodeURIComponent(name)) + (search && `?${search}`);
  let answer;
  try {
    answer = await fetch(address, {
      method,
      signal,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
    throw new ApiError("The noughts server does not answer. Start it again with `noughts serve`, then try again.", 0);
  }
  const content = await answer.json().catch(() => null);
  if (!answer.ok) {
    const said = content && typeof content.error === "string" ? content.error : `the server answered ${answer.status}`;
    const wait = answer.status === 429 || answer.status === 503 ? ". Wait a moment, then try again." : "";
    throw new ApiError(said + wait, answer.status);
  }
  return content;
}

/** @type {Map<string, Promise<Position>>} */
const positions = new Map();

/** @param {string} rules @param {string[]} moves */
const key = (rules, moves) => `${rules}|${moves.join(" ")}`;

/**
 * Caches an answer and drops the oldest one. Failed requests are not cached.
 * @param {string} name
 * @param {Promise<Position>} answer
 */
function keep(name, answer) {
  positions.set(name, answer);
  answer.catch(() => positions.delete(name));
  if (positions.size > MOST_POSITIONS) positions.delete(/** @type {string} */ (positions.keys().next().value));
  return answer;
}

/** Returns the position after some moves. @param {string} rules @param {string[]} moves @returns {Promise<Position>} */
export function position(rules, moves) {
  const name = key(rules, moves);
  return positions.get(name) ?? keep(name, ask("POST /api/position", { body: { text: [rules, ...moves].join(" ") } }));
}

/**
 * Returns the positions after 0, 1, ... moves of a line.
 * @param {string} rules
 * @param {string[]} moves
 * @returns {Promise<Position[]>}
 */
export async function line(rules, moves) {
  if (!moves.length) return [await position(rules, moves)];
  const known = ["", ...moves].map((_, ply) => positions.get(key(rules, moves.slice(0, ply))));
  if (known.every((each) => each !== undefined)) return Promise.all(known);
  const found = await ask("POST /api/line", { body: { rules, moves } });
  for (const each of found) remember(each);
  return found;
}

/** Caches a position that was part of another answer. @param {Position} found */
function remember(found) {
  keep(key(found.rules, found.moves), Promise.resolve(found));
}

/**
 * Reads a position from its text form: rules, then moves.
 * @param {string} text
 * @param {AbortSignal} [signal]
 * @returns {Promise<Position>}
 */
export async function read(text, signal) {
  const found = await ask("POST /api/position", { body: { text }, signal });
  remember(found);
  return found;
}

/** Requests an agent's move. @param {Routes["POST /api/move"]["body"]} body @param {AbortSignal} signal */
export async function move(body, signal) {
  const found = await ask("POST /api/move", { body, signal });
  remember(found.position);
  return found;
}

/** Sends a request once, and again only after a failure. @template {keyof Routes} Route @param {Route} route */
function once(route) {
  /** @type {Promise<Routes[Route]["answer"]>|null} */
  let answer = null;
  return () => {
    answer ??= ask(route);
    answer.catch(() => (answer = null));
    return answer;
  };
}

/** The named games. */
export const presets = once("GET /api/presets");
/** The kinds of agents. New training runs appear after a reload. */
export const agents = once("GET /api/agents");

/** The named opponents that can play a game, the weakest first; all of them if no game is given. @param {string} [rules] */
export const opponents = (rules) => ask("GET /api/opponents", { query: rules ? { rules } : {} });

/** The commands that were started from the page, the latest first, and whether this visitor may start commands. */
export const commands = () => ask("GET /api/commands");
