// Reviews: a job waits until the operator decides on the page "Policy", and its owner sees it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fits, join, launch, person } from "../lib/browser.js";
import { startService, until } from "../lib/service.js";

const PHONE = { width: 360, height: 780 };
const HOSTILE = `castle "><img src=x onerror=alert(1)>`;
const RULES = `[[rules]]
name = "look"
action = "review"
[rules.terms]
en = ["castle"]
`;

let service, browser, ada;

before(async () => {
  service = await startService('[[routes]]\nmodel = "*"\nengine = "echo"\n', { "policy.toml": RULES });
  browser = await launch();
  ada = await person(browser, { viewport: PHONE, colorScheme: "dark" });
  await join(ada.page, service.link, "ada");
});

after(async () => {
  await browser?.close();
  await service?.stop();
  assert.deepEqual(ada?.complaints, []);
});

const policy = () => `${service.origin}/account/operator/policy`;

/** Runs a prompt and returns the address of the job's page. */
async function run(page, prompt, scripts) {
  await page.goto(`${service.origin}/account/playground/image-gen-4`);
  await page.locator("#field-prompt").fill(prompt);
  await page.getByRole("button", { name: "Run" }).click();
  if (scripts) {
    await page.getByRole("link", { name: "Open its page" }).click();
  }
  await page.waitForURL("**/account/gallery/*");
  return page.url();
}

test("a job waits on its page, runs once it is approved, and the page follows", async () => {
  const { page } = ada;
  await run(page, HOSTILE, true);
  await page.getByText("waits for review").waitFor();
  await fits(page);
  const other = await ada.context.newPage();
  await other.goto(policy());
  await fits(other);
  const text = await other.locator("#reviews").innerText();
  assert.ok(text.includes(HOSTILE) && text.includes("look"), text);
  await other.getByRole("button", { name: "Approve" }).click();
  await other.getByText("No jobs are waiting.").waitFor();
  await other.close();
  await page.locator("main img").first().waitFor({ timeout: 15_000 });
});

test("without scripts, a job is refused with a note, and the refusal is overturned", async () => {
  const { page, context, complaints } = await person(browser, {
    javaScriptEnabled: false,
    viewport: { width: 1280, height: 900 },
    storageState: await ada.context.storageState(),
  });
  const job = await run(page, "a castle", false);
  await until("the review", async () => {
    await page.goto(policy());
    return (await page.getByRole("button", { name: "Refuse" }).count()) > 0;
  });
  await page.getByLabel("Note", { exact: true }).fill("no castles today");
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByText("No jobs are waiting.").waitFor();
  await page.goto(job);
  const said = await page.locator("main").innerText();
  assert.match(said, /not allowed by this service's content policy .*no castles today/);

  await page.goto(`${policy()}?outcome=refused-by-review&rule=look`);
  assert.equal(await page.locator("#decisions li").count(), 1);
  await page.locator("#decisions summary").click();
  await page.getByLabel("Note for the owner").fill("castles are fine after all");
  await page.getByRole("button", { name: "Mark as a mistake" }).click();
  await page.goto(`${policy()}?outcome=overturned`);
  assert.match(await page.locator("#decisions").innerText(), /castles are fine after all/);
  await page.goto(job);
  assert.match(await page.locator("main").innerText(), /The refusal was a mistake\s+castles are fine after all/);
  await page.goto(`${service.origin}/account/operator/audit?kind=policy`);
  const audit = await page.locator("main").innerText();
  for (const action of ["policy.review", "policy.overturn"]) assert.ok(audit.includes(action), audit);
  assert.deepEqual(complaints, []);
  await context.close();
});
