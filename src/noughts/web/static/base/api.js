// The server's answers over HTTP. Every position the page shows comes from here: the page knows no rules.

/** @typedef {import("./api-types.js").PositionAnswer} Position */
/** @typedef {import("./api-types.js").Routes} Routes */
/** @typedef {import("./types.js").GameDocument} GameDocument */

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
 * @template {keyof Routes} Route
 * @param {Route} route its method and its path, such as "GET /api/games/{id}"
 * @param {object} [asked]
 * @param {string} [asked.name] what stands in the path's braces
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
    const wait = answer.status === 429 || answer.status === 503 ? " Wait a moment, then try again." : "";
    throw new ApiError(said + wait, answer.status);
  }
  return content;
}

export const health = () => ask("GET /api/health");

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
  return positions.get(name) ?? keep(name, ask("POST /api/position", { body: { rules, moves } }));
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
  const found = (await ask("POST /api/line", { body: { rules, moves } })).positions;
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
  const found = await ask("POST /api/position", { body: { text } });
  remember(found);
  return found;
}

/**
 * A game's rules from their text or their fields.
 * @param {Routes["POST /api/rules"]["body"]} body
 * @param {AbortSignal} [signal]
 */
export async function rules(body, signal) {
  const found = await ask("POST /api/rules", { body, signal });
  remember(found.start);
  return found;
}

/**
 * The move of an agent.
 * @param {Routes["POST /api/move"]["body"]} body
 * @param {AbortSignal} signal
 */
export async function move(body, signal) {
  const found = await ask("POST /api/move", { body, signal });
  remember(found.position);
  return found;
}

/** @type {Promise<import("./api-types.js").PresetAnswer[]>|null} */
let presetList = null;

/** The games that have a name. */
export function presets() {
  presetList ??= ask("GET /api/presets");
  presetList.catch(() => (presetList = null));
  return presetList;
}

/** @type {Promise<import("./api-types.js").AgentAnswer[]>|null} */
let agentList = null;

/** The kinds of agents there are; runs that were trained meanwhile are seen after a reload. */
export function agents() {
  agentList ??= ask("GET /api/agents");
  agentList.catch(() => (agentList = null));
  return agentList;
}

/**
 * The canonical text of an agent.
 * @param {string} agent
 */
export async function canonical(agent) {
  return (await ask("POST /api/agent", { body: { agent } })).agent;
}

/** The games kept by the server, the newest first. */
export const games = () => ask("GET /api/games");
/** @param {string} id */
export const game = (id) => ask("GET /api/games/{id}", { name: id });
/** @param {string} name @param {GameDocument} document */
export const keepGame = (name, document) => ask("POST /api/games", { body: { name, game: document } });
/** @param {string} id @param {string} name @param {GameDocument} document */
export const replaceGame = (id, name, document) =>
  ask("PUT /api/games/{id}", { name: id, body: { name, game: document } });
/** @param {string} id */
export const removeGame = (id) => ask("DELETE /api/games/{id}", { name: id });

/** @param {Routes["POST /api/steps"]["body"]} body @param {AbortSignal} [signal] */
export const steps = (body, signal) => ask("POST /api/steps", { body, signal });

/** @param {Routes["POST /api/imagined"]["body"]} body */
export const imagined = (body) => ask("POST /api/imagined", { body });

export const puzzleGames = () => ask("GET /api/puzzles");
/** @param {string} day as year-month-day */
export const dailyPuzzles = (day) => ask("GET /api/puzzles/daily", { query: { day } });
/** @param {string} rules @param {string} [grade] */
export const puzzleSet = (rules, grade) => ask("GET /api/puzzles/set", { query: grade ? { rules, grade } : { rules } });
/** @param {Routes["POST /api/puzzles/make"]["body"]} body @param {AbortSignal} [signal] */
export const makePuzzle = (body, signal) => ask("POST /api/puzzles/make", { body, signal });
/** @param {string} rules @param {string[]} moves */
export const puzzleAt = (rules, moves) => ask("POST /api/puzzles/at", { body: { rules, moves } });
export const lessons = () => ask("GET /api/lessons");

/** The opponents with a name that can play a game, the weakest first; all of them if none is given. @param {string} [rules] */
export const opponents = (rules) => ask("GET /api/opponents", { query: rules ? { rules } : {} });

export const studies = () => ask("GET /api/studies");
/** @param {string} name @param {string} [run] */
export const study = (name, run) => ask("GET /api/studies/{name}", { name, query: run ? { run } : {} });

export const runs = () => ask("GET /api/runs");
/** @param {string} name @param {number} [after] */
export const run = (name, after) => ask("GET /api/runs/{name}", { name, query: after ? { after: String(after) } : {} });

/** What was started from the page, the latest first, and whether whoever asks may start more. */
export const commands = () => ask("GET /api/commands");
/** @param {string} id */
export const command = (id) => ask("GET /api/commands/{id}", { name: id });
/** @param {Routes["POST /api/commands/train"]["body"]} body */
export const startTraining = (body) => ask("POST /api/commands/train", { body });
/** @param {Routes["POST /api/commands/resume"]["body"]} body */
export const resumeTraining = (body) => ask("POST /api/commands/resume", { body });
/** @param {Routes["POST /api/commands/study"]["body"]} body */
export const startStudy = (body) => ask("POST /api/commands/study", { body });
/** @param {Routes["POST /api/commands/prove"]["body"]} body */
export const startProof = (body) => ask("POST /api/commands/prove", { body });
/** @param {Routes["POST /api/commands/score"]["body"]} body */
export const startScore = (body) => ask("POST /api/commands/score", { body });
/** @param {string} id */
export const goOn = (id) => ask("POST /api/commands/{id}/again", { name: id });
/** @param {string} id */
export const stopCommand = (id) => ask("DELETE /api/commands/{id}", { name: id });

/**
 * The address of a drawing of a position.
 * @param {string} text
 * @param {"light"|"dark"} theme
 * @param {{square: string, text: string, shade: number|null, best: boolean}[]} notes what is written into cells
 */
export const drawing = (text, theme, notes) =>
  `/api/board.svg?${new URLSearchParams({ text, theme, notes: JSON.stringify(notes) })}`;
