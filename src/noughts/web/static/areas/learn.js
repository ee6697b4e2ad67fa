// <learn-area>: puzzles, daily puzzles, lessons, and the learner's own mistakes. The learner looks for each answer before seeing it.

import * as api from "../base/api.js";
import { counted } from "../base/format.js";
import { emptiness, LoadedView, tell, tellError } from "../base/news.js";
import {
  isSolved,
  keepCount,
  mistakesNow,
  practised,
  progress,
  progressDocument,
  readProgress,
  today,
} from "../base/progress.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { newSeed, session } from "../base/session.js";
import { areaHead, button, html, linkButton, nothing, submitted } from "../base/view.js";
import { askFile, downloadJson, mistakeAddress, share } from "../parts/files.js";
import { picture } from "../parts/mini.js";
import { MistakeFinder } from "../parts/mistake.js";
import { learnHead, Series } from "../parts/series.js";
import { Trainer } from "../parts/trainer.js";

/** @import { Lesson, PuzzleAnswer as Puzzle, PuzzleGame } from "../base/api-types.js" */
/** @typedef {Puzzle["grade"]} Grade */

const LEAD = "Find the move first. Every answer here is proved, and so is the reply to every wrong one.";
const MAKING = "Positions are played and proved until one has few right moves. It takes seconds.";

/** Updates the address to the current view. @param {string} address */
const follow = (address) => go(address, { replace: true });

export class LearnArea extends LoadedView {
  /** @param {URLSearchParams} params @param {string} name */
  async show(params, name) {
    const [room, inner = ""] = name.split("/");
    const rooms = /** @type {Record<string, () => Promise<() => unknown>>} */ ({
      "": () => this.#hub(),
      daily: () => this.#daily(params),
      puzzles: () => this.#set(params),
      puzzle: () => this.#one(params),
      make: () => this.#made(params),
      lesson: () => this.#lesson(inner, Number(params.get("step")) || 1),
      mistake: () => this.#mistake(params),
      practise: () => this.#practise(),
    });
    if (!Object.hasOwn(rooms, room)) {
      tell(`There is nothing at “learn/${name.slice(0, 40)}”. Here is what can be learned.`);
      follow(routeTo("learn"));
    }
    await this.load(rooms[Object.hasOwn(rooms, room) ? room : ""]);
  }

