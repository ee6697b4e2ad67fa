// <teacher-desk>: the teacher's view: how to join, all boards, the assignment, and the table of results.

import { counted } from "/static/base/format.js";
import { tell, tellError } from "/static/base/news.js";
import { areaHead, button, calmly, check, html, nothing, repeat, table, View } from "/static/base/view.js";
import { addressField, confirmed } from "/static/parts/asking.js";
import { ask } from "./api.js";
import { assignmentWords } from "./assignment.js";
import { classroom } from "./classroom.js";
import { gameGrid } from "./tile.js";

/** @import { ClassAnswer as ClassState, PupilAnswer as Pupil, PupilResult as Result } from "./api-types.js" */

export class TeacherDesk extends View {
  ended = false; // whether finished games are shown

  arrive() {
    const draw = calmly(() => this.requestUpdate());
    this.listen(classroom, "change", draw);
  }

  render() {
    const { state } = classroom;
    if (!state) return nothing;
    const here = state.pupils.filter((pupil) => pupil.present).length;
    const lead = state.closed
      ? "The class is closed. No pupil is let in."
      : `${counted(state.pupils.length, "pupil")}, ${here} here now.`;
    const isShown = (/** @type {{state: string}} */ game) => this.ended || game.state !== "ended";
    return html`${areaHead("Your class", html`<span role="status">${classroom.lost || lead}</span>`)} ${wayIn(state)}
      <section class="page-section class-section" aria-labelledby="class-wall">
        <h2 id="class-wall">All boards</h2>
        ${check("Show games that have ended", this.ended, (checked) => (this.ended = checked))}
        ${gameGrid(isShown, "No games in progress. Boards appear here when your pupils play.")}
      </section>
      <section class="page-section class-section" aria-labelledby="class-task">
        <h2 id="class-task">The assignment</h2>
        ${currentTask(state)}
        <details class="panel"><summary>Set a task</summary><assignment-form></assignment-form></details>
      </section>
      <section class="page-section class-section" aria-labelledby="class-results">
        <h2 id="class-results">Results</h2>
        <div class="scroll" tabindex="0" role="group" aria-label="Results">${resultsTable(state)}</div>
        <a class="button" href="/api/class/results.csv" download="noughts-class.csv">Download as CSV</a>
      </section>
      <div class="tools">${closing(state.closed)}</div>`;
  }
}

/** @param {ClassState} state */
function currentTask({ assignment, pupils }) {
  if (!assignment) return html`<p class="muted">Nothing is set.</p>`;
  const done = pupils.filter(({ result }) => result?.done_at).length;
  return html`<p><b>${assignmentWords(assignment)}</b> ${assignment.words}</p>
    <p class="muted">${done} of ${counted(pupils.length, "pupil")} done.</p>
    ${button("close", "Take it back", () => ask("PUT /api/class/assignment", { body: null }).catch(tellError))}`;
}

/** Shows how pupils join. @param {ClassState} state */
function wayIn({ closed, code = "", address = "" }) {
  const way = html`<div class="way-words stack">
      <h2 id="class-way">Join with this code</h2>
      <p class="join-code">${code}</p>
      <p class="muted">at this address, which the picture holds, too:</p>
      ${addressField(address)}
    </div>
    <img class="qr" src="/api/class/code.svg" alt=${`A QR code of ${address}`} width="200" height="200">`;
  return html`<section class="panel way-in" aria-labelledby="class-way">
    ${closed ? html`<h2 id="class-way">The class is closed</h2>` : way}
  </section>`;
}

/** @param {ClassState} state */
function resultsTable({ pupils, assignment }) {
  const count = assignment?.kind === "puzzles" ? (assignment.count ?? 0) : 0;
  const row = (/** @type {Pupil} */ each) => {
    const { present: here, result: done } = each;
    if (!done) return nothing;
    return html`<tr>
      <th scope="row">
        <span class=${here ? "pupil-here" : "pupil-away"}>${each.nickname}</span
        >${here ? nothing : html`<small class="muted"> away</small>`}
      </th>
      ${[done.played, done.won, done.drawn, done.lost, done.solved].map((number) => html`<td>${number}</td>`)}
      <td>${assignment ? taskDone(done, count) : "–"}</td>
      <td class="row-tools">${rowTools(each)}</td>
    </tr>`;
  };
  const tools = html`<span class="unseen">What to do</span>`;
  const rows = repeat(pupils, ({ id }) => id, row);
  return table("results", ["Pupil", "Played", "Won", "Drawn", "Lost", "Puzzles", "Task", tools], rows);
}

/** @param {Result} row @param {number} count */
function taskDone({ done, done_at: at }, count) {
  if (at) return `done ${new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}`;
  return count ? `${done} of ${count}` : "not yet";
}

/** @param {Pupil} pupil */
function rowTools({ id, nickname }) {
  const remove = async () => {
    const words = "Their row leaves the table; their games stay. With the code they can join again, as a new pupil.";
    const sure = await confirmed(`Remove ${nickname}?`, words, "Remove");
    if (!sure) return;
    await ask("DELETE /api/class/pupils/{id}", { name: id });
    tell(`Removed ${nickname}.`);
  };
  return button("", "Remove", () => remove().catch(tellError), { kind: "plain", label: `Remove ${nickname}` });
}

/** @param {boolean} closed */
function closing(closed) {
  const set = (/** @type {boolean} */ closed) => ask("PUT /api/class", { body: { closed } });
  if (closed) return button("redo", "Open the class again", () => set(false).catch(tellError));
  const close = async () => {
    const words =
      "No pupil can join or play. The games stay, and you can open the class again as long as the server runs.";
    if (await confirmed("Close the class?", words, "Close")) await set(true);
  };
  return button("close", "Close the class", () => close().catch(tellError));
}

customElements.define("teacher-desk", TeacherDesk);
