// Follows unfinished generations by server-sent events. When they end, it shows the result in their place, and what
// else on the page has changed since.

const watched = new WeakSet();

watchAll();
new MutationObserver(watchAll).observe(document.body, { childList: true, subtree: true });

function watchAll() {
  for (const node of document.querySelectorAll("[data-live]")) {
    if (watched.has(node)) continue;
    watched.add(node);
    watch(node);
  }
}

/** Follows one job. The browser connects again by itself, but not after an answer that is an error. */
function watch(node, pause = 1000) {
  const events = new EventSource(`${node.dataset.live}/events`);
  const progress = node.querySelector("progress");
  const percent = node.querySelector("[data-percent]");
  const stage = node.querySelector("[data-stage]");
  let partial = null;

  const update = (event) => {
    if (!node.isConnected) return events.close();
    const generation = JSON.parse(event.data);
    if (generation.status !== "processing") {
      events.close();
      return show(node);
    }
    if (!generation.started_at || generation.loading) {
      partial?.remove();
      partial = null;
    }
    const done = Math.round((generation.progress ?? 0) * 100);
    progress.value = done;
    percent.textContent = done > 0 ? `${done} %` : "";
    if (generation.review) {
      stage.textContent = "waits for review";
      percent.textContent = "";
    } else if (generation.loading) {
      const seconds = generation.loading.estimated_seconds;
      stage.textContent = "loading model";
      percent.textContent = seconds ? `took ${inWords(seconds)} last time` : "";
    } else if (generation.queue) {
      stage.textContent = "queued";
      percent.textContent = placeInWords(generation.queue);
    } else if (generation.started_at) {
      stage.textContent = "running";
    }
  };
  for (const name of ["generation.progress", "generation.completed", "generation.failed"]) {
    events.addEventListener(name, (event) => event.data && update(event));
  }
  events.addEventListener("generation.partial_image", (event) => {
    if (!node.isConnected) return events.close();
    if (!partial) {
      partial = Object.assign(new Image(), { className: "partial", alt: "The unfinished result" });
      progress.after(partial);
    }
    partial.src = JSON.parse(event.data).partial_image;
  });
  events.addEventListener("open", () => (pause = 1000));
  events.addEventListener("error", () => {
    if (events.readyState !== EventSource.CLOSED) return;
    setTimeout(() => node.isConnected && watch(node, Math.min(2 * pause, 30_000)), pause);
  });
}

/** `3 jobs before it, about 10 s, then about 4 s to make` */
function placeInWords({ ahead, more, estimated_seconds: wait, run_seconds: run }) {
  const waits = wait === null ? "" : `, ${about(wait)}`;
  const runs = run === null ? "" : `, then ${about(run)} to make`;
  return `${more ? "more than " : ""}${ahead} ${ahead === 1 ? "job" : "jobs"} before it${waits}${runs}`;
}

/** An estimate, as precise as it deserves: `about 4 s`, `about 20 s`, `about 3 min`. */
function about(seconds) {
  if (seconds < 1) return "about 1 s";
  if (seconds < 9.5) return `about ${Math.round(seconds)} s`;
  if (seconds < 57.5) return `about ${Math.round(seconds / 5) * 5} s`;
  if (seconds < 3_570) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3_600)} h`;
}

/** `850 ms`, `4.2 s`, `3 min 20 s`. */
function inWords(seconds) {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

async function show(node) {
  const text = await result(node);
  if (text === null) return;
  const parsed = new DOMParser().parseFromString(text, "text/html");
  const next = parsed.body.firstElementChild;
  node.replaceWith(next);
  globalThis.htmx?.process(next);
  const ends = { completed: "The job is completed.", cancelled: "The job was cancelled." };
  announce(ends[next.dataset.status] ?? `The job has failed. ${next.textContent.trim()}`);
  reveal(next);
  await follow();
}

/** The result of a job that has ended, as HTML. Asks again while the service is busy or away. */
async function result(node) {
  for (let pause = 500; node.isConnected; pause = Math.min(2 * pause, 30_000)) {
    const asked = fetch(`${node.dataset.live}/result`, { headers: { "HX-Request": "true" } });
    const response = await asked.catch(() => null);
    if (response?.ok) return response.text();
    if (response && response.status < 500 && response.status !== 429) return null;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return null;
}

document.body.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.pathInfo.requestPath.endsWith("/cancel")) follow();
});

/** Loads the page again in the background and replaces its parts that follow the job. */
async function follow() {
  const parts = [...document.querySelectorAll("[data-follows]")];
  if (parts.length === 0) return;
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const part of parts) {
    const next = page.getElementById(part.id);
    if (next) part.replaceWith(next);
  }
  refreshQuote();
}

/** Asks for the price of the form again: the answer has the balance, for every place that shows it. */
export function refreshQuote() {
  if (!document.getElementById("quote")) return;
  document.getElementById("form").dispatchEvent(new Event("change", { bubbles: true }));
}

/** Tells people who do not see the page. */
export function announce(text) {
  const place = document.getElementById("announcement");
  if (place) place.textContent = text;
}

/** Scrolls until the element is seen, if it is not. */
export function reveal(element) {
  if (isSeen(element)) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" });
  // A smooth scroll ends where it is if the page changes meanwhile.
  setTimeout(() => isSeen(element) || element.scrollIntoView({ block: "start" }), 1000);
}

function isSeen(element) {
  const { top } = element.getBoundingClientRect();
  const bar = document.querySelector(".run-bar")?.getBoundingClientRect();
  const end = bar ? Math.min(bar.top, innerHeight) : innerHeight;
  return top >= 0 && top < end - 80;
}
