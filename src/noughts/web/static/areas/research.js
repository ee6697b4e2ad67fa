// <research-area>: what can be found out here, each with what it answers.

import { fill, h, icon } from "../base/dom.js";

/** Address, icon, title, and the question that it answers. @type {[string, string, string, string][]} */
const ROOMS = [
  ["#/minds", "minds", "Two minds", "Where do two programs think differently, and where is one of them proved wrong?"],
  ["#/search", "search", "Watch a search", "How does Monte-Carlo tree search find its move? One iteration at a time."],
  ["#/match", "match", "Matches", "Which of two programs is stronger, on one game or on all of a family?"],
  [
    "#/studies",
    "studies",
    "Findings",
    "What papers claim, measured again: tables, figures, and the games behind them.",
  ],
  ["#/runs", "runs", "Trainings", "How does a network learn? Its curves while it does."],
];

export class ResearchArea extends HTMLElement {
  show() {
    fill(
      this,
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Research"),
        h(
          "p",
          { class: "lead" },
          "Programs that play, beside exact truth. Everything here can be asked at the command line as well.",
        ),
      ),
      h(
        "div",
        { class: "learn-doors" },
        ROOMS.map(([href, name, title, about]) =>
          h(
            "a",
            { class: "door", href },
            icon(name),
            h("span", { class: "door-words" }, h("b", {}, title), h("span", { class: "muted" }, about)),
          ),
        ),
      ),
    );
  }
}

customElements.define("research-area", ResearchArea);
