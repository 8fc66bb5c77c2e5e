// After "Run", the result or the first field with a mistake comes into view, and both are announced.

import { announce, refreshQuote, reveal } from "./live.js";

/** What had the focus when "Run" was pressed. */
let pressed = null;

document.body.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target.id === "result") pressed = document.activeElement;
});

document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id !== "result") return;
  const first = mark();
  const result = document.getElementById("result");
  // A job that has started has no mistakes, whatever an earlier answer still says.
  if (first && !result.querySelector("#job")) {
    first.closest("details")?.setAttribute("open", "");
    // Whoever already writes elsewhere goes on there.
    if ([pressed, document.body].includes(document.activeElement)) first.focus();
    return;
  }
  if (result.querySelector("#job")) refreshQuote();
  reveal(result);
  if (result.querySelector("[data-live]")) announce("The job has started.");
});

// Without this, a request that fails would change nothing on the page.
document.body.addEventListener("htmx:responseError", (event) => {
  const { target, xhr } = event.detail;
  if (target.id !== "result") return;
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const [heading, message] = ["h1", "h1 + p"].map((part) => page.querySelector(part)?.textContent.trim());
  refuse(target, message ? `${heading}. ${message}` : `The service answered with an error (${xhr.status}).`);
});
document.body.addEventListener("htmx:sendError", (event) => {
  const { target } = event.detail;
  if (target.id !== "result") return;
  const advice = "If the job has started, it is in the gallery. Otherwise press Run again.";
  refuse(target, `The service did not answer. ${advice}`);
});

function refuse(result, text) {
  const notice = Object.assign(document.createElement("p"), { className: "notice bad", textContent: text });
  notice.setAttribute("role", "alert");
  result.replaceChildren(notice);
  reveal(result);
}

/** Marks the fields with mistakes, and returns the first of them. */
function mark() {
  let first = null;
  for (const problem of document.querySelectorAll(".problem[id]")) {
    const field = control(problem.id.replace(/-problem$/, ""));
    if (!field) continue;
    if (problem.textContent === "" || problem.classList.contains("soft")) {
      field.removeAttribute("aria-invalid");
    } else {
      field.setAttribute("aria-invalid", "true");
      first ??= field;
    }
  }
  return first;
}

/** The field with this id, or the first option of a group whose problem has this id. */
function control(id) {
  const field = document.getElementById(id);
  const group = () => document.querySelector(`fieldset[aria-describedby="${CSS.escape(id)}-problem"] input`);
  return field ?? group();
}
