// Shapes that the server's OpenAPI does not tell, as comments for the type checker; this module holds no code.

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

/**
 * Why there is no analysis, over the socket; without an id where the message had none.
 * @typedef {object} Complaint
 * @property {"error"} type
 * @property {string|null} id
 * @property {string} error
 */

/** @typedef {{first: string, second: string}} Players "human" or the text of an agent */

/**
 * A game as it is kept: the first child of a node is the main line.
 * @typedef {object} GameDocument
 * @property {"noughts-game"} format
 * @property {1} version
 * @property {string} rules
 * @property {Players} players
 * @property {number} seed
 * @property {DocumentNode} tree
 */

/** @typedef {{move: string|null, analysis: Record<string, Result>, note?: string, children: DocumentNode[]}} DocumentNode */

export {};
