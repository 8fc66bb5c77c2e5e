// Shared by all pages: the theme switch, copy buttons, sign-out, sliders beside number fields, buttons beside progress.
// Pages work without it.

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-switch]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  const theme = event.submitter.value;
  document.documentElement.dataset.theme = theme;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `atelier-theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  for (const other of document.querySelectorAll("[data-theme-switch] button")) {
    other.setAttribute("aria-pressed", String(other.value === theme));
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  if (!source) return;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = "Copied";
  } catch {
    // Without access to the clipboard, select the text instead.
    getSelection().selectAllChildren(source);
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => (button.textContent = label), 2000);
});

// Inputs of the playground are only for the user who typed them.
document.addEventListener("submit", (event) => {
  if (!event.target.action.endsWith("/account/sign-out")) return;
  for (const key of Object.keys(sessionStorage)) if (key.startsWith("atelier-form:")) sessionStorage.removeItem(key);
});

// A slider cannot be empty, so the number field beside it is the one that counts.
document.addEventListener("input", (event) => {
  const field = event.target;
  if (field.dataset?.slides) {
    const number = document.getElementById(field.dataset.slides);
    number.value = field.value;
    number.dispatchEvent(new Event("input", { bubbles: true }));
  } else if (field.type === "number") {
    const slider = document.querySelector(`[data-slides="${CSS.escape(field.id)}"]`);
    if (slider && field.value !== "") slider.value = field.value;
  }
});

// Times are in UTC in the page, and shown in the reader's time zone.
const zoned = {
  moment: {
    day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
    hourCycle: "h23", timeZoneName: "short",
  },
  date: { day: "numeric", month: "short", year: "numeric" },
};
function localTimes() {
  for (const time of document.querySelectorAll("time[data-as]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    const words = (as) => new Intl.DateTimeFormat("en-GB", zoned[as]).format(at);
    time.title = time.dataset.as === "ago" ? words("moment") : `${time.dateTime.slice(0, 19).replace("T", " ")} UTC`;
    if (time.dataset.as !== "ago") time.textContent = words(time.dataset.as);
    delete time.dataset.as;
  }
}
localTimes();
new MutationObserver(localTimes).observe(document.body, { childList: true, subtree: true });

// Progress displays are replaced every second. A button that is being pressed stays, or the click would be lost.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.matches("[data-state]:active")) event.detail.shouldSwap = false;
});
