// Export and import of games: addresses, files that include the analysis, and drawings.

import * as api from "../base/api.js";
import { Game } from "../base/game.js";
import { theme, wholeAddress } from "../base/kept.js";
import { copy, tell, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { session } from "../base/session.js";
import { button, html } from "../base/view.js";

/** A game in which the first player misses a threat of four in a row. The analysis finds the losing move. */
export const LOST_GAME =
  "#/analyse?rules=bttt(D4)&moves=A1+C3+A2+C4+A6+C5+F7+C6&first=human&second=minimax:depth=2&seed=1&find=mistake";
const LARGEST_FILE = 8_000_000; // bytes
const MOST_ENDS = 400; // how many variations are validated when a file is opened

/**
 * The address of the current position, with the whole line.
 * @param {string} area
 * @param {Record<string, string|number|null>} [more] further parameters; without `at` it leads to the end of the line
 */
export function address(area, more = {}) {
  const game = session.game;
  if (!game) return routeTo(area);
  const { rules, moves, ...others } = game.params;
  return routeTo(area, { rules, moves, at: game.current.next ? game.current.ply : null, ...others, ...more });
}

/** Opens the analysis, which finds the mistake. */
export const seeMistake = () => go(address("analyse", { find: "mistake" }));

/** The address at which any visitor can look for the mistake of a game. @param {Game} game */
export const mistakeAddress = (game) => routeTo("learn/mistake", game.params);

/** Copies the address of the current view. */
export function share() {
  const here = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const where = here ? " on this machine, while noughts serves it" : "";
  return copy(wholeAddress(), `Copied the address: it shows this position${where}.`);
}

/** Copies the position as text. @param {Game} game */
async function copyText(game) {
  const { text } = await api.position(game.rules, game.current.moves);
  await copy(text, `Copied ${text}`);
}

/** @param {string} name @param {object} content */
export const downloadJson = (name, content) =>
  download(name, new Blob([JSON.stringify(content, null, 1)], { type: "application/json" }));

/** @param {string} name @param {Blob} content */
function download(name, content) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {Game} game */
const fileName = ({ rules, current }) => `${rules.replace(/[^\w-]+/g, "-").replace(/-+$/, "")}-${current.ply}`;

/** Saves the game with its variations and analyses as a file. @param {Game} game */
function saveGame(game) {
  downloadJson(`${fileName(game)}.json`, game.toDocument());
  tell("Saved the game with its analysis.");
}

/** Lets the user choose a file. @param {string} label @param {(document: unknown) => Promise<unknown>} read called with its content */
export function askFile(label, read) {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept: ".json,application/json", className: "unseen", id: "asked-file" });
  input.setAttribute("aria-label", label);
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file)
      void readJson(file)
        .then(read)
        .catch(tellError)
        .finally(() => input.remove());
  });
  document.getElementById("asked-file")?.remove();
  document.body.append(input);
  input.click();
}

/** Lets the user choose a file, and opens the game in it. */
export const chooseFile = () => askFile("A saved game", (document) => loadGame(document, null));

/** Reads a file without its analyses, which may claim anything: the page computes them again. @param {File} file @returns {Promise<unknown>} */
async function readJson(file) {
  if (file.size > LARGEST_FILE) throw new Error(`${file.name} is too large: at most 8 MB.`);
  try {
    return JSON.parse(await file.text(), (name, value) => (name === "analysis" ? undefined : value));
  } catch {
    throw new Error(`${file.name} is no JSON: choose a file that this page saved.`);
  }
}

/**
 * Opens a game document, if all its moves are legal according to the server.
 * @param {unknown} document
 * @param {string|null} id its id on the server
 * @param {{shipped?: boolean}} [how] `shipped` for a bundled game: it opens at its start, and is saved once it is changed
 */
export async function loadGame(document, id, how = {}) {
  const game = Game.fromDocument(document);
  if (how.shipped) game.goTo(game.root);
  for (const moves of game.ends.slice(0, MOST_ENDS)) await api.line(game.rules, moves);
  session.take(game, id, how.shipped);
  go(address("analyse"));
  tell("Opened the game.");
}

/**
 * Converts an overlay to notes for a drawing. Better or more visited moves are darker.
 * @param {Map<string, import("../base/overlay.js").Cell>} overlay
 */
function notes(overlay) {
  const shades = { win: (/** @type {number} */ s) => (1 + s) / 2, loss: (/** @type {number} */ s) => (1 - s) / 2 };
  return [...overlay].map(([square, { tone, share, text, best }]) => {
    const shade = tone === "plain" ? null : tone === "draw" ? 0.5 : tone === "visits" ? share : shades[tone](share);
    return { square, text, shade, best };
  });
}

/**
 * Saves a drawing of the position with the overlay.
 * @param {Game} game
 * @param {Map<string, import("../base/overlay.js").Cell>} overlay
 */
async function saveDrawing(game, overlay) {
  const { text } = await api.position(game.rules, game.current.moves);
  const query = new URLSearchParams({ text, theme: theme(), notes: JSON.stringify(notes(overlay)) });
  const answer = await fetch(`/api/board.svg?${query}`);
  if (!answer.ok) throw new Error("The server could not draw this position.");
  download(`${fileName(game)}.svg`, await answer.blob());
  tell("Saved the drawing as SVG.");
}

/**
 * The foldable panel with the export actions for a game.
 * @param {Game} game
 * @param {Map<string, import("../base/overlay.js").Cell>} overlay the overlay on the board
 */
export const filesPanel = (game, overlay) => html`<details class="panel">
    <summary>Save, open, export</summary>
    <div class="tools">
      ${button("save", "Save as JSON", () => saveGame(game))} ${button("load", "Open a file", chooseFile)}
      ${button("copy", "Copy as text", () => copyText(game).catch(tellError))}
      ${button("picture", "Save the drawing as SVG", () => saveDrawing(game, overlay).catch(tellError))}
    </div>
  </details>`;
