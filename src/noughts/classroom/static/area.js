// <class-area>: shows the pupil's view, the teacher's view, or a game in the class.

import { html, keyed, nothing, View } from "/static/base/view.js";
import { classroom } from "./classroom.js";
import "./game.js";
import "./pupil.js";
import "./teacher.js";

export class ClassArea extends View {
  name = "";
  begun = false;

  /** @param {URLSearchParams} _params @param {string} name */
  async show(_params, name) {
    this.name = name;
    await classroom.begin();
    this.begun = true;
  }

  render() {
    const [room, id = ""] = this.name.split("/");
    if (!this.begun) return nothing;
    if (room === "game") return keyed(id, html`<class-game .gameId=${id}></class-game>`);
    return classroom.isTeacher ? html`<teacher-desk></teacher-desk>` : html`<pupil-room></pupil-room>`;
  }
}

customElements.define("class-area", ClassArea);
