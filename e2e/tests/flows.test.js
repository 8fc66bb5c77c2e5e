// The tasks of users, from the first start on, with the real program.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { promisify } from "node:util";
import { accessible, fits, join, launch, person, pictureOf } from "../lib/browser.js";
import { startReceiver, startService, until } from "../lib/service.js";

const run = promisify(execFile);
// The embedded engines may take minutes for a video or a song on a busy machine.
const PATIENCE = 300_000;

let service, browser, ada, key;

before(async () => {
  service = await startService();
  browser = await launch();
  ada = await person(browser);
});

after(async () => {
  await browser?.close();
  await service?.stop();
  assert.deepEqual(ada.complaints, []);
});

const go = (where) => ada.page.goto(service.origin + where);

test("a new user gets from the first start to a first picture", async () => {
  const { page } = ada;
  await join(page, service.link, "ada");
  assert.match(await page.locator("main").innerText(), /credits available\s+10,000/);
  await accessible(page);
  await page.getByRole("link", { name: "Open the playground" }).click();
  await page.getByRole("searchbox").fill("reference pictures");
  await until("the search", async () => (await page.locator(".model").count()) < 10);
  // A person holds the button for a moment. Leaving the search box must not replace the card under the pointer.
  await page.getByRole("link", { name: /Image Gen 4/ }).click({ delay: 400 });
  await page.locator("#field-prompt").fill("a lighthouse on a cliff at dusk");
  await page.locator("#form").getByText("1K", { exact: true }).click();
  await until("the estimate", async () => (await page.locator("#quote").innerText()).startsWith("4 credits of"));
  await until("the request as code", async () =>
    /"prompt": "a lighthouse on a cliff at dusk"/.test(await page.locator("#code-curl").innerText()),
  );
  await page.getByRole("button", { name: "Run" }).click();
  const picture = page.locator("#result img");
  await picture.waitFor({ timeout: 150_000 });
  await until("the picture's bytes", () => picture.evaluate((image) => image.naturalWidth >= 1000));
  assert.match(await page.locator("#balance").innerText(), /9,996/);
  await go("/account");
  assert.match(await page.locator(".steps li.done").first().innerText(), /Try the playground/);
});

test("the first operator's link works once", async () => {
  const { page, context } = await person(browser);
  const answer = await page.goto(service.link);
  assert.equal(answer.status(), 404);
  await context.close();
});

test("a key is created, used with curl, revoked and then refused", async () => {
  const { page } = ada;
  await go("/account/apps");
  await page.getByLabel("Name of a new key").fill("shop");
  await page.getByRole("button", { name: "Create key" }).click();
  key = await page.locator("#new-key").textContent();
  assert.match(key, /^atl_[\w-]{43}$/);
  await accessible(page);
  const balance = () =>
    run("curl", [
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      `${service.base}/balance`,
      "-H",
      `Authorization: Bearer ${key}`,
    ]);
  assert.equal((await balance()).stdout, "200");
  await go("/account/apps");
  assert.ok(!(await page.content()).includes(key), "a key is shown once");
  await page.getByText("Revoke").first().click();
  await page.getByRole("button", { name: "Revoke this key" }).click();
  await page.getByText(/^revoked/).waitFor();
  assert.equal((await balance()).stdout, "401");
});

test("the form shows the catalog's conditions while it is filled in, and makes a song", async () => {
  const { page } = ada;
  await go("/account/playground/music-gen");
  await page.locator("#field-prompt").fill("a slow waltz for a rainy evening");
  await page.getByRole("switch", { name: /Custom mode/ }).check();
  await page.getByText(/“Style” is required when “Custom mode” is true/).waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Some fields need your attention").waitFor();
  await page.locator("#field-style").fill("waltz, piano");
  await page.locator("#field-title").fill("Rain");
  await page.getByRole("button", { name: "Run" }).click();
  const player = page.locator("#result audio");
  await player.waitFor({ timeout: PATIENCE });
  const song = await plays(player);
  assert.ok(song.duration >= 60 && song.duration <= 180, `a song of ${song.duration} s`);
});

