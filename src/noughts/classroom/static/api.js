// What a class is asked over HTTP.

import { ask as askServer } from "/static/base/api.js";

/** @import { Routes } from "./api-types.js" */

/**
 * @template {keyof Routes} Route
 * @param {Route} route its method and its path
 * @param {{name?: string, body?: Routes[Route]["body"]}} [asked]
 * @returns {Promise<Routes[Route]["answer"]>}
 */
const ask = (route, asked) => /** @type {any} */ (askServer)(route, asked);

/** The class, and who one is in it. */
export const whole = () => ask("GET /api/class");
/** @param {string} code @param {string} nickname */
export const joinClass = (code, nickname) => ask("POST /api/class/join", { body: { code, nickname } });
/** @param {Routes["POST /api/class/games"]["body"]} body */
export const makeGame = (body) => ask("POST /api/class/games", { body });
/** @param {string} id */
export const game = (id) => ask("GET /api/class/games/{id}", { name: id });
/** @param {string} id */
export const takeSeat = (id) => ask("POST /api/class/games/{id}/take", { name: id });
/** @param {string} id @param {number} ply @param {string} move */
export const move = (id, ply, move) => ask("POST /api/class/games/{id}/moves", { name: id, body: { ply, move } });
/** @param {string} id */
export const resign = (id) => ask("POST /api/class/games/{id}/resign", { name: id });
/** @param {Routes["POST /api/class/solved"]["body"]} body */
export const solved = (body) => ask("POST /api/class/solved", { body });
export const beginAssignment = () => ask("POST /api/class/assignment/begin");
/** @param {Routes["PUT /api/class/assignment"]["body"]} body */
export const assign = (body) => ask("PUT /api/class/assignment", { body });
export const clearAssignment = () => ask("DELETE /api/class/assignment");
/** Lets a pupil in no more, or again. @param {string} id @param {boolean} removed */
export const removePupil = (id, removed) => ask("PUT /api/class/pupils/{id}", { name: id, body: { removed } });
/** @param {boolean} closed */
export const closeClass = (closed) => ask("PUT /api/class", { body: { closed } });
