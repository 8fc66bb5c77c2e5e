// From nothing to a picture: an operator pulls a program and weights, and runs them in the playground. The program is a
// stand-in of stable-diffusion.cpp's server.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { arch, platform, tmpdir } from "node:os";
import { join as path } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { fits, join, launch, person } from "../lib/browser.js";
import { entry, startHub } from "../lib/hub.js";
import { startService, until } from "../lib/service.js";

const PHONE = { width: 390, height: 844 };
const STAND_IN = fileURLToPath(new URL("../../crates/atelier/tests/processes/sd_server.py", import.meta.url));
const TARGET = `${platform() === "darwin" ? "macos" : platform()}-${arch() === "arm64" ? "aarch64" : "x86_64"}`;

let folder, hub, service, browser, ada;

/** An archive with the stand-in as `sd-server`. */
async function archive() {
  const script = `#!/bin/sh\nexec python3 ${STAND_IN} "$4" ${path(folder, "log")}\n`;
  await writeFile(path(folder, "sd-server"), script);
  await chmod(path(folder, "sd-server"), 0o755);
  const packed = path(folder, "sd-server.tar.gz");
  await promisify(execFile)("tar", ["-C", folder, "-czf", packed, "sd-server"]);
  return readFile(packed);
}

before(async () => {
  folder = await mkdtemp(path(tmpdir(), "atelier-e2e-pulled-"));
  const program = await archive();
  // Safetensors without tensors.
  const weights = Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("{}")]);
  hub = await startHub({ "sd-server.tar.gz": program, "fox.safetensors": weights });
  service = await startService("[devices.cpu]\nmemory_mb = 1000\n", {
    "models.d/sd-server-cpu-toy.toml": entry("sd-server-cpu-toy", hub, {
      file: "sd-server.tar.gz",
      role: "runtime",
      bytes: program,
      facts: `kind = "runtime"\ntarget = "${TARGET}"`,
    }),
    "models.d/fox.toml": entry("fox", hub, {
      file: "fox.safetensors",
      role: "diffusion_model",
      bytes: weights,
      facts: `kind = "model"\nruntime = "sd-server"\nserves = [{ model = "sdxl-1-0", task = "image" }]`,
      tables: "[settings]\nsteps = 8\ncfg_scale = 5.0\nwidth = 512\nheight = 512\n",
    }),
  });
  browser = await launch();
  ada = await person(browser);
  await join(ada.page, service.link, "ada");
});

after(async () => {
  await browser?.close();
  await service?.stop();
  await hub?.stop();
  await rm(folder, { recursive: true, force: true });
  assert.deepEqual(ada?.complaints, []);
});

test("an operator pulls a program and weights, runs them with progress, and the gallery names them", async () => {
  const { page } = ada;
  await page.goto(`${service.origin}/account/operator/models`);
  for (const name of ["sd-server-cpu-toy", "fox"]) {
    await page.locator(`#weights-${name}`).getByRole("button", { name: /^Pull/ }).click();
    await page.locator(`#state-${name}[data-state="here"]`).waitFor();
  }
  await page.setViewportSize(PHONE);
  await fits(page);
  await until("the weights serve their model", async () => {
    await page.goto(`${service.origin}/account/playground/sdxl-1-0`);
    return /Made by the trained weights Weights fox/.test(await page.locator("main").innerText());
  });
  await fits(page);
  await page.locator("#field-prompt").fill("a fox, slowly");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const job = page.locator("#job");
  await job.getByText("loading model").waitFor();
  const percents = new Set();
  await until("the picture", async () => {
    const shown = job.locator("[data-percent]");
    const text = (await shown.count()) ? await shown.innerText({ timeout: 1_000 }).catch(() => "") : "";
    if (/^\d+ %$/.test(text)) percents.add(Number.parseInt(text));
    return (await job.locator("img").count()) > 0;
  }, 90_000);
  const between = [...percents].filter((percent) => percent > 0 && percent < 100);
  assert.ok(between.length >= 2, `progress was shown: ${[...percents]}`);
  assert.match(await job.innerText(), /made by Weights fox/i);
  await fits(page);
  await page.goto(`${service.origin}/account/gallery`);
  await page.locator(".tile").first().click();
  await page.getByText(/made by Weights fox/i).waitFor();
  await fits(page);
});
