// Fields for files. Users drop or choose a file or enter a URL; files are uploaded immediately and shown with a
// preview. The form still sends the text field that pages without scripts use.

const csrf = document.querySelector("meta[name=csrf]")?.content ?? "";

for (const drop of document.querySelectorAll("[data-files]")) enhance(drop);

function enhance(drop) {
  const field = drop.querySelector("input, textarea");
  const most = Number(drop.dataset.files);
  const accept = drop.dataset.accept;
  const label = document.querySelector(`label[for="${CSS.escape(field.id)}"]`);
  const name = label?.firstChild?.textContent.trim() ?? "File";

  const list = element("ul", { className: "files" });
  const picker = element("input", {
    type: "file", accept, multiple: most > 1, className: "hidden-visually", tabIndex: -1,
  });
  picker.setAttribute("aria-label", `${name}: choose a file`);
  const textContent = most > 1 ? "Choose files" : "Choose a file";
  const choose = element("button", { type: "button", className: "button small", textContent });
  const address = element("input", {
    type: "url", className: "input", placeholder: "https://…", id: `${field.id}-address`,
  });
  address.setAttribute("aria-label", `${name}: URL`);
  const add = element("button", { type: "button", className: "button small", textContent: "Add" });
  const problem = element("p", { className: "problem" });
  problem.setAttribute("role", "status");
  const prompt = element("div", { className: "drop-prompt" });
  prompt.append(choose, element("span", { textContent: "or drop a file here, or enter a URL" }));
  const row = element("div", { className: "actions" });
  address.style.flex = "1 1 10rem";
  row.append(address, add);
  field.hidden = true;
  if (label) label.htmlFor = address.id;
  drop.append(list, prompt, row, picker, problem);
  show();

  choose.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    take([...picker.files]);
    picker.value = "";
  });
  add.addEventListener("click", addAddress);
  address.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    addAddress();
  });
  // The URL is not part of the request until it is added.
  address.addEventListener("input", (event) => event.stopPropagation());
  address.addEventListener("change", (event) => event.stopPropagation());
  for (const kind of ["dragenter", "dragover"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  for (const kind of ["dragleave", "drop"]) drop.addEventListener(kind, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    take([...event.dataTransfer.files]);
  });

  function urls() {
    return field.value.split("\n").map((line) => line.trim()).filter(Boolean);
  }

  function set(next) {
    field.value = next.join("\n");
    show();
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function addAddress() {
    const url = address.value.trim();
    if (!url) return;
    set(most === 1 ? [url] : [...urls(), url]);
    address.value = "";
    address.focus();
  }

  async function take(files) {
    problem.textContent = "";
    for (const file of files) {
      if (most > 1 && urls().length >= most) {
        problem.textContent = `You can add at most ${most} files.`;
        return;
      }
      choose.disabled = true;
      choose.textContent = "Uploading…";
      try {
        const url = await upload(file);
        set(most === 1 ? [url] : [...urls(), url]);
      } catch (error) {
        problem.textContent = `${file.name}: ${error.message}`;
      }
      choose.disabled = false;
      choose.textContent = most > 1 ? "Choose files" : "Choose a file";
    }
  }

  function show() {
    const rows = urls().map((url, index) => {
      const item = element("li", {});
      const name = decodeURIComponent(url.split(/[?#]/)[0].split("/").pop() || url);
      const title = element("span", { className: "name", textContent: name, title: url });
      const remove = element("button", { type: "button", className: "button small", textContent: "Remove" });
      remove.setAttribute("aria-label", `Remove ${name}`);
      remove.addEventListener("click", () => set(urls().filter((_, other) => other !== index)));
      item.append(preview(url), title, remove);
      return item;
    });
    list.replaceChildren(...rows);
    list.hidden = rows.length === 0;
  }
}

async function upload(file) {
  let response;
  try {
    const headers = { "X-CSRF-Token": csrf, "Content-Type": "application/octet-stream" };
    response = await fetch("/account/uploads", { method: "POST", headers, body: file });
  } catch {
    throw new Error("the upload was interrupted");
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.message ?? `refused (${response.status})`);
  return answer.url;
}

// The page's policy allows files of our own host only. Others are shown by their extension.
function preview(url) {
  const extension = url.split(/[?#]/)[0].split(".").pop().toLowerCase();
  const frame = element("span", { className: "thumb" });
  if (["png", "jpg", "jpeg", "webp", "gif"].includes(extension)) {
    const image = element("img", { className: "thumb", src: url, alt: "" });
    image.addEventListener("error", () => {
      frame.textContent = "image";
      image.replaceWith(frame);
    });
    return image;
  }
  if (["mp4", "mov", "webm"].includes(extension)) {
    return element("video", { className: "thumb", src: url, muted: true, preload: "metadata" });
  }
  frame.textContent = extension.slice(0, 5) || "file";
  return frame;
}

function element(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
