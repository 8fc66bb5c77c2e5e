// The client against a running service: `scripts/check-clients` starts it and sets the variables.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  ApiError, AtelierError, Client, GenerationFailed, ServiceUnreachable, verifyWebhook, WebhookRefused,
} from "../dist/index.js";

const { CLIENT_ORIGIN: url, CLIENT_KEY: key, CLIENT_PICTURE: picture, CLIENT_SECRET: secret } = process.env;
const client = new Client({ url, key });

test("a job is run and its files are saved", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-"));
  context.after(() => rm(folder, { recursive: true }));
  const job = await client.run("image-gen-4", { prompt: "a fox", n: 2, resolution: "1K" });
  assert.deepEqual([job.status, job.model, job.credits_charged], ["completed", "image-gen-4", 8]);
  const paths = await client.save(job, join(folder, "out"));
  assert.equal(paths.length, 2);
  for (const path of paths) assert.equal((await readFile(path)).subarray(1, 4).toString(), "PNG");
  assert.equal((await client.get(job.id)).id, job.id);
});

test("progress is told until the end", async () => {
  const told = [];
  for await (const job of client.subscribe("image-gen-4", { prompt: "a fox" })) told.push(job);
  assert.equal(told.at(-1).status, "completed");
  const seen = [];
  const job = await client.run("image-gen-4", { prompt: "a fox" }, { onProgress: (job) => seen.push(job) });
  assert.deepEqual(seen.at(-1), job);
});

test("a picture is uploaded from a path or bytes, and edited", async () => {
  const stored = await client.upload(picture);
  assert.deepEqual(await client.upload(new Uint8Array(await readFile(picture))), stored);
  assert.equal(stored.mime_type, "image/png");
  const job = await client.run("image-gen-4", { prompt: "at night", image_urls: [stored.url] });
  assert.equal(job.status, "completed");
  const slugs = (await client.models()).map((model) => model.slug);
  assert.ok(slugs.includes("upscale"));
});

test("a lost answer does not make a second job", async () => {
  const keys = [];
  const lossy = async (address, init) => {
    const response = await fetch(address, init);
    keys.push(init.headers["Idempotency-Key"]);
    if (keys.length < 3) throw new TypeError("the connection broke");
    return response;
  };
  const first = await client.submit("image-gen-4", { prompt: "before" });
  const job = await new Client({ url, key, fetch: lossy }).submit("image-gen-4", { prompt: "once" });
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  const newest = [];
  for await (const other of client.generations({ model: "image-gen-4" })) {
    newest.push(other.id);
    if (newest.length === 2) break;
  }
  assert.deepEqual(newest, [job.id, first.id]);
});

test("refusals name what is wrong", async () => {
  await assert.rejects(client.submit("image-gen-4", { prompt: "a fox", n: 99 }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.details[0].parameter], [400, "invalid_request", "n"]);
    return true;
  });
  await assert.rejects(new Client({ url, key: "atl_wrong" }).balance(), { code: "invalid_api_key" });
  await assert.rejects(client.run("image-gen-4", { prompt: "csam" }), (error) => {
    assert.ok(error instanceof GenerationFailed);
    return error.code === "content_policy_violation";
  });
  await assert.rejects(new Client({ url: "http://127.0.0.1:1", key, retries: 0 }).balance(), ServiceUnreachable);
  assert.throws(() => new Client({ url, key: "" }), AtelierError);
});

test("a job is sent again after a full queue", async () => {
  const full = { success: false, error: { code: "queue_full", message: "the queue of the account is full" } };
  const accepted = { data: { id: "1", object: "generation", status: "processing", model: "image-gen-4" } };
  const refused = () => Response.json(full, { status: 429, headers: { "Retry-After": "0" } });
  const keys = [];
  const busy = async (_, init) => {
    keys.push(new Headers(init.headers).get("Idempotency-Key"));
    return keys.length === 1 ? refused() : Response.json(accepted, { status: 201 });
  };
  const input = { prompt: "a fox" };
  assert.equal((await new Client({ url, key, fetch: busy }).submit("image-gen-4", input)).id, "1");
  assert.deepEqual([keys.length, keys[0] === keys[1]], [2, true]);
  const impatient = new Client({ url, key, retries: 0, fetch: async () => refused() });
  await assert.rejects(impatient.submit("image-gen-4", input), { status: 429, code: "queue_full" });
});

test("a call that is ended leaves the job to be cancelled", async () => {
  const job = await client.submit("video-mini-2", { prompt: "a long walk", duration: 15, resolution: "720p" });
  const signal = AbortSignal.timeout(50);
  await assert.rejects(client.wait(job.id, { signal }), { name: /AbortError|TimeoutError/ });
  const cancelled = await client.cancel(job.id);
  assert.deepEqual(cancelled.error, { code: "generation_failed", message: "cancelled" });
  await assert.rejects(client.wait(job.id), GenerationFailed);
});

test("a delivery of the service is verified", async (context) => {
  let arrived;
  const delivery = new Promise((resolve) => (arrived = resolve));
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    response.writeHead(204).end();
    arrived({ body: Buffer.concat(chunks), headers: request.headers });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const webhookUrl = `http://127.0.0.1:${server.address().port}/hook`;
  const job = await client.submit("image-gen-4", { prompt: "a fox" }, { webhookUrl });
  const { body, headers } = await delivery;
  const event = await verifyWebhook(body, headers, secret);
  assert.deepEqual([event.event, event.data.id], ["generation.completed", job.id]);
  await assert.rejects(verifyWebhook(`${body} `, headers, secret), WebhookRefused);
  await assert.rejects(verifyWebhook(body, headers, "whsec_eHh4eHg="), WebhookRefused);
  await assert.rejects(verifyWebhook(body, headers, "whsec_&"), WebhookRefused);
  await assert.rejects(verifyWebhook(body, new Headers(), secret), WebhookRefused);
});

test("an old delivery is refused", async () => {
  const signed = (age) => {
    const sent = String(Math.floor(Date.now() / 1000) - age);
    const signature = createHmac("sha256", "k".repeat(32)).update(`d.${sent}.{}`).digest("base64");
    return { "webhook-id": "d", "webhook-timestamp": sent, "webhook-signature": `v1,AAAA v1,${signature}` };
  };
  const known = `whsec_${Buffer.from("k".repeat(32)).toString("base64")}`;
  assert.equal((await verifyWebhook("{}", signed(200), known)).deliveryId, "d");
  for (const age of [400, -400]) await assert.rejects(verifyWebhook("{}", signed(age), known), WebhookRefused);
});
