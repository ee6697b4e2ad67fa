// <studies-area>: what was measured: the studies kept here, their findings, tables and figures. A square of a heat map opens its game.

import * as api from "../base/api.js";
import { field, fill, h, icon } from "../base/dom.js";
import { counted } from "../base/format.js";
import { theme } from "../base/kept.js";
import { emptiness, filled } from "../base/news.js";
import { routeTo } from "../base/route.js";
import { commandList, startForm } from "../parts/commands.js";
import { heatmap, openGame } from "../parts/heatmap.js";

/** @typedef {import("../base/api-types.js").StudyInfo} StudyInfo */
/** @typedef {import("../base/api-types.js").StudyFigure} Figure */

/** @type {Record<import("../base/api-types.js").StudyRunInfo["status"], string>} */
const STATES = { finished: "✓ complete", running: "… running" };

export class StudiesArea extends HTMLElement {
  /** @param {URLSearchParams} params @param {string} name of the study, empty for all */
  show(params, name) {
    return filled(this, () => (name ? this.#one(name, params.get("run") ?? undefined) : this.#all()));
  }

  async #all() {
    const [studies, { may_start }] = await Promise.all([api.studies(), api.commands()]);
    const list = commandList(["study"], () => {
      if (!this.querySelector(".start-form[open]")) void this.show(new URLSearchParams(), "");
    });
    const done = studies.filter((study) => study.runs.length);
    const open = studies.filter((study) => !study.runs.length);
    return [
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Findings"),
        h("p", { class: "lead" }, "Questions asked of these games, and what was measured."),
      ),
      may_start ? this.#runForm(studies, list) : "",
      list,
      done.length
        ? h(
            "ul",
            { class: "study-cards" },
            done.map((study) => this.#card(study)),
          )
        : emptiness(
            "No study has been run here yet",
            `Run one, for example: noughts study run ${open[0]?.name ?? "bttt-tournament"} --scale quick. Its findings, tables and figures then appear here.`,
          ),
      open.length
        ? h(
            "details",
            { class: "panel", open: !done.length },
            h("summary", {}, `${counted(open.length, "more study").replace("studys", "studies")} can be run`),
            h(
              "ul",
              { class: "plain-list" },
              open.map((study) =>
                h(
                  "li",
                  {},
                  h("p", {}, h("b", {}, study.title), ` ${study.question}`),
                  h("p", { class: "muted code" }, `noughts study run ${study.name}`),
                ),
              ),
            ),
          )
        : "",
    ];
  }

  /** @param {StudyInfo[]} studies @param {import("../parts/commands.js").CommandList} list */
  #runForm(studies, list) {
    const menu = h(
      "select",
      { value: studies[0].name, onchange: () => offer() },
      studies.map((study) => h("option", { value: study.name }, study.title)),
    );
    const scale = h("select", { onchange: () => say() });
    const cost = h("p", { class: "muted" });
    const scales = () => studies.find((study) => study.name === menu.value)?.scales ?? {};
    const say = () => fill(cost, scales()[scale.value] ?? "");
    const offer = () => {
      fill(
        scale,
        Object.keys(scales()).map((name) => h("option", { value: name }, name)),
      );
      say();
    };
    offer();
    const start = () => api.startStudy({ study: menu.value, scale: scale.value, seed: 0 });
    const fields = [field("Study", menu), field("Scale", scale), cost];
    return startForm("Run a study", fields, "Start the study", start, () => list.look());
  }

  /** @param {StudyInfo} study */
  #card(study) {
    return h(
      "li",
      {},
      h(
        "article",
        { class: "panel study-card" },
        h("h2", {}, h("a", { href: `#/studies/${encodeURIComponent(study.name)}` }, study.title)),
        h("p", { class: "muted" }, study.question),
        h(
          "p",
          {},
          study.runs
            .slice(0, 4)
            .map((run) =>
              h(
                "a",
                { class: "badge", href: routeTo(`studies/${encodeURIComponent(study.name)}`, { run: run.id }) },
                `${run.scale} ${STATES[run.status]}`,
              ),
            ),
        ),
      ),
    );
  }

  /** @param {string} name @param {string} [run] */
  async #one(name, run) {
    const study = await api.study(name, run);
    const page = `/api/studies/${encodeURIComponent(name)}/page${run ? `?run=${encodeURIComponent(run)}` : ""}`;
    return [
      h(
        "div",
        { class: "study" },
        h(
          "header",
          { class: "area-head" },
          h("p", {}, h("a", { href: "#/studies" }, "All studies")),
          h("h1", {}, study.title),
          h("p", { class: "lead" }, study.question),
          h(
            "p",
            {},
            h("a", { href: page, target: "_blank", rel: "noopener" }, "The whole page, to keep or to print "),
            icon("external"),
          ),
        ),
        study.findings.length > 0 &&
          h(
            "section",
            {},
            h("h2", {}, "What was found"),
            h(
              "ul",
              { class: "findings" },
              study.findings.map((each) => h("li", {}, each)),
            ),
          ),
        study.figures.length > 0 &&
          h(
            "section",
            {},
            h("h2", {}, "Figures"),
            h(
              "div",
              { class: "figures" },
              study.figures.map((each) => this.#figure(each, study.figures)),
            ),
          ),
        study.tables.map((table) => this.#table(table)),
        study.deviations.length > 0 &&
          h(
            "details",
            { class: "panel" },
            h("summary", {}, "How this differs from the paper"),
            h(
              "ul",
              { class: "findings" },
              study.deviations.map((each) => h("li", {}, each)),
            ),
          ),
      ),
    ];
  }

  /** @param {Figure} figure @param {Figure[]} all */
  #figure(figure, all) {
    // A square without a game of its own may be told by a figure about it.
    const about = (/** @type {string} */ square) =>
      all.find((each) => each.game && each !== figure && each.id.endsWith(`-${square}`))?.game ?? null;
    const squares = (figure.heatmap?.squares ?? []).map((each) => ({ ...each, game: each.game ?? about(each.square) }));
    return h(
      "figure",
      { class: "figure panel" },
      squares.length
        ? heatmap(figure.title, squares, figure.heatmap ? [figure.heatmap.low, figure.heatmap.high] : undefined)
        : h("img", {
            src: `${figure.svg}${figure.svg.includes("?") ? "&" : "?"}theme=${theme()}`,
            alt: figure.caption || figure.title,
            loading: "lazy",
          }),
      h(
        "figcaption",
        {},
        h("b", {}, figure.title),
        squares.length || !figure.caption ? "" : ` ${figure.caption}`,
        squares.some((each) => each.game)
          ? ` ${figure.heatmap?.label ?? ""}. Choose a framed square to open its game.`
          : "",
        figure.game &&
          !squares.length &&
          h(
            "span",
            {},
            " ",
            h(
              "button",
              { type: "button", class: "link", onclick: () => void openGame(/** @type {string} */ (figure.game)) },
              "Open it in the analysis",
            ),
          ),
      ),
    );
  }

  /** @param {import("../base/api-types.js").StudyTable} table */
  #table({ title, columns, rows }) {
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, title),
      h(
        "div",
        { class: "scroll", tabindex: "0", role: "region", "aria-label": title },
        h(
          "table",
          {},
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              columns.map((each) => h("th", { scope: "col" }, each)),
            ),
          ),
          h(
            "tbody",
            {},
            rows.map((row) =>
              h(
                "tr",
                {},
                row.map((each) => h("td", {}, each)),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

customElements.define("studies-area", StudiesArea);
