// Pages in the states that the tour of pages.test.js does not have, and the way through pages by keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fits, join, launch, person } from "../lib/browser.js";
import { api, create } from "../lib/furnish.js";
import { startReceiver, startService, until } from "../lib/service.js";

// Nobody takes the mails. With a server for them, there is a page for forgotten passwords.
const CONFIG = `[mail]\nurl = "smtp://127.0.0.1:9"\nfrom = "atelier <atelier@example.com>"\n
[[routes]]\nmodel = "*"\nengine = "echo"\n`;

let service, browser, ada, made;

before(async () => {
  service = await startService(CONFIG);
  browser = await launch();
  ada = await person(browser);
  await join(ada.page, service.link, "ada");
  made = await furnish();
});

after(async () => {
  await browser?.close();
  await service?.stop();
  assert.deepEqual(ada.complaints, []);
});

const go = (where) => ada.page.goto(service.origin + where);

/** Two jobs, a delivery that has failed, and an account with a user and an open invitation. */
async function furnish() {
  const { page } = ada;
  const key = await service.cli("key", "create", "ada", "--name", "website", "--credits-per-day", "500");
  const call = api(service, key.api_key);
  const receiver = await startReceiver();
  receiver.status = 404;
  const ask = (prompt) => ({ model: "image-gen-4", params: { prompt } });
  const first = await create(call, ask("a lighthouse at dusk"));
  const second = await create(call, { ...ask("a lighthouse at dawn"), webhook_url: receiver.url });
  const failed = await until("the failed delivery", async () => {
    const { data } = await call("/webhooks/deliveries");
    return data.find((delivery) => delivery.state === "failed");
  });
  await receiver.stop();
  await service.cli("account", "create", "house", "--credits", "100");
  const account = "/account/operator/accounts/house";
  const links = [];
  for (let count = 0; count < 2; count += 1) {
    await go(account);
    await page.getByRole("button", { name: "Invite someone" }).click();
    links.push(await page.locator("#invitation").textContent());
  }
  const bob = await person(browser);
  await join(bob.page, links[0], "bob");
  await bob.context.close();
  await go(account);
  await page.getByRole("button", { name: "Reset password" }).click();
  const reset = await page.locator("#reset-link").textContent();
  return { first, second, key: key.id, delivery: failed.id, account, invitation: links[1], reset };
}

/** Visits each address as ada or as a stranger, on a wide light screen and on a narrow dark one. */
async function visit(places, storageState) {
  for (const [colorScheme, viewport] of [
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 360, height: 780 }],
  ]) {
    const { page, context, complaints } = await person(browser, { colorScheme, viewport, storageState });
    for (const where of places) {
      const answer = await page.goto(new URL(where, service.origin).href);
      assert.equal(answer.status(), 200, where);
      await page.evaluate(() => document.querySelectorAll("main details").forEach((one) => (one.open = true)));
      await fits(page);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
}

test("an account with users, a key, a comparison, a failed delivery and a model's page are accessible", async () => {
  await visit(
    [
      made.account,
      `/account/apps/keys/${made.key}`,
      `/account/gallery/compare?first=${made.first}&second=${made.second}`,
      `/account/gallery/compare?first=${made.first}`,
      `/account/webhooks/${made.delivery}`,
      "/account/gallery?status=cancelled",
      "/account/operator",
      "/account/settings/two-step",
      "/account/playground/veo-3-1",
      "/docs/models",
      "/docs/models/veo-3-1",
    ],
    await ada.context.storageState(),
  );
});

test("the pages of links that are sent to people are accessible", async () => {
  await visit([made.invitation, made.reset, "/account/forgot"], undefined);
});

test("secrets that are shown once, and refusals, are accessible", async () => {
  const { page } = ada;
  await go("/account/webhooks/endpoints/new");
  await page.getByLabel("URL").fill("https://example.com/hook");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  await page.locator("#new-secret").waitFor();
  await fits(page);
  await go(`/account/apps/keys/${made.key}`);
  await page.getByLabel(/Networks/).fill("home");
  await page.getByRole("button", { name: "Save" }).click();
  assert.equal(await page.locator("#problem code").last().textContent(), "home");
  await fits(page);
});

/** The controls that the keyboard must reach: all that can be used, and one of each group of options. */
const controls = () => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
  const groups = new Set();
  return all.filter((one) => {
    if (one.disabled || one.tabIndex < 0 || one.type === "hidden" || !one.checkVisibility()) return false;
    if (one.type !== "radio") return true;
    const group = `${one.form?.action} ${one.name}`;
    return !groups.has(group) && groups.add(group);
  }).length;
};

/** The focused element: what it is called, whether its focus is drawn, and whether something else covers all of it. */
const focused = () => {
  const one = document.activeElement;
  if (!one || one === document.body) return null;
  // The browser itself draws which part of a date has the focus.
  const drawn = ["date", "month"].includes(one.type) || [one, one.closest("label"), one.parentElement].some(
    (place) => place && getComputedStyle(place).outlineStyle !== "none",
  );
  const box = (one.closest("label") ?? one).getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const points = parts.flatMap((x) => parts.map((y) => [box.left + box.width * x, box.top + box.height * y]));
  const isSeen = points.some(([x, y]) => {
    const top = document.elementFromPoint(x, y);
    return top && (top.contains(one) || one.contains(top) || one.closest("label")?.contains(top));
  });
  const name = (one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 40);
  return { name: name || one.id, drawn, isSeen };
};

const screens = [
  ["wide", { width: 1280, height: 900 }],
  ["narrow", { width: 360, height: 780 }],
];
for (const [screen, viewport] of screens) {
  test(`on a ${screen} screen, the keyboard reaches every control, with a visible focus`, async () => {
    const { page, context } = await person(browser, { viewport, storageState: await ada.context.storageState() });
    for (const where of [
      "/account/playground/image-gen-4",
      "/account/gallery",
      `/account/gallery/${made.first}`,
      "/account/apps",
      `/account/apps/keys/${made.key}`,
      "/account/settings",
      `/account/webhooks/${made.delivery}`,
      made.account,
      "/account/operator",
      "/docs/quick-start",
    ]) {
      await page.goto(service.origin + where);
      const expected = await page.evaluate(controls);
      let reached = 0;
      for (; reached < 400; reached += 1) {
        await page.keyboard.press("Tab");
        const found = await page.evaluate(focused);
        if (!found) break;
        assert.ok(found.drawn && found.isSeen, `${where}: ${JSON.stringify(found)}`);
      }
      assert.ok(reached >= expected, `${where}: ${reached} of ${expected} controls`);
    }
    await context.close();
  });
}
