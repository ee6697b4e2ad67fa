// What a learner has solved, kept in this browser, and taken along as a file.

import { keep, kept } from "./kept.js";

/** How a puzzle went: solved at once, after another try or a hint, or given up. @typedef {"first"|"later"|"shown"} Went */
/** @typedef {{puzzles: Record<string, Went>, lessons: Record<string, number>, days: Record<string, number>}} Progress */

const NAME = "progress";

/** @param {string|undefined} went */
export const isSolved = (went) => went === "first" || went === "later";

/** @returns {Progress} */
export function progress() {
  const found = /** @type {Partial<Progress>|null} */ (kept(NAME));
  return { puzzles: { ...found?.puzzles }, lessons: { ...found?.lessons }, days: { ...found?.days } };
}

/**
 * Keeps how a puzzle went; what was solved once stays solved.
 * @param {string} id
 * @param {Went} went
 */
export function keepPuzzle(id, went) {
  const all = progress();
  const before = all.puzzles[id];
  if (before === "first" || (before === "later" && went === "shown")) return;
  all.puzzles[id] = went;
  keep(NAME, all);
}

/** @param {string} id @param {number} steps that were done of a lesson */
export function keepLesson(id, steps) {
  const all = progress();
  all.lessons[id] = Math.max(steps, all.lessons[id] ?? 0);
  keep(NAME, all);
}

/** @param {string} day @param {number} solved of that day's puzzles */
export function keepDay(day, solved) {
  const all = progress();
  all.days[day] = Math.max(solved, all.days[day] ?? 0);
  keep(NAME, all);
}

/**
 * Puts what a file holds to what is kept here.
 * @param {unknown} document
 * @throws {Error} it is no progress
 */
export function readProgress(document) {
  const { format, puzzles, lessons, days } = /** @type {Partial<Record<string, unknown>>} */ (document ?? {});
  const isMap = (/** @type {unknown} */ each) => each !== null && typeof each === "object";
  if (format !== "noughts-progress" || ![puzzles, lessons, days].every(isMap))
    throw new Error("This is no file of progress: one that this page saved begins with format noughts-progress.");
  for (const [id, went] of Object.entries(/** @type {object} */ (puzzles)))
    if (["first", "later", "shown"].includes(went)) keepPuzzle(id, went);
  for (const [id, steps] of Object.entries(/** @type {object} */ (lessons))) keepLesson(id, Number(steps) || 0);
  for (const [day, solved] of Object.entries(/** @type {object} */ (days))) keepDay(day, Number(solved) || 0);
}

/** The text of a file of what is kept. */
export const writeProgress = () => JSON.stringify({ format: "noughts-progress", version: 1, ...progress() }, null, 1);

/** Today as year-month-day, where the learner is. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
