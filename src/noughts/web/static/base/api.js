// The server's answers over HTTP. Every position the page shows comes from here: the page knows no rules.

/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").Result} Result */

const MOST_POSITIONS = 3000;

/** What the server refused or could not do, in one line. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status the HTTP status, 0 if nothing answered
   */
  constructor(message, status) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * Asks the server.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function ask(method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      headers: body ? { "Content-Type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") throw error;
    throw new ApiError("The noughts server does not answer. Start it again with `noughts serve`, then try again.", 0);
  }
  if (answer.status === 204) return null;
  const content = await answer.json().catch(() => null);
  if (!answer.ok) {
    const said = content && typeof content.error === "string" ? content.error : `the server answered ${answer.status}`;
    const wait = answer.status === 429 || answer.status === 503 ? " Wait a moment, then try again." : "";
    throw new ApiError(said + wait, answer.status);
  }
  return content;
}

/** @type {Map<string, Promise<Position>>} */
const positions = new Map();

/** @param {string} rules @param {string[]} moves */
const key = (rules, moves) => `${rules}|${moves.join(" ")}`;

/**
 * Keeps what was asked for, forgetting the oldest; what failed is asked for again.
 * @param {string} name
 * @param {Promise<Position>} answer
 */
function keep(name, answer) {
  positions.set(name, answer);
  answer.catch(() => positions.delete(name));
  if (positions.size > MOST_POSITIONS) positions.delete(/** @type {string} */ (positions.keys().next().value));
  return answer;
}

/**
 * The position after some moves.
 * @param {string} rules
 * @param {string[]} moves
 * @returns {Promise<Position>}
 */
export function position(rules, moves) {
  const name = key(rules, moves);
  return positions.get(name) ?? keep(name, ask("POST", "/api/position", { rules, moves }));
}

/**
 * The positions after 0, 1, ... moves of a line.
 * @param {string} rules
 * @param {string[]} moves
 * @returns {Promise<Position[]>}
 */
export async function line(rules, moves) {
  const known = moves.map((_, ply) => positions.get(key(rules, moves.slice(0, ply + 1))));
  const start = positions.get(key(rules, []));
  if (start && known.every(Boolean)) return Promise.all([start, .../** @type {Promise<Position>[]} */ (known)]);
  const found = (await ask("POST", "/api/line", { rules, moves })).positions;
  for (const each of found) remember(each);
  return found;
}

/**
 * Keeps a position that came with another answer.
 * @param {Position} found
 */
export function remember(found) {
  keep(key(found.rules, found.moves), Promise.resolve(found));
}

/**
 * The position that a text form (rules, then moves) stands for.
 * @param {string} text
 * @returns {Promise<Position>}
 */
export async function read(text) {
  const found = await ask("POST", "/api/position", { text });
  remember(found);
  return found;
}

/**
 * A game's rules from their text or their fields.
 * @param {object} given
 * @param {AbortSignal} [signal]
 * @returns {Promise<{text: string, sentence: string, fields: Record<string, any>, start: Position}>}
 */
export async function rules(given, signal) {
  const found = await ask("POST", "/api/rules", given, signal);
  remember(found.start);
  return found;
}

/**
 * The move of an agent.
 * @param {{rules: string, moves: string[], agent: string, seed: number}} asked
 * @param {AbortSignal} signal
 * @returns {Promise<{move: string, position: Position, result: Result|null}>}
 */
export async function move(asked, signal) {
  const found = await ask("POST", "/api/move", asked, signal);
  remember(found.position);
  return found;
}

/** @type {Promise<import("./types.js").Preset[]>|null} */
let presetList = null;

/** The games that have a name. */
export function presets() {
  presetList ??= ask("GET", "/api/presets");
  presetList.catch(() => (presetList = null));
  return presetList;
}

/** @type {Promise<import("./types.js").AgentKind[]>|null} */
let agentList = null;

/** The kinds of agents there are; runs that were trained meanwhile are seen after a reload. */
export function agents() {
  agentList ??= ask("GET", "/api/agents");
  agentList.catch(() => (agentList = null));
  return agentList;
}

/**
 * The canonical text of an agent.
 * @param {string} agent
 * @returns {Promise<string>}
 */
export async function canonical(agent) {
  return (await ask("POST", "/api/agent", { agent })).agent;
}

/** The games kept by the server, the newest first. */
export const games = () => ask("GET", "/api/games");
/** @param {string} id */
export const game = (id) => ask("GET", `/api/games/${encodeURIComponent(id)}`);
/** @param {string} name @param {object} document */
export const keepGame = (name, document) => ask("POST", "/api/games", { name, game: document });
/** @param {string} id @param {string} name @param {object} document */
export const replaceGame = (id, name, document) =>
  ask("PUT", `/api/games/${encodeURIComponent(id)}`, { name, game: document });
/** @param {string} id */
export const removeGame = (id) => ask("DELETE", `/api/games/${encodeURIComponent(id)}`);

/** @param {object} asked @param {AbortSignal} [signal] */
export const steps = (asked, signal) => ask("POST", "/api/steps", asked, signal);

export const studies = () => ask("GET", "/api/studies");
/** @param {string} name @param {string} [run] */
export const study = (name, run) =>
  ask("GET", `/api/studies/${encodeURIComponent(name)}${run ? `?run=${encodeURIComponent(run)}` : ""}`);

export const runs = () => ask("GET", "/api/runs");
/** @param {string} name @param {number} [after] @param {AbortSignal} [signal] */
export const run = (name, after, signal) =>
  ask("GET", `/api/runs/${encodeURIComponent(name)}${after ? `?after=${after}` : ""}`, undefined, signal);

/** @param {object} asked */
export const startMatch = (asked) => ask("POST", "/api/matches", asked);
/** @param {string} id @param {AbortSignal} [signal] */
export const match = (id, signal) => ask("GET", `/api/matches/${encodeURIComponent(id)}`, undefined, signal);
/** @param {string} id */
export const stopMatch = (id) => ask("DELETE", `/api/matches/${encodeURIComponent(id)}`);

/**
 * The address of a drawing of a position.
 * @param {string} text
 * @param {"light"|"dark"} theme
 * @param {{square: string, text: string, shade: number|null, best: boolean}[]} notes what is written into cells
 */
export const drawing = (text, theme, notes) =>
  `/api/board.svg?${new URLSearchParams({ text, theme, notes: JSON.stringify(notes) })}`;
