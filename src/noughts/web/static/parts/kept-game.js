// <kept-game>: a saved game as a link to its analysis, with its last position, result, opponent and date.

import * as api from "../base/api.js";
import { counted } from "../base/format.js";
import { Game } from "../base/game.js";
import { called } from "../base/names.js";
import { tellError } from "../base/news.js";
import { HUMAN } from "../base/session.js";
import { html, nothing, View } from "../base/view.js";
import { loadGame } from "./files.js";
import { miniature } from "./mini.js";
import { ending } from "./scorecard.js";

export class KeptGame extends View {
  name = "";
  date = ""; // of the last change
  /** The game and its last position, once loaded. @type {{game: Game, end: import("../base/api-types.js").PositionAnswer}|null} */
  shown = null;

  arrive() {
    void this.updateComplete.then(() => this.#load().catch(() => {})); // on failure only its name is shown
  }

  async #load() {
    const game = Game.fromDocument((await api.ask("GET /api/games/{id}", { name: this.id })).game);
    this.shown = { game, end: await api.position(game.rules, game.lineMoves) };
  }

  async #open() {
    const { game } = await api.ask("GET /api/games/{id}", { name: this.id });
    await loadGame(game, this.id);
  }

  render() {
    return html`<button type="button" class="kept" @click=${() => this.#open().catch(tellError)}>
      <span class="card-picture">${this.shown ? miniature(this.shown.end) : nothing}</span>
      <span class="kept-words">${this.#words()}<small class="muted">${new Date(this.date).toLocaleString()}</small></span>
    </button>`;
  }

  #words() {
    if (!this.shown) return html`<b>${this.name}</b>`;
    const { game, end } = this.shown;
    const { first, second } = game.players;
    const others = [first, second].filter((player) => player !== HUMAN).map(called);
    const who = others.length === 2 ? others.join(" and ") : others.length ? `against ${others[0]}` : "two people";
    const result = ending(game.players, end) || `Goes on after ${counted(end.ply, "move")}`;
    return html`<b>${result}</b><span>${game.rules}, ${who}</span>`;
  }
}

customElements.define("kept-game", KeptGame);
