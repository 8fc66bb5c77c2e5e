// The page "Verify a file", with a file that is signed and carries a watermark, and a copy that has only the watermark.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join as path } from "node:path";
import { after, before, test } from "node:test";
import { fits, launch, person } from "../lib/browser.js";
import { program, startService, until } from "../lib/service.js";

let service, browser, picture;

before(async () => {
  service = await startService('[marking]\ncredentials = "all"\nwatermark = "all"\n');
  browser = await launch();
  const { api_key } = await service.cli("account", "create", "studio", "--credits", "100");
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
  const body = JSON.stringify({ model: "sdxl-turbo", prompt: "a lighthouse at dusk", size: "512x512" });
  const created = await (await fetch(`${service.base}/generations`, { method: "POST", headers, body })).json();
  const job = await until("the picture", async () => {
    const { data } = await (await fetch(`${service.base}/generations/${created.data.id}`, { headers })).json();
    assert.notEqual(data.status, "failed", JSON.stringify(data));
    return data.status === "completed" && data;
  });
  assert.deepEqual(job.output.metadata.watermark, ["written"]);
  picture = Buffer.from(await (await fetch(job.output.assets[0].url)).arrayBuffer());
});

after(async () => {
  await browser?.close();
  await service?.stop();
});

/** The page's answer about a file. */
async function said(page, name, buffer) {
  await page.goto(`${service.origin}/verify`);
  await page.getByLabel("File").setInputFiles({ name, mimeType: "image/png", buffer });
  await page.getByRole("button", { name: "Verify" }).click();
  await page.getByText("SHA-256").waitFor();
  await fits(page);
  return page.locator("#found").innerText();
}

test("a signed picture with a watermark is made here, and its saved copy too", async (t) => {
  if (!existsSync(path(dirname(program), "atelier-credentials"))) {
    assert.notEqual(process.env.CI, "true", "atelier-credentials is not built");
    return t.skip("atelier-credentials is not built");
  }
  const { page, context, complaints } = await person(browser, { viewport: { width: 360, height: 780 } });
  const whole = await said(page, "a.png", picture);
  for (const part of ["Made here.", "sdxl-turbo", "Valid, signed by this service", "Found (clarity"]) {
    assert.ok(whole.includes(part), whole);
  }
  // The browser draws it once more, as somebody who saves a copy.
  const copied = await page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d").drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.8 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }, picture.toString("base64"));
  const copy = await said(page, "copy.jpg", Buffer.from(copied, "base64"));
  assert.ok(copy.includes("Made here and changed since") && copy.includes("Found (clarity"), copy);
  assert.ok(!copy.includes("Content Credentials"), copy);
  assert.deepEqual(complaints, []);
  await context.close();
});
