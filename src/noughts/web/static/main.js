// Starts the page: the list of areas, which of them the address asks for, the keys, light and dark.

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
  ["analyse", "analyse-area", "Analyse", "analyse", true],
  ["minds", "minds-area", "Minds", "minds", true],
  ["search", "search-area", "Search", "search", true],
  ["studies", "studies-area", "Studies", "studies", false],
  ["runs", "runs-area", "Runs", "runs", false],
  ["match", "match-area", "Match", "match", false],
];

/** The module of each area, loaded when it is first shown. @type {Record<string, () => Promise<unknown>>} */
const MODULES = {
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
/** @type {Area|null} */
let shown = null;
let shownName = "";

/** Shows the area that the address asks for. */
async function follow() {
  const { area, name, params } = parseRoute(location.hash);
  const wanted = Object.hasOwn(MODULES, area) ? area : "new";
  if (area && wanted !== area) {
    go(routeTo("new"), { replace: true });
    tell(`There is nothing at “${area.slice(0, 40)}”. This is where games begin.`);
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
    shown = /** @type {Area} */ (document.createElement(AREAS.find(([path]) => path === wanted)?.[1] ?? "setup-area"));
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

/** Marks the area that is shown, and lets the others begin where the game stands. @param {string} wanted */
function mark(wanted) {
  const title = AREAS.find(([path]) => path === wanted)?.[2] ?? "New game";
  document.title = `${title} · noughts`;
  for (const link of document.querySelectorAll("#areas a")) {
    if (/** @type {HTMLElement} */ (link).dataset.area === wanted) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** A game that is played goes on at its end, wherever it was looked at. @param {string} path @param {boolean} withGame */
const target = (path, withGame) =>
  withGame && session.game ? address(path, { whole: path === "play" }) : routeTo(path);

fill(
  /** @type {HTMLElement} */ (document.getElementById("areas")),
  AREAS.map(([path, , words, drawing, withGame]) =>
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
    ),
  ),
);

const themeButton = button("theme", "Light or dark", () => void turnTheme(), { quiet: true, class: "plain" });
fill(
  /** @type {HTMLElement} */ (document.getElementById("top-tools")),
  button("new", "New game", () => go(routeTo("new")), { quiet: true, class: "plain" }),
  themeButton,
  button("keys", "Keys", showKeys, { quiet: true, class: "plain" }),
);

document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

// A token has done its work once the page is loaded; only addresses that are shared have it.
keepToken();
if (location.search) history.replaceState(null, "", location.pathname + location.hash);

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
