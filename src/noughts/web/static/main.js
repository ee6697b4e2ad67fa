// Starts the page: the list of areas, which of them the address asks for, the keys, light and dark.

import { health } from "./base/api.js";
import { button, fill, h, icon } from "./base/dom.js";
import { keepToken, turnTheme } from "./base/kept.js";
import { isTyping, showKeys } from "./base/keys.js";
import { emptiness, tell } from "./base/news.js";
import { go, parseRoute, routeTo } from "./base/route.js";
import { session } from "./base/session.js";
import { address } from "./parts/files.js";

/** @typedef {HTMLElement & {show?: (params: URLSearchParams, name: string) => unknown, key?: (event: KeyboardEvent) => boolean, keyUp?: (event: KeyboardEvent) => void}} Area */

/** Path, element, words, icon, and whether it shows the game on the table. @type {[string, string, string, string, boolean][]} */
const AREAS = [
  ["play", "play-area", "Play", "play-area", true],
  ["learn", "learn-area", "Learn", "learn", false],
  ["analyse", "analyse-area", "Analyse", "analyse", true],
  ["research", "research-area", "Research", "studies", false],
];

/** The rooms of research, likewise; they have a row of links of their own. @type {[string, string, string, string, boolean][]} */
const ROOMS = [
  ["minds", "minds-area", "Two minds", "minds", true],
  ["search", "search-area", "Watch a search", "search", true],
  ["match", "match-area", "Matches", "match", false],
  ["studies", "studies-area", "Findings", "studies", false],
  ["runs", "runs-area", "Trainings", "runs", false],
];

/** Without a link in the bar. @type {[string, string, string, string, boolean][]} */
const OTHERS = [
  ["home", "home-area", "Home", "noughts", false],
  ["new", "setup-area", "New game", "new", false],
];

/** The module of each area, loaded when it is first shown. @type {Record<string, () => Promise<unknown>>} */
const MODULES = {
  home: () => import("./areas/home.js"),
  learn: () => import("./areas/learn.js"),
  research: () => import("./areas/research.js"),
  new: () => import("./areas/setup.js"),
  play: () => import("./areas/play.js"),
  analyse: () => import("./areas/analyse.js"),
  minds: () => import("./areas/minds.js"),
  search: () => import("./areas/search.js"),
  studies: () => import("./areas/studies.js"),
  runs: () => import("./areas/runs.js"),
  match: () => import("./areas/match.js"),
};

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const rooms = /** @type {HTMLElement} */ (document.getElementById("rooms"));
/** @type {Area|null} */
let shown = null;
let shownName = "";

/** Shows the area that the address asks for. */
async function follow() {
  const { area, name, params } = parseRoute(location.hash);
  if (area && !Object.hasOwn(MODULES, area)) await added;
  const wanted = Object.hasOwn(MODULES, area) ? area : "home";
  if (area && wanted !== area) {
    go(routeTo("home"), { replace: true });
    tell(`There is nothing at “${area.slice(0, 40)}”. This is where everything begins.`);
  }
  try {
    await MODULES[wanted]();
  } catch {
    fill(
      main,
      emptiness(
        "This part could not be loaded",
        "The noughts server does not answer. Start it again with `noughts serve`, then reload.",
      ),
    );
    return;
  }
  const now = parseRoute(location.hash).area;
  if (area !== "" && now !== wanted) return; // gone on meanwhile
  if (shownName !== wanted || !shown) {
    shown = /** @type {Area} */ (document.createElement(found(wanted)[1]));
    shown.className = "area";
    const refocus = shownName !== "";
    shownName = wanted;
    fill(main, shown);
    if (refocus) main.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  mark(wanted);
  await shown.show?.(params, name);
}

/** What is known of an area. @param {string} wanted */
function found(wanted) {
  return [...AREAS, ...ROOMS, ...OTHERS].find(([path]) => path === wanted) ?? OTHERS[0];
}

/** Marks the area that is shown, and the room in it. @param {string} wanted */
function mark(wanted) {
  document.title = wanted === "home" ? "noughts" : `${found(wanted)[2]} · noughts`;
  const inRoom = ROOMS.some(([path]) => path === wanted);
  const area = inRoom ? "research" : wanted === "new" ? "play" : wanted;
  rooms.hidden = !inRoom;
  for (const link of document.querySelectorAll("#areas a, #rooms a")) {
    const { area: path } = /** @type {HTMLElement} */ (link).dataset;
    if (path === wanted || path === area) link.setAttribute("aria-current", path === wanted ? "page" : "true");
    else link.removeAttribute("aria-current");
  }
}

/** A game that is played goes on at its end, wherever it was looked at. @param {string} path @param {boolean} withGame */
const target = (path, withGame) =>
  withGame && session.game ? address(path, { whole: path === "play" }) : routeTo(path);

/** @param {[string, string, string, string, boolean]} area */
const link = ([path, , words, drawing, withGame]) =>
  h(
    "a",
    {
      href: `#/${path}`,
      "data-area": path,
      onclick: (/** @type {MouseEvent} */ event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(target(path, withGame));
      },
    },
    icon(drawing),
    h("span", {}, words),
  );

const areas = /** @type {HTMLElement} */ (document.getElementById("areas"));
fill(areas, AREAS.map(link));
fill(rooms, ROOMS.map(link));

const themeButton = button("theme", "Light or dark", () => void turnTheme(), { class: "plain top-tool" });
fill(
  /** @type {HTMLElement} */ (document.getElementById("top-tools")),
  button("new", "New game", () => go(routeTo("new")), { class: "plain top-tool" }),
  themeButton,
  button("keys", "Keys", showKeys, { class: "plain top-tool" }),
);

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

// A token has done its work once the page is loaded; only addresses that are shared have it.
keepToken();
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

/** What scripts that the server names besides this one may do with the page. */
const page = {
  /** Adds an area, with a link in the bar. @param {(typeof AREAS)[0]} area @param {() => Promise<unknown>} load its module */
  addArea(area, load) {
    AREAS.push(area);
    MODULES[area[0]] = load;
    areas.append(link(area));
    if (shownName) mark(shownName);
  },
};
/** @typedef {typeof page} Page */

async function addScripts() {
  const { scripts } = await health().catch(() => ({ scripts: [] })); // the area itself reports that no server answers
  for (const script of scripts) (await import(script)).begin(page);
}

/** Ends when all areas are known. */
const added = addScripts();

addEventListener("hashchange", () => void follow());

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  if (document.querySelector("dialog[open]") && event.key !== "?") return;
  const number = Number(event.key);
  if (event.key === "?") showKeys();
  else if (event.key === "t") turnTheme();
  else if (event.key === "n") go(routeTo("new"));
  else if (number >= 1 && number <= AREAS.length) go(target(AREAS[number - 1][0], AREAS[number - 1][4]));
  else if (!event.repeat || event.key !== "h") {
    if (!shown?.key?.(event)) return;
  }
  event.preventDefault();
});

addEventListener("keyup", (event) => shown?.keyUp?.(event));
addEventListener("blur", () => shown?.keyUp?.(new KeyboardEvent("keyup", { key: "h" }))); // a key let go elsewhere

void follow();
