// <learn-area>: puzzles, those of the day, lessons, and the mistakes of own games, found before they are told.

import * as api from "../base/api.js";
import { button, fill, h } from "../base/dom.js";
import { counted } from "../base/format.js";
import { emptiness, filled, tell, tellError } from "../base/news.js";
import { keepDay, keepLesson, progress, readProgress, today, writeProgress } from "../base/progress.js";
import { go, movesOf, routeTo } from "../base/route.js";
import { newSeed, session } from "../base/session.js";
import { download, mistakeAddress, share } from "../parts/files.js";
import { miniature } from "../parts/mini.js";
import { MistakeFinder } from "../parts/mistake.js";
import { GRADES, Series } from "../parts/series.js";
import { Trainer } from "../parts/trainer.js";

/** @typedef {import("../base/api-types.js").PuzzleAnswer} Puzzle */
/** @typedef {import("../base/api-types.js").PuzzleGame} PuzzleGame */
/** @typedef {import("../base/api-types.js").LessonAnswer} Lesson */
/** @typedef {keyof typeof GRADES} Grade */

export class LearnArea extends HTMLElement {
  /** What takes keys. @type {Series|MistakeFinder|Trainer|null} */
  #inside = null;
  #where = "";

  /** @param {URLSearchParams} params @param {string} name */
  async show(params, name) {
    const [room, inner = ""] = name.split("/");
    const where = `${name}?${params}`;
    if (where === this.#where) return;
    this.#where = where;
    this.#inside = null;
    switch (room) {
      case "":
        return filled(this, () => this.#hub());
      case "daily":
        return filled(this, () => this.#daily(params));
      case "puzzles":
        return filled(this, () => this.#set(params));
      case "puzzle":
        return filled(this, () => this.#one(params));
      case "make":
        return filled(this, () => this.#made(params));
      case "lesson":
        return filled(this, () => this.#lesson(inner, Number(params.get("step")) || 1));
      case "mistake":
        return filled(this, () => this.#mistake(params));
      default:
        tell(`There is nothing at “learn/${name.slice(0, 40)}”. Here is what can be learned.`);
        go(routeTo("learn"), { replace: true });
        this.#where = "?";
        return filled(this, () => this.#hub());
    }
  }

  /** The address follows what is shown. @param {string} address */
  #follow(address) {
    go(address, { replace: true });
    const [name, query = ""] = address.replace(/^#\/learn\/?/, "").split("?");
    this.#where = `${decodeURIComponent(name)}?${new URLSearchParams(query)}`;
  }

  async #hub() {
    const [games, lessons, daily] = await Promise.all([
      api.puzzleGames(),
      api.lessons(),
      api.dailyPuzzles(today()).catch(() => []),
    ]);
    const done = progress();
    const solved = (/** @type {Puzzle[]} */ puzzles) => puzzles.filter(({ id }) => isSolved(done.puzzles[id])).length;
    const finished = games.reduce((sum, { grades }) => sum + Object.values(grades).reduce((a, b) => a + b, 0), 0);
    const all = Object.values(done.puzzles).filter(isSolved).length;
    return [
      h(
        "header",
        { class: "area-head" },
        h("h1", {}, "Learn"),
        h(
          "p",
          { class: "lead" },
          "Find the move first. Every answer here is proved, and so is the reply to every wrong one.",
        ),
      ),
      h(
        "div",
        { class: "learn-doors" },
        this.#door(
          routeTo("learn/daily"),
          "Today’s five",
          `${solved(daily)} of ${daily.length} solved. The same for everybody today, the hardest last.`,
          daily.at(-1),
        ),
        this.#lost(),
      ),
      h(
        "section",
        { class: "learn-section", "aria-labelledby": "learn-lessons" },
        h("h2", { id: "learn-lessons" }, "First steps"),
        h(
          "ol",
          { class: "lesson-list" },
          lessons.map((lesson) => lessonRow(lesson, done.lessons[lesson.id] ?? 0)),
        ),
      ),
      h(
        "section",
        { class: "learn-section", "aria-labelledby": "learn-puzzles" },
        h("h2", { id: "learn-puzzles" }, "Puzzles"),
        h(
          "p",
          { class: "muted" },
          `${all} solved. Of ${finished} that come with noughts each was checked; new ones are made of any rules.`,
        ),
        h(
          "ul",
          { class: "puzzle-games" },
          games.map((game) => this.#game(game)),
        ),
        this.#maker(),
      ),
      this.#keeping(),
    ];
  }

  /** @param {string} href @param {string} title @param {string} words @param {Puzzle|undefined} puzzle */
  #door(href, title, words, puzzle) {
    const picture = h("span", { class: "door-picture" });
    if (puzzle)
      api.position(puzzle.rules, puzzle.moves).then(
        (position) => picture.append(miniature(position, "")),
        () => {},
      );
    return h(
      "a",
      { class: "door", href },
      picture,
      h("span", { class: "door-words" }, h("b", {}, title), h("span", { class: "muted" }, words)),
    );
  }

  /** The own game that is on the table, if it is over: its mistake is waiting. */
  #lost() {
    const game = session.game ?? session.draft();
    if (!game || game.lineMoves.length < 3) return "";
    const puzzle = /** @type {Puzzle} */ ({ rules: game.rules, moves: game.lineMoves });
    const href = mistakeAddress(game);
    return this.#door(
      href,
      "Your last game",
      "Where was it won and lost? Find the right move before you are told.",
      puzzle,
    );
  }

  /** @param {PuzzleGame} game */
  #game(game) {
    const picture = h("span", { class: "card-picture" });
    api.position(game.rules, game.start).then(
      (position) => picture.append(miniature(position, "")),
      () => {},
    );
    const chips = /** @type {Grade[]} */ (Object.keys(GRADES))
      .filter((grade) => game.grades[grade])
      .map((grade) =>
        h(
          "a",
          {
            class: "chip",
            href: routeTo("learn/puzzles", { rules: game.rules, grade }),
            "aria-label": `${game.name}, ${GRADES[grade]}: ${game.grades[grade]} puzzles`,
          },
          GRADES[grade],
        ),
      );
    return h(
      "li",
      { class: "puzzle-game" },
      picture,
      h("div", {}, h("h3", {}, game.name), h("div", { class: "chips" }, chips)),
    );
  }

  #maker() {
    const input = h("input", {
      type: "text",
      value: "mnk(4,5,4)",
      class: "text-form",
      spellcheck: "false",
      id: "make-rules",
    });
    const make = () => go(routeTo("learn/make", { rules: input.value }));
    return h(
      "form",
      {
        class: "maker",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          make();
        },
      },
      h("label", { for: "make-rules" }, "New ones, of any rules:"),
      input,
      h("button", { type: "submit", class: "button" }, "Make puzzles"),
    );
  }

  #keeping() {
    const save = () => {
      download("noughts-progress.json", new Blob([writeProgress()], { type: "application/json" }));
      tell("Saved your progress.");
    };
    const input = h("input", {
      type: "file",
      accept: ".json,application/json",
      hidden: true,
      "aria-label": "A file of progress",
    });
    input.addEventListener("change", () => {
      void (async () => {
        try {
          const text = await input.files?.[0]?.text();
          if (text === undefined) return;
          readProgress(JSON.parse(text));
          tell("Read your progress.");
          await filled(this, () => this.#hub());
        } catch (error) {
          tellError(error instanceof SyntaxError ? new Error("This file is no JSON.") : error);
        }
      })();
    });
    return h(
      "p",
      { class: "keeping muted" },
      "Your progress is kept in this browser. ",
      h("button", { type: "button", class: "link", onclick: save }, "Save it as a file"),
      " or ",
      h("button", { type: "button", class: "link", onclick: () => input.click() }, "read one"),
      ".",
      input,
    );
  }

  /** @param {URLSearchParams} params */
  async #daily(params) {
    const day = params.get("day") ?? today();
    const puzzles = await api.dailyPuzzles(day);
    const series = new Series();
    const first = puzzles.findIndex(({ id }) => !isSolved(progress().puzzles[id]));
    series.settings = {
      name: day === today() ? "Today’s five" : `The five of ${day}`,
      puzzles,
      shown: (_, index) => this.#follow(routeTo("learn/daily", { day, n: index + 1 })),
      done: () => keepDay(day, puzzles.filter(({ id }) => isSolved(progress().puzzles[id])).length),
      ended: () => [h("p", {}, "Tomorrow there are five others.")],
    };
    return this.#run(series, params.has("n") ? Number(params.get("n")) - 1 : Math.max(0, first));
  }

  /** @param {URLSearchParams} params */
  async #set(params) {
    const [rules, grade] = [params.get("rules") ?? "tic-tac-toe", params.get("grade") ?? ""];
    const most = Number(params.get("most")) || null; // as many as an address asks for
    const puzzles = (await api.puzzleSet(rules, grade)).slice(0, most ?? undefined);
    if (!puzzles.length) {
      return [
        emptiness(
          "No puzzles of this game come with noughts",
          "They can be made now, if a solver covers it.",
          h("a", { class: "button primary", href: routeTo("learn/make", { rules, grade }) }, "Make puzzles"),
        ),
      ];
    }
    const series = new Series();
    const asked = puzzles.findIndex(({ id }) => id === params.get("id"));
    const open = puzzles.findIndex(({ id }) => !isSolved(progress().puzzles[id]));
    series.settings = {
      name: `${puzzles[0].name}${grade ? `, ${grade}` : ""}`,
      puzzles,
      shown: (puzzle) => this.#follow(routeTo("learn/puzzles", { rules, grade, most, id: puzzle.id })),
      ended: () => [
        h("p", {}, "More of them are made in a moment."),
        h("a", { class: "button", href: routeTo("learn/make", { rules, grade }) }, "Make new ones"),
      ],
    };
    return this.#run(series, asked >= 0 ? asked : Math.max(0, open));
  }

