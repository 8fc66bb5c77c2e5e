// Every page: accessible, small, without foreign scripts, and safe with hostile texts.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, join, launch, person, signIn } from "../lib/browser.js";
import { api, create } from "../lib/furnish.js";
import { startReceiver, startService, until } from "../lib/service.js";

const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}'`;
const ECHO = ["*"].map((model) => `[[routes]]\nmodel = "${model}"\nengine = "echo"\n`).join("");

let service, browser, ada, made;

before(async () => {
  service = await startService(ECHO);
  browser = await launch();
  ada = await person(browser);
  await join(ada.page, service.link, "ada<b>");
  made = await furnishHostile();
});

after(async () => {
  await browser?.close();
  await service?.stop();
  // A hostile text that opens a dialog or runs into the policy leaves a complaint.
  assert.deepEqual(ada.complaints, []);
});

/** Puts hostile texts into every text field. */
async function furnishHostile() {
  const { page } = ada;
  const post = async (where, form) => {
    await page.goto(service.origin + where.page);
    const csrf = await page.locator("meta[name=csrf]").getAttribute("content");
    return page.context().request.post(service.origin + (where.action ?? where.page), {
      headers: { origin: service.origin },
      form: { csrf, ...form },
    });
  };
  const answered = await (
    await post({ page: "/account/apps", action: "/account/apps/keys" }, { name: HOSTILE })
  ).text();
  const key = answered.match(/id="new-key">([^<]+)</)[1];
  const receiver = await startReceiver();
  receiver.status = 500;
  receiver.answer = HOSTILE;
  const call = api(service, key);
  const image = await create(call, {
    model: "image-gen-4",
    params: { prompt: HOSTILE },
    webhook_url: `${receiver.url}?${encodeURIComponent(HOSTILE)}`,
  });
  await create(call, {
    model: "music-gen",
    params: { prompt: HOSTILE, custom_mode: true, style: HOSTILE, title: HOSTILE, negative_tags: HOSTILE },
  });
  const name = HOSTILE.slice(0, 60);
  await post({ page: "/account/operator/accounts" }, { name, credits: "10", plan: HOSTILE.slice(0, 60), beta: "true" });
  const account = `/account/operator/accounts/${encodeURIComponent(name)}`;
  await post({ page: account, action: `${account}/credits` }, { credits: "5", reason: HOSTILE });
  await post(
    { page: "/account/operator/accounts/ada%3Cb%3E", action: "/account/operator/accounts/ada%3Cb%3E/credits" },
    { credits: "5", reason: HOSTILE },
  );
  await until("the delivery", () => receiver.received.length > 0);
  await receiver.stop();
  const { data } = await call("/webhooks/deliveries");
  const collection = (await call("/collections", { name: HOSTILE })).data;
  await call(`/collections/${collection.id}/add`, { generations: [image] });
  return { image, account, delivery: data[0].id, collection: collection.id };
}

const pages = () => [
  "/account",
  "/account/playground",
  "/account/playground?q=zzz",
  "/account/playground/image-gen-4",
  `/account/playground/image-gen-4?from=${made.image}`,
  "/account/playground/music-gen",
  "/account/playground/tts-v3",
  "/account/playground/video-gen-1-0",
  "/account/playground/relight",
  "/account/gallery",
  "/account/gallery?status=failed",
  `/account/gallery/${made.image}`,
  "/account/collections",
  `/account/gallery?collection=${made.collection}`,
  "/account/apps",
  "/account/webhooks",
  `/account/webhooks/${made.delivery}`,
  "/account/webhooks/endpoints/new",
  "/account/requests",
  "/account/usage",
  "/account/settings",
  "/account/switch",
  "/account/operator",
  "/account/operator/accounts",
  made.account,
  `${made.account}/erase`,
  "/account/operator/audit",
  "/account/operator/policy",
  "/account/operator/usage",
  "/account/operator/models",
  "/account/operator/programs",
  "/docs",
  "/docs/quick-start",
  "/docs/webhooks",
  "/docs/errors",
  "/docs/limits",
  "/docs/files",
  "/verify",
];

