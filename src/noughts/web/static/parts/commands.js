// <command-list>: what was started from the page: how it stands, what it said last, and how to stop it or go on.

import * as api from "../base/api.js";
import { button, calmly, fill, h } from "../base/dom.js";
import { duration } from "../base/format.js";
import { announce, tellError } from "../base/news.js";
import { routeTo } from "../base/route.js";

/** @typedef {import("../base/api-types.js").CommandAnswer} Command */

const LOOK_AGAIN = 1500; // milliseconds, while something runs
const LOOK_RARELY = 6000;
const ENDED = ["finished", "failed"];
const ANSWERS = ["prove", "score"]; // what these say is what they were asked for, so on the run's page it is unfolded

/** @type {Record<Command["state"], string>} */
const STATES = {
  waiting: "Waiting in line",
  running: "Running",
  finished: "Done",
  failed: "Ended with an error",
  stopped: "Stopped",
};

export class CommandList extends HTMLElement {
  /** Which kinds are shown; all of them if there are none. @type {string[]} */
  kinds = [];
  /** Which run's are shown, and what was asked of its agents; those of all if there is none. */
  run = "";
  /** @type {Command[]} */
  #commands = [];
  #mayStart = false;
  /** What is told in full, by the command's number. @type {Map<string, string>} */
  #opened = new Map();
  #drawn = "";
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;
  #draw = calmly(() => this.#drawNow());

  connectedCallback() {
    void this.look();
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
  }

  /** Looks now, and again after a while. */
  async look() {
    clearTimeout(this.#timer);
    try {
      const { commands, may_start } = await api.commands();
      const before = new Map(this.#commands.map((each) => [each.id, each.state]));
      this.#commands = commands.filter(
        (each) => (!this.kinds.length || this.kinds.includes(each.kind)) && (!this.run || this.#isOfRun(each)),
      );
      for (const each of this.#commands) {
        if (this.run && ANSWERS.includes(each.kind) && ENDED.includes(each.state) && before.get(each.id) !== each.state)
          this.#opened.set(each.id, "");
        if (before.has(each.id) && before.get(each.id) !== each.state) this.#changed(each);
      }
      this.#mayStart = may_start;
      for (const id of this.#opened.keys()) this.#opened.set(id, (await api.command(id)).said);
      this.#draw();
    } catch (error) {
      if (!this.#drawn) tellError(error);
    }
    if (!this.isConnected) return;
    const busy = this.#commands.some((each) => each.state === "running" || each.state === "waiting");
    this.#timer = setTimeout(() => void this.look(), busy ? LOOK_AGAIN : LOOK_RARELY);
  }

  /** @param {Command} command */
  #isOfRun({ run, words }) {
    return run === this.run || words.split(/[\s:@,]/).includes(this.run);
  }

  /** @param {Command} command */
  #changed(command) {
    announce(`${command.words}: ${STATES[command.state]}`);
    this.dispatchEvent(new CustomEvent("changed", { detail: command }));
  }

  #drawNow() {
    const drawn = JSON.stringify([this.#commands, [...this.#opened], this.#mayStart]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.hidden = !this.#commands.length;
    const focused = /** @type {HTMLElement|null} */ (
      this.contains(document.activeElement) ? document.activeElement : null
    )?.dataset.key;
    fill(
      this,
      h("h2", {}, "Started here"),
      h(
        "ul",
        { class: "plain-list commands" },
        this.#commands.map((each) => this.#row(each)),
      ),
    );
    if (focused) /** @type {HTMLElement|null} */ (this.querySelector(`[data-key="${focused}"]`))?.focus();
  }

  /** @param {Command} command */
  #row(command) {
    const { id, state } = command;
    const open = state === "running" || state === "waiting";
    return h(
      "li",
      { class: `command command-${state}` },
      h(
        "div",
        { class: "command-head" },
        h("b", {}, STATES[state]),
        command.seconds > 0 && h("span", { class: "muted" }, ` ${duration(command.seconds)}`),
        command.run && h("a", { href: routeTo("runs", { run: command.run }) }, command.run),
        this.#mayStart &&
          (open
            ? button("stop", "Stop", () => void this.#do(api.stopCommand(id)), { "data-key": `stop-${id}` })
            : state !== "finished" &&
              button("play", "Go on", () => void this.#do(api.goOn(id)), { "data-key": `again-${id}` })),
      ),
      h("p", { class: "code" }, command.words),
      command.last && h("p", { class: "muted command-last" }, command.last),
      h(
        "details",
        { open: this.#opened.has(id), ontoggle: (/** @type {Event} */ event) => this.#toggled(event, id) },
        h("summary", { "data-key": `said-${id}` }, "All that it said"),
        this.#opened.has(id) && h("pre", { class: "scroll", tabindex: "0" }, this.#opened.get(id)),
      ),
    );
  }

  /** @param {Event} event @param {string} id */
  #toggled(event, id) {
    const open = /** @type {HTMLDetailsElement} */ (event.target).open;
    if (open === this.#opened.has(id)) return;
    if (open) this.#opened.set(id, "");
    else this.#opened.delete(id);
    void this.look();
  }

  /** @param {Promise<unknown>} asked */
  async #do(asked) {
    try {
      await asked;
    } catch (error) {
      tellError(error);
    }
    await this.look();
  }
}

customElements.define("command-list", CommandList);

/**
 * A list of what was started from the page.
 * @param {string[]} kinds which kinds; all if empty
 * @param {(command: Command) => void} [changed] told when one of them began or ended
 * @param {string} [run] only those of a run
 */
export function commandList(kinds, changed = () => {}, run = "") {
  const list = /** @type {CommandList} */ (document.createElement("command-list"));
  list.className = "panel";
  list.hidden = true;
  list.kinds = kinds;
  list.run = run;
  list.addEventListener("changed", (event) => changed(/** @type {CustomEvent<Command>} */ (event).detail));
  return list;
}

/**
 * A form that starts something; its button is dead until the server has answered.
 * @param {string} title
 * @param {(Node|string)[]} fields
 * @param {string} words on the button
 * @param {() => Promise<unknown>} start
 * @param {() => unknown} started
 */
export function startForm(title, fields, words, start, started) {
  const go = h("button", { type: "submit", class: "button primary" }, h("span", { class: "words" }, words));
  const begin = async () => {
    go.disabled = true;
    try {
      await start();
      await started();
    } catch (error) {
      tellError(error);
    }
    go.disabled = false;
  };
  return h(
    "details",
    { class: "panel start-form" },
    h("summary", {}, title),
    h(
      "form",
      {
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void begin();
        },
      },
      ...fields,
      h("div", { class: "tools" }, go),
    ),
  );
}
