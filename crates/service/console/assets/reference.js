// "Try it" in the reference: sends the request with the user's own key and shows the response as text.

const key = document.getElementById("api-key");
const STORED = "atelier-reference-key";

if (key) {
  key.value = sessionStorage.getItem(STORED) ?? "";
  key.addEventListener("input", () => sessionStorage.setItem(STORED, key.value.trim()));
}

for (const form of document.querySelectorAll("[data-try]")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(form);
  });
}

async function attempt(form) {
  const status = form.querySelector("[data-status]");
  const answer = form.querySelector("[data-answer]");
  const frame = answer.closest(".code");
  const headers = { Authorization: `Bearer ${key.value.trim()}` };
  if (!key.value.trim()) {
    status.textContent = "Enter your API key at the top of the page first.";
    key.focus();
    return;
  }
  let path = form.dataset.path;
  const query = new URLSearchParams();
  let body;
  for (const field of form.querySelectorAll("[data-place]")) {
    const value = field.value.trim();
    if (!value) continue;
    if (field.dataset.place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    if (field.dataset.place === "query") query.set(field.name, value);
    if (field.dataset.place === "header") headers[field.name] = value;
    if (field.dataset.place === "body") {
      body = value;
      headers["Content-Type"] = "application/json";
    }
  }
  // The policy of this page allows only its own host, whatever the public URL is.
  const base = new URL(form.dataset.base).pathname;
  const search = query.size ? `?${query}` : "";
  status.textContent = "Sending…";
  const began = performance.now();
  try {
    const response = await fetch(base + path + search, { method: form.dataset.method, headers, body });
    const text = await response.text();
    status.textContent = `${response.status} in ${Math.round(performance.now() - began)} ms`;
    answer.textContent = pretty(text);
    frame.hidden = false;
  } catch (error) {
    status.textContent = `No answer: ${error.message}`;
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
