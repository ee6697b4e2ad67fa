// Starts the page: lists the areas, shows the one that the address names, and handles keys and themes.

import { ask } from "./base/api.js";
import { keepToken, turnTheme } from "./base/kept.js";
import { isTyping, showKeys } from "./base/keys.js";
import { emptiness, tell } from "./base/news.js";
import { go, parseRoute, routeTo } from "./base/route.js";
import { button, html, icon, nothing, render } from "./base/view.js";
import { address } from "./parts/files.js";

/** An area's element, with its optional methods. @typedef {HTMLElement & {show?: (params: URLSearchParams, name: string, path: string) => unknown, key?: (event: KeyboardEvent) => boolean}} Shown */

/**
 * An area of the page.
 * @typedef {object} Area
 * @property {string} path in addresses
 * @property {string} tag its element
 * @property {() => Promise<unknown>} load loads its module, when it is first shown
 * @property {string} words
 * @property {string} [icon] the icon of its link; without an icon it has no link
 * @property {string} [bar] the label of its link in the bar, if that represents a group of areas with their own row of links
 * @property {string} [under] the area whose link in the bar also represents this one
 * @property {boolean} [game] whether it shows the current game
 */

const loadPlay = () => import("./areas/play.js");
const loadAnalyse = () => import("./areas/analyse.js");
const loadStudies = () => import("./areas/studies.js");
const loadRuns = () => import("./areas/runs.js");

/** @type {Area[]} */
const AREAS = [
  { path: "play", tag: "play-area", load: loadPlay, words: "Play", icon: "play-area", game: true },
  { path: "learn", tag: "learn-area", load: () => import("./areas/learn.js"), words: "Learn", icon: "learn" },
  { path: "analyse", tag: "analyse-area", load: loadAnalyse, words: "Analyse", icon: "analyse", game: true },
  { path: "studies", tag: "studies-area", load: loadStudies, words: "Findings", icon: "studies", bar: "Research" },
  { path: "runs", tag: "runs-area", load: loadRuns, words: "Trainings", icon: "runs", under: "studies" },
  { path: "minds", tag: "analyse-area", load: loadAnalyse, words: "Compare", under: "analyse", game: true },
  { path: "search", tag: "analyse-area", load: loadAnalyse, words: "Search tree", under: "analyse", game: true },
  { path: "home", tag: "home-area", load: () => import("./areas/home.js"), words: "Home" },
  { path: "new", tag: "setup-area", load: () => import("./areas/setup.js"), words: "New game", under: "play" },
];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const bar = /** @type {HTMLElement} */ (document.getElementById("areas"));
const rooms = /** @type {HTMLElement} */ (document.getElementById("rooms"));
/** @type {Shown|null} */
let shown = null;
/** @type {Area|undefined} */
let here;

/** @param {string} path */
const areaAt = (path) => AREAS.find((area) => area.path === path);

/** The areas with a link in the bar. Number keys open them. */
const inBar = () => AREAS.filter((area) => area.icon && !area.under);

let turns = 0;

/** Shows the area that the address names. */
async function follow() {
  const turn = ++turns;
  const { area, name, params } = parseRoute(location.hash);
  if (area && !areaAt(area)) await added;
  const wanted = areaAt(area) ?? /** @type {Area} */ (areaAt("home"));
  if (area && wanted.path !== area) {
    go(routeTo("home"), { replace: true });
    tell(`There is nothing at “${area.slice(0, 40)}”. This is where everything begins.`);
  }
  try {
    await wanted.load();
  } catch {
    const words = "The noughts server does not answer. Start it again with `noughts serve`, then reload.";
    render(emptiness("This part could not be loaded", words), main);
    return;
  }
  if (turn !== turns) return; // the address has changed meanwhile
  if (shown?.localName !== wanted.tag || !shown.isConnected) {
    const refocus = here !== undefined;
    shown = /** @type {Shown} */ (document.createElement(wanted.tag));
    shown.className = "area";
    render(shown, main);
    if (refocus) main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  here = wanted;
  drawBar();
  await shown.show?.(params, name, wanted.path);
}

/** Draws the links, and marks the current area. */
function drawBar() {
  const group = here?.under ?? here?.path;
  const inRoom = AREAS.filter((area) => area.icon && (area.under === group || (area.bar && area.path === group)));
  document.title = !here || here.path === "home" ? "noughts" : `${here.words} · noughts`;
  const bars = inBar().map((area) => link(area, group, area.bar));
  render(bars, bar);
  const links = inRoom.map((area) => link(area));
  render(links, rooms);
  rooms.hidden = !inRoom.length;
}

/** @param {Area} area @param {string} [group] the area that is marked in the bar @param {string} [words] */
function link(area, group, words = area.words) {
  const current = area === here ? "page" : area.path === group ? "true" : nothing;
  const follow = (/** @type {MouseEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(target(area));
  };
  return html`<a href=${`#/${area.path}`} data-area=${area.path} aria-current=${current} @click=${follow}>
    ${icon(area.icon ?? "")}<span>${words}</span>
  </a>`;
}

/** The address of a link: with the current game if the area shows one; Play opens it at its end. @param {Area} area */
const target = ({ path, game }) => (game ? address(path, path === "play" ? { at: null } : {}) : routeTo(path));

render(
  html`${button("new", "New game", () => go(routeTo("new")), { kind: "plain top-tool" })}
    ${button("keys", "Keys", showKeys, { kind: "plain top-tool keys-tool" })}`,
  /** @type {HTMLElement} */ (document.getElementById("top-tools")),
);
drawBar();

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

// The visitor's token is not needed once the page is loaded, and nobody else should see it.
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

/** The interface of the page for additional scripts that the server names. */
const page = {
  /** Adds an area. @param {Area} area */
  addArea(area) {
    AREAS.push(area);
    drawBar();
  },
};
/** @typedef {typeof page} Page */

async function addScripts() {
  const unknown = { scripts: [], token: null }; // the area itself reports that the server does not answer
  const { scripts, token } = await ask("GET /api/health").catch(() => unknown);
  keepToken(token);
  for (const script of scripts) (await import(script)).begin(page);
}

/** Resolves when all scripts have added their areas. */
const added = addScripts();

addEventListener("hashchange", () => void follow());

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  const numbered = inBar()[Number(event.key) - 1];
  if (event.key === "?") showKeys();
  else if (event.key === "t") turnTheme();
  else if (event.key === "n") go(routeTo("new"));
  else if (numbered) go(target(numbered));
  else if (!shown?.key?.(event)) return;
  event.preventDefault();
});

void follow();
