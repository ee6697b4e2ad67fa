// A learner's progress: solved puzzles, and mistakes to practise again. The browser stores it; a file can transfer it.

import { keep, kept } from "./kept.js";

/** How a puzzle went: solved at once, after another try or a hint, or given up. @typedef {"first"|"later"|"shown"} Went */
/** A mistake of the learner: the task, how often it was solved since, and the day of the next practice. @typedef {{task: import("../parts/trainer.js").Task, found: number, due: number}} Mistake */
/** @typedef {{puzzles: Record<string, Went>, lessons: Record<string, number>, days: Record<string, number>, mistakes: Mistake[]}} Progress */

const NAME = "progress";
const SPACING = [1, 3, 7, 21]; // days until the next practice of a mistake that was solved 0, 1, 2 and 3 times; after the fourth time it is removed
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

/** Stores the result of a puzzle. A solved puzzle stays solved. @param {string} id @param {Went} went */
export function keepPuzzle(id, went) {
  const all = progress();
  const before = all.puzzles[id];
  if (before === "first" || (before === "later" && went === "shown")) return;
  all.puzzles[id] = went;
  keep(NAME, all);
}

/** Stores how many steps of a lesson, or daily puzzles of a day, are done. @param {"lessons"|"days"} what @param {string} id @param {number} count */
export function keepCount(what, id, count) {
  const all = progress();
  all[what][id] = Math.max(count, all[what][id] ?? 0);
  keep(NAME, all);
}

/** The number of the learner's local day. */
const dayNow = () => Date.parse(today()) / 86_400_000;

/** @param {import("../parts/trainer.js").Task} task */
const placeOf = ({ rules, moves }) => `${rules} ${moves.join(" ")}`;

/** Replaces the mistake at the same position, and drops the oldest ones if there are too many. @param {Mistake} mistake */
function putMistake(mistake) {
  const all = progress();
  const others = all.mistakes.filter(({ task }) => placeOf(task) !== placeOf(mistake.task));
  all.mistakes = [...others, ...(mistake.found < SPACING.length ? [mistake] : [])].slice(-MOST_MISTAKES);
  keep(NAME, all);
}

/** Stores a mistake from a game or a puzzle for practice tomorrow, unless it is stored already. @param {import("../parts/trainer.js").Task} task */
export function keepMistake(task) {
  if (!progress().mistakes.some((each) => placeOf(each.task) === placeOf(task)))
    putMistake({ task, found: 0, due: dayNow() + SPACING[0] });
}

/** Stores the result of practising a mistake. Each success at the first try delays the next practice. @param {Mistake} mistake @param {Went} went */
export function practised({ task, found }, went) {
  const times = went === "first" ? found + 1 : 0;
  putMistake({ task, found: times, due: dayNow() + (SPACING[times] ?? 0) });
}

/** All mistakes, those due today, and the days until the next one is due; null if there is none. */
export function mistakesNow() {
  const all = progress().mistakes;
  const day = dayNow();
  const due = all.filter((mistake) => mistake.due <= day);
  const next = all.length ? Math.min(...all.map((mistake) => mistake.due)) - day : null;
  return { all, due, next };
}

/** Adds the progress in a file to the stored progress. @param {unknown} document @throws {Error} it is not a progress file */
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

/** The content of a progress file. */
export const progressDocument = () => ({ format: "noughts-progress", version: 1, ...progress() });

/** The learner's local date, as year-month-day. */
export function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