test("a mistake does not take the focus from a field that is being filled in", async () => {
  const { page } = ada;
  const form = "/account/playground/music-gen";
  await go(form);
  await page.locator("#field-prompt").fill("a slow waltz");
  await page.getByRole("switch", { name: /Custom mode/ }).check();
  const held = new Promise((resolve) => page.route(`**${form}`, resolve, { times: 1 }));
  await page.getByRole("button", { name: "Run" }).click();
  const request = await held;
  const title = page.locator("#field-title");
  await title.pressSequentially("Ra");
  await request.continue();
  const style = page.locator("#field-style");
  await until("the mistake", async () => (await style.getAttribute("aria-invalid")) === "true");
  await page.keyboard.type("in");
  assert.equal(await title.inputValue(), "Rain");
});

test("a form with sliders and shapes makes a video", async () => {
  const { page } = ada;
  await go("/account/playground/video-gen-1-0");
  await page.locator("#field-prompt").fill("waves against the rocks");
  await page.getByLabel("Duration, slider").fill("8");
  assert.equal(await page.locator("#field-duration").inputValue(), "8");
  await until("the estimate of 8 seconds", async () =>
    (await page.locator("#quote").innerText()).includes("120 credits"),
  );
  await page.getByLabel("Duration, slider").fill("3");
  await page.locator("#form").getByText("720p", { exact: true }).click();
  await until("the estimate of 3 seconds", async () =>
    (await page.locator("#quote").innerText()).includes("30 credits"),
  );
  await page.getByRole("button", { name: "Run" }).click();
  const player = page.locator("#result video");
  await player.waitFor({ timeout: PATIENCE });
  const film = await plays(player);
  assert.deepEqual([film.width, film.height], [1280, 720]);
  assert.ok(Math.abs(film.duration - 3) < 0.1, `a video of ${film.duration} s`);
});

