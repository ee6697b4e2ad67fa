// <setup-area>: starts a game: chooses the rules, the opponent and who begins. It also opens games from text, a file or the list.

import * as api from "../base/api.js";
import { percent } from "../base/format.js";
import { Game } from "../base/game.js";
import { keep, keptChoices } from "../base/kept.js";
import { copy, tell, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { HUMAN, newSeed, session } from "../base/session.js";
import { button, choice, html, inputOf, isOpen, live, nothing, repeat, View } from "../base/view.js";
import { agentPicker } from "../parts/agents.js";
import { confirmed } from "../parts/asking.js";
import { chooseFile, LOST_GAME } from "../parts/files.js";
import "../parts/kept-game.js";
import { picture } from "../parts/mini.js";
import "../parts/rules.js";

/** @import { GameInfo, OpponentAnswer as Opponent, PositionAnswer as Position } from "../base/api-types.js" */

const DEFAULT = { rules: "bttt(D4)", mode: "agent", agent: "mcts:sims=1000", other: "minimax:depth=2", begins: "you" };
const FIRST_SHOWN = 3; // opponents; the others are folded away
const FIRST_GAMES = 12; // saved games in the list

/** Whether an agent can play only games that a solver covers. @param {string} agent */
const isPerfect = (agent) => agent.split(":")[0] === "perfect";

export class SetupArea extends View {
  chosen = keptChoices("setup", DEFAULT);
  /** The current game, or that of the last visit. */
  #last = session.game ?? session.draft();
  /** @type {Position|null} */
  rules = null;
  text = ""; // the content of the text field, perhaps not valid yet
  problem = "";
  own = false; // whether the rules builder is open
  #reading = 0; // counts requests, so that a late answer does not overwrite a newer one
  /** @type {import("../base/api-types.js").PresetAnswer[]} */
  presets = [];
  /** The opponents for the chosen game, the weakest first. @type {Opponent[]} */
  opponents = [];
  /** The opponents that are not folded away. @type {Set<Opponent>} */
  #first = new Set();
  /** The saved games, once loaded. @type {GameInfo[]|null} */
  games = null;
  most = FIRST_GAMES; // how many of them are shown

  arrive() {
    api.presets().then((presets) => (this.presets = presets), tellError);
  }

  /** Starts with the rules in the address, or with the last choice. @param {URLSearchParams} params */
  show(params) {
    const agent = params.get("agent");
    if (agent) this.#choose({ agent, mode: "agent" });
    return this.#read(params.get("rules") ?? this.chosen.rules);
  }

  /** @param {Partial<typeof DEFAULT>} changed */
  #choose(changed) {
    this.chosen = { ...this.chosen, ...changed };
    keep("setup", this.chosen);
  }

  render() {
    const resume = this.#last?.root.next ? this.#last : null;
    return html`<header class="head-row">
        <h1>New game</h1> ${resume ? button("play", "Your last game", () => this.#resume(resume)) : nothing}
      </header>
      <div class="setup">
        <section class="stack" aria-labelledby="setup-game">
          <h2 id="setup-game">The game</h2>
          <div class="cards" role="group" aria-label="Games">${this.presets.map((preset) => this.#card(preset))}</div>
          ${this.#textForm()}
          <details class="panel" ?open=${this.own} @toggle=${(/** @type {Event} */ event) => (this.own = isOpen(event))}>
            <summary>Make your own rules</summary>
            ${
              this.own
                ? html`<rules-builder .rules=${this.rules} @rules=${(/** @type {CustomEvent} */ event) => this.#take(event.detail)}></rules-builder>`
                : nothing
            }
          </details>
          ${this.#keptGames()}
        </section>
        <section class="stack" aria-labelledby="setup-players">
          <h2 id="setup-players">Who plays</h2>
          <div class="panel players stack">
            ${choice(
              "You play against",
              { agent: "a program", friend: "a friend here", watch: "nobody: watch two" },
              this.chosen.mode,
              (mode) => this.#choose({ mode }),
            )}
            ${this.#players()}
          </div>
        </section>
      </div>
      <div class="start-row">${button("play", "Start the game", () => this.#begin(), { kind: "primary large" })}</div>`;
  }

  /** @param {import("../base/api-types.js").PresetAnswer} preset */
  #card({ name, text, sentence, sample }) {
    return html`<button type="button" class="card" data-rules=${text} title=${sentence}
      aria-pressed=${text === this.rules?.rules} @click=${() => this.#read(text)}>
      <span class="card-picture">${picture(text, sample)}</span><span class="card-name">${name}</span>
    </button>`;
  }

  #textForm() {
    const typed = (/** @type {Event} */ event) => {
      this.#reading++;
      this.text = inputOf(event).value;
    };
    return html`<div class="panel stack">
      <p class="sentence" aria-live="polite">${this.rules?.sentence}</p>
      <div class="text-row">
        <input type="text" class="text-form" spellcheck="false" autocomplete="off" aria-label="The game as text"
          .value=${live(this.text)} @input=${typed} @change=${() => this.#read(this.text)}>
        ${button("copy", "Copy the text", () => copy(this.text, "Copied the game as text."), { quiet: true })}
      </div>
      ${this.problem ? html`<p class="problem" role="status">${this.problem}</p>` : nothing}
    </div>`;
  }

  /** Reads rules, a position as text, or an address that was typed or pasted. @param {string} text */
  async #read(text) {
    const pasted = text.trim();
    const reading = ++this.#reading;
    if (pasted.includes("#/")) {
      go(pasted.slice(pasted.indexOf("#/")));
      return;
    }
    try {
      const found = await api.read(pasted);
      if (reading !== this.#reading) return;
      if (found.moves.length) go(routeTo("analyse", { rules: found.rules, moves: found.moves.join(" ") }));
      else this.#take(found);
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#take(null);
      this.problem = /** @type {Error} */ (error).message;
    }
  }

  /** @param {Position|null} rules */
  #take(rules) {
    this.rules = rules;
    this.problem = "";
    if (!rules) return;
    this.text = rules.rules;
    this.#choose({ rules: rules.rules });
    void this.#meet(rules.rules);
  }

  /** Loads the opponents that can play a game, with their strengths. @param {string} rules */
  async #meet(rules) {
    try {
      const found = await api.opponents(rules);
      if (rules !== this.rules?.rules) return;
      const canPlay = !isPerfect(this.chosen.agent) || found.some(({ agent }) => isPerfect(agent));
      if (!canPlay) this.#choose({ agent: DEFAULT.agent });
      // Show the last choice, the strongest, and one that is easy to beat.
      const chosen = found.filter(({ agent }) => agent === this.chosen.agent);
      const spread = [found.length - 1, Math.floor(found.length / 4), Math.floor(found.length / 2)];
      this.opponents = found;
      this.#first = new Set([...new Set([...chosen, ...spread.map((index) => found[index])])].slice(0, FIRST_SHOWN));
    } catch (error) {
      tellError(error);
    }
  }

  #players() {
    const { mode, agent, other, begins } = this.chosen;
    if (mode === "friend") return nothing;
    if (mode === "watch")
      return html`${agentPicker("First program", agent, (text) => this.#choose({ agent: text }))}
        ${agentPicker("Second program", other, (text) => this.#choose({ other: text }))}`;
    const [shown, folded] = [true, false].map((first) =>
      this.opponents.filter((one) => this.#first.has(one) === first),
    );
    const isShown = !this.opponents.length || shown.some((one) => one.agent === agent);
    const rows = (/** @type {Opponent[]} */ some) => some.map((one) => this.#opponent(one));
    return html`<div class="opponents" role="group" aria-label="Programs">${rows(shown)}</div>
      <details ?open=${!isShown}>
        <summary>More programs, with their settings</summary>
        <div class="opponents" role="group" aria-label="More programs">${rows(folded)}</div>
        <p class="muted about">Right: how often its move keeps the win or the draw in this game, where some moves do not.</p>
        ${agentPicker("Any program", agent, (text) => this.#choose({ agent: text }))}
      </details>
      ${choice("Who begins", { you: "You", agent: "The program", chance: "By chance" }, begins, (value) =>
        this.#choose({ begins: value }),
      )}`;
  }

  /** A named opponent, with its strength and how it chooses moves. @param {Opponent} opponent */
  #opponent({ name, agent, about, strength, accuracy }) {
    const known = accuracy === null ? "not measured in this game" : `${strength}, right ${percent(accuracy)}`;
    return html`<button type="button" class="opponent" data-agent=${agent} aria-pressed=${agent === this.chosen.agent}
      @click=${() => this.#choose({ agent })}>
      <b>${name}</b><small class="muted">${known}</small><span class="opponent-about">${about}</span>
    </button>`;
  }

  async #begin() {
    if (this.text !== this.rules?.rules) await this.#read(this.text); // the text was typed just now
    if (!this.rules || !this.isConnected) return;
    // The pickers' values include text that is not validated yet.
    const pickers = /** @type {NodeListOf<import("../parts/agents.js").AgentPicker>} */ (
      this.querySelectorAll(".players agent-picker")
    );
    const { mode, agent, other, begins } = this.chosen;
    const [first = agent, second = other] = [...pickers].map((picker) => picker.value);
    const starts = begins === "you" || (begins === "chance" && newSeed() % 2 === 0);
    const players = {
      friend: { first: HUMAN, second: HUMAN },
      watch: { first, second },
      agent: starts ? { first: HUMAN, second: first } : { first, second: HUMAN },
    }[/** @type {"agent"} */ (mode)];
    const game = new Game(this.rules.rules, players, newSeed());
    session.take(game);
    go(routeTo("play", game.params));
  }

  /** @param {Game} game */
  #resume(game) {
    if (session.game !== game) session.resume(game);
    go(routeTo("play", game.params));
  }

  /** The panel to open a file or a saved game. */
  #keptGames() {
    const toggled = (/** @type {Event} */ event) => isOpen(event) && void this.#list();
    return html`<details class="panel" @toggle=${toggled}>
      <summary>Open a game</summary>
      <p class="muted">Paste a position or an address above, read a file, or continue a game kept here.</p>
      ${button("load", "Open a file", chooseFile)}
      ${
        this.games?.length === 0
          ? html`<p class="muted">
              No game yet. Games that you play are kept here by themselves. <a href=${LOST_GAME}>A lost game, explained</a>
              move by move, to begin with.
            </p>`
          : html`<ul class="plain-list games">${repeat(
              this.games?.slice(0, this.most) ?? [],
              ({ id }) => id,
              (game) => this.#kept(game),
            )}</ul>
            ${(this.games?.length ?? 0) > this.most ? button("", `Show all ${this.games?.length}`, () => (this.most = Infinity)) : nothing}`
      }
    </details>`;
  }

  async #list() {
    this.games = await api.ask("GET /api/games").catch((error) => tellError(error) ?? null);
  }

  /** @param {GameInfo} kept */
  #kept({ id, name, updated }) {
    const remove = () => this.#remove(id, name).catch(tellError);
    return html`<li class="kept-game">
      <kept-game .id=${id} .name=${name} .date=${updated}></kept-game>
      ${button("close", `Delete ${name}`, remove, { quiet: true, kind: "plain" })}
    </li>`;
  }

  /** Deletes a saved game after confirmation. For a while this can be undone. @param {string} id @param {string} name */
  async #remove(id, name) {
    if (!(await confirmed("Delete this game?", name, "Delete"))) return;
    const { game } = await api.ask("GET /api/games/{id}", { name: id });
    await api.ask("DELETE /api/games/{id}", { name: id });
    await this.#list();
    const back = () => api.ask("POST /api/games", { body: { name, game } }).then(() => this.#list(), tellError);
    tell(`Deleted ${name}.`, { act: ["Undo", () => void back()] });
  }
}

customElements.define("setup-area", SetupArea);
