// <studies-area>: the results of each study: its bundled pages, and its saved runs with their findings, tables and figures.
// A square of a heat map opens its game.

import * as api from "../base/api.js";
import { theme } from "../base/kept.js";
import { LoadedView, tellError } from "../base/news.js";
import { routeTo } from "../base/route.js";
import { areaHead, button, field, html, icon, menu, nothing, table } from "../base/view.js";
import { question } from "../parts/asking.js";
import { commandList } from "../parts/commands.js";
import { heatmap, openGame } from "../parts/heatmap.js";

/** @import { StudyFigure as Figure, StudyInfo } from "../base/api-types.js" */

/** @type {Record<import("../base/api-types.js").StudyRunInfo["status"], string>} */
const STATES = { finished: "✓ complete", running: "… running" };

/** @param {string} name */
const pathOf = (name) => `studies/${encodeURIComponent(name)}`;

/** The address of a bundled page. @param {StudyInfo} study @param {string} scale */
const pageOf = ({ name }, scale) => routeTo(pathOf(name), { scale });

export class StudiesArea extends LoadedView {
  /** @param {URLSearchParams} params @param {string} name of the study, empty for all */
  show(params, name) {
    return this.load(async () => {
      const [studies, { may_start }] = await Promise.all([api.ask("GET /api/studies"), api.commands()]);
      const again = () => void this.show(params, name);
      const list = commandList({ kinds: ["study"], changed: again });
      if (!name) {
        return () => html`${areaHead("Findings", "Questions asked of these games, and what was measured. Each can be measured again here.")}
          ${list}
          <ul class="study-cards">${studies.map((study) => this.#card(study, may_start))}</ul>`;
      }
      const study = studies.find((each) => each.name === name);
      if (!study) throw new Error(`there is no study ${name.slice(0, 40)}`);
      return this.#one(study, params, may_start, list);
    });
  }

