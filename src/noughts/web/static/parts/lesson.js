// Sentences about a position and about a mistake.

import { counted, exactWords, sideName, signed } from "../base/format.js";
import { betweenMoves, loserOf, lostFrom, openCount } from "../base/judge.js";
import { called } from "../base/names.js";
import { TRUTH } from "../base/session.js";
import { html, nothing } from "../base/view.js";

/** @import { PositionAnswer as Position, Result } from "../base/api-types.js" */
/** @import { Judgement, Place } from "../base/judge.js" */

/**
 * Explains what a move lost, and which moves were right.
 * @param {Judgement} found
 * @param {Result|undefined} exact the exact values of the position before it
 * @param {string} who the player
 */
export function lesson(found, exact, who) {
  const values = exact?.moves.filter((m) => found.right.includes(m.move)) ?? [];
  const best = values[0];
  const right = values.filter((m) => m.distance === best.distance).map((m) => m.move);
  const gave = found.after < 0 ? "lost the game" : "gave away the win";
  const holds = best?.value === 0 ? "holds the draw" : exactWords(best);
  return html`<h2>${found.sign === "??" ? "The blunder" : "The mistake"}: move ${found.ply}, ${found.move}</h2>
    <p>
      Here ${who} played ${found.move}, and that ${gave}.
      ${best ? html`<b>Right was ${right.slice(0, 4).join(" or ")}</b>, which ${holds}.` : "Looking for the right move."}
      ${exact ? alsoRight(exact, right) : nothing}
    </p>`;
}

/** Lists the other optimal moves. @param {Result} exact @param {string[]} named */
function alsoRight(exact, named) {
  const others = exact.moves
    .filter((m) => m.kind === "exact" && m.value === exact.value && !named.includes(m.move))
    .map((m) => m.move);
  if (!others.length || !named.length) return "";
  const words = `${others.slice(0, 5).join(", ")}${others.length > 5 ? " and others" : ""}`;
  return `${words} ${others.length === 1 ? "keeps" : "keep"} ${exact.value === 0 ? "the draw" : "the win"} too.`;
}

/**
 * Explains why a game has no mistake, or where the mistake must be.
 * @param {Place[]} line from the root
 * @returns {[string, string]} a title and a sentence
 */
export function noMistake(line) {
  const end = line[line.length - 1].position;
  const loser = sideName(loserOf(end) ?? "first", end.marks);
  const nothing = "No mistake found";
  if (end.outcome === "ongoing") return [nothing, "No mistake so far."];
  const between = betweenMoves(line);
  if (between) {
    const where = `between moves ${between[0]} and ${between[1]}`;
    return [
      `The mistake is ${where}`,
      `The game was not lost before move ${between[0]}, and it was after move ${between[1]}. Which move it was is not proved yet: ask again, or look deeper at a position under “Which program”.`,
    ];
  }
  const unknown = openCount(line);
  const lost = lostFrom(line);
  if (unknown && lost) {
    return [
      `${loser} was lost after move ${lost.ply}`,
      `That is proved. Move ${lost.last}, ${line[lost.last].node.move}, or an earlier move of ${loser}’s gave the game away: ${counted(unknown, "position")} before it could not be solved. Look deeper at single positions under “Which program”.`,
    ];
  }
  if (unknown) {
    return [
      nothing,
      `${counted(unknown, "position")} of this game could not be solved, and no mistake is proved. Look deeper at single positions under “Which program”.`,
    ];
  }
  if (end.outcome === "draw") return [nothing, "Both sides kept the draw from the first move to the last."];
  return [nothing, `${loser} was losing from the start: every move was as good as any other. Try the other side.`];
}

/**
 * Reports the exact value of a position, an agent's estimate, and the judgement on the last move.
 * @param {Position} position
 * @param {Result|undefined} exact
 * @param {Result|undefined} found
 * @param {Judgement|null} last
 * @param {{agent: string, asked: {busy: string[], problems: Map<string, string>}}} how the agent, and the state of the analyses
 */
export function verdict(position, exact, found, last, { agent, asked: { busy, problems } }) {
  const how = last?.sure ? "is a proved" : "is probably a";
  const what = last?.sign === "??" ? "blunder" : "mistake";
  const judged = last?.sign
    ? html`<p class="judged">${position.last}${last.sign} ${how} ${what}: better was ${last.right.slice(0, 3).join(", ")}.</p>`
    : nothing;
  if (position.outcome !== "ongoing") return judged;
  const thinks = busy.some((each) => each !== TRUTH);
  const opinion =
    found && found.value !== null
      ? `${found.move ?? ""} ${signed(found.value)}, ${counted(found.nodes, "position")}${thinks ? " …" : ""}`
      : (problems.get(agent) ?? (thinks ? "thinking …" : "not asked."));
  return html`${judged}
    <p class="truth"><b>Proved: </b>${truthWords(position, exact, busy.includes(TRUTH), problems.get(TRUTH))}</p>
    <p class="opinion"><b>${called(agent)}: </b>${opinion}</p>`;
}

/**
 * @param {Position} position
 * @param {Result|undefined} exact
 * @param {boolean} busy
 * @param {string|undefined} problem
 */
function truthWords(position, exact, busy, problem) {
  const name = sideName(position.to_move, position.marks);
  if (exact?.kind === "exact") return `${name} ${exact.value === 0 ? "can hold " : ""}${exactWords(exact)}.`;
  if (problem) return truthProblem(problem);
  if (busy) return "being proved …";
  return exact && exact.kind !== "estimate" ? `${exactWords(exact)}.` : "not known.";
}

/** Explains why exact values are missing. The long message that no solver covers a game is shortened. @param {string} problem */
export function truthProblem(problem) {
  return problem.startsWith("no solver") ? "out of reach, no solver covers this game." : problem;
}
