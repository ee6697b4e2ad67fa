// <studies-area>: what was measured: the studies kept here, their findings, tables and figures. A square of a heat map opens its game.

import * as api from "../base/api.js";
import { counted } from "../base/format.js";
import { theme } from "../base/kept.js";
import { emptiness, LoadedView } from "../base/news.js";
import { routeTo } from "../base/route.js";
import { areaHead, field, html, icon, menu, nothing, table } from "../base/view.js";
import { commandList, startForm } from "../parts/commands.js";
import { heatmap, openGame } from "../parts/heatmap.js";

/** @typedef {import("../base/api-types.js").StudyInfo} StudyInfo */
/** @typedef {import("../base/api-types.js").StudyFigure} Figure */

/** @type {Record<import("../base/api-types.js").StudyRunInfo["status"], string>} */
const STATES = { finished: "✓ complete", running: "… running" };

/** @param {string} name */
const pathOf = (name) => `studies/${encodeURIComponent(name)}`;

export class StudiesArea extends LoadedView {
  #study = ""; // in the form
  #scale = "";

  /** @param {URLSearchParams} params @param {string} name of the study, empty for all */
  show(params, name) {
    return this.load(() => (name ? this.#one(name, params.get("run") ?? undefined) : this.#all()));
  }

  async #all() {
    const [studies, { may_start }] = await Promise.all([api.studies(), api.commands()]);
    const [done, open] = [studies.filter((study) => study.runs.length), studies.filter((study) => !study.runs.length)];
    const again = () => {
      if (!this.querySelector(".start-form[open]")) void this.show(new URLSearchParams(), "");
    };
    const example = `noughts study run ${open[0]?.name ?? "bttt-tournament"} --scale quick`;
    return () => html`${areaHead("Findings", "Questions asked of these games, and what was measured.")}
      ${may_start ? this.#runForm(studies) : nothing}
      ${commandList({ kinds: ["study"], changed: again })}
      ${
        done.length
          ? html`<ul class="study-cards">${done.map(card)}</ul>`
          : emptiness(
              "No study has been run here yet",
              `Run one, for example: ${example}. Its findings, tables and figures then appear here.`,
            )
      }
      ${
        open.length
          ? html`<details class="panel" ?open=${!done.length}>
              <summary>${counted(open.length, "more study").replace("studys", "studies")} can be run</summary>
              <ul class="plain-list">
                ${open.map(
                  ({ title, question, name }) => html`<li>
                    <p><b>${title}</b> ${question}</p>
                    <p class="muted code">noughts study run ${name}</p>
                  </li>`,
                )}
              </ul>
            </details>`
          : nothing
      }`;
  }

  /** @param {StudyInfo[]} studies */
  #runForm(studies) {
    const chosen = studies.find((study) => study.name === this.#study) ?? studies[0];
    const scales = Object.keys(chosen.scales);
    const scale = scales.includes(this.#scale) ? this.#scale : scales[0];
    const choose = (/** @type {string} */ study, /** @type {string} */ size) => {
      [this.#study, this.#scale] = [study, size];
      this.requestUpdate();
    };
    const fields = html`
      ${field(
        "Study",
        menu(
          studies.map(({ name, title }) => [name, title]),
          chosen.name,
          (name) => choose(name, ""),
        ),
      )}
      ${field(
        "Scale",
        menu(
          scales.map((name) => [name, name]),
          scale,
          (name) => choose(chosen.name, name),
        ),
      )}
      <p class="muted">${chosen.scales[scale] ?? ""}</p>`;
    const start = async () => {
      await api.startStudy({ study: chosen.name, scale, seed: 0 });
      await /** @type {import("../parts/commands.js").CommandList} */ (this.querySelector("command-list")).look();
    };
    return startForm("Run a study", fields, "Start the study", start);
  }

  /** @param {string} name @param {string} [run] */
  async #one(name, run) {
    const study = await api.study(name, run);
    const page = `/api/${pathOf(name)}/page${run ? `?run=${encodeURIComponent(run)}` : ""}`;
    return () => html`<div class="study">
      <header class="area-head">
        <p><a href="#/studies">All studies</a></p>
        <h1>${study.title}</h1>
        <p class="lead">${study.question}</p>
        <p><a href=${page} target="_blank" rel="noopener">The whole page, to keep or to print </a>${icon("external")}</p>
      </header>
      ${study.findings.length ? html`<section><h2>What was found</h2>${list(study.findings)}</section>` : nothing}
      ${
        study.figures.length
          ? html`<section>
              <h2>Figures</h2>
              <div class="figures">${study.figures.map((each) => drawFigure(each, study.figures))}</div>
            </section>`
          : nothing
      }
      ${study.tables.map(
        ({ title, columns, rows, notes }) => html`<section class="panel">
          <h2>${title}</h2>
          <div class="scroll" tabindex="0" role="region" aria-label=${title}>
            ${table(
              "",
              columns,
              rows.map((row) => html`<tr>${row.map((each) => html`<td>${each}</td>`)}</tr>`),
            )}
          </div>${notes.map((each) => html`<p class="muted">${each}</p>`)}
        </section>`,
      )}
      ${
        study.deviations.length
          ? html`<details class="panel"><summary>How this differs from the paper</summary>${list(study.deviations)}</details>`
          : nothing
      }
    </div>`;
  }
}

/** @param {string[]} sentences */
const list = (sentences) => html`<ul class="findings">${sentences.map((each) => html`<li>${each}</li>`)}</ul>`;

/** @param {StudyInfo} study */
const card = ({ name, title, question, runs }) => html`<li>
    <article class="panel study-card">
      <h2><a href=${`#/${pathOf(name)}`}>${title}</a></h2>
      <p class="muted">${question}</p>
      <p>
        ${runs
          .slice(0, 4)
          .map(
            (run) =>
              html`<a class="badge" href=${routeTo(pathOf(name), { run: run.id })}>${run.scale} ${STATES[run.status]}</a>`,
          )}
      </p>
    </article>
  </li>`;

/** @param {Figure} figure @param {Figure[]} all */
function drawFigure(figure, all) {
  const { title, caption, svg: source, heatmap: heat, game } = figure;
  // A figure about a square may have the game of one without its own.
  const about = (/** @type {string} */ square) =>
    all.find((each) => each.game && each !== figure && each.id.endsWith(`-${square}`))?.game ?? null;
  const squares = (heat?.squares ?? []).map((each) => ({ ...each, game: each.game ?? about(each.square) }));
  const image = html`<img src=${`${source}${source.includes("?") ? "&" : "?"}theme=${theme()}`} alt=${caption || title} loading="lazy">`;
  return html`<figure class="figure panel">
    ${squares.length ? heatmap(title, squares, heat ? [heat.low, heat.high] : undefined) : image}
    <figcaption>
      <b>${title}</b>
      ${squares.length ? nothing : caption}
      ${squares.some((each) => each.game) ? `${heat?.label ?? ""}. Choose a framed square to open its game.` : nothing}
      ${
        game && !squares.length
          ? html`<button type="button" class="link" @click=${() => openGame(game)}>Open it in the analysis</button>`
          : nothing
      }
    </figcaption>
  </figure>`;
}

customElements.define("studies-area", StudiesArea);
