// Requests to the HTTP routes of a class.

import { ask as askServer } from "/static/base/api.js";

/** @import { Routes } from "./api-types.js" */

/**
 * @template {keyof Routes} Route
 * @param {Route} route its method and path
 * @param {{name?: string, body?: Routes[Route]["body"]}} [asked]
 * @returns {Promise<Routes[Route]["answer"]>}
 */
export const ask = (route, asked) => /** @type {any} */ (askServer)(route, asked);
