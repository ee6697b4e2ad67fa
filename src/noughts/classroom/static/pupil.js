// A pupil's room: what is to be done, a link for a classmate, programs, and own games.

import { button, calmly, choice, field, fill, h } from "/static/base/dom.js";
import { learnNames } from "/static/base/names.js";
import { tellError } from "/static/base/news.js";
import { go } from "/static/base/route.js";
import * as api from "./api.js";
import { assignmentWords, fillSelect, namedAgents, namedGames, puzzlesAddress } from "./assignment.js";
import { classroom, gameRoute } from "./classroom.js";
import { gameGrid } from "./tile.js";

export class PupilRoom extends HTMLElement {
  #rules = h("select", {});
  #agent = h("select", {});
  /** @type {"me"|"other"|"chance"} */
  #begins = "chance";
  #assignment = h("section", { class: "panel assignment", "aria-labelledby": "class-assignment" });
  #name = h("b", {});
  #games = gameGrid(() => true, "No game yet.");
  #drawn = "";
  /** Ends once games and opponents can be chosen: whoever is quicker waits for them. @type {Promise<unknown>} */
  #loaded = Promise.resolve();
  #gone = new AbortController();

  connectedCallback() {
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    const draw = calmly(() => this.#draw());
    for (const type of ["class", "game"]) classroom.addEventListener(type, draw, { signal });
    learnNames(() => {
      this.#drawn = "";
      draw();
    });
    this.#loaded = Promise.all([fillSelect(this.#rules, namedGames), fillSelect(this.#agent, namedAgents)]);
    fill(
      this,
      h("header", { class: "area-head" }, h("h1", {}, "Class"), h("p", { class: "lead" }, "You are ", this.#name, ".")),
      this.#assignment,
      h(
        "div",
        { class: "pupil-room" },
        h(
          "section",
          { class: "own-games", "aria-labelledby": "class-games" },
          h("h2", { id: "class-games" }, "Your games"),
          this.#games.element,
        ),
        h(
          "section",
          { class: "panel play-form", "aria-labelledby": "class-play" },
          h("h2", { id: "class-play" }, "Play"),
          field("Game", this.#rules),
          choice(
            "Who begins",
            [
              ["chance", "by chance"],
              ["me", "me"],
              ["other", "the other"],
            ],
            this.#begins,
            (value) => {
              this.#begins = value;
            },
          ),
          h("h3", {}, "A classmate"),
          button("share", "Make a link for a classmate", () => void this.#make(() => ""), {}),
          h("h3", {}, "A program"),
          field("Opponent", this.#agent),
          button("play", "Play the program", () => void this.#make(() => this.#agent.value), {}),
        ),
      ),
    );
    this.#draw();
  }

  disconnectedCallback() {
    this.#gone.abort();
  }

  #draw() {
    if (!this.isConnected) return;
    this.#games.draw();
    const { state, me } = classroom;
    this.#name.textContent = me.nickname ?? "";
    const drawn = JSON.stringify([state?.assignment, state?.results]);
    if (!state || drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#drawAssignment();
  }

  #drawAssignment() {
    const assignment = classroom.state?.assignment;
    this.#assignment.hidden = !assignment;
    if (!assignment) return;
    const mine = classroom.state?.results[0];
    const done = Boolean(mine?.done_at);
    const count = assignment.kind === "puzzles" ? ` ${mine?.done ?? 0} of ${assignment.count} solved.` : "";
    fill(
      this.#assignment,
      h("h2", { id: "class-assignment" }, done ? "Your task: done" : "Your task"),
      h("p", {}, assignmentWords(assignment), count),
      assignment.words && h("p", { class: "teacher-words" }, assignment.words),
      assignment.kind === "puzzles"
        ? h("a", { class: "button primary", href: puzzlesAddress(assignment) }, done ? "Look again" : "Solve them")
        : button("play", done ? "Play it again" : "Play", () => void this.#begin(), { class: "primary" }),
    );
  }

  async #begin() {
    try {
      go(gameRoute((await api.beginAssignment()).id));
    } catch (error) {
      tellError(error);
    }
  }

  /** @param {() => string} agent gives the opponent; empty for a classmate */
  async #make(agent) {
    try {
      await this.#loaded;
      go(gameRoute((await api.makeGame({ rules: this.#rules.value, begins: this.#begins, agent: agent() })).id));
    } catch (error) {
      tellError(error);
    }
  }
}

customElements.define("pupil-room", PupilRoom);
