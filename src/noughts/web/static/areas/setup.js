// <setup-area>: which game, against whom, who begins. Also where a game comes back: by text, from a file, from the list.

import * as api from "../base/api.js";
import { button, choice, fill, h } from "../base/dom.js";
import { counted, percent } from "../base/format.js";
import { Game } from "../base/game.js";
import { keep, keptChoices } from "../base/kept.js";
import { filled, tell, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { HUMAN, newSeed, session } from "../base/session.js";
import { agentPicker } from "../parts/agents.js";
import { confirmed } from "../parts/asking.js";
import { chooseFile, loadGame } from "../parts/files.js";
import { miniature } from "../parts/mini.js";
import { RulesBuilder } from "../parts/rules.js";

/** @typedef {import("../base/api-types.js").RulesAnswer} Rules */
/** @typedef {import("../base/api-types.js").GameInfo} GameInfo */
/** @typedef {import("../base/types.js").GameDocument} GameDocument */

const DEFAULT = { rules: "bttt(D4)", mode: "agent", agent: "mcts:sims=1000", other: "minimax:depth=2", begins: "you" };

/** Whether an agent can play only what a solver covers. @param {string} agent */
const isPerfect = (agent) => agent.split(":")[0] === "perfect";

/** A game in which the first player does not see four in a row coming: the analysis finds where it was lost. */
const LOST_GAME =
  "#/analyse?rules=bttt(D4)&moves=A1+C3+A2+C4+A6+C5+F7+C6&first=human&second=minimax:depth=2&seed=1&find=mistake";

export class SetupArea extends HTMLElement {
  #chosen = keptChoices("setup", DEFAULT);
  /** @type {Rules|null} */
  #rules = null;
  #sentence = h("p", { class: "sentence", "aria-live": "polite" });
  #text = h("input", {
    type: "text",
    class: "text-form",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "The game as text",
    oninput: () => this.#reading++,
    onchange: () => void this.#read(this.#text.value),
  });
  #problem = h("p", { class: "problem", role: "status", hidden: true });
  #builder = new RulesBuilder();
  #own = h(
    "details",
    { class: "panel builder-panel", ontoggle: () => this.#own.open && this.#rules && this.#builder.show(this.#rules) },
    h("summary", {}, "Make your own rules"),
    this.#builder,
  );
  #cards = h("div", { class: "cards", role: "group", "aria-label": "Games" });
  #players = h("div", { class: "players" });
  #mode = choice(
    "You play against",
    [
      ["agent", "a program"],
      ["friend", "a friend here"],
      ["watch", "nobody: watch two"],
    ],
    this.#chosen.mode,
    (value) => {
      this.#choose({ mode: value });
      this.#drawPlayers();
    },
  );
  /** @type {import("../parts/agents.js").AgentPicker|null} */
  #picker = null;
  /** @type {import("../parts/agents.js").AgentPicker|null} */
  #otherPicker = null;
  #reading = 0; // counts what was asked for, so that a late answer overwrites nothing newer
  #start = button("play", "Start the game", () => void this.#begin(), { class: "primary large" });

  connectedCallback() {
    const shared = session.game ?? session.draft();
    this.#builder.addEventListener("rules", (event) => this.#take(/** @type {CustomEvent} */ (event).detail));
    fill(
      this,
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "New game"),
        h(
          "p",
          { class: "lead" },
          "Choose a game and an opponent. Afterwards, see exactly where the game was won and lost.",
        ),
      ),
      h(
        "div",
        { class: "setup" },
        h(
          "section",
          { class: "setup-game", "aria-labelledby": "setup-game" },
          h("h2", { id: "setup-game" }, "The game"),
          this.#cards,
          h(
            "div",
            { class: "panel rules-panel" },
            this.#sentence,
            h(
              "div",
              { class: "text-row" },
              this.#text,
              button("copy", "Copy the text", () => void this.#copy(), { quiet: true }),
            ),
            this.#problem,
          ),
          this.#own,
        ),
        h(
          "section",
          { class: "setup-players", "aria-labelledby": "setup-players" },
          h("h2", { id: "setup-players" }, "The players"),
          h("div", { class: "panel players" }, this.#mode, this.#players),
          this.#open(),
        ),
      ),
      h(
        "div",
        { class: "start-row" },
        this.#start,
        shared?.root.next && button("play", "Go on with the last game", () => this.#resume(shared), { class: "plain" }),
      ),
    );
    this.#drawPlayers();
    void this.#presets();
  }

  /** Begins with the game of an address, or with the one that was chosen last. @param {URLSearchParams} params */
  show(params) {
    const agent = params.get("agent");
    if (agent) {
      this.#choose({ agent, mode: "agent" });
      this.#drawPlayers();
    }
    return this.#read(params.get("rules") ?? this.#chosen.rules);
  }

  async #presets() {
    try {
      const presets = await api.presets();
      fill(
        this.#cards,
        presets.map((preset) => this.#card(preset)),
      );
      this.#mark();
    } catch (error) {
      fill(this.#cards, h("p", { class: "problem" }, /** @type {Error} */ (error).message));
    }
  }

  /** @param {import("../base/api-types.js").PresetAnswer} preset */
  #card(preset) {
    const picture = h("span", { class: "card-picture" });
    api.position(preset.text, preset.sample).then(
      (start) => picture.append(miniature(start, "")),
      () => {},
    );
    return h(
      "button",
      {
        type: "button",
        class: "card",
        "data-rules": preset.text,
        "aria-pressed": "false",
        title: preset.sentence,
        onclick: () => void this.#read(preset.text),
      },
      picture,
      h("span", { class: "card-name" }, preset.name),
    );
  }

  /** Marks the card of the rules that are chosen. */
  #mark() {
    for (const card of this.#cards.querySelectorAll("button")) {
      card.setAttribute("aria-pressed", String(card.dataset.rules === this.#rules?.text));
    }
  }

  /**
   * Takes rules, a whole text form or an address as they are typed or pasted.
   * @param {string} text
   */
  async #read(text) {
    const pasted = text.trim();
    const before = this.#text.value;
    const reading = ++this.#reading;
    if (pasted.includes("#/")) {
      go(pasted.slice(pasted.indexOf("#/")));
      return;
    }
    try {
      if (/\)?\s+(\d+\.)?[A-Sa-s]\d/.test(pasted.replace(/\(.*\)/, ""))) {
        const found = await api.read(pasted);
        if (reading !== this.#reading) return;
        go(routeTo("analyse", { rules: found.rules, moves: found.moves.join(" ") }));
        return;
      }
      const rules = await api.rules({ text: pasted });
      if (reading !== this.#reading) return;
      if (this.#text.value !== before) return; // somebody types meanwhile, and that counts
      this.#take(rules);
      if (this.#own.open && this.#rules) this.#builder.show(this.#rules);
    } catch (error) {
      if (reading !== this.#reading) return;
      this.#take(null);
      this.#say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {Rules|null} rules */
  #take(rules) {
    this.#rules = rules;
    if (!rules) {
      this.#mark();
      return;
    }
    this.#problem.hidden = true;
    this.#sentence.textContent = rules.sentence;
    this.#text.value = rules.text;
    this.#choose({ rules: rules.text });
    this.#mark();
    this.#drawPlayers(); // strengths hold for one game
  }

  /** @param {string} words */
  #say(words) {
    this.#problem.hidden = false;
    this.#problem.textContent = words;
  }

  /** @param {Partial<typeof DEFAULT>} changed */
  #choose(changed) {
    Object.assign(this.#chosen, changed);
    keep("setup", this.#chosen);
  }

  #drawPlayers() {
    const { mode, agent, other, begins } = this.#chosen;
    const levels = h("div", { class: "opponents", role: "group", "aria-label": "Opponents" });
    const pick = (/** @type {string} */ text) => {
      this.#choose({ agent: text });
      for (const row of levels.querySelectorAll("button"))
        row.setAttribute("aria-pressed", String(row.dataset.agent === text));
    };
    const picker = agentPicker(mode === "watch" ? "First player" : "Any program", agent, pick);
    this.#picker = picker;
    this.#otherPicker = agentPicker("Second player", other, (text) => this.#choose({ other: text }));
    if (mode === "agent") {
      const take = (/** @type {string} */ text) => {
        pick(text);
        picker.value = text;
      };
      const rules = this.#rules?.text;
      void filled(levels, async () => (await api.opponents(rules)).map((each) => opponentRow(each, take))).then(() => {
        if (rules !== this.#rules?.text) return;
        const names = [...levels.querySelectorAll("button")].map((row) => row.dataset.agent ?? "");
        const cannot = isPerfect(this.#chosen.agent) && !names.some(isPerfect);
        if (cannot) take(DEFAULT.agent);
        else pick(this.#chosen.agent);
      });
    }
    fill(
      this.#players,
      mode === "agent" && levels,
      mode === "agent" &&
        h(
          "p",
          { class: "muted about" },
          "Right: how often its move keeps the win or the draw in this game, where some moves do not.",
        ),
      mode === "agent" &&
        h("details", { open: !this.#isNamed(agent) }, h("summary", {}, "Another program, with its settings"), picker),
      mode === "watch" && picker,
      mode === "watch" && this.#otherPicker,
      mode === "agent" &&
        choice(
          "Who begins",
          [
            ["you", "You"],
            ["agent", "The program"],
            ["chance", "By chance"],
          ],
          begins,
          (value) => this.#choose({ begins: value }),
        ),
    );
  }

  /** Whether an agent is one of those with a name, as far as is known. @param {string} agent */
  #isNamed(agent) {
    const named = [...this.#players.querySelectorAll("button.opponent")].map(
      (row) => /** @type {HTMLElement} */ (row).dataset.agent,
    );
    return named.length === 0 || named.includes(agent);
  }

  async #begin() {
    if (this.#text.value !== this.#rules?.text) await this.#read(this.#text.value); // typed a moment ago
    if (!this.#rules || !this.isConnected) return;
    const { mode } = this.#chosen;
    const agent = this.#picker?.value ?? this.#chosen.agent; // also what was typed a moment ago
    const other = this.#otherPicker?.value ?? this.#chosen.other;
    let begins = this.#chosen.begins;
    if (begins === "chance") begins = newSeed() % 2 ? "you" : "agent";
    const players =
      mode === "friend"
        ? { first: HUMAN, second: HUMAN }
        : mode === "watch"
          ? { first: agent, second: other }
          : begins === "you"
            ? { first: HUMAN, second: agent }
            : { first: agent, second: HUMAN };
    const game = new Game(this.#rules.text, players, newSeed());
    session.take(game);
    go(routeTo("play", { rules: game.rules, ...players, seed: game.seed }));
  }

  /** @param {Game} game */
  #resume(game) {
    if (session.game !== game) session.resume(game);
    go(routeTo("play", { rules: game.rules, moves: game.lineMoves.join(" "), ...game.players, seed: game.seed }));
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#text.value);
      tell("Copied the game as text.");
    } catch {
      this.#text.select();
      tell("The browser lets nothing be copied: the text is selected, copy it with Ctrl+C.");
    }
  }

  /** The games of before. */
  #open() {
    const place = h("div", { class: "games" });
    const show = () =>
      filled(place, async () => {
        const games = await api.games();
        if (!games.length)
          return [
            h(
              "p",
              { class: "muted" },
              "No game yet. Games that you play are kept here by themselves. ",
              h("a", { href: LOST_GAME }, "A lost game, explained"),
              " move by move, to begin with.",
            ),
          ];
        return [
          h(
            "ul",
            { class: "plain-list" },
            games.map((game) => this.#kept(game, () => void show())),
          ),
        ];
      });
    return h(
      "details",
      {
        class: "panel",
        ontoggle: (/** @type {Event} */ event) => /** @type {HTMLDetailsElement} */ (event.target).open && void show(),
      },
      h("summary", {}, "Open a game"),
      h("p", { class: "muted" }, "Paste a position or an address above, read a file, or go on with a game kept here."),
      button("load", "Open a file", () => chooseFile(), {}),
      place,
    );
  }

  /** Deletes a kept game, once that was said twice; for a while it can be undone. @param {string} id @param {string} name @param {() => void} again */
  async #remove(id, name, again) {
    if (!(await confirmed("Delete this game?", name, "Delete"))) return;
    const { game } = await api.game(id);
    await api.removeGame(id);
    again();
    tell(`Deleted ${name}.`, {
      undo: () =>
        api
          .keepGame(name, /** @type {GameDocument} */ (game))
          .then(again)
          .catch(tellError),
    });
  }

  /** @param {GameInfo} kept @param {() => void} again */
  #kept({ id, name, plies, updated }, again) {
    return h(
      "li",
      { class: "kept-game" },
      h(
        "button",
        {
          type: "button",
          class: "link",
          onclick: () =>
            api
              .game(id)
              .then((found) => loadGame(found.game, id))
              .catch(tellError),
        },
        name,
      ),
      h("span", { class: "muted" }, ` ${counted(plies, "move")}, ${new Date(updated).toLocaleString()}`),
      button("close", `Delete ${name}`, () => void this.#remove(id, name, again).catch(tellError), {
        quiet: true,
        class: "plain",
      }),
    );
  }
}

/**
 * An opponent with a name: how strong, and how it thinks.
 * @param {import("../base/api-types.js").OpponentAnswer} opponent
 * @param {(agent: string) => void} take
 */
function opponentRow({ name, agent, about, strength, accuracy }, take) {
  return h(
    "button",
    { type: "button", class: "opponent", "data-agent": agent, "aria-pressed": "false", onclick: () => take(agent) },
    h("b", {}, name),
    h("small", {}, accuracy === null ? "not measured in this game" : `${strength}, right ${percent(accuracy)}`),
    h("span", { class: "opponent-about" }, about),
  );
}

customElements.define("setup-area", SetupArea);
