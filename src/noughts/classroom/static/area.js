// <class-area>: the pupil's room, the teacher's desk, and a game in the class.

import { fill } from "/static/base/dom.js";
import { classroom } from "./classroom.js";
import { ClassGameView } from "./game.js";
import { PupilRoom } from "./pupil.js";
import { TeacherDesk } from "./teacher.js";

export class ClassArea extends HTMLElement {
  #shown = "";

  /** @param {URLSearchParams} _params @param {string} name */
  async show(_params, name) {
    const [room, id = ""] = name.split("/");
    await classroom.begin();
    const wanted = room === "game" ? `game ${id}` : classroom.me.role;
    if (wanted === this.#shown) return;
    this.#shown = wanted;
    if (room === "game") fill(this, new ClassGameView(id));
    else fill(this, classroom.isTeacher ? new TeacherDesk() : new PupilRoom());
  }
}

customElements.define("class-area", ClassArea);
