// Takes screenshots of every page, light and dark, wide and narrow: node shots.js FOLDER [PAGE…]

import { mkdir } from "node:fs/promises";
import { join as path, resolve } from "node:path";
import { accessible, join, launch, person, signIn } from "./lib/browser.js";
import { furnish } from "./lib/furnish.js";
import { programs, startService } from "./lib/service.js";

const [folder = "shots", ...only] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const echo = ["video-*", "music-*", "tts-*"].map((model) => `[[routes]]\nmodel = "${model}"\nengine = "echo"\n`);
const started = programs(resolve(folder), ["sdxl-1-0", "flux-1-schnell", "z-image-turbo"]);
const service = await startService(started + echo.join(""));
const browser = await launch();
try {
  const { page, context } = await person(browser);
  await page.goto(service.link);
  const token = new URL(service.link).pathname;
  const pages = [
    ["join", token, { signedOut: true }],
    ["sign-in", "/account/sign-in", { signedOut: true }],
    ["docs", "/docs", { signedOut: true }],
    ["docs-quick-start", "/docs/quick-start", { signedOut: true }],
    ["docs-models", "/docs/models", { signedOut: true }],
    ["docs-model", "/docs/models/veo-3-1", { signedOut: true }],
  ];
  const wanted = (name) => only.length === 0 || only.some((one) => name.startsWith(one));
  await shoot(
    browser,
    pages.filter(([name]) => wanted(name)),
  );
  await join(page, service.link, "ada");
  if (wanted("overview-empty"))
    await shoot(
      browser,
      [
        ["overview-empty", "/account"],
        ["gallery-empty", "/account/gallery"],
      ],
      await context.storageState(),
    );
  const made = await furnish(service, page);
  const inside = [
    ["overview", "/account"],
    ["playground", "/account/playground"],
    ["model-image", `/account/playground/image-gen-4?from=${made.image}`],
    ["model-music", "/account/playground/music-gen"],
    ["model-video", "/account/playground/video-gen-1-0"],
    ["model-speech", "/account/playground/tts-v3"],
    ["model-tool", "/account/playground/relight"],
    ["gallery", "/account/gallery"],
    ["collections", "/account/collections"],
    ["detail", `/account/gallery/${made.image}`],
    ["detail-failed", `/account/gallery/${made.failed}`],
    ["compare", `/account/gallery/compare?first=${made.image}&second=${made.other}`],
    ["compare-choose", `/account/gallery/compare?first=${made.image}`],
    ["apps", "/account/apps"],
    ["webhooks", "/account/webhooks"],
    ["delivery", made.delivery && `/account/webhooks/${made.delivery}`],
    ["endpoint", "/account/webhooks/endpoints/new"],
    ["requests", "/account/requests"],
    ["usage", "/account/usage"],
    ["settings", "/account/settings"],
    ["switch", "/account/switch"],
    ["operator", "/account/operator"],
    ["programs", "/account/operator/programs"],
    ["accounts", "/account/operator/accounts"],
    ["account", "/account/operator/accounts/ada"],
    ["all-usage", "/account/operator/usage"],
    ["erase", "/account/operator/accounts/ada/erase"],
    ["audit", "/account/operator/audit"],
    ["missing", "/account/nothing"],
  ].filter(([name, address]) => address && wanted(name));
  await shoot(browser, inside, await context.storageState());
} finally {
  await browser.close();
  await service.stop();
}

async function shoot(browser, pages, storageState) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [size, viewport] of [
      ["wide", { width: 1360, height: 900 }],
      ["narrow", { width: 360, height: 780 }],
    ]) {
      const context = await browser.newContext({ colorScheme, viewport, storageState, deviceScaleFactor: 1 });
      const page = await context.newPage();
      for (const [name, address] of pages) {
        await page.goto(service.origin + address, { waitUntil: "networkidle" });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) console.log(`${name} ${size}: ${over} px wider than the screen`);
        if (size === "wide" || colorScheme === "light")
          await accessible(page).catch((error) => console.log(error.message));
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.screenshot({
          path: path(folder, `${name}-${size}-${colorScheme}.png`),
          fullPage: true,
          clip: { x: 0, y: 0, width: viewport.width, height: Math.min(height, size === "wide" ? 1700 : 2200) },
        });
      }
      await context.close();
    }
  }
}
