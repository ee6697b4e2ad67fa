// What a learner has solved, and the mistakes that come back, kept in this browser, and taken along as a file.

import { keep, kept } from "./kept.js";

/** How a puzzle went: solved at once, after another try or a hint, or given up. @typedef {"first"|"later"|"shown"} Went */
/** An own mistake: what was to be found, how often it was found since, and the day on which it comes back. @typedef {{task: import("../parts/trainer.js").Task, found: number, due: number}} Mistake */
/** @typedef {{puzzles: Record<string, Went>, lessons: Record<string, number>, days: Record<string, number>, mistakes: Mistake[]}} Progress */

const NAME = "progress";
const SPACING = [1, 3, 7, 21]; // days until a mistake comes back that was found 0, 1, 2 and 3 times; after the fourth time it stays away
const MOST_MISTAKES = 200;

/** @param {string|undefined} went */
export const isSolved = (went) => went === "first" || went === "later";

/** @returns {Progress} */
export function progress() {
  const found = /** @type {Partial<Progress>|null} */ (kept(NAME));
  return {
    puzzles: { ...found?.puzzles },
    lessons: { ...found?.lessons },
    days: { ...found?.days },
    mistakes: [...(found?.mistakes ?? [])],
  };
}

/** Keeps how a puzzle went; what was solved once stays solved. @param {string} id @param {Went} went */
export function keepPuzzle(id, went) {
  const all = progress();
  const before = all.puzzles[id];
  if (before === "first" || (before === "later" && went === "shown")) return;
  all.puzzles[id] = went;
  keep(NAME, all);
}

/** Keeps the steps that were done of a lesson, or the puzzles that were solved of a day. @param {"lessons"|"days"} what @param {string} id @param {number} count */
export function keepCount(what, id, count) {
  const all = progress();
  all[what][id] = Math.max(count, all[what][id] ?? 0);
  keep(NAME, all);
}

/** The day that it is where the learner is, as a number. */
const dayNow = () => Date.parse(today()) / 86_400_000;

/** @param {import("../parts/trainer.js").Task} task */
const placeOf = ({ rules, moves }) => `${rules} ${moves.join(" ")}`;

/** Puts a mistake in the place of what was kept of its position; the oldest goes if there are too many. @param {Mistake} mistake */
function putMistake(mistake) {
  const all = progress();
  const others = all.mistakes.filter(({ task }) => placeOf(task) !== placeOf(mistake.task));
  all.mistakes = [...others, ...(mistake.found < SPACING.length ? [mistake] : [])].slice(-MOST_MISTAKES);
  keep(NAME, all);
}

/** Keeps what a learner got wrong, in a game or a puzzle, unless it is kept already: it comes back tomorrow. @param {import("../parts/trainer.js").Task} task */
export function keepMistake(task) {
  if (!progress().mistakes.some((each) => placeOf(each.task) === placeOf(task)))
    putMistake({ task, found: 0, due: dayNow() + SPACING[0] });
}

/** Keeps how it went when a mistake had come back: the more often it was found at once, the later it comes again. @param {Mistake} mistake @param {Went} went */
export function practised({ task, found }, went) {
  const times = went === "first" ? found + 1 : 0;
  putMistake({ task, found: times, due: dayNow() + (SPACING[times] ?? 0) });
}

/** The own mistakes that come back today, and in how many days the next one does; null if there is none. */
export function mistakesNow() {
  const all = progress().mistakes;
  const day = dayNow();
  const due = all.filter((mistake) => mistake.due <= day);
  const next = all.length ? Math.min(...all.map((mistake) => mistake.due)) - day : null;
  return { all, due, next };
}

/** Puts what a file holds to what is kept here. @param {unknown} document @throws {Error} it is no progress */
export function readProgress(document) {
  const read = /** @type {Partial<Record<string, unknown>>} */ (document ?? {});
  const { format, puzzles, lessons, days, mistakes = [] } = read;
  const isMap = (/** @type {unknown} */ each) => each !== null && typeof each === "object";
  if (format !== "noughts-progress" || ![puzzles, lessons, days].every(isMap) || !Array.isArray(mistakes))
    throw new Error("This is no file of progress: one that this page saved begins with format noughts-progress.");
  for (const [id, went] of Object.entries(/** @type {object} */ (puzzles)))
    if (["first", "later", "shown"].includes(went)) keepPuzzle(id, went);
  for (const what of /** @type {const} */ (["lessons", "days"]))
    for (const [id, count] of Object.entries(/** @type {object} */ (read[what])))
      keepCount(what, id, Number(count) || 0);
  for (const each of mistakes) if ([each?.task?.solutions, each?.task?.moves].every(Array.isArray)) putMistake(each);
}

/** What a file of it holds. */
export const progressDocument = () => ({ format: "noughts-progress", version: 1, ...progress() });

/** Today as year-month-day, where the learner is. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