/** Plays a player's media from its start and from its middle. The time must advance both times. */
function plays(player) {
  return player.evaluate(async (element) => {
    element.muted = true;
    const advances = async () => {
      const from = element.currentTime;
      await element.play();
      while (element.currentTime < from + 0.2) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    await advances();
    const middle = new Promise((resolve) => element.addEventListener("seeked", resolve, { once: true }));
    element.currentTime = element.duration / 2;
    await middle;
    await advances();
    element.pause();
    if (element.error) throw new Error(element.error.message);
    return { duration: element.duration, width: element.videoWidth, height: element.videoHeight };
  });
}

test("a tool works on an uploaded file, and its result becomes an input", async () => {
  const { page } = ada;
  const folder = await mkdtemp(path(tmpdir(), "atelier-e2e-files-"));
  const picture = path(folder, "photo.png");
  await go("/account/gallery?type=image");
  await page.locator(".tile").last().click();
  // The preview is small, so removing its background is quick.
  const url = await page.locator("#job img").first().getAttribute("src");
  const bytes = await (await fetch(`${url}/preview`)).arrayBuffer();
  await writeFile(picture, Buffer.from(bytes));
  await go("/account/playground/background-removal");
  await page.locator("[data-files] input[type=file]").first().setInputFiles(picture);
  await page.locator(".files img").waitFor();
  await page.getByRole("button", { name: "Run" }).click();
  await pictureOf(page, 150_000);
  assert.match(await page.locator("#result").innerText(), /made by U-2-Net small \(Apache-2\.0\)/);
  await page.getByRole("link", { name: "Use as input" }).first().click();
  await page
    .getByRole("link", { name: /Upscale/ })
    .first()
    .click();
  await page.locator(".files img").waitFor();
  await rm(folder, { recursive: true });
});

test("a failed webhook is shown, sent again and verified, also after a rotation", async () => {
  const { page } = ada;
  const receiver = await startReceiver();
  receiver.status = 404;
  receiver.answer = "<script>alert('no such hook')</script>";
  await go("/account/webhooks");
  await page.getByLabel("URL", { exact: true }).fill(receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.waitForURL(/webhooks\/[0-9a-f-]{36}$/);
  await until("the first attempt", () => receiver.received.length === 1);
  await until("the failure on the page", async () => {
    await page.reload().catch(() => {});
    return (await page.locator("main").innerText()).includes("alert('no such hook')");
  });
  receiver.status = 200;
  await page.getByRole("button", { name: "Send again" }).click();
  await until("the second attempt", () => receiver.received.length === 2);
  const [before, again] = receiver.received;
  assert.deepEqual(again.body, before.body, "the same bytes");
  await until("the delivery on the page", async () => {
    await page.reload().catch(() => {});
    return (await page.locator(".badge.good").count()) > 0;
  });
  await accessible(page);

  const old = await revealed();
  await page.locator("summary", { hasText: "Rotate" }).click();
  await page.getByRole("button", { name: "Rotate the secret" }).click();
  const fresh = await page.locator("#signing-secret").textContent();
  assert.notEqual(fresh, old);
  await go("/account/webhooks");
  await page.getByLabel("URL", { exact: true }).fill(receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
  await page.waitForURL(/webhooks\/[0-9a-f-]{36}$/);
  await until("a delivery after the rotation", () => receiver.received.length === 3);
  const { headers, body } = receiver.received[2];
  assert.equal(headers["webhook-signature"].split(" ").length, 2, "both the old and the new secret sign");
  const verify = await snippet("TypeScript");
  assert.ok(verify(old, headers, body) && verify(fresh, headers, body));
  assert.ok(!verify(fresh, headers, Buffer.from(`${body} `)));
  await receiver.stop();
});

async function revealed() {
  await go("/account/apps");
  await ada.page.getByRole("button", { name: "Reveal" }).click();
  return ada.page.locator("#signing-secret").textContent();
}

/** The verification function that the page shows, compiled. */
async function snippet(language) {
  const code = await ada.page
    .context()
    .request.get(`${service.origin}/account/apps`)
    .then((answer) => answer.text());
  assert.ok(code.includes(language));
  const source = await readFile(new URL("../../crates/service/console/snippets/verify.ts", import.meta.url), "utf8");
  const ts = createRequire(import.meta.url)("typescript");
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  return (await import(`data:text/javascript,${encodeURIComponent(outputText)}`)).verify;
}

test("an operator grants credits, and switches the API off and on", async () => {
  const { page } = ada;
  const made = await service.cli("account", "create", "northlight", "--credits", "100");
  const status = () => fetch(`${service.base}/balance`, { headers: { authorization: `Bearer ${made.api_key}` } });
  await go("/account/operator/accounts");
  await page.getByRole("link", { name: "northlight" }).click();
  await page.getByLabel("Credits to add (negative to remove)").fill("250");
  await page.getByLabel("Reason").fill("for the exhibition");
  await page.getByRole("button", { name: "Add credits" }).click();
  await page.getByText("350").waitFor();
  assert.equal((await (await status()).json()).data.credits, 350);
  await page.getByLabel("Credits to add (negative to remove)").fill("-9999");
  await page.getByLabel("Reason").fill("too much");
  await page.getByRole("button", { name: "Add credits" }).click();
  await page.getByRole("alert").waitFor();
  await go("/account/operator");
  await page.locator("summary", { hasText: "Switch the API off" }).click();
  await page.getByRole("button", { name: "Switch the API off" }).click();
  await page.getByRole("heading", { name: /The API is off/ }).waitFor();
  assert.equal((await status()).status, 403);
  await page.getByRole("button", { name: "Switch the API on" }).click();
  await page.getByRole("heading", { name: /The API is on/ }).waitFor();
  assert.equal((await status()).status, 200);
  await go("/account/operator/audit");
  const text = await page.locator("main").innerText();
  for (const action of ["api.disable", "api.enable", "secret.rotate", "key.revoke"])
    assert.ok(text.includes(action), action);
});

test("the gallery finds a job by its words and downloads the selected files", async () => {
  const { page } = ada;
  await go("/account/gallery");
  await page.getByLabel("Words", { exact: true }).fill("cliff LIGHTHOUSE");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=cliff/);
  assert.match(await page.locator(".page-head p").first().innerText(), /^1 found among all/);
  await page.getByRole("checkbox", { name: "Select a lighthouse on a cliff at dusk" }).check();
  await fits(page);
  const arriving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the selected files" }).click();
  const archive = await readFile(await (await arriving).path());
  assert.equal(archive.toString("latin1", 0, 2), "PK");
  assert.ok(archive.includes("a-lighthouse-on-a-cliff-at-dusk-"));
  const star = page.getByRole("button", { name: "Favourite", exact: true });
  await star.click();
  await page.locator('.star[aria-pressed="true"]').waitFor();
  assert.match(page.url(), /q=cliff/, "the page stays");
  await go("/account/gallery");
  await page.getByLabel("Favourites").check();
  await page.waitForURL(/favourite=true/);
  assert.match(await page.locator(".page-head p").first().innerText(), /^1 matching/);
  await star.click();
  await page.locator('.star[aria-pressed="false"]').waitFor();
});

test("selected results become a collection, which is shown, added to, renamed and deleted", async () => {
  const { page } = ada;
  await go("/account/gallery");
  const boxes = page.getByRole("checkbox", { name: /^Select / });
  await boxes.nth(0).check();
  await page.locator(".sort summary").click();
  await fits(page);
  await page.getByLabel("Name of a new collection").fill("Boats & birds");
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByRole("link", { name: "Boats & birds" }).click();
  await page.waitForURL(/collection=/);
  assert.match(await page.locator(".page-head p").first().innerText(), /^1 matching/);
  await go("/account/gallery");
  await boxes.nth(1).check();
  await page.locator(".sort summary").click();
  await page.getByRole("button", { name: "Add to collection" }).click();
  await page.getByText("Added to").waitFor();
  await page.getByLabel("Collection", { exact: true }).first().selectOption("Boats & birds");
  await page.waitForURL(/collection=[0-9a-f]/);
  assert.match(await page.locator(".page-head p").first().innerText(), /^2 matching/);
  const arriving = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download all" }).click();
  assert.equal((await arriving).suggestedFilename(), "boats---birds.zip");
  await boxes.nth(0).check();
  await page.locator(".sort summary").click();
  await page.getByRole("button", { name: "Remove from Boats & birds" }).click();
  await page.waitForURL(/#g-/);
  assert.match(await page.locator(".page-head p").first().innerText(), /^1 matching/);
  await go("/account/collections");
  await page.getByText("Rename Boats & birds", { exact: true }).click();
  await page.getByLabel("New name of Boats & birds").fill("Boats");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Delete Boats", { exact: true }).click();
  await page.getByRole("button", { name: "Delete the collection" }).click();
  await page.getByText("No collections yet").waitFor();
});

test("times are shown in the zone of the reader, and in UTC without scripts", async () => {
  const { context } = ada;
  const storageState = await context.storageState();
  const shown = async (javaScriptEnabled) => {
    const there = await browser.newContext({ storageState, timezoneId: "Asia/Tokyo", javaScriptEnabled });
    const page = await there.newPage();
    await page.goto(`${service.origin}/account/operator/audit`);
    const time = page.locator("td time").first();
    const found = [await time.innerText(), await time.getAttribute("datetime")];
    await there.close();
    return found;
  };
  const [text, at] = await shown(false);
  const hours = (from) => new Date(from).toISOString().slice(11, 19);
  assert.ok(text.endsWith(`${hours(at)} UTC`), text);
  const [local] = await shown(true);
  assert.ok(local.endsWith(`${hours(Date.parse(at) + 9 * 3_600_000)} GMT+9`), local);
});
