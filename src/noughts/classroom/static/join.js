// The page on which one joins the class: code, nickname, and on to where the address led.

import { button, field, fill, h } from "/static/base/dom.js";
import * as api from "./api.js";

const code = new URLSearchParams(location.search).get("code") ?? "";
const given = h("input", { type: "text", value: code, maxlength: 20, autocomplete: "off", class: "code-input" });
const nickname = h("input", { type: "text", maxlength: 24, autocomplete: "off" });
const problem = h("p", { class: "problem", role: "alert", hidden: true });

async function join() {
  problem.hidden = true;
  try {
    await api.joinClass(given.value, nickname.value);
    location.assign(`/${location.hash || "#/class"}`);
  } catch (error) {
    problem.hidden = false;
    problem.textContent = /** @type {Error} */ (error).message;
  }
}

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

fill(/** @type {HTMLElement} */ (document.getElementById("main")), form);
(code ? nickname : given).focus();
