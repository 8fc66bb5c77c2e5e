// The client in a page: `scripts/check-clients` starts the service and sets the variables. The page talks to a proxy
// that adds the key, as its README says.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const { CLIENT_ORIGIN: origin, CLIENT_KEY: key } = process.env;
const dist = new URL("../dist/", import.meta.url);

const page = `<!doctype html><script type="module">
import { Client } from "./client/index.js";
const tell = (body) => fetch("/told", { method: "POST", body });
try {
  const client = new Client({ url: location.origin, key: "added by the proxy" });
  const seen = [];
  for await (const job of client.subscribe("image-gen-4", { prompt: "a fox" })) seen.push(job.status);
  const stored = await client.upload(new Blob([await (await fetch("/picture.png")).arrayBuffer()]));
  const job = await client.run("image-gen-4", { prompt: "at night", image_urls: [stored.url] });
  const refused = await client.run("image-gen-4", { n: 99 }).catch((error) => error.name);
  await tell(JSON.stringify({ last: seen.at(-1), kind: stored.mime_type, edited: job.status, refused }));
} catch (error) {
  await tell(JSON.stringify(String(error.stack)));
}
</script>`;

async function answer(asked, response, told) {
  const { pathname } = new URL(asked.url, "http://proxy");
  if (pathname === "/") return response.setHeader("content-type", "text/html").end(page);
  if (pathname === "/told") return told(await new Response(asked).text());
  if (pathname === "/favicon.ico") return response.writeHead(404).end();
  if (pathname === "/picture.png") return response.end(await readFile(process.env.CLIENT_PICTURE));
  if (pathname.startsWith("/client/")) {
    const file = await readFile(new URL(pathname.slice("/client/".length), dist));
    return response.setHeader("content-type", "text/javascript").end(file);
  }
  const headers = { ...asked.headers, host: new URL(origin).host, authorization: `Bearer ${key}` };
  asked.pipe(request(origin + asked.url, { method: asked.method, headers }, (made) => {
    response.writeHead(made.statusCode, made.headers);
    made.pipe(response);
  }));
}

test("a page uses the client through a proxy that adds the key", { timeout: 60_000 }, async (context) => {
  const profile = await mkdtemp(join(tmpdir(), "atelier-"));
  let resolve;
  let reject;
  const told = new Promise((...both) => [resolve, reject] = both);
  const proxy = createServer((asked, response) => answer(asked, response, resolve).catch(reject));
  await new Promise((done) => proxy.listen(0, "127.0.0.1", done));
  const browser = spawn("chromium", [
    "--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`,
    `http://127.0.0.1:${proxy.address().port}/`,
  ], { stdio: "ignore" });
  browser.on("error", reject);
  context.after(async () => {
    const ended = new Promise((done) => browser.once("exit", done));
    if (browser.pid && browser.kill()) await ended;
    proxy.closeAllConnections();
    proxy.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  assert.deepEqual(JSON.parse(await told), {
    last: "completed", kind: "image/png", edited: "completed", refused: "ApiError",
  });
});
