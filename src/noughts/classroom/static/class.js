// Adds the class to the page: an area, a style sheet, and a listener for solved puzzles.

import { classroom } from "./classroom.js";

/** @param {import("/static/main.js").Page} page */
export function begin(page) {
  const look = document.createElement("link");
  look.rel = "stylesheet";
  look.href = "/class/class.css";
  document.head.append(look);
  page.addArea({ path: "class", tag: "class-area", load: () => import("./area.js"), words: "Class", icon: "class" });
  document.addEventListener("puzzle-done", (event) => {
    const { puzzle, went } = /** @type {CustomEvent} */ (event).detail;
    if (went !== "shown") classroom.solved(puzzle);
  });
  void classroom.begin();
}
