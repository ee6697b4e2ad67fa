// <setup-area>: which game, against whom, who begins. Also where a game comes back: by text, from a file, from the list.

import * as api from "../base/api.js";
import { button, choice, fill, h } from "../base/dom.js";
import { Game } from "../base/game.js";
import { keep, keptChoices } from "../base/kept.js";
import { filled, tell, tellError } from "../base/news.js";
import { go, routeTo } from "../base/route.js";
import { HUMAN, newSeed, session } from "../base/session.js";
import { agentPicker, LEVELS } from "../parts/agents.js";
import { chooseFile, loadGame } from "../parts/files.js";
import { miniature } from "../parts/mini.js";
import { RulesBuilder } from "../parts/rules.js";

/** @typedef {import("../base/api-types.js").RulesAnswer} Rules */
/** @typedef {import("../base/api-types.js").GameInfo} GameInfo */
/** @typedef {import("../base/types.js").GameDocument} GameDocument */

const DEFAULT = { rules: "bttt(D4)", mode: "agent", agent: "mcts:sims=1000", other: "minimax:depth=2", begins: "you" };

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
          h(
            "div",
            { class: "start-row" },
            this.#start,
            shared?.root.next &&
              button("play", "Go on with the last game", () => this.#resume(shared), { class: "plain" }),
          ),
          this.#open(),
        ),
      ),
    );
    this.#drawPlayers();
    void this.#presets();
    void this.#read(this.#chosen.rules);
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
    api.position(preset.text, []).then(
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
    const pick = (/** @type {string} */ text) => {
      this.#choose({ agent: text });
      for (const chip of levels.querySelectorAll("button"))
        chip.setAttribute("aria-pressed", String(text.startsWith(chip.dataset.agent ?? "?")));
    };
    const picker = agentPicker(mode === "watch" ? "First player" : "Opponent", agent, pick);
    this.#picker = picker;
    this.#otherPicker = agentPicker("Second player", other, (text) => this.#choose({ other: text }));
    const levels = h(
      "div",
      { class: "levels", role: "group", "aria-label": "Strength" },
      LEVELS.map(([text, name, about]) =>
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "data-agent": text,
            title: `${name} ${about}`,
            onclick: () => {
              pick(text);
              picker.value = text;
            },
          },
          name,
        ),
      ),
    );
    pick(agent);
    fill(
      this.#players,
      mode === "agent" && levels,
      mode !== "friend" && picker,
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
    if (session.game !== game) session.take(game, session.draftId);
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
          return [h("p", { class: "muted" }, "No game yet. Games that you play are kept here by themselves.")];
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

  /** Deletes a kept game; for a while that can be undone. @param {string} id @param {string} name @param {() => void} again */
  async #remove(id, name, again) {
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
  #kept({ id, name, plies }, again) {
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
      h("span", { class: "muted" }, ` ${plies} plies`),
      button("close", `Delete ${name}`, () => void this.#remove(id, name, again).catch(tellError), {
        quiet: true,
        class: "plain",
      }),
    );
  }
}

customElements.define("setup-area", SetupArea);
