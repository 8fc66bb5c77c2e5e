// Programs that the service starts: the operator's page about them, and what people see while a model loads.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { after, before, test } from "node:test";
import { fits, join, launch, person } from "../lib/browser.js";
import { programs, startService, until } from "../lib/service.js";

const PHONE = { width: 390, height: 844 };

let folder, service, browser, ada;

before(async () => {
  folder = await mkdtemp(path(tmpdir(), "atelier-e2e-programs-"));
  service = await startService(programs(folder));
  browser = await launch();
  ada = await person(browser);
  await join(ada.page, service.link, "ada");
});

after(async () => {
  await browser?.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
  assert.deepEqual(ada?.complaints, []);
});

const card = (page, name) => page.locator(`#program-${name}`);
const residence = (page, name) => card(page, name).getAttribute("data-residence");
const click = (page, name, label) => card(page, name).getByRole("button", { name: new RegExp(`^${label}`) }).click();
const becomes = (page, name, wanted) =>
  until(`${name} is ${wanted}`, async () => (await residence(page, name)) === wanted);

test("an operator loads, pins and unloads programs, and sees it without reloading", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/operator`);
  await page.locator("a[href$='#program-one']").click();
  await page.waitForURL("**/account/operator/programs#program-one");
  await fits(page);
  assert.equal(await residence(page, "one"), "not loaded");
  await click(page, "one", "Load");
  await page.evaluate(() => (globalThis.notReloaded = true));
  await card(page, "one").getByRole("progressbar").waitFor();
  await fits(page);
  await becomes(page, "one", "in memory");
  assert.match(await page.locator("#programs").innerText(), /600 of 1,000 MiB\s+Held by one/);
  assert.match(await card(page, "one").innerText(), /1 load, 0 evictions, 0 failures/);
  assert.ok(await page.evaluate(() => globalThis.notReloaded), "the page was not reloaded");

  await click(page, "one", "Pin");
  await card(page, "one").getByText("pinned", { exact: true }).waitFor();
  assert.equal(await residence(page, "two"), "does not fit");
  assert.match(
    await card(page, "two").innerText(),
    /It requires 600 MiB on the device cpu, which has 400 MiB beside pinned programs/,
  );
  assert.equal(await card(page, "two").getByRole("button").count(), 0);
  await click(page, "one", "Unpin");
  await becomes(page, "two", "not loaded");
  await click(page, "two", "Load");
  await becomes(page, "two", "in memory");
  assert.equal(await residence(page, "one"), "not loaded");
  assert.match(await card(page, "one").innerText(), /1 load, 1 eviction, 0 failures/);
  await click(page, "two", "Unload");
  await becomes(page, "two", "not loaded");

  await page.goto(`${service.origin}/account/operator/audit`);
  const text = await page.locator("main").innerText();
  for (const action of ["load", "unload", "pin", "unpin"]) assert.ok(text.includes(`program.${action}`), action);
});

test("a program that fails shows why, with the end of its output, to operators only", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/operator/programs`);
  await click(page, "broken", "Load");
  await becomes(page, "broken", "failed");
  const broken = card(page, "broken");
  assert.match(await broken.innerText(), /It ended while it was loading\./);
  assert.match(await broken.innerText(), /1 failure/);
  await broken.getByText("The end of its output").click();
  await broken.getByText("the weights are missing").waitFor();
  await page.waitForTimeout(2_500);
  assert.ok(await broken.getByText("the weights are missing").isVisible(), "it stays open when the page is refreshed");
  await fits(page);
  await page.setViewportSize(PHONE);
  await fits(page);
  await page.setViewportSize({ width: 1280, height: 900 });
});

test("without scripts, a program is loaded and unloaded on a phone", async () => {
  const { page, context, complaints } = await person(browser, {
    viewport: PHONE,
    javaScriptEnabled: false,
    storageState: await ada.context.storageState(),
  });
  await page.goto(`${service.origin}/account/operator/programs`);
  await click(page, "one", "Load");
  await until("the load", async () => {
    await page.goto(`${service.origin}/account/operator/programs`);
    return (await residence(page, "one")) === "in memory";
  });
  await click(page, "one", "Unload");
  await until("the end", async () => {
    await page.goto(`${service.origin}/account/operator/programs`);
    return (await residence(page, "one")) === "not loaded";
  });
  assert.deepEqual(complaints, []);
  await context.close();
});

test("a form from elsewhere changes nothing", async () => {
  const url = `${service.origin}/account/operator/programs/one/load`;
  const forged = await ada.context.request.post(url, { headers: { origin: service.origin }, form: { csrf: "x" } });
  assert.equal(forged.status(), 403);
  await ada.page.goto(`${service.origin}/account/operator/programs`);
  assert.equal(await residence(ada.page, "one"), "not loaded");
});

test("the playground says that a model loads, and how long that took last time", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/playground/image-gen-4`);
  await page.locator("#field-prompt").fill("a quiet room");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const job = page.locator("#job");
  await job.getByText("loading model").waitFor();
  await until("the time of the last load", async () =>
    /took \d+\.\d s last time/.test(await job.locator("[data-percent]").innerText()),
  );
  const beside = await ada.context.newPage();
  await beside.goto(`${service.origin}/account/gallery`);
  assert.match(await beside.locator(".tile").first().innerText(), /loading model/);
  await beside.locator(".tile").first().click();
  await beside.locator("#job").getByText("loading model").waitFor();
  await fits(beside);
  await job.locator("img").waitFor();
  await beside.locator("#job img").waitFor();
  await beside.close();
});

test("models that programs serve come before drafts, and tasks are found by their names", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/playground?type=image`);
  const cards = page.locator("#cards a[href^='/account/playground/']");
  const drafts = (await cards.allInnerTexts()).map((text) => /·\s*draft/.test(text));
  assert.ok(drafts.includes(true) && !drafts[0], `${drafts}`);
  assert.equal(drafts.lastIndexOf(false) + 1, drafts.indexOf(true));
  const slugs = await cards.evaluateAll((links) => links.map((link) => link.pathname.split("/").pop()));
  assert.ok(slugs.indexOf("z-image-turbo") < drafts.indexOf(true), `${slugs}`);
  await page.goto(`${service.origin}/account/playground?q=text-to-speech`);
  assert.ok((await cards.count()) > 5);
  assert.equal(await page.locator("#cards a[href='/account/playground/tts-v3']").count(), 1);
});
