// Keeps what was typed into the form of a model, and the job that runs, for a reload and for a sign-in in between. The
// tab keeps it, for each user, account and model, until the sign-out (app.js).

import { refreshQuote } from "./live.js";

const form = document.querySelector("[data-remember]");
const key = `atelier-form:${form.dataset.remember}`;
const ended = `${key}:ended`;

/** `{ fields: [[name, value], …], job: "/account/gallery/…" }` */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function keep(change) {
  sessionStorage.setItem(key, JSON.stringify({ ...kept(), ...change }));
}

for (const event of ["input", "change"]) {
  form.addEventListener(event, () => {
    const fields = [...new FormData(form)].filter(([name, value]) => name !== "csrf" && typeof value === "string");
    keep({ fields });
  });
}

document.body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id !== "result") return;
  const job = event.detail.target.querySelector("[data-live]");
  if (job) keep({ job: job.dataset.live });
});

document.body.addEventListener("htmx:beforeOnLoad", (event) => {
  if (event.detail.xhr.status === 401) sessionStorage.setItem(ended, "true");
});

if (comesBack()) {
  const { fields, job } = kept();
  if (fields) fill(fields);
  if (job) await show(job);
}
sessionStorage.removeItem(ended);

/** Tells whether the page was left only for a moment. A link to it begins a new form. */
function comesBack() {
  const [navigation] = performance.getEntriesByType("navigation");
  const signedIn = document.referrer && new URL(document.referrer).pathname.startsWith("/account/sign-in");
  return ["reload", "back_forward"].includes(navigation?.type) || signedIn || sessionStorage.getItem(ended) !== null;
}

function fill(fields) {
  const given = Map.groupBy(fields, ([name]) => name);
  for (const field of form.elements) {
    if (!field.name || field.type === "hidden" || field.type === "submit") continue;
    const values = (given.get(field.name) ?? []).map(([, value]) => value);
    const box = ["checkbox", "radio"].includes(field.type);
    if (box) field.checked = values.includes(field.value);
    else field.value = values[0] ?? "";
    const changed = box ? field.checked !== field.defaultChecked : field.value !== (field.defaultValue ?? field.value);
    if (changed) field.closest("details")?.setAttribute("open", "");
    if (field.type === "number") field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  // The price is asked for as soon as the page listens.
  addEventListener("load", () => refreshQuote());
}

async function show(job) {
  const response = await fetch(`${job}/result`, { headers: { "HX-Request": "true" } });
  if (!response.ok) return keep({ job: undefined });
  const result = document.getElementById("result");
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  result.replaceChildren(...parsed.body.children);
  globalThis.htmx?.process(result);
}