test("every page is accessible and fits the screen, in light and dark, wide and narrow", async () => {
  for (const [colorScheme, viewport] of [
    ["light", { width: 1280, height: 900 }],
    ["dark", { width: 360, height: 780 }],
  ]) {
    const { page, context, complaints } = await person(browser, {
      colorScheme,
      viewport,
      storageState: await ada.context.storageState(),
    });
    for (const where of pages()) {
      await page.goto(service.origin + where);
      await accessible(page);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(over <= 0, `${where} is ${over} px wider than the screen`);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
});

test("the sign-in pages are accessible", async () => {
  const { page, context } = await person(browser);
  await page.goto(`${service.origin}/account/sign-in`);
  await accessible(page);
  await signIn(page, service.origin, HOSTILE, HOSTILE);
  await accessible(page);
  await context.close();
});

test("anybody can verify a file, and learns nothing of its owner", async () => {
  const { page, context, complaints } = await person(browser, { viewport: { width: 360, height: 780 } });
  const job = await (await ada.page.goto(`${service.origin}/account/gallery/${made.image}`)).text();
  const file = job.match(/\/media\/([0-9a-f]{64}\.png)/)[1];
  const bytes = await (await page.request.get(`${service.origin}/media/${file}`)).body();
  await page.goto(`${service.origin}/verify`);
  await page.getByLabel("File").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: bytes });
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("SHA-256").waitFor();
  assert.ok((await page.locator("#found").innerText()).includes(file.slice(0, 64)));
  await accessible(page);
  assert.equal(await page.getByText("alert(").count(), 0);
  await page.getByLabel("File").setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("text") });
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("could not be examined").waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

test("hostile texts are shown as plain text", async () => {
  const { page } = ada;
  for (const where of [
    "/account/apps",
    "/account/gallery",
    "/account/collections",
    `/account/gallery/${made.image}`,
    `/account/webhooks/${made.delivery}`,
    "/account/operator/accounts",
    made.account,
    "/account/operator/audit",
    `/account/operator/usage?account=${made.account.split("/").pop()}`,
    "/account/usage",
    "/account/settings",
  ]) {
    await page.goto(service.origin + where);
    const html = await page.content();
    assert.ok(!html.includes('<img src="x"'), where);
    assert.ok(
      (await page.locator("main").innerText()).includes("onerror=alert(1)") || where === "/account/settings",
      where,
    );
  }
  assert.equal(await page.locator("main script").count(), 0);
});

test("pages allow only their own scripts, and forbid caching and framing", async () => {
  const answer = await ada.context.request.get(`${service.origin}/account`);
  const headers = answer.headers();
  assert.match(headers["content-security-policy"], /default-src 'none'; script-src 'self'; style-src 'self'/);
  assert.ok(!/unsafe|\*/.test(headers["content-security-policy"]));
  assert.equal(headers["x-frame-options"], "DENY");
  assert.equal(headers["cache-control"], "no-store");
  const cookies = await ada.context.cookies();
  const session = cookies.find((cookie) => cookie.name === "atelier-session");
  assert.ok(session.httpOnly && session.sameSite === "Lax" && !session.secure);
});

test("no page is larger than 100 kB without media", async () => {
  const { context } = await person(browser, { storageState: await ada.context.storageState() });
  for (const where of pages()) {
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send("Network.enable");
    await client.send("Network.setCacheDisabled", { cacheDisabled: true });
    let weight = 0;
    const kinds = new Map();
    client.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
    client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (!["Image", "Media"].includes(kinds.get(requestId))) weight += encodedDataLength;
    });
    await page.goto(service.origin + where, { waitUntil: "networkidle" });
    assert.ok(weight <= 100_000, `${where} has ${weight} bytes`);
    await page.close();
  }
  await context.close();
});

