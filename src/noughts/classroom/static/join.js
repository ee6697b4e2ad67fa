// The page for joining the class with a code and a nickname. It then opens the part of the page that the address named.

import { button, field, html, nothing, render, submitted } from "/static/base/view.js";
import { ask } from "./api.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const asked = new URLSearchParams(location.search);
const code = asked.get("code") ?? "";

/** @param {string} problem */
function draw(problem) {
  const given = html`<input type="text" name="code" value=${code} maxlength="20" autocomplete="off" class="code-input">`;
  const nickname = html`<input type="text" name="nickname" maxlength="24" autocomplete="off">`;
  render(
    html`<form class="panel join-form stack" @submit=${submitted(join)}>
      <h1>Join the class</h1>
      ${asked.has("removed") ? html`<p>Your teacher removed your name. You can join again, as a new pupil.</p>` : nothing}
      <p class="muted">Your teacher has the code. All in the class see your nickname.</p>
      ${field("Code", given)} ${field("Nickname", nickname)}
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      ${button("", "Join", null, { type: "submit", kind: "primary large" })}
    </form>`,
    main,
  );
}

/** @param {string} name of the field */
const input = (name) => /** @type {HTMLInputElement} */ (main.querySelector(`input[name=${name}]`));

async function join() {
  draw("");
  try {
    const body = { code: input("code").value, nickname: input("nickname").value };
    await ask("POST /api/class/join", { body });
    location.assign(`/${location.hash || "#/class"}`);
  } catch (error) {
    draw(/** @type {Error} */ (error).message);
  }
}

draw("");
input(code ? "nickname" : "code").focus();
