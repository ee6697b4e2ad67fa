// <research-area>: what can be found out here, each with what it answers.

import { areaHead, html, icon, View } from "../base/view.js";

/** Address, icon, title, and the question that it answers. @type {[string, string, string, string][]} */
const ROOMS = [
  ["#/minds", "minds", "Two programs compared", "Where do two programs differ, and where is one of them proved wrong?"],
  [
    "#/search",
    "search",
    "A search, step by step",
    "How does Monte-Carlo tree search find its move? One simulation at a time.",
  ],
  [
    "#/studies",
    "studies",
    "Findings",
    "What papers claim, measured again: tables, figures, and the games behind them.",
  ],
  ["#/runs", "runs", "Trainings", "How does a network learn? Its curves while it does."],
];

const LEAD = "Programs that play, beside exact truth. Everything here can be asked at the command line as well.";

export class ResearchArea extends View {
  render() {
    return html`${areaHead("Research", LEAD)}
      <div class="learn-doors">
        ${ROOMS.map(
          ([href, name, title, about]) => html`<a class="door" href=${href}>
            ${icon(name)}<span class="door-words"><b>${title}</b><span class="muted">${about}</span></span>
          </a>`,
        )}
      </div>`;
  }
}

customElements.define("research-area", ResearchArea);