  /** @param {URLSearchParams} params */
  async #one(params) {
    const puzzle = await api.puzzleAt(params.get("rules") ?? "", movesOf(params));
    return this.#endless([puzzle], "");
  }

  /** @param {URLSearchParams} params */
  async #made(params) {
    fill(
      this,
      emptiness("Making a puzzle", "Positions are played and proved until one has few right moves. It takes seconds."),
    );
    const [rules, grade] = [params.get("rules") ?? "", /** @type {Grade|""} */ (params.get("grade") ?? "")];
    return this.#endless([await api.makePuzzle({ rules, grade: grade || null, seed: newSeed() })], grade);
  }

  /** @param {Puzzle[]} puzzles @param {Grade|""} grade */
  #endless(puzzles, grade) {
    const series = new Series();
    const { rules, name } = puzzles[0];
    series.settings = {
      name,
      puzzles,
      shown: (puzzle) => this.#follow(routeTo("learn/puzzle", { rules, moves: puzzle.moves.join(" ") })),
      more: () => api.makePuzzle({ rules, grade: grade || null, seed: newSeed() }),
    };
    return this.#run(series, 0);
  }

  /** @param {Series} series @param {number} index */
  async #run(series, index) {
    this.#inside = series;
    await Promise.resolve();
    queueMicrotask(
      () => void series.go(Math.max(0, Math.min(series.settings.puzzles.length - 1, index || 0))).catch(tellError),
    );
    return [series];
  }

  /** @param {string} id @param {number} step */
  async #lesson(id, step) {
    const lessons = await api.lessons();
    const lesson = lessons.find((each) => each.id === id);
    if (!lesson) {
      return [
        emptiness(
          "There is no such lesson",
          "Choose one of those that there are.",
          h("a", { href: "#/learn", class: "button primary" }, "Learn"),
        ),
      ];
    }
    const after = lessons[lessons.indexOf(lesson) + 1];
    const trainer = new Trainer();
    const count = lesson.steps.length;
    const show = async (/** @type {number} */ number) => {
      const { rules, moves, answers, task, right } = lesson.steps[number - 1];
      this.#follow(routeTo(`learn/lesson/${id}`, { step: number }));
      trainer.ondone = (went) => went !== "shown" && keepLesson(id, number);
      trainer.onward = () => [
        number < count
          ? button("forward", "Next step", () => void show(number + 1), { class: "primary" })
          : after
            ? h("a", { class: "button primary", href: routeTo(`learn/lesson/${after.id}`) }, `Next: ${after.title}`)
            : h("a", { class: "button primary", href: "#/learn/daily" }, "Now today’s five"),
      ];
      await trainer.take({
        rules,
        moves,
        where: `${lesson.title} · step ${number} of ${count}`,
        title: lesson.title,
        words: task,
        solutions: answers,
        line: [],
        plies: null,
        value: null,
        right,
      });
    };
    trainer.others = [button("share", "Share", () => void share(), { class: "plain" })];
    this.#inside = trainer;
    queueMicrotask(() => void show(Math.max(1, Math.min(count, step))).catch(tellError));
    return [
      h(
        "header",
        { class: "series-head" },
        h("a", { href: "#/learn", class: "back" }, "← Learn"),
        h("p", { class: "series-name" }, lesson.about),
      ),
      trainer,
    ];
  }

  /** @param {URLSearchParams} params */
  async #mistake(params) {
    if (params.get("rules")) {
      const players = { first: params.get("first") ?? undefined, second: params.get("second") ?? undefined };
      const seed = params.has("seed") ? Number(params.get("seed")) : null;
      await session.open(params.get("rules") ?? "", movesOf(params), players, Infinity, seed);
    }
    const game = session.game;
    if (!game?.lineMoves.length) {
      return [
        emptiness(
          "There is no game to look at",
          "Play one first.",
          h("a", { href: "#/new", class: "button primary" }, "Play"),
        ),
      ];
    }
    const finder = new MistakeFinder();
    this.#inside = finder;
    queueMicrotask(() => void finder.seek(game).catch(tellError));
    return [
      h(
        "header",
        { class: "series-head" },
        h("a", { href: "#/learn", class: "back" }, "← Learn"),
        h("p", { class: "series-name" }, "Find the move first"),
      ),
      finder,
    ];
  }

  /** @param {KeyboardEvent} event @returns {boolean} */
  key(event) {
    return this.#inside?.key(event) ?? false;
  }
}

/** @param {string|undefined} went */
const isSolved = (went) => went === "first" || went === "later";

/** @param {Lesson} lesson @param {number} done */
function lessonRow(lesson, done) {
  const all = lesson.steps.length;
  const how = done >= all ? "done" : done ? `${done} of ${all}` : counted(all, "step");
  return h(
    "li",
    {},
    h(
      "a",
      { href: routeTo(`learn/lesson/${lesson.id}`), class: `lesson-row ${done >= all ? "done" : ""}` },
      h("b", {}, lesson.title),
      h("span", { class: "muted" }, lesson.about),
      h("small", {}, how),
    ),
  );
}

customElements.define("learn-area", LearnArea);
