// OpenAI's package for Node against a running service, and the requests of two programs that use the interface.
// OPENAI_BASE_URL and OPENAI_API_KEY say where it is.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import OpenAI, { toFile } from "openai";

const client = new OpenAI();
const base = process.env.OPENAI_BASE_URL;
const authorization = `Bearer ${process.env.OPENAI_API_KEY}`;
const picture = await readFile(process.env.CLIENT_PICTURE);
const isPng = (text) => assert.equal(Buffer.from(text, "base64").subarray(1, 4).toString(), "PNG");

async function post(path, body, headers = {}) {
  const json = typeof body === "string";
  const type = json ? { "content-type": "application/json" } : {};
  return fetch(base + path, { method: "POST", headers: { authorization, ...type, ...headers }, body });
}

test("it lists models, and names the missing one", async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.ok(ids.includes("image-gen-4"));
  await assert.rejects(client.models.retrieve("gpt-9"), { status: 404, code: "model_not_found" });
});

test("it makes and edits pictures", async () => {
  const made = await client.images.generate({ model: "image-gen-4", prompt: "a fox", size: "1024x1024" });
  isPng(made.data[0].b64_json);
  const image = await toFile(picture, "a.png", { type: "image/png" });
  const edited = await client.images.edit({ model: "image-gen-4", prompt: "at night", image: [image, image] });
  isPng(edited.data[0].b64_json);
  await assert.rejects(
    client.images.generate({ model: "image-gen-4", prompt: "a fox", background: "transparent" }),
    { status: 400, param: "background" },
  );
});

test("it speaks", async () => {
  const speech = await client.audio.speech.create({ model: "tts-1", voice: "nova", input: "Hello there." });
  assert.equal(speech.headers.get("content-type"), "audio/mpeg");
  assert.ok((await speech.arrayBuffer()).byteLength > 1_000);
});

test("it speaks in events", async () => {
  const ask = { model: "tts-1", voice: "nova", input: "Hello there.", stream_format: "sse" };
  const speech = await client.audio.speech.create(ask);
  assert.equal(speech.headers.get("content-type"), "text/event-stream");
  const events = (await speech.text()).split("\n").filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice(6)));
  assert.equal(events.at(-1).type, "speech.audio.done");
  const sound = Buffer.concat(events.slice(0, -1).map((event) => Buffer.from(event.audio, "base64")));
  assert.ok(sound.length > 1_000);
  // The package reads the events as a stream of objects, and an error inside of one.
  const types = [];
  for await (const event of await client.post("/audio/speech", { body: ask, stream: true })) types.push(event.type);
  assert.deepEqual([types[0], types.at(-1)], ["speech.audio.delta", "speech.audio.done"]);
  const failing = await client.post("/audio/speech", { body: { ...ask, input: "csam" }, stream: true });
  await assert.rejects(async () => {
    for await (const event of failing) assert.equal(event.type, "never");
  }, { code: "content_policy_violation" });
});

test("it makes a video and downloads it", async () => {
  const made = await client.videos.create({ model: "sora-2", prompt: "a fox runs", seconds: "4", size: "720x1280" });
  let video = made;
  for (let tries = 0; tries < 100 && video.status !== "completed"; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    video = await client.videos.retrieve(made.id);
  }
  assert.deepEqual([video.status, video.size, video.seconds], ["completed", "720x1280", "4"]);
  const content = await client.videos.downloadContent(video.id);
  assert.equal(Buffer.from(await content.arrayBuffer()).subarray(4, 8).toString(), "ftyp");
  const deleted = await client.videos.delete(video.id);
  assert.deepEqual({ ...deleted }, { id: video.id, object: "video.deleted", deleted: true });
  await assert.rejects(client.videos.retrieve(video.id), { status: 410 });
});

