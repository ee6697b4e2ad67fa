// <match-area>: a small match between two agents, on one game or on several of one size; the table fills while it is
// played, and every game can be opened.

import * as api from "../base/api.js";
import { button, check, field, fill, h } from "../base/dom.js";
import { percent } from "../base/format.js";
import { keep, keptChoices } from "../base/kept.js";
import { announce, emptiness, tell, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { session } from "../base/session.js";
import { agentPicker } from "../parts/agents.js";
import { heatmap, openGame } from "../parts/heatmap.js";

const LOOK_AGAIN = 400; // milliseconds
const MOST_GAMES = 200;
const EVERY_SQUARE = "bttt(*)"; // a task: the brick on every square of the board
const DEFAULT = { first: "mcts:sims=200", second: "minimax:depth=2", games: 20, swap: true };

/** @typedef {import("../base/api-types.js").MatchAnswer} MatchAnswer */
/** @typedef {Omit<import("../base/api-types.js").MatchRow, "agent">} Row */
/** @typedef {import("../parts/agents.js").AgentPicker} AgentPicker */
/** @typedef {typeof DEFAULT & {rules: string, seed: number}} Settings */

export class MatchArea extends HTMLElement {
  #settings = keptChoices("match", { rules: session.game?.rules ?? "bttt(D4)", seed: 0, ...DEFAULT });
  #result = h("div", { class: "match-result" });
  #start = button("play", "Start the match", () => void this.#begin(), { class: "primary" });
  #stop = button("stop", "Stop", () => void this.#halt(), { hidden: true });
  #id = "";
  #drawn = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  /** @param {URLSearchParams} params */
  async show(params) {
    if (!this.firstElementChild) this.#build();
    const id = params.get("id") ?? "";
    if (id && id !== this.#id) {
      this.#id = id;
      await this.#look();
    }
  }

  #build() {
    const { rules, first, second, games, swap, seed } = this.#settings;
    const choose = (/** @type {Partial<Settings>} */ changed) => {
      Object.assign(this.#settings, changed);
      keep("match", this.#settings);
    };
    const rulesInput = h("input", {
      type: "text",
      class: "text-form",
      value: rules,
      list: "match-games",
      spellcheck: "false",
      onchange: () => choose({ rules: rulesInput.value.trim() }),
    });
    const list = h("datalist", { id: "match-games" });
    api.presets().then(
      (presets) =>
        fill(
          list,
          [...presets.map((preset) => preset.text), EVERY_SQUARE].map((value) => h("option", { value })),
        ),
      () => {},
    );
    const count = h("input", {
      type: "number",
      min: 1,
      max: MOST_GAMES,
      value: games,
      onchange: () => choose({ games: Math.min(MOST_GAMES, Math.max(1, Math.round(Number(count.value)) || 1)) }),
    });
    const seedInput = h("input", {
      type: "number",
      min: 0,
      value: seed,
      onchange: () => choose({ seed: Math.max(0, Math.round(Number(seedInput.value)) || 0) }),
    });
    fill(
      this,
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Match"),
        h("p", { class: "lead" }, "Let two agents play each other, and open any of the games."),
      ),
      h(
        "div",
        { class: "match" },
        h(
          "form",
          {
            class: "panel match-form",
            onsubmit: (/** @type {Event} */ event) => {
              event.preventDefault();
              void this.#begin();
            },
          },
          field("Game", rulesInput),
          list,
          agentPicker("First agent", first, (text) => choose({ first: text })),
          agentPicker("Second agent", second, (text) => choose({ second: text })),
          h("div", { class: "steppers" }, field(`Games, at most ${MOST_GAMES}`, count), field("Seed", seedInput)),
          check("They take turns to begin", swap, (checked) => choose({ swap: checked })),
          h("div", { class: "tools" }, this.#start, this.#stop),
        ),
        h("section", { class: "panel", "aria-label": "Result" }, this.#result),
      ),
    );
    fill(
      this.#result,
      emptiness("No match yet", "Choose a game and two agents, then start: the table fills while they play."),
    );
  }

  async #begin() {
    const { rules, games, swap, seed } = this.#settings;
    const [first, second] = [...this.querySelectorAll("agent-picker")].map(
      (picker) => /** @type {AgentPicker} */ (picker).value,
    );
    this.#start.disabled = true;
    try {
      const { id } = await api.startMatch({ rules, first, second, games, seed, swap });
      this.#id = id;
      this.#drawn = "";
      go(routeTo("match", { id }), { replace: true });
      await this.#look();
    } catch (error) {
      tellError(error);
      this.#start.disabled = false;
    }
  }

  async #halt() {
    try {
      await api.stopMatch(this.#id);
    } catch (error) {
      tellError(error);
    }
  }

  async #look() {
    clearTimeout(this.#timer);
    const id = this.#id;
    try {
      const match = await api.match(id);
      if (id !== this.#id || !this.isConnected) return;
      const running = match.state === "running";
      this.#start.disabled = running;
      this.#stop.hidden = !running;
      this.#draw(match);
      if (running) this.#timer = setTimeout(() => void this.#look(), LOOK_AGAIN);
      else announce(`The match is ${match.state}.`);
    } catch (error) {
      this.#start.disabled = false;
      this.#stop.hidden = true;
      if (error instanceof api.ApiError && error.status === 404)
        tell("This match is no longer kept. Start another.", { error: true });
      else tellError(error);
    }
  }

  /** @param {MatchAnswer} match */
  #draw(match) {
    const state = JSON.stringify([match.state, match.done]);
    if (state === this.#drawn) return;
    this.#drawn = state;
    const { records, table } = match;
    const whole = table.find((row) => row.label === "in all");
    const second = table.find((row) => row.label === "moving second");
    const same = match.first === match.second;
    // Of an agent that plays itself, what it wins as the second player is lost for the first.
    const turned = same && second ? second.losses - second.wins : 0;
    const [won, drawn, lost] = whole ? [whole.wins + turned, whole.draws, whole.losses - turned] : [0, 0, 0];
    const part = (/** @type {string} */ kind, /** @type {number} */ count, /** @type {string} */ words) =>
      count > 0 &&
      h("div", { class: `score-part ${kind}`, "--share": count, title: `${count} ${words}` }, `${count} ${words}`);
    fill(
      this.#result,
      h(
        "h2",
        {},
        {
          running: `Game ${Math.min(match.done + 1, match.total)} of ${match.total}`,
          finished: `${match.total} games`,
          stopped: `Stopped after ${match.done} of ${match.total} games`,
          failed: "The match failed",
        }[match.state],
      ),
      match.state === "failed" && match.error && h("p", { class: "problem" }, match.error),
      match.state === "running" && h("progress", { max: match.total, value: match.done, "aria-label": "Games played" }),
      whole &&
        h(
          "div",
          {
            class: "score-bar",
            role: "img",
            "aria-label": `${won} won by ${same ? "the first player" : match.first}, ${drawn} drawn, ${lost} won by ${same ? "the second player" : match.second}`,
          },
          part("won", won, "won"),
          part("drawn", drawn, "drawn"),
          part("lost", lost, "lost"),
        ),
      h(
        "p",
        { class: "muted" },
        same ? "Won and lost as the first player sees it." : `Won and lost as ${match.first} sees it.`,
      ),
      this.#table("Score", table),
      this.#byGame(match),
      records.length > 0 &&
        h(
          "div",
          { class: "records", tabindex: "0", role: "region", "aria-label": "The games" },
          h(
            "table",
            {},
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                ["Game", "First", "Second", "Won by"].map((words) => h("th", { scope: "col" }, words)),
              ),
            ),
            h(
              "tbody",
              {},
              records.map((game, index) =>
                h(
                  "tr",
                  {},
                  h(
                    "th",
                    { scope: "row" },
                    h(
                      "button",
                      {
                        type: "button",
                        class: "link",
                        onclick: () => void openGame(game.text, { first: game.first, second: game.second }),
                      },
                      `Game ${index + 1}`,
                    ),
                  ),
                  h("td", { class: "code" }, game.first),
                  h("td", { class: "code" }, game.second),
                  h("td", {}, game.ending === "draw" ? "a draw" : game.ending),
                ),
              ),
            ),
          ),
        ),
    );
  }

  /** How each game of a task was played: on a board where they differ by a brick. @param {MatchAnswer} match */
  #byGame({ by_game: games, first }) {
    const title = `By game, as ${first} sees it`;
    if (games.length < 2) return null;
    const squares = games.flatMap(({ square, share, wins, draws, losses, lost }) =>
      square === null ? [] : [{ square, value: share ?? 0, text: [wins, draws, losses].join("–"), game: lost }],
    );
    if (!squares.length)
      return this.#table(
        title,
        games.map((game) => ({ ...game, label: game.rules })),
      );
    return h(
      "figure",
      { class: "figure" },
      heatmap(title, squares, [0, 1]),
      h(
        "figcaption",
        {},
        h("b", {}, "By the brick's square"),
        ` Won, drawn and lost as ${first} sees it.`,
        squares.some(({ game }) => game) && " Choose a framed square to open a game that it lost.",
      ),
    );
  }

  /** @param {string} name @param {Row[]} rows */
  #table(name, rows) {
    if (!rows.length) return null;
    const broken = rows.some((row) => row.errors > 0);
    return h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
      h(
        "table",
        { class: "score" },
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ["", "Games", "Won", "Drawn", "Lost", broken ? "Broken off" : "", "Share", "95% interval"].map(
              (words, index) => (words || !index) && h("th", { scope: "col" }, words),
            ),
          ),
        ),
        h(
          "tbody",
          {},
          rows.map((row) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, row.label),
              [row.games, row.wins, row.draws, row.losses, ...(broken ? [row.errors] : [])].map((count) =>
                h("td", {}, count),
              ),
              h("td", {}, row.share === null ? "–" : percent(row.share)),
              h("td", {}, row.low === null || row.high === null ? "–" : `${percent(row.low)} to ${percent(row.high)}`),
            ),
          ),
        ),
      ),
    );
  }
}

customElements.define("match-area", MatchArea);