  async #hub() {
    const [games, lessons, daily] = await Promise.all([
      api.ask("GET /api/puzzles"),
      api.ask("GET /api/lessons"),
      api.ask("GET /api/puzzles/daily", { query: { day: today() } }).catch(() => []),
    ]);
    const done = progress();
    const solved = daily.filter(({ id }) => isSolved(done.puzzles[id])).length;
    const shipped = games.flatMap(({ grades }) => Object.values(grades)).reduce((a, b) => a + b, 0);
    const all = Object.values(done.puzzles).filter(isSolved).length;
    const day = `${solved} of ${daily.length} solved. The same for everybody today, the hardest last.`;
    return () => html`${areaHead("Learn", LEAD)}
      <div class="learn-doors">${door(routeTo("learn/daily"), "Today’s five", day, daily.at(-1))}${lastGame()}${ownMistakes()}</div>
      <section class="page-section" aria-labelledby="learn-lessons">
        <h2 id="learn-lessons">First steps</h2>
        <ol class="lesson-list">${lessons.map((lesson) => lessonRow(lesson, done.lessons[lesson.id] ?? 0))}</ol>
      </section>
      <section class="page-section" aria-labelledby="learn-puzzles">
        <h2 id="learn-puzzles">Puzzles</h2>
        <p class="muted">${all} solved. Of ${shipped} that come with noughts each was checked; new ones are made of any rules.</p>
        <ul class="puzzle-games">${games.map(gameRow)}</ul>
        ${maker()}
      </section>
      <p class="keeping muted">
        Your progress is kept in this browser. <button type="button" class="link" @click=${saveProgress}>Save it as a file</button>
        or <button type="button" class="link" @click=${() => this.#readProgress()}>read one</button>.
      </p>`;
  }

  #readProgress() {
    askFile("A file of progress", async (document) => {
      readProgress(document);
      tell("Read your progress.");
      await this.load(() => this.#hub());
    });
  }

  /** @param {URLSearchParams} params */
  async #daily(params) {
    const day = params.get("day") ?? today();
    const puzzles = await api.ask("GET /api/puzzles/daily", { query: { day } });
    const solved = () => puzzles.filter(({ id }) => isSolved(progress().puzzles[id])).length;
    const series = new Series({
      name: day === today() ? "Today’s five" : `The five of ${day}`,
      puzzles,
      shown: (_, index) => follow(routeTo("learn/daily", { day, n: index + 1 })),
      done: () => keepCount("days", day, solved()),
      ended: "Tomorrow there are five others.",
    });
    return this.#run(series, params.has("n") ? Number(params.get("n")) - 1 : firstOpen(puzzles));
  }

  /** @param {URLSearchParams} params */
  async #set(params) {
    const [rules, grade] = [params.get("rules") ?? "tic-tac-toe", params.get("grade") ?? ""];
    const most = Number(params.get("most")) || null; // the number in the address
    const all = await api.ask("GET /api/puzzles/set", { query: grade ? { rules, grade } : { rules } });
    const puzzles = all.slice(0, most ?? undefined);
    const make = routeTo("learn/make", { rules, grade });
    if (!puzzles.length) {
      const action = linkButton(make, "Make puzzles", "primary");
      const words = `No ${grade && `${grade} `}puzzles of this game come with noughts`;
      return () => emptiness(words, "They can be made now, if a solver covers it.", action);
    }
    const series = new Series({
      name: `${puzzles[0].name}${grade ? `, ${grade}` : ""}`,
      puzzles,
      shown: (puzzle) => follow(routeTo("learn/puzzles", { rules, grade, most, id: puzzle.id })),
      ended: html`More of them are made in a moment. ${linkButton(make, "Make new ones")}`,
    });
    const asked = puzzles.findIndex(({ id }) => id === params.get("id"));
    return this.#run(series, asked >= 0 ? asked : firstOpen(puzzles));
  }

  /** @param {URLSearchParams} params */
  async #one(params) {
    const body = { rules: params.get("rules") ?? "", moves: movesOf(params) };
    return this.#endless(await api.ask("POST /api/puzzles/at", { body }), "");
  }

  /** @param {URLSearchParams} params */
  async #made(params) {
    const [rules, grade] = [params.get("rules") ?? "", /** @type {Grade|""} */ (params.get("grade") ?? "")];
    const asked = location.hash;
    this.content = () => emptiness("Making a puzzle", MAKING);
    const first = await newPuzzle(rules, grade);
    if (location.hash !== asked) return () => nothing; // the user has left meanwhile
    return this.#endless(first, grade);
  }

  /** @param {Puzzle} first @param {Grade|""} grade */
  #endless(first, grade) {
    const { rules, name } = first;
    const series = new Series({
      name,
      puzzles: [first],
      shown: (puzzle) => follow(routeTo("learn/puzzle", { rules, moves: puzzle.moves.join(" ") })),
      more: () => newPuzzle(rules, grade),
    });
    return this.#run(series, 0);
  }

  /** @param {Series} series @param {number} index */
  #run(series, index) {
    void series.go(Math.max(0, Math.min(series.settings.puzzles.length - 1, index || 0))).catch(tellError);
    return () => series;
  }

  /** @param {string} id @param {number} step */
  async #lesson(id, step) {
    const lessons = await api.ask("GET /api/lessons");
    const lesson = lessons.find((each) => each.id === id);
    if (!lesson) {
      const back = linkButton("#/learn", "Learn", "primary");
      return () => emptiness("There is no such lesson", "Choose one of those that there are.", back);
    }
    const after = lessons[lessons.indexOf(lesson) + 1];
    const trainer = new Trainer();
    const count = lesson.steps.length;
    const show = async (/** @type {number} */ number) => {
      const { game, answers, task, right } = lesson.steps[number - 1];
      const [rules, ...moves] = game.split(" ");
      follow(routeTo(`learn/lesson/${id}`, { step: number }));
      trainer.ondone = (went) => went !== "shown" && keepCount("lessons", id, number);
      trainer.onward = () =>
        number < count
          ? button("forward", "Next step", () => show(number + 1), { kind: "primary" })
          : after
            ? linkButton(routeTo(`learn/lesson/${after.id}`), `Next: ${after.title}`, "primary")
            : linkButton("#/learn/daily", "Now today’s five", "primary");
      const where = `${lesson.title} · step ${number} of ${count}`;
      const known = { solutions: answers, line: [], plies: null, value: null, right };
      await trainer.take({ rules, moves, where, title: lesson.title, words: task, ...known });
    };
    trainer.others = button("share", "Share", share, { kind: "plain" });
    void show(Math.max(1, Math.min(count, step))).catch(tellError);
    return () => html`${learnHead(lesson.about)} ${trainer}`;
  }

  /** @param {URLSearchParams} params */
  async #mistake(params) {
    if (params.get("rules")) await session.open(params);
    const game = session.game;
    if (!game?.lineMoves.length) {
      const play = linkButton("#/new", "Play", "primary");
      return () => emptiness("There is no game to look at", "Play one first.", play);
    }
    const finder = new MistakeFinder(game);
    return () => html`${learnHead("Find the move first")} ${finder}`;
  }

  /** The learner's mistakes that are due today. */
  async #practise() {
    const { due } = mistakesNow();
    if (!due.length)
      return () => emptiness("No mistake comes back today", comesBack(), linkButton("#/learn", "Learn", "primary"));
    const series = new Series({
      name: "Your own mistakes",
      puzzles: due.map(({ task }, index) => ({ ...task, id: `own-${index}` })),
      shown: () => {},
      done: (index, went) => practised(due[index], went),
      ended: "Puzzles that you solved come back later each time, the others tomorrow.",
    });
    return this.#run(series, 0);
  }

  /** Passes keys to the trainer, if there is one. @param {KeyboardEvent} event */
  key(event) {
    return /** @type {Trainer|null} */ (this.querySelector("noughts-trainer"))?.key(event) ?? false;
  }
}

