// <pupil-room>: the pupil's view: the assignment, a link for a classmate, programs to play, and the pupil's games.

import { tellError } from "/static/base/news.js";
import { go } from "/static/base/route.js";
import { areaHead, button, calmly, choice, field, html, linkButton, menu, nothing, View } from "/static/base/view.js";
import { ask } from "./api.js";
import { assignmentWords, chosenOf, namedAgents, namedGames, puzzlesAddress } from "./assignment.js";
import { classroom, gameRoute } from "./classroom.js";
import { gameGrid } from "./tile.js";

export class PupilRoom extends View {
  chosen = { rules: "", agent: "", begins: /** @type {"me"|"other"|"chance"} */ ("chance") };
  /** @type {[string, string][]} */
  #games = [];
  /** @type {[string, string][]} */
  #agents = [];
  /** Resolves when games and opponents are loaded; a faster click waits for it. @type {Promise<unknown>} */
  #loaded = Promise.resolve();

  arrive() {
    const draw = calmly(() => this.requestUpdate());
    this.listen(classroom, "change", draw);
    this.#loaded = this.#load().catch(tellError);
  }

  async #load() {
    this.#games = await namedGames();
    this.#choose({ rules: this.#games[0][0] });
    await this.#loaded;
  }

  /** Loads the programs that can play a game. @param {string} rules */
  async #meet(rules) {
    const agents = await namedAgents(rules);
    if (rules !== this.chosen.rules) return; // another game was chosen meanwhile
    this.#agents = agents;
    this.#choose({ agent: chosenOf(agents, this.chosen.agent) });
  }

  /** @param {{rules?: string, agent?: string, begins?: "me"|"other"|"chance"}} changed */
  #choose(changed) {
    this.chosen = { ...this.chosen, ...changed };
    if (changed.rules) this.#loaded = this.#meet(changed.rules).catch(tellError);
  }

  render() {
    const { rules, agent, begins } = this.chosen;
    const games = menu(this.#games, rules, (value) => this.#choose({ rules: value }));
    const programs = menu(this.#agents, agent, (value) => this.#choose({ agent: value }));
    return html`${areaHead("Class", html`You are <b>${classroom.pupil(classroom.me ?? "")?.nickname}</b>.`)} ${this.#assignment()}
      <div class="pupil-room">
        <section class="own-games stack" aria-labelledby="class-games">
          <h2 id="class-games">Your games</h2>
          ${gameGrid(() => true, "No game yet.")}
        </section>
        <section class="panel stack" aria-labelledby="class-play">
          <h2 id="class-play">Play</h2>
          ${field("Game", games)}
          ${choice("Who begins", { chance: "by chance", me: "me", other: "the other" }, begins, (value) =>
            this.#choose({ begins: value }),
          )}
          <h3>A classmate</h3>
          ${button("share", "Make a link for a classmate", () => this.#make(() => ""))}
          <h3>A program</h3>
          ${field("Which program", programs)}
          ${button("play", "Play the program", () => this.#make(() => this.chosen.agent))}
        </section>
      </div>`;
  }

  #assignment() {
    const assignment = classroom.state?.assignment;
    if (!assignment) return nothing;
    const mine = classroom.pupil(classroom.me ?? "")?.result;
    const done = Boolean(mine?.done_at);
    const isPuzzles = assignment.kind === "puzzles";
    const play = () => this.#enter(ask("POST /api/class/assignment/begin"));
    return html`<section class="panel assignment" aria-labelledby="class-assignment">
      <h2 id="class-assignment">${done ? "Your task: done" : "Your task"}</h2>
      <p>${assignmentWords(assignment)}${isPuzzles ? ` ${mine?.done ?? 0} of ${assignment.count} solved.` : ""}</p>
      ${assignment.words ? html`<p class="teacher-words">${assignment.words}</p>` : nothing}
      ${
        isPuzzles
          ? linkButton(puzzlesAddress(assignment), done ? "Look again" : "Solve them", "primary")
          : button("play", done ? "Play it again" : "Play", play, { kind: "primary" })
      }
    </section>`;
  }

  /** Opens a game once the server has created it. @param {Promise<{id: string}>} made */
  #enter(made) {
    return made.then(({ id }) => go(gameRoute(id)), tellError);
  }

  /** @param {() => string} agent returns the opponent; empty for a classmate */
  async #make(agent) {
    await this.#loaded;
    const { rules, begins } = this.chosen;
    await this.#enter(ask("POST /api/class/games", { body: { rules, begins, agent: agent() } }));
  }
}

customElements.define("pupil-room", PupilRoom);
