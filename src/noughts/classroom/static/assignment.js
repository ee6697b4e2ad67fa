// Assignments: their description in words, and the form in which the teacher sets one.

import * as api from "/static/base/api.js";
import { counted } from "/static/base/format.js";
import { called } from "/static/base/names.js";
import { tell, tellError } from "/static/base/news.js";
import { routeTo } from "/static/base/route.js";
import { button, choice, field, html, inputOf, menu, nothing, submitted, View } from "/static/base/view.js";
import { ask } from "./api.js";

/** @import { AssignmentAnswer as Assignment } from "./api-types.js" */

/** Describes an assignment in a sentence. @param {Assignment} assignment */
export function assignmentWords({ kind, name, agent = "", moves = [], grade, count = 0 }) {
  if (kind === "puzzles") return `Solve ${counted(count, "puzzle")}: ${name}${grade ? `, ${grade}` : ""}.`;
  const from = moves.length ? ", from a position" : "";
  return `${name} against ${called(agent)}${from}: finish a game.`;
}

/** The address of an assignment's puzzles. @param {Assignment} assignment */
export const puzzlesAddress = ({ rules, grade, count }) => routeTo("learn/puzzles", { rules, grade, most: count });

/** The text and name of each game. @returns {Promise<[string, string][]>} */
export const namedGames = async () => (await api.presets()).map(({ text, name }) => [text, name]);

/**
 * The text of each opponent that can play a game, and its name with its strength; all opponents if no game is given.
 * @param {string} rules @returns {Promise<[string, string][]>}
 */
export const namedAgents = async (rules) =>
  (await api.opponents(rules)).map(({ agent, name, strength }) => [agent, strength ? `${name}, ${strength}` : name]);

/** The chosen one of named agents, or the first if it is not among them. @param {[string, string][]} agents @param {string} chosen */
export const chosenOf = (agents, chosen) => (agents.some(([agent]) => agent === chosen) ? chosen : agents[0][0]);

/** The text and name of each game with puzzles. @returns {Promise<[string, string][]>} */
const namedPuzzles = async () => (await api.ask("GET /api/puzzles")).map(({ rules, name }) => [rules, name]);

/** @type {(""|"easy"|"medium"|"hard"|["", string])[]} */
const GRADES = [["", "all grades"], "easy", "medium", "hard"];
const START = {
  kind: /** @type {"opponent"|"position"|"puzzles"} */ ("opponent"),
  rules: "",
  agent: "",
  puzzles: "",
  grade: /** @type {""|"easy"|"medium"|"hard"} */ (""),
  count: "5",
  position: "tic-tac-toe B2 A2",
  words: "",
};

/** <assignment-form>: the form in which the teacher sets an assignment. */
class AssignmentForm extends View {
  set = { ...START };
  /** @type {Record<"rules"|"agent"|"puzzles", [string, string][]>} */
  choices = { rules: [], agent: [], puzzles: [] };
  /** @type {Promise<void>} */
  #loaded = Promise.resolve();

  arrive() {
    this.#loaded = this.#load().catch(tellError);
  }

  async #load() {
    const [rules, puzzles] = await Promise.all([namedGames(), namedPuzzles()]);
    this.choices = { ...this.choices, rules, puzzles };
    this.#change({ rules: rules[0][0], puzzles: puzzles[0][0] });
    await this.#loaded;
  }

  /** @param {Partial<typeof START>} changed */
  #change(changed) {
    this.set = { ...this.set, ...changed };
    if (changed.rules || changed.kind) this.#loaded = this.#meet().catch(tellError);
  }

  /** Loads the programs that can play the game; all of them for a position, because its text names the game. */
  async #meet() {
    const { kind, rules } = this.set;
    const agent = await namedAgents(kind === "position" ? "" : rules);
    if (kind !== this.set.kind || rules !== this.set.rules) return; // changed meanwhile
    this.choices = { ...this.choices, agent };
    this.#change({ agent: chosenOf(agent, this.set.agent) });
  }

  render() {
    const { kind, grade } = this.set;
    const select = (/** @type {"rules"|"agent"|"puzzles"} */ name) =>
      menu(this.choices[name], this.set[name], (value) => this.#change({ [name]: value }));
    const opponent = field("Program", select("agent"));
    const grades = menu(GRADES, grade, (value) => this.#change({ grade: value }));
    const where = "Rules, then moves, as Analyse copies it. Your pupils have the next move.";
    const fields = {
      opponent: () => html`${field("Game", select("rules"))} ${opponent}`,
      position: () => html`${field("Position", this.#input("position", "text-form"), where)} ${opponent}`,
      puzzles: () => html`${field("Puzzles", select("puzzles"))}
        ${field("Grade", grades)}
        ${field("How many", this.#input("count", "", "number"))}`,
    };
    return html`<form class="stack" @submit=${submitted(() => this.#send())}>
      ${choice("What", { opponent: "a program", position: "a position", puzzles: "puzzles" }, kind, (value) =>
        this.#change({ kind: value }),
      )}
      <div class="stack">
        ${fields[kind]()} ${field("A word to your pupils (may be left out)", this.#input("words"))}
      </div>
      <div class="tools">${button("", "Set for all", null, { type: "submit", kind: "primary" })}</div>
    </form>`;
  }

  /** @param {"position"|"count"|"words"} name @param {string} [looks] @param {string} [type] */
  #input(name, looks = "", type = "text") {
    const typed = (/** @type {Event} */ event) => this.#change({ [name]: inputOf(event).value });
    return html`<input type=${type} class=${looks} min=${type === "number" ? 1 : nothing} max=${type === "number" ? 60 : nothing}
      maxlength="400" autocomplete="off" spellcheck="false" .value=${this.set[name]} @input=${typed}>`;
  }

  /** @returns {Promise<import("./api-types.js").Assignment>} */
  async #asked() {
    const { kind, agent, words, grade, ...set } = this.set;
    if (kind === "puzzles") return { kind, words, rules: set.puzzles, grade, count: Number(set.count) || 0 };
    const { rules, moves } = kind === "position" ? await api.read(set.position) : { rules: set.rules, moves: [] };
    return { kind: "game", words, rules, moves, agent };
  }

  async #send() {
    try {
      await this.#loaded;
      await ask("PUT /api/class/assignment", { body: await this.#asked() });
      tell("All see it now.");
    } catch (error) {
      tellError(error);
    }
  }
}

customElements.define("assignment-form", AssignmentForm);
