// <command-list>: the commands that were started from the page, with their state, last output, and buttons to stop or continue.

import * as api from "../base/api.js";
import { duration } from "../base/format.js";
import { announce, tellError } from "../base/news.js";
import { routeTo } from "../base/route.js";
import { button, html, nothing, repeat, View } from "../base/view.js";
import { readProof, seal } from "./seal.js";

/** @import { CommandAnswer as Command } from "../base/api-types.js" */

const LOOK_AGAIN = 1500; // milliseconds, while something runs
const LOOK_RARELY = 6000;
const ENDED = ["finished", "failed"];

/** @type {Record<Command["state"], string>} */
const STATES = {
  waiting: "Waiting in line",
  running: "Running",
  finished: "Done",
  failed: "Ended with an error",
  stopped: "Stopped",
};

/** @param {Command} command */
const isOpen = ({ state }) => state === "running" || state === "waiting";

export class CommandList extends View {
  /** Which kinds are shown; all if empty. @type {string[]} */
  kinds = [];
  run = ""; // the run whose commands are shown, with those about its agents; all if empty
  /** @type {Command[]} */
  commands = [];
  #mayStart = false;
  /** Outcomes of proofs, by the command's id; null if a proof ended without one. @type {Map<string, import("./seal.js").Proof|null>} */
  #proofs = new Map();
  /** The output of commands that are unfolded, by the command's id. @type {Map<string, string>} */
  #opened = new Map();
  #failed = false;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  #timer;

  arrive() {
    void this.updateComplete.then(() => this.look());
  }

  depart() {
    clearTimeout(this.#timer);
  }

  /** Loads the commands now, and again after a while. */
  async look() {
    clearTimeout(this.#timer);
    try {
      const { commands, may_start } = await api.commands();
      const before = new Map(this.commands.map((each) => [each.id, each.state]));
      this.commands = commands.filter((each) => this.#isShown(each));
      this.#mayStart = may_start;
      for (const each of this.commands.filter(({ id, state }) => before.get(id) !== state)) {
        if (this.run && each.kind === "score" && ENDED.includes(each.state)) this.#opened.set(each.id, ""); // show the requested score
        if (isOpen(each)) this.#proofs.delete(each.id); // it was started again
        if (before.has(each.id)) this.#changed(each);
      }
      const said = async (/** @type {string} */ id) => (await api.ask("GET /api/commands/{id}", { name: id })).said;
      const proved = this.commands.filter(
        ({ id, kind, state }) => kind === "prove" && ENDED.includes(state) && !this.#proofs.has(id),
      );
      for (const { id } of proved) this.#proofs.set(id, readProof(await said(id)));
      for (const id of this.#opened.keys()) this.#opened.set(id, await said(id));
      this.#failed = false;
      this.requestUpdate();
    } catch (error) {
      if (!this.#failed) tellError(error);
      this.#failed = true;
    }
    if (!this.isConnected) return;
    this.#timer = setTimeout(() => void this.look(), this.commands.some(isOpen) ? LOOK_AGAIN : LOOK_RARELY);
  }

  /** @param {Command} command */
  #isShown({ kind, run, words }) {
    const isOfRun = !this.run || run === this.run || words.split(/[\s:@,]/).includes(this.run);
    return isOfRun && (!this.kinds.length || this.kinds.includes(kind));
  }

  /** @param {Command} command */
  #changed(command) {
    announce(`${command.words}: ${STATES[command.state]}`);
    this.dispatchEvent(new CustomEvent("changed", { detail: command }));
  }

  render() {
    this.hidden = !this.commands.length;
    return html`<h2>Started here</h2>
      <ul class="plain-list stack">
        ${repeat(this.commands, ({ id }) => id, this.#row)}
      </ul>`;
  }

  /** @param {Command} command */
  #row = (command) => {
    const { id, state, seconds, run, words, last } = command;
    const act = isOpen(command)
      ? button("stop", "Stop", () => this.#do(api.ask("DELETE /api/commands/{id}", { name: id })))
      : state === "finished"
        ? nothing
        : button("play", "Go on", () => this.#do(api.ask("POST /api/commands/{id}/again", { name: id })));
    const proof = this.#proofs.get(id);
    const isDrawn = run !== "" && run === this.run && isOpen(command); // the run's page draws its progress
    return html`<li class="command command-${state}">
      ${
        proof
          ? seal(proof)
          : html`<div class="command-head">
              <b>${STATES[state]}</b>
              ${seconds > 0 ? html`<span class="muted"> ${duration(seconds)}</span>` : nothing}
              ${run ? html`<a href=${routeTo("runs", { run })}>${run}</a>` : nothing} ${this.#mayStart ? act : nothing}
            </div>`
      }
      <p class="code">${words}</p>
      ${last && !proof && !isDrawn ? html`<p class="muted command-last">${last}</p>` : nothing}
      <details ?open=${this.#opened.has(id)} @toggle=${(/** @type {Event} */ event) => this.#toggled(event, id)}>
        <summary>All that it printed</summary>
        ${this.#opened.has(id) ? html`<pre class="scroll" tabindex="0">${this.#opened.get(id)}</pre>` : nothing}
      </details>
    </li>`;
  };

  /** @param {Event} event @param {string} id */
  #toggled(event, id) {
    const { open } = /** @type {HTMLDetailsElement} */ (event.target);
    if (open === this.#opened.has(id)) return;
    if (open) this.#opened.set(id, "");
    else this.#opened.delete(id);
    void this.look();
  }

  /** @param {Promise<unknown>} asked */
  async #do(asked) {
    await asked.catch(tellError);
    await this.look();
  }
}

customElements.define("command-list", CommandList);

/**
 * A list of commands that were started from the page.
 * @param {{kinds?: string[], run?: string, changed?: () => void}} which kinds, of which run, and a function to call when one starts or ends
 */
export const commandList = ({ kinds = [], run = "", changed = () => {} }) =>
  html`<command-list class="panel" hidden .kinds=${kinds} .run=${run} @changed=${changed}></command-list>`;

/**
 * A form that starts a command. Its button is disabled until the server answers.
 * @param {string} title
 * @param {unknown} fields
 * @param {string} words the label of the button
 * @param {(filled: Record<string, string>) => Promise<unknown>} start called with the values of the named fields
 */
export function startForm(title, fields, words, start) {
  const begin = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const go = /** @type {HTMLButtonElement} */ (event.submitter);
    const filled = new FormData(/** @type {HTMLFormElement} */ (event.target));
    go.disabled = true;
    await start(/** @type {Record<string, string>} */ (Object.fromEntries(filled))).catch(tellError);
    go.disabled = false;
  };
  return html`<details class="panel start-form">
    <summary>${title}</summary>
    <form class="stack" @submit=${begin}>
      ${fields}
      <div class="tools">${button("", words, null, { kind: "primary", type: "submit" })}</div>
    </form>
  </details>`;
}
