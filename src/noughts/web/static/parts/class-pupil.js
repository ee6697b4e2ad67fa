// A pupil's room: what is to be done, classmates to play with, programs, and own games.

import * as api from "../base/api.js";
import { classroom, gameRoute } from "../base/classroom.js";
import { button, calmly, choice, field, fill, h } from "../base/dom.js";
import { learnNames } from "../base/names.js";
import { tellError } from "../base/news.js";
import { go } from "../base/route.js";
import { assignmentWords, fillSelect, namedAgents, namedGames, puzzlesAddress } from "./class-assignment.js";
import { gameGrid } from "./class-tile.js";

export class PupilRoom extends HTMLElement {
  #rules = h("select", {});
  #agent = h("select", {});
  /** @type {"me"|"other"|"chance"} */
  #begins = "chance";
  #assignment = h("section", { class: "panel assignment", "aria-labelledby": "class-assignment" });
  #mates = h("ul", { class: "plain-list mates" });
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
          this.#mates,
          button("share", "Make a link for anybody", () => void this.#make(), {}),
          h("h3", {}, "A program"),
          field("Opponent", this.#agent),
          button("play", "Play the program", () => void this.#make(() => ({ agent: this.#agent.value })), {}),
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
    const drawn = JSON.stringify([state?.assignment, state?.results, state?.pupils]);
    if (!state || drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#drawAssignment();
    const others = state.pupils.filter((pupil) => pupil.id !== me.id);
    const here = others.filter((pupil) => pupil.present);
    fill(
      this.#mates,
      here.map((pupil) =>
        h(
          "li",
          { class: "mate" },
          h("span", {}, pupil.nickname),
          button("play", "Play", () => void this.#make(() => ({ pupil: pupil.id })), {
            "aria-label": `Play ${pupil.nickname}`,
          }),
        ),
      ),
      !here.length && h("li", { class: "muted" }, "No classmate is here now."),
    );
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

  /** @param {() => {agent?: string, pupil?: string}} other */
  async #make(other = () => ({})) {
    try {
      await this.#loaded;
      go(gameRoute((await api.makeClassGame({ rules: this.#rules.value, begins: this.#begins, ...other() })).id));
    } catch (error) {
      tellError(error);
    }
  }
}

customElements.define("pupil-room", PupilRoom);
