// <class-area>: joining a class, the pupil's room, the teacher's desk, and a game in the class.

import * as api from "../base/api.js";
import { classroom, isJoining } from "../base/classroom.js";
import { button, field, fill, h } from "../base/dom.js";
import { parseRoute } from "../base/route.js";
import { ClassGameView } from "../parts/class-game.js";
import { PupilRoom } from "../parts/class-pupil.js";
import { TeacherDesk } from "../parts/class-teacher.js";

export class ClassArea extends HTMLElement {
  #shown = "";

  /** @param {URLSearchParams} params @param {string} name */
  async show(params, name) {
    const [room, id = ""] = name.split("/");
    await classroom.begin();
    const { role } = classroom.me;
    if (role !== "pupil" && role !== "teacher") {
      fill(this, role === "nobody" ? joinForm(params.get("code") ?? "") : noClass());
      return;
    }
    const wanted = room === "game" ? `game ${id}` : role;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    if (room === "game") fill(this, new ClassGameView(id));
    else fill(this, role === "teacher" ? new TeacherDesk() : new PupilRoom());
  }
}

function noClass() {
  return h(
    "div",
    { class: "empty" },
    h("h1", {}, "There is no class here"),
    h("p", {}, "A teacher begins one by `noughts serve --class`, and gives the address and the code to all."),
    h("a", { class: "button primary", href: "#/home" }, "Home"),
  );
}

/** The way in. @param {string} code as the address has it */
function joinForm(code) {
  const given = h("input", { type: "text", value: code, maxlength: 20, autocomplete: "off", class: "code-input" });
  const nickname = h("input", { type: "text", maxlength: 24, autocomplete: "off" });
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const join = async () => {
    problem.hidden = true;
    try {
      await api.joinClass(given.value, nickname.value);
      const { area, params } = parseRoute(location.hash);
      const onward = area === "class" && params.has("code") ? "#/class" : location.hash;
      location.assign(`/${onward || "#/class"}`);
      if (!isJoining()) location.reload();
    } catch (error) {
      problem.hidden = false;
      problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  const form = h(
    "form",
    {
      class: "panel join-form",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void join();
      },
    },
    h("h1", {}, "Join the class"),
    h("p", { class: "muted" }, "Your teacher has the code. All in the class see your nickname."),
    field("Code", given),
    field("Nickname", nickname),
    problem,
    button("", "Join", () => {}, { type: "submit", class: "primary large" }),
  );
  queueMicrotask(() => (code ? nickname : given).focus());
  return form;
}

customElements.define("class-area", ClassArea);