/** Requests a new puzzle of any rules. @param {string} rules @param {Grade|""} grade */
const newPuzzle = (rules, grade) =>
  api.ask("POST /api/puzzles/make", { body: { rules, grade: grade || null, seed: newSeed() } });

/** The index of the first puzzle that is not solved. @param {Puzzle[]} puzzles */
const firstOpen = (puzzles) => puzzles.findIndex(({ id }) => !isSolved(progress().puzzles[id]));

/** @param {string} href @param {string} title @param {string} words @param {{rules: string, moves: string[]}} [shown] */
const door = (href, title, words, shown) => html`<a class="door" href=${href}>
    <span class="door-picture">${shown ? picture(shown.rules, shown.moves) : nothing}</span>
    <span class="door-words"><b>${title}</b><span class="muted">${words}</span></span>
  </a>`;

/** The link to find the mistake in the current game. */
function lastGame() {
  const game = session.game ?? session.draft();
  if (!game || game.lineMoves.length < 3) return nothing;
  const words = "Where was it won and lost? Find the right move before you see it.";
  return door(mistakeAddress(game), "Your last game", words, { rules: game.rules, moves: game.lineMoves });
}

/** The number of stored mistakes, and when the next is due, in words. */
function comesBack() {
  const { all, due, next } = mistakesNow();
  if (!all.length) return "Your mistakes in games and puzzles are kept here until you find the right move.";
  const when = due.length ? `${due.length} today` : next === 1 ? "the next tomorrow" : `the next in ${next} days`;
  return `${counted(all.length, "mistake")} of yours ${all.length === 1 ? "comes" : "come"} back until you find ${all.length === 1 ? "it" : "them"}: ${when}.`;
}

/** The link to the learner's mistakes, if there are any. */
function ownMistakes() {
  const { all, due } = mistakesNow();
  if (!all.length) return nothing;
  const { rules, moves } = (due[0] ?? all[0]).task;
  return door(routeTo("learn/practise"), "Practise", comesBack(), { rules, moves });
}

/** @param {Lesson} lesson @param {number} done */
function lessonRow({ id, title, about, steps }, done) {
  const all = done >= steps.length;
  return html`<li>
    <a href=${routeTo(`learn/lesson/${id}`)} class="lesson-row ${all ? "done" : ""}">
      <b>${title}</b><span class="muted">${about}</span>
      <small class="muted">${all ? "done" : done ? `${done} of ${steps.length}` : counted(steps.length, "step")}</small>
    </a>
  </li>`;
}

/** @param {PuzzleGame} game */
function gameRow({ name, rules, start, grades }) {
  const there = /** @type {Grade[]} */ (["easy", "medium", "hard"]).filter((grade) => grades[grade]);
  return html`<li class="puzzle-game">
    <span class="card-picture">${picture(rules, start)}</span>
    <div>
      <h3>${name}</h3>
      <div class="chips">
        ${there.map(
          (grade) => html`<a class="chip" href=${routeTo("learn/puzzles", { rules, grade })}
            aria-label=${`${name}, ${grade}: ${grades[grade]} puzzles`}>${grade}</a>`,
        )}
      </div>
    </div>
  </li>`;
}

function maker() {
  const make = () => {
    const input = /** @type {HTMLInputElement} */ (document.getElementById("make-rules"));
    go(routeTo("learn/make", { rules: input.value }));
  };
  return html`<form class="maker" @submit=${submitted(make)}>
    <label for="make-rules">New ones, of any rules:</label>
    <input type="text" value="mnk(4,5,4)" class="text-form" spellcheck="false" id="make-rules">
    ${button("", "Make puzzles", null, { type: "submit" })}
  </form>`;
}

function saveProgress() {
  downloadJson("noughts-progress.json", progressDocument());
  tell("Saved your progress.");
}

customElements.define("learn-area", LearnArea);
