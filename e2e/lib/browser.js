// The browser (Debian's Chromium), and the checks for every page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export function launch() {
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** A browser window of one person. `complaints` collects errors of its pages, including blocked scripts. */
export async function person(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    const refused = /status of (400|401|403|404|410|429)/.test(message.text());
    // Leaving a page ends its requests, and htmx reports that. Failures have events of their own as well.
    const left = /htmx:(afterRequest|sendAbort)/.test(message.text());
    if (message.type() === "error" && !refused && !left) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`${page.url()}: a dialog opened: ${dialog.message()}`);
    dialog.dismiss();
  });
  return { context, page, complaints };
}

/** Follows an invitation link and chooses login and password. */
export async function join(page, link, login, password = "a quiet long password") {
  await page.goto(link);
  await page.locator("#login").fill(login);
  await page.locator("#password").fill(password);
  await page.getByLabel("Repeat the password").fill(password);
  await page.getByRole("button", { name: /Create the account|Join/ }).click();
  await page.waitForURL("**/account");
}

export async function signIn(page, origin, login, password = "a quiet long password") {
  await page.goto(`${origin}/account/sign-in`);
  await page.getByLabel("Login").fill(login);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Waits for the picture of a job that was started on this page. If none comes, the error says what the page shows. */
export async function pictureOf(page, timeout) {
  try {
    await page.locator("#result img").waitFor({ timeout });
  } catch (error) {
    throw new Error(`no picture; the page shows: ${await page.locator("#result").innerText()}`, { cause: error });
  }
}

/** Fails if axe-core finds a violation of WCAG 2.2 A or AA. */
export async function accessible(page) {
  // The page's policy blocks foreign scripts, but not those that the debugger evaluates.
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  const said = violations.map(
    (violation) =>
      `${violation.id}: ${violation.help}\n${violation.nodes
        .slice(0, 4)
        .map((node) => `    ${node.html.slice(0, 160)}  ${node.failureSummary?.split("\n")[1] ?? ""}`)
        .join("\n")}`,
  );
  assert.deepEqual(said, [], `${page.url()}:\n${said.join("\n")}`);
}

/** Fails as well if the page is wider than the screen. */
export async function fits(page) {
  await accessible(page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page is ${over} px wider than the screen`);
}
