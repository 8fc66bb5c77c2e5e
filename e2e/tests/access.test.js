// Access to pages and actions: accounts, forms, passwords, sessions and two-step sign-in, with the real program.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createHmac } from "node:crypto";
import { fits, join, launch, person, signIn } from "../lib/browser.js";
import { api, create } from "../lib/furnish.js";
import { startService } from "../lib/service.js";

let service, browser, ada;

before(async () => {
  service = await startService('[[routes]]\nmodel = "*"\nengine = "echo"\n');
  browser = await launch();
  ada = await person(browser);
  await join(ada.page, service.link, "ada");
  await go("/account/apps");
  await ada.page.getByLabel("Name of a new key").fill("website");
  await ada.page.getByRole("button", { name: "Create key" }).click();
  const key = await ada.page.locator("#new-key").textContent();
  await create(api(service, key), { model: "image-gen-4", params: { prompt: "a lighthouse" } });
});

after(async () => {
  await browser?.close();
  await service?.stop();
  assert.deepEqual(ada.complaints, []);
});

const go = (where) => ada.page.goto(service.origin + where);

test("two accounts never see each other, and members see no admin pages", async () => {
  const { page } = ada;
  await service.cli("account", "create", "northlight", "--credits", "100");
  await go("/account/operator/accounts/northlight");
  await page.getByRole("button", { name: "Invite someone" }).click();
  const link = await page.locator("#invitation").textContent();
  await go("/account/gallery");
  const adas = await page.locator(".tile").first().getAttribute("href");
  const bob = await person(browser);
  await join(bob.page, link, "bob");
  await bob.page.goto(`${service.origin}/account/gallery`);
  assert.match(await bob.page.locator("main").innerText(), /Nothing here yet/);
  for (const where of [
    adas,
    `${adas}/result`,
    "/account/operator",
    "/account/operator/accounts",
    "/account/operator/audit",
    "/account/operator/models",
  ]) {
    assert.equal((await bob.page.goto(service.origin + where)).status(), 404, where);
  }
  assert.equal(await bob.page.getByRole("navigation", { name: "Operator" }).count(), 0);
  assert.deepEqual(bob.complaints, []);
  await bob.context.close();
});

test("forms from other sites and forms without the token change nothing", async () => {
  const { context } = ada;
  const post = (headers, form) => context.request.post(`${service.origin}/account/apps/keys`, { headers, form });
  const own = { origin: service.origin };
  assert.equal((await post(own, { name: "no token" })).status(), 403);
  const page = await (await context.request.get(`${service.origin}/account/apps`)).text();
  const csrf = page.match(/name="csrf" value="([^"]+)"/)[1];
  assert.equal((await post({ origin: "https://evil.example" }, { csrf, name: "other site" })).status(), 403);
  assert.equal((await post({ origin: "null" }, { csrf, name: "sandboxed" })).status(), 403);
  assert.equal((await post(own, { csrf, name: "our own" })).status(), 200);
  const after = await (await context.request.get(`${service.origin}/account/apps`)).text();
  assert.ok(after.includes("our own") && !after.includes("no token") && !after.includes("other site"));
});

test("wrong passwords are refused without naming the cause, and sessions can be ended", async () => {
  const other = await person(browser);
  await signIn(other.page, service.origin, "ada", "wrong wrong wrong");
  await other.page.getByRole("alert").waitFor();
  const said = await other.page.getByRole("alert").innerText();
  await signIn(other.page, service.origin, "nobody", "wrong wrong wrong");
  assert.equal(await other.page.getByRole("alert").innerText(), said);
  await signIn(other.page, service.origin, "ada");
  await other.page.waitForURL("**/account");
  await go("/account/settings");
  await ada.page.getByRole("button", { name: "End all others" }).click();
  await other.page.goto(`${service.origin}/account/gallery`);
  assert.match(other.page.url(), /sign-in\?next=%2Faccount%2Fgallery/);
  await other.context.close();
});

/** The code of an authenticator app, so many periods of 30 s from now. */
function appCode(secret, later) {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g).map((byte) => parseInt(byte, 2));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const hash = createHmac("sha1", Buffer.from(bytes)).update(step).digest();
  const number = (hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, "0");
}

test("two-step sign-in is turned on with an app, asks for a code without scripts, and is turned off", async () => {
  const { page } = ada;
  await go("/account/settings");
  await page.getByRole("link", { name: "Set up two-step sign-in" }).click();
  await page.getByRole("img", { name: /QR code/ }).waitFor();
  await fits(page);
  const secret = await page.locator("#two-step-secret").innerText();
  // A code counts for half a minute, and the forms below take some of it.
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left));
  await page.getByLabel("Code that the app shows").fill(appCode(secret, -1));
  await page.getByLabel("Your password").fill("a quiet long password");
  await page.getByRole("button", { name: "Turn on" }).click();
  const codes = (await page.locator("#recovery-codes").innerText()).trim().split("\n");
  assert.equal(codes.length, 10);
  await fits(page);
  const phone = await person(browser, { javaScriptEnabled: false, viewport: { width: 360, height: 780 } });
  for (const [summary, label, code] of [
    [null, "Code", appCode(secret, 0)],
    ["I cannot use my app", "Recovery code", codes[0]],
  ]) {
    await phone.context.clearCookies();
    await signIn(phone.page, service.origin, "ada");
    if (summary) await phone.page.getByText(summary).click();
    await phone.page.getByLabel(label, { exact: true }).fill(code);
    await phone.page.getByRole("button", { name: summary ? /recovery/ : "Sign in", exact: !summary }).click();
    await phone.page.waitForURL("**/account");
  }
  await phone.context.close();
  await go("/account/settings/two-step");
  await fits(page);
  await page.locator("#proof-off").fill("a quiet long password");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByRole("link", { name: "Set up two-step sign-in" }).waitFor();
});
