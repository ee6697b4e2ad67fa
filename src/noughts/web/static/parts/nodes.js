// The machines of a cluster that are at work on something: how busy each is, how quick, and what it is at.

import { h } from "../base/dom.js";
import { whole } from "../base/format.js";

/** @typedef {import("../base/api-types.js").MachineAnswer} Machine */

const COLUMNS = ["Machine", "Cores at work", "Done", "A second", "At"];

/**
 * A table of them; nothing where all is done on the server's machine.
 * @param {Machine[]} nodes
 */
export function nodesTable(nodes) {
  if (!nodes.length) return null;
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Machines at work" },
    h(
      "table",
      { class: "nodes" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          COLUMNS.map((words) => h("th", { scope: "col" }, words)),
        ),
      ),
      h(
        "tbody",
        {},
        nodes.map((node) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, node.name),
            h("td", {}, `${node.workers} of ${node.cores}`),
            h("td", {}, whole(node.done)),
            h("td", {}, node.rate.toFixed(1)),
            h("td", {}, node.note),
          ),
        ),
      ),
    ),
  );
}