  /** @param {StudyInfo} study @param {boolean} mayStart */
  #card(study, mayStart) {
    const { name, title, question, pages } = study;
    return html`<li>
      <article class="panel study-card">
        ${pages[0]?.picture ? html`<a href=${`#/${pathOf(name)}`} tabindex="-1" aria-hidden="true"><img src=${pages[0].picture} alt="" loading="lazy"></a>` : nothing}
        <h2><a href=${`#/${pathOf(name)}`}>${title}</a></h2>
        <p class="muted">${question}</p>
        <p class="tools">${versions(study)} ${mayStart ? button("play", "Run it", () => this.#run(study), { kind: "plain", label: `Run ${title}` }) : nothing}</p>
      </article>
    </li>`;
  }

  /** Lets the user choose a scale, and runs a study. @param {StudyInfo} study */
  async #run({ name, title, scales }) {
    let chosen = Object.keys(scales)[0];
    const scale = menu(
      Object.entries(scales).map(([scale, about]) => [scale, `${scale}: ${about}`]),
      chosen,
      (scale) => (chosen = scale),
    );
    const go = await question(
      `Run ${title}`,
      (/** @type {(go: boolean) => void} */ leave) => html`<h2>${title}</h2>
        ${field("How large", scale)}
        <p class="muted code">noughts study run ${name}</p>
        <div class="tools">
          ${button("play", "Run it", () => leave(true), { kind: "primary" })} ${button("", "Cancel", () => leave(false))}
        </div>`,
    );
    if (!go) return;
    await api.ask("POST /api/commands/study", { body: { study: name, scale: chosen } }).catch(tellError);
    await /** @type {import("../parts/commands.js").CommandList} */ (this.querySelector("command-list")).look();
  }

  /**
   * Shows a study: the run in the address, else the page of the scale in the address, else the latest run, else a page.
   * @param {StudyInfo} study
   * @param {URLSearchParams} params
   * @param {boolean} mayStart
   * @param {unknown} started the list of commands
   */
  async #one(study, params, mayStart, started) {
    const { name, pages, runs } = study;
    const run = params.get("run") ?? (params.has("scale") ? "" : runs.find(({ status }) => status === "finished")?.id);
    const page = pages.find(({ scale }) => scale === params.get("scale")) ?? pages[0];
    const found = run || !page ? await api.ask("GET /api/studies/{name}", { name, query: run ? { run } : {} }) : null;
    const shipped = found ? null : await api.ask("GET /api/findings/{name}", { name: page.name });
    const whole = `/api/${pathOf(name)}/page?${new URLSearchParams(run ? { run } : {})}`;
    return () => html`<div class="study">
      <header class="area-head">
        <p><a href="#/studies">All findings</a></p>
        <h1>${study.title}</h1>
        <p class="lead">${study.question}</p>
        <p class="tools">
          ${versions(study, run || page?.scale)}
          ${mayStart ? button("play", "Run it", () => this.#run(study)) : nothing}
          ${found ? html`<a href=${whole} target="_blank" rel="noopener">The whole page, to keep or to print </a>${icon("external")}` : nothing}
        </p>
      </header>
      ${started} ${found ? ownRun(found) : html`<div class="finding stack" .innerHTML=${shipped ?? ""}></div>`}
    </div>`;
  }
}

/** Links to the bundled pages and the saved runs. @param {StudyInfo} study @param {string} [shown] */
function versions(study, shown) {
  const link = (/** @type {string} */ href, /** @type {string} */ words, /** @type {string} */ id) =>
    html`<a class="badge" href=${href} aria-current=${id === shown ? "page" : nothing}>${words}</a>`;
  return html`${study.pages.map(({ scale }) => link(pageOf(study, scale), `${scale}, as published`, scale))}
    ${study.runs.slice(0, 4).map(({ id, scale, status }) => link(routeTo(pathOf(study.name), { run: id }), `${scale} ${STATES[status]}`, id))}`;
}

/** The results of a run. @param {import("../base/api-types.js").StudyAnswer} study */
const ownRun = (study) => html`
  ${study.findings.length ? html`<section><h2>What was found</h2>${list(study.findings)}</section>` : nothing}
  ${
    study.figures.length
      ? html`<section>
          <h2>Figures</h2>
          <div class="figures">${study.figures.map(drawFigure)}</div>
        </section>`
      : nothing
  }
  ${study.tables.map(
    ({ title, columns, rows, notes = [] }) => html`<section class="panel">
      <h2>${title}</h2>
      <div class="scroll" tabindex="0" role="region" aria-label=${title}>
        ${table("", columns, rows.map(tableRow))}
      </div>
      ${notes.map((each) => html`<p class="muted">${each}</p>`)}
    </section>`,
  )}
  ${
    study.deviations.length
      ? html`<details class="panel"><summary>How this differs from the paper</summary>${list(study.deviations)}</details>`
      : nothing
  }`;

/** @param {unknown[]} cells */
const tableRow = (cells) => html`<tr>${cells.map((each) => html`<td>${each}</td>`)}</tr>`;

/** @param {string[]} sentences */
const list = (sentences) => html`<ul class="findings">${sentences.map((each) => html`<li>${each}</li>`)}</ul>`;

/** @param {Figure} figure */
function drawFigure({ title, caption, svg: source, squares, value_range: range, value_label: label, game }) {
  const image = html`<img src=${`${source}&theme=${theme()}`} alt=${caption || title} loading="lazy">`;
  return html`<figure class="figure panel">
    ${squares.length && range ? heatmap(title, squares, range) : image}
    <figcaption>
      <b>${title}</b>
      ${squares.length ? nothing : caption}
      ${squares.some((each) => each.game) ? `${label}. Choose a framed square to open its game.` : nothing}
      ${
        game && !squares.length
          ? html`<button type="button" class="link" @click=${() => openGame(game)}>Open it in the analysis</button>`
          : nothing
      }
    </figcaption>
  </figure>`;
}

customElements.define("studies-area", StudiesArea);
