// Running jobs on a phone, without scripts, and without reloading.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, join, launch, person, signIn } from "../lib/browser.js";
import { startService, until } from "../lib/service.js";

const PHONE = { width: 390, height: 844 };
const PATIENCE = 150_000;

let service, browser, ada;

before(async () => {
  service = await startService();
  browser = await launch();
  ada = await person(browser, { viewport: PHONE, isMobile: true, hasTouch: true });
  await join(ada.page, service.link, "ada");
});

after(async () => {
  await browser?.close();
  await service?.stop();
  assert.deepEqual(ada.complaints, []);
});

const announced = (page) => page.locator("#announcement").innerText();

test("on a phone, a mistake gets the focus, and the result comes into view and is announced", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/playground/image-gen-4`);
  await page.getByRole("button", { name: "Run" }).click();
  const prompt = page.locator("#field-prompt");
  await until("the focus", () => prompt.evaluate((field) => document.activeElement === field));
  assert.equal(await prompt.getAttribute("aria-invalid"), "true");
  const covered = await prompt.evaluate((field) => {
    const bar = document.querySelector(".run-bar").getBoundingClientRect();
    return field.getBoundingClientRect().top > bar.top;
  });
  assert.equal(covered, false, "the field is not under the bar");
  await prompt.fill("a lighthouse");
  await page.locator("#form").getByText("1K", { exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await until("the result in view", () =>
    page.locator("#result").evaluate((result) => {
      const { top } = result.getBoundingClientRect();
      return top >= 0 && top < innerHeight - 80;
    }),
  );
  assert.match(await announced(page), /started|completed/);
  assert.equal(await prompt.getAttribute("aria-invalid"), null);
  await page.locator("#result img").waitFor({ timeout: PATIENCE });
  await until("the announcement", async () => /completed/.test(await announced(page)));
  await accessible(page);
});

test("a request that fails is told, and a job is followed although answers fail", async () => {
  const other = await person(browser, { viewport: PHONE });
  const { page } = other;
  await signIn(page, service.origin, "ada");
  const form = `${service.origin}/account/playground/image-gen-4`;
  await page.goto(form);
  await page.locator("#field-prompt").fill("a lighthouse");
  await page.locator("#form").getByText("1K", { exact: true }).click();
  const run = page.getByRole("button", { name: "Run" });
  const refusal = page.locator("#result [role=alert]");

  const failing = [
    (route) => route.abort(),
    (route) => route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Busy</h1><p>Try again soon.</p>" }),
  ];
  await page.route(form, (route) => failing.shift()(route), { times: 2 });
  await run.click();
  await page.getByText("The service did not answer.").waitFor();
  await run.click();
  await page.getByText("Busy. Try again soon.").waitFor();
  assert.equal(await refusal.count(), 1);

  let refused = 0;
  const once = (route) => {
    refused += 1;
    return route.fulfill({ status: 503, body: "" });
  };
  await page.route("**/account/gallery/*/events", once, { times: 1 });
  await page.route("**/account/gallery/*/result", once, { times: 1 });
  await run.click();
  await page.locator("#result img").waitFor({ timeout: PATIENCE });
  assert.equal(refused, 2);
  assert.equal(await refusal.count(), 0);
  await other.context.close();
});

test("without scripts, a running job is cancelled", async () => {
  const plain = await person(browser, { viewport: PHONE, javaScriptEnabled: false });
  const { page } = plain;
  await signIn(page, service.origin, "ada");
  await page.goto(`${service.origin}/account/playground/wan-2-1-t2v-1-3b`);
  await page.locator("#field-prompt").fill("a river through mountains");
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL("**/account/gallery/*");
  await page.getByRole("button", { name: "Cancel" }).click();
  await until("the end", async () => (await page.locator("#job").getAttribute("data-status")) === "cancelled");
  assert.match(await page.locator("#job").innerText(), /cancel/i);
  await plain.context.close();
});

test("the page of a job shows its charge and its end without a reload", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/playground/image-gen-4`);
  await page.locator("#field-prompt").fill("a boat");
  await page.locator("#form").getByText("1K", { exact: true }).click();
  const balance = await page.locator("#balance").textContent();
  await page.getByRole("button", { name: "Run" }).click();
  const running = page.locator("#job[data-live]");
  const where = (await running.getAttribute("data-live")) ?? "";
  await page.goto(service.origin + where);
  await page.locator("#job img").waitFor({ timeout: PATIENCE });
  await until("the ledger", async () => /charge/.test(await page.locator("#history").innerText()));
  assert.match(await page.locator("#facts").innerText(), /Charged\s+4 credits/);
  assert.equal(await page.getByRole("link", { name: "Delete" }).count(), 1);
  assert.notEqual(await page.locator("#balance").textContent(), balance);
});
