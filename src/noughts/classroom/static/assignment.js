// What the teacher wants done: how it reads, and the form in which it is set.

import * as api from "/static/base/api.js";
import { button, choice, field, fill, h } from "/static/base/dom.js";
import { counted } from "/static/base/format.js";
import { called } from "/static/base/names.js";
import { tell, tellError } from "/static/base/news.js";
import { routeTo } from "/static/base/route.js";
import { assign } from "./api.js";

/** @typedef {import("./api-types.js").AssignmentAnswer} Assignment */

const GOALS = { finish: "play a game to its end", draw: "do not lose", win: "win" };

/** An assignment in a sentence. @param {Assignment} assignment */
export function assignmentWords({ kind, name, agent = "", goal = "finish", moves = [], grade, count = 0 }) {
  if (kind === "puzzles") return `Solve ${counted(count, "puzzle")}: ${name}${grade ? `, ${grade}` : ""}.`;
  const from = moves.length ? ", from a position" : "";
  return `${name} against ${called(agent)}${from}: ${GOALS[goal]}.`;
}

/** Where the puzzles of an assignment are. @param {Assignment} assignment */
export const puzzlesAddress = ({ rules, grade, count }) => routeTo("learn/puzzles", { rules, grade, most: count });

/** A select of the games that have a name. @param {HTMLSelectElement} select @param {() => Promise<[string, string][]>} load */
export async function fillSelect(select, load) {
  try {
    fill(
      select,
      (await load()).map(([value, words]) => h("option", { value }, words)),
    );
  } catch (error) {
    tellError(error);
  }
}

/** Games by text and name. @returns {Promise<[string, string][]>} */
export const namedGames = async () => (await api.presets()).map(({ text, name }) => [text, name]);

/** Opponents by text and name, with their strength. @returns {Promise<[string, string][]>} */
export const namedAgents = async () =>
  (await api.opponents()).map(({ agent, name, strength }) => [agent, `${name}, ${strength}`]);

/** The form. */
export function assignmentForm() {
  let kind = /** @type {"opponent"|"position"|"puzzles"} */ ("opponent");
  let goal = /** @type {"finish"|"draw"|"win"} */ ("finish");
  const rules = h("select", {});
  const agent = h("select", {});
  const puzzles = h("select", {});
  const grade = h(
    "select",
    {},
    [
      ["", "all grades"],
      ["easy", "easy"],
      ["medium", "medium"],
      ["hard", "hard"],
    ].map(([value, words]) => h("option", { value }, words)),
  );
  const count = h("input", { type: "number", min: 1, max: 60, value: 5 });
  const position = h("input", { type: "text", value: "tic-tac-toe B2 A2", class: "text-form", spellcheck: "false" });
  const words = h("input", { type: "text", maxlength: 400, autocomplete: "off" });
  const fields = h("div", { class: "assignment-fields" });
  const loaded = Promise.all([
    fillSelect(rules, namedGames),
    fillSelect(agent, namedAgents),
    fillSelect(puzzles, async () => (await api.puzzleGames()).map(({ rules: text, name }) => [text, name])),
  ]);
  const goals = choice(
    "Done when they",
    [
      ["finish", "finish"],
      ["draw", "do not lose"],
      ["win", "win"],
    ],
    goal,
    (value) => {
      goal = value;
    },
  );
  const draw = () =>
    fill(
      fields,
      kind === "opponent" && field("Game", rules),
      kind === "position" &&
        field("Position", position, "Rules, then moves, as Analyse copies it. Your pupils have the next move."),
      kind !== "puzzles" && field("Opponent", agent),
      kind !== "puzzles" && goals,
      kind === "puzzles" && field("Puzzles", puzzles),
      kind === "puzzles" && field("Grade", grade),
      kind === "puzzles" && field("How many", count),
      field("A word to your pupils (may be left out)", words),
    );
  /** @returns {Promise<import("./api-types.js").Assignment>} */
  const asked = async () => {
    if (kind === "puzzles")
      return {
        kind,
        words: words.value,
        rules: puzzles.value,
        grade: /** @type {""} */ (grade.value),
        count: Number(count.value) || 0,
      };
    const at = kind === "position" ? await api.read(position.value) : { rules: rules.value, moves: [] };
    return { kind: "game", words: words.value, rules: at.rules, moves: at.moves, agent: agent.value, goal };
  };
  const set = async () => {
    try {
      await loaded;
      await assign(await asked());
      tell("All see it now.");
    } catch (error) {
      tellError(error);
    }
  };
  draw();
  return h(
    "form",
    {
      class: "assignment-form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void set();
      },
    },
    choice(
      "What",
      [
        ["opponent", "an opponent"],
        ["position", "a position"],
        ["puzzles", "puzzles"],
      ],
      kind,
      (value) => {
        kind = value;
        draw();
      },
    ),
    fields,
    button("", "Set for all", () => {}, { type: "submit", class: "primary" }),
  );
}
