// Threats: marks for the cells of a board, and advice in a sentence. It only counts marks on lines and does not search.

import { listed, SIDES, sideName } from "../base/format.js";

/** @import { PositionAnswer as Position } from "../base/api-types.js" */

const MOST_NAMED = 3;

/**
 * The threat on a square, for the lines of both sides; null if there is none.
 * @param {Position} position
 * @param {string} square
 * @returns {{tone: "own"|"other"|"danger"|"fork", words: string}|null}
 */
export function threatAt({ completing, forking, to_move: side, marks, line }, square) {
  const other = side === "first" ? "second" : "first";
  if (line === "loses")
    return completing[side]?.includes(square) ? { tone: "danger", words: "completes a line, and loses" } : null;
  if (completing[side]?.includes(square))
    return { tone: "own", words: `${sideName(side, marks)} completes a line here` };
  const theirs = completing[other] ?? [];
  if (theirs.includes(square)) {
    const must = theirs.length === 1 && !completing[side]?.length;
    return { tone: "other", words: `${sideName(other, marks)} threatens a line here${must ? ": the only reply" : ""}` };
  }
  const forks = SIDES.filter((each) => forking[each]?.includes(square)).map((each) => sideName(each, marks));
  return forks.length ? { tone: "fork", words: `${forks.join(" and ")} would threaten two lines at once here` } : null;
}

/** Advice about threats for the side to move, in a sentence; empty if there is none. @param {Position} position */
export function advice({ completing, forking, to_move: side, marks, line, outcome }) {
  if (outcome !== "ongoing") return "";
  const other = side === "first" ? "second" : "first";
  const [own, theirs] = [completing[side] ?? [], completing[other] ?? []];
  if (line === "loses") return own.length ? `${named(own)} would complete a line, and lose.` : "";
  if (own.length) return `Complete a line on ${named(own, "or")}.`;
  const them = sideName(other, marks);
  if (theirs.length > 1) return `${them} can complete lines on ${named(theirs)}: one move stops only one of them.`;
  if (theirs.length) return `${them} threatens to complete a line on ${theirs[0]}: nothing else stops it.`;
  const [forks, answers] = [forking[side] ?? [], forking[other] ?? []];
  if (forks.length) return `On ${named(forks, "or")} you would threaten two lines at once.`;
  if (answers.length)
    return `${them} could threaten two lines at once on ${named(answers, "or")}: be there first, or threaten a line.`;
  return "";
}

/** The first few squares, in words. @param {string[]} squares @param {"and"|"or"} [join] */
function named(squares, join = "and") {
  const rest = squares.slice(MOST_NAMED);
  return listed([...squares.slice(0, MOST_NAMED), ...(rest.length ? [`${rest.length} more`] : [])], join);
}
