// Trained weights on the operator's page: pulled from a local server, with live progress, and removed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, join, launch, person } from "../lib/browser.js";
import { entry, startHub } from "../lib/hub.js";
import { startService, until } from "../lib/service.js";

const PHONE = { width: 390, height: 844 };
const bytes = Buffer.from(Array.from({ length: 2_000_000 }, (_, place) => (place * 7919) % 251));

const weights = (name, licence) =>
  entry(name, hub, {
    file: `${name}.onnx`,
    role: "graph",
    bytes,
    licence,
    facts: `kind = "model"
serves = [{ model = "upscale", task = "upscale" }]
runtime = "onnx"
graph = { kind = "image" }`,
  });

let hub, service, browser, ada;

before(async () => {
  hub = await startHub({ "tiny.onnx": bytes, "owned.onnx": bytes }, true);
  const own = `{ id = "LicenseRef-Own", name = "Own terms", page = "https://example.com/own", commercial = "no" }`;
  service = await startService("", {
    "models.d/tiny.toml": weights("tiny"),
    "models.d/owned.toml": weights("owned", own),
  });
  browser = await launch();
  ada = await person(browser, { viewport: PHONE });
  await join(ada.page, service.link, "ada");
});

after(async () => {
  await browser?.close();
  await service?.stop();
  await hub?.stop();
  assert.deepEqual(ada?.complaints, []);
});

const card = (page, name) => page.locator(`#weights-${name}`);
const state = (page, name) => page.locator(`#state-${name}`).getAttribute("data-state");

test("an operator pulls weights on a phone, sees them arrive without reloading, and removes them", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/playground/upscale`);
  const offered = page.getByText("Trained weights can serve this model");
  await offered.click();
  await page.getByRole("link", { name: "Weights tiny" }).click();
  await page.waitForURL("**/account/operator/models#weights-tiny");
  await accessible(page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page is ${over} px wider than the screen`);
  await card(page, "tiny").getByRole("button", { name: "Pull 2.0 MB" }).click();
  await card(page, "tiny").getByRole("progressbar").waitFor();
  await accessible(page);
  await page.evaluate(() => (globalThis.notReloaded = true));
  hub.held = false;
  await until("the weights", async () => (await state(page, "tiny")) === "here");
  assert.ok(await page.evaluate(() => globalThis.notReloaded), "the page was not reloaded");
  assert.equal(hub.sent, bytes.length, "each byte was sent once");
  await until("the disk in use", async () => /2\.0 MB/.test(await page.locator("#disk").innerText()));
  await card(page, "tiny").locator("summary").click();
  await card(page, "tiny").getByRole("button", { name: "Remove these files" }).click();
  await until("the removal", async () => (await state(page, "tiny")) === "absent");
  await page.goto(`${service.origin}/account/operator/audit`);
  const text = await page.locator("main").innerText();
  for (const action of ["weights.pull", "weights.remove"]) assert.ok(text.includes(action), action);
});

test("a pull is cancelled by a press that lasts longer than the page waits between two updates", async () => {
  hub.held = true;
  const { page } = ada;
  await page.goto(`${service.origin}/account/operator/models`);
  await card(page, "tiny").getByRole("button", { name: "Pull 2.0 MB" }).click();
  await card(page, "tiny").getByRole("button", { name: /^Cancel/ }).click({ delay: 2_500 });
  await until("the end", async () => (await state(page, "tiny")) === "absent");
});

test("without scripts, a licence is ticked, and a pull is shown and cancelled", async () => {
  hub.held = true;
  const { page, context } = await person(browser, {
    viewport: PHONE,
    javaScriptEnabled: false,
    storageState: await ada.context.storageState(),
  });
  await page.goto(`${service.origin}/account/operator/models`);
  const owned = card(page, "owned");
  assert.match(await owned.innerText(), /Own terms is not permissive/);
  await owned.getByRole("button", { name: /^Pull/ }).click();
  assert.equal(await state(page, "owned"), "absent", "the box must be ticked first");
  await owned.getByLabel("I have read and accept this licence").check();
  await owned.getByRole("button", { name: /^Pull/ }).click();
  await until("the pull", async () => (await state(page, "owned")) === "pulling");
  await owned.getByRole("button", { name: /^Cancel/ }).click();
  await until("the end", async () => (await state(page, "owned")) === "absent");
  await context.close();
});
