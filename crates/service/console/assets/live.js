// Follows unfinished generations by server-sent events and shows the result in their place when they end.

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

function watch(node) {
  const events = new EventSource(`${node.dataset.live}/events`);
  const progress = node.querySelector("progress");
  const percent = node.querySelector("[data-percent]");
  const stage = node.querySelector("[data-stage]");

  const update = (event) => {
    if (!node.isConnected) return events.close();
    const generation = JSON.parse(event.data);
    if (generation.status !== "processing") {
      events.close();
      return show(node);
    }
    const done = Math.round((generation.progress ?? 0) * 100);
    progress.value = done;
    percent.textContent = done > 0 ? `${done} %` : "";
    if (generation.started_at) stage.textContent = "running";
  };
  for (const name of ["generation.progress", "generation.completed", "generation.failed"]) {
    events.addEventListener(name, (event) => event.data && update(event));
  }
}

async function show(node) {
  const response = await fetch(`${node.dataset.live}/result`, { headers: { "HX-Request": "true" } });
  if (!response.ok) return;
  const parsed = new DOMParser().parseFromString(await response.text(), "text/html");
  const next = parsed.body.firstElementChild;
  node.replaceWith(next);
  globalThis.htmx?.process(next);
  next.querySelector("video, audio, img, a")?.scrollIntoView({ block: "nearest" });
}
