// Pages that update themselves: they keep what was typed, follow what is not finished, and show one balance everywhere.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fits, join, launch, person, signIn } from "../lib/browser.js";
import { startReceiver, startService, until } from "../lib/service.js";

const MODEL = "/account/playground/image-gen-4";

let service, browser, ada;

before(async () => {
  service = await startService();
  browser = await launch();
  ada = await person(browser);
  await join(ada.page, service.link, "ada");
});

after(async () => {
  await browser?.close();
  await service?.stop();
  assert.deepEqual(ada.complaints, []);
});

const go = (where) => ada.page.goto(service.origin + where);
const number = (text) => Number(text.replace(/[^0-9]/g, ""));

/** The balance in the navigation, in the price and in the notice. */
async function balances() {
  const { page } = ada;
  const [rail, price, notice] = await Promise.all([
    page.locator("#balance").textContent(),
    page.locator(".price .muted").first().textContent(),
    page.locator("#low-balance").textContent(),
  ]);
  return [number(rail), number(price), number(notice.split("credits")[0])];
}

test("after Run and after the end, the balance is the same in all places", async () => {
  const { page } = ada;
  await go("/account/usage");
  await page.locator("#threshold").fill("100000");
  await page.locator("#alert").getByRole("button", { name: "Save" }).click();
  await go(MODEL);
  const [before] = await balances();
  await page.getByLabel("Prompt", { exact: false }).first().fill("a quiet harbour");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator("#job").waitFor();
  await until("one balance after Run", async () => {
    const [rail, price, notice] = await balances();
    return rail < before && rail === price && rail === notice;
  });
  await page.locator("#job[data-status=completed]").waitFor({ timeout: 60_000 });
  await until("one balance after the end", async () => new Set(await balances()).size === 1);
  await fits(page);
});

test("Run works while the page asks for the price", async () => {
  const { page } = ada;
  await go(MODEL);
  let ask;
  const asked = new Promise((resolve) => (ask = resolve));
  // The price comes only when the page is left.
  await page.route("**/quote", ask);
  await page.getByLabel("Prompt", { exact: false }).first().fill("a quiet harbour");
  await asked;
  await page.getByRole("button", { name: "Run" }).click({ timeout: 5_000 });
  await page.locator("#job").waitFor();
  await page.unroute("**/quote");
});

test("a reload keeps what was typed and the job", async () => {
  const { page } = ada;
  await go(MODEL);
  assert.equal(await page.locator("#field-prompt").inputValue(), "", "a link begins a new form");
  await page.locator("#field-prompt").fill("two boats at dawn");
  await page.locator("#form").getByText("4K", { exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator("#job").waitFor();
  const job = await page.locator("#job a").first().getAttribute("href");
  await page.reload();
  assert.equal(await page.locator("#field-prompt").inputValue(), "two boats at dawn");
  assert.ok(await page.locator("input[name='p.resolution'][value='4K']").isChecked());
  await page.locator(`#job a[href="${job}"]`).first().waitFor();
  await page.locator(".price strong", { hasText: "12 credits" }).waitFor();
  await page.locator("#job[data-status=completed]").waitFor({ timeout: 60_000 });
});

test("an ended session comes back to the page with what was typed, and the sign-out forgets it", async () => {
  const { page, context } = ada;
  await go(`${MODEL}?sample=true`);
  const priced = page.waitForResponse("**/quote");
  await page.locator("#field-prompt").fill("a fox in the snow");
  await priced;
  await context.clearCookies({ name: "atelier-session" });
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL("**/account/sign-in?next=**");
  await page.getByLabel("Login").fill("ada");
  await page.getByLabel("Password").fill("a quiet long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**${MODEL}?sample=true`);
  assert.equal(await page.locator("#field-prompt").inputValue(), "a fox in the snow");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/account/sign-in**");
  assert.equal(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes("form")).length), 0);
  await signIn(page, service.origin, "ada");
  await page.waitForURL("**/account");
});

test("the tiles of the gallery follow their jobs to the end", async () => {
  const { page } = ada;
  await go(MODEL);
  await page.locator("#field-prompt").fill("a lighthouse at night");
  await page.locator("#form").getByText("4K", { exact: true }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator("#job[data-live]").waitFor();
  await go("/account/gallery");
  const tile = page.locator(".pickable").first();
  await tile.locator("input[type=checkbox]").waitFor({ state: "attached", timeout: 60_000 });
  await until("nothing more to follow", async () => (await page.locator("[hx-get*=following]").count()) === 0);
  await tile.locator("img").waitFor();
  await fits(page);
});

test("the page of a delivery follows its attempts", async () => {
  const { page } = ada;
  const receiver = await startReceiver();
  // The first attempt fails.
  Object.defineProperty(receiver, "status", { get: () => (receiver.received.length < 2 ? 500 : 200) });
  await go("/account/webhooks");
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.getByRole("heading", { name: "Attempt 2" }).waitFor({ timeout: 20_000 });
  await page.locator(".badge", { hasText: "delivered" }).waitFor({ timeout: 20_000 });
  assert.equal(await page.locator("#state[hx-get]").count(), 0, "it has ended");
  assert.ok(await page.getByRole("button", { name: "Send again" }).isEnabled());
  await fits(page);
  await receiver.stop();
});

test("a reload after creating a key makes no second one, and shows nothing secret", async () => {
  const { page } = ada;
  await go("/account/apps");
  await page.getByLabel("Name of a new key").fill("shop");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.locator("#new-key").waitFor();
  await fits(page);
  await page.reload();
  assert.equal(await page.locator("#new-key").count(), 0);
  assert.equal(await page.locator("tbody th", { hasText: "shop" }).count(), 1);
});

test("guides have copy buttons", async () => {
  const { page, context } = ada;
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await go("/docs/quick-start");
  const first = page.locator(".code").first();
  await first.getByRole("button", { name: "Copy" }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, await first.locator("code").textContent());
  await fits(page);
});

test("switching the API off and taking a file down ask first, also without scripts", async () => {
  const { page, context } = await person(browser, {
    javaScriptEnabled: false,
    storageState: await ada.context.storageState(),
  });
  await page.goto(`${service.origin}/account/operator`);
  assert.equal(await page.getByRole("button", { name: "Switch the API off" }).count(), 0, "folded away");
  await page.locator("summary", { hasText: "Switch the API off" }).click();
  await page.getByRole("button", { name: "Switch the API off" }).click();
  await page.getByRole("heading", { name: /The API is off/ }).waitFor();
  await page.getByRole("button", { name: "Switch the API on" }).click();
  await page.getByRole("heading", { name: /The API is on/ }).waitFor();
  await page.getByLabel("URL or file name").fill("nothing.png");
  await page.getByLabel("Reason").fill("a test");
  await page.getByLabel("Reason").press("Enter");
  await page.waitForTimeout(300);
  assert.ok(page.url().endsWith("/account/operator"), "the key Enter sends nothing");
  await page.locator("summary", { hasText: "Take down" }).click();
  await page.getByRole("button", { name: "Take the file down" }).click();
  await page.waitForURL("**/takedowns#takedown");
  await context.close();
});