test("a client that goes away loses no job", async () => {
  const headers = { "Idempotency-Key": "gone" };
  const ask = { model: "tts-v3", voice: "alloy", input: "Somebody who speaks for a while. ".repeat(8) };
  const leaving = new AbortController();
  const left = client.audio.speech.create(ask, { headers, signal: leaving.signal, maxRetries: 0 });
  setTimeout(() => leaving.abort(), 100);
  await assert.rejects(left);
  const again = await client.audio.speech.create(ask, { headers });
  const jobs = await (await fetch(`${process.env.CLIENT_ORIGIN}/dev/v1/generations?limit=1&model=tts-v3`, {
    headers: { authorization },
  })).json();
  assert.equal(again.headers.get("x-generation-id"), jobs.data[0].id);
});

test("the requests of Open WebUI are answered", async () => {
  // A picture, with the defaults of its settings and with the model that answers in base64 by itself.
  for (const ask of [
    { model: "dall-e-3", prompt: "a fox", n: 1, size: "512x512", response_format: "b64_json" },
    { model: "gpt-image-1", prompt: "a fox", n: 1, size: "auto" },
  ]) {
    const answer = await (await post("/images/generations", JSON.stringify(ask))).json();
    assert.equal(answer.data[0].url, undefined);
    isPng(answer.data[0].b64_json);
  }
  const form = new FormData();
  for (const [name, value] of [["model", "dall-e-2"], ["prompt", "at night"], ["n", "1"], ["size", "512x512"],
    ["response_format", "b64_json"]]) form.append(name, value);
  form.append("image", new Blob([picture], { type: "image/png" }), "image.png");
  isPng((await (await post("/images/edits", form)).json()).data[0].b64_json);
  const speech = await post("/audio/speech", JSON.stringify({ model: "tts-1", input: "Hello.", voice: "alloy" }));
  assert.deepEqual([speech.status, speech.headers.get("content-type")], [200, "audio/mpeg"]);
  // It asks for the voices without the key, and offers their ids.
  const { voices } = await (await fetch(`${base}/audio/voices`)).json();
  // The first model for speech that is listed says which of its voices stands for OpenAI's.
  assert.deepEqual(voices.find((voice) => voice.id === "alloy"), { id: "alloy", name: "alloy (af_alloy)" });
  const own = JSON.stringify({ model: "tts-1", input: "Hello.", voice: voices.at(-1).id });
  assert.equal((await post("/audio/speech", own)).status, 200);
});

test("the requests of LibreChat are answered", async () => {
  const made = await client.images.generate({
    model: "gpt-image-1", prompt: "a fox", n: 1,
    background: "auto", output_format: "png", quality: "auto", size: "auto",
  });
  isPng(made.data[0].b64_json);
  const older = await client.images.generate({
    model: "dall-e-3", quality: "standard", style: "vivid", size: "1792x1024", prompt: "a fox", n: 1,
  });
  assert.match(older.data[0].url, /^http/);
  const form = new FormData();
  for (const [name, value] of [["model", "gpt-image-1"], ["prompt", "at night"], ["quality", "auto"], ["size", "auto"]])
    form.append(name, value);
  form.append("image[]", new Blob([picture], { type: "image/png" }), "image.png");
  isPng((await (await post("/images/edits", form)).json()).data[0].b64_json);
  const speech = await post("/audio/speech", JSON.stringify({ input: "Hello.", model: "tts-1", voice: "alloy" }));
  assert.equal(speech.status, 200);
});

test("errors have OpenAI's form, also those of paths, methods and bodies", async () => {
  const told = async (answer) => [answer.status, Object.keys((await answer.json()).error).sort().join()];
  const form = "code,message,param,type";
  assert.deepEqual(await told(await post("/chat/completions", "{}")), [404, form]);
  assert.deepEqual(await told(await post("/models", "{}")), [405, form]);
  assert.deepEqual(await told(await post("/images/generations", "{")), [400, form]);
  assert.deepEqual(await told(await post("/images/edits", "{}")), [400, form]);
  assert.deepEqual(await told(await fetch(`${base}/models`)), [401, form]);
});