test("the samples of all models can be seen and heard, and nothing moves when they arrive", async () => {
  const { page, context, complaints } = await person(browser, { storageState: await ada.context.storageState() });
  await page.goto(`${service.origin}/account/playground`);
  while (await page.getByRole("link", { name: "More models" }).count()) {
    const before = await page.locator(".model-card").count();
    await page.getByRole("link", { name: "More models" }).scrollIntoViewIfNeeded();
    await page.waitForFunction((count) => document.querySelectorAll(".model-card").length > count, before);
  }
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const early = await height();
  const pictures = await page.evaluate(async () => {
    const images = [...document.querySelectorAll(".model-view img")];
    for (const image of images) image.loading = "eager";
    await Promise.all(images.map((image) => image.decode()));
    return images.map((image) => [image.naturalWidth, image.naturalHeight, image.alt.length > 5].join());
  });
  assert.equal(await height(), early);
  assert.equal(pictures.length, 71);
  assert.deepEqual([...new Set(pictures)], ["320,240,true"]);
  await page.goto(`${service.origin}/account/playground`);
  const sounds = (await page.locator(".model-sound").evaluateAll((all) => all.map((one) => one.src))).slice(0, 5);
  await page.goto(`${service.origin}/account/playground/tts-v3`);
  const voices = await page.locator(".voices audio").evaluateAll((all) => all.map((one) => one.src));
  assert.equal(voices.length, 21);
  const lengths = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(
          (source) =>
            new Promise((resolve, reject) => {
              const audio = new Audio(source);
              audio.onloadedmetadata = () => resolve(audio.duration);
              audio.onerror = () => reject(new Error(`${source} cannot be played`));
            }),
        ),
      ),
    [...sounds, ...voices],
  );
  assert.ok(
    lengths.every((seconds) => seconds > 0.8 && seconds < 4.3),
    lengths.join(),
  );
  assert.deepEqual(complaints, []);
  await context.close();
});

test("without scripts, a form works and leads to the page of the result", async () => {
  const { page, context, complaints } = await person(browser, {
    javaScriptEnabled: false,
    storageState: await ada.context.storageState(),
  });
  await page.goto(`${service.origin}/account/playground/image-gen-4`);
  await page.getByRole("button", { name: "Run" }).click();
  assert.match(await page.locator("main").innerText(), /“Prompt” is required/);
  await page.locator("#field-prompt").fill("a quiet room");
  await page.getByRole("button", { name: "Run" }).click();
  await page.waitForURL("**/account/gallery/*");
  await page.locator("img").first().waitFor({ timeout: 15_000 });
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the keyboard reaches every control, with a visible focus", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account`);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to content");
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", `step ${step}`);
  }
});

test("the documentation is available as Markdown, and llms.txt links to it", async () => {
  const map = await (await fetch(`${service.origin}/llms.txt`)).text();
  const links = [...map.matchAll(/\((http[^)]+)\)/g)].map((match) => match[1]);
  assert.ok(links.length >= 6);
  for (const link of links) assert.equal((await fetch(link)).status, 200, link);
  assert.match(
    await (await fetch(`${service.origin}/docs/quick-start.md`)).text(),
    new RegExp(`curl ${service.base}/generations`),
  );
});

test("the reference sends a request with the user's own key", async () => {
  const { page } = ada;
  const key = (await service.cli("key", "create", "ada<b>", "--name", "reference")).api_key;
  await page.goto(`${service.origin}/docs`);
  await page.getByLabel(/Your API key/).fill(key);
  const balance = page.locator("#get-balance");
  await balance.getByText("Try it").click();
  await balance.getByRole("button", { name: "Send GET" }).click();
  await until("the answer", async () => /"credits": \d+/.test(await balance.locator("[data-answer]").innerText()));
});
