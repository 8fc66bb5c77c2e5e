// The official MCP package for TypeScript, and the inspector's command line, against `/mcp` and `atelier mcp`.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { CLIENT_ORIGIN: origin, CLIENT_KEY: key, CLIENT_PROGRAM: program } = process.env;
const headers = { Authorization: `Bearer ${key}` };
const transports = {
  http: () => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } }),
  stdio: () =>
    new StdioClientTransport({ command: program, args: ["mcp", "--server", origin], env: { ATELIER_API_KEY: key } }),
};

for (const [name, transport] of Object.entries(transports)) {
  test(`a picture is made over ${name}`, async (context) => {
    const client = new Client({ name: "check", version: "1" });
    await client.connect(transport());
    context.after(() => client.close());
    assert.match(client.getInstructions(), /describe_model/);
    const { tools } = await client.listTools();
    const names = ["list_models", "describe_model", "generate", "get_generation", "upload", "balance"];
    assert.deepEqual(tools.map((tool) => tool.name), names);
    const asked = { model: "image-gen-4", prompt: "a fox", resolution: "1K" };
    const made = await client.callTool({ name: "generate", arguments: asked });
    assert.equal(made.structuredContent.status, "completed");
    assert.deepEqual(made.content.map((part) => part.type), ["text", "resource_link", "image"]);
    const { resources } = await client.listResources();
    assert.equal(resources[0].name, made.structuredContent.id);
    const { contents } = await client.readResource({ uri: resources[0].uri });
    assert.equal(JSON.parse(contents[0].text).id, made.structuredContent.id);
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 1);
  });

  test(`an aborted call over ${name} cancels its job`, async (context) => {
    const client = new Client({ name: "check", version: "1" });
    await client.connect(transport());
    context.after(() => client.close());
    const controller = new AbortController();
    const asked = { model: "video-mini-2", prompt: "a long walk", duration_seconds: 15 };
    const call = client.callTool({ name: "generate", arguments: asked }, undefined, {
      signal: controller.signal,
      onprogress: () => controller.abort(),
    });
    await assert.rejects(call, /abort/i);
    let job;
    for (let tries = 0; tries < 100; tries += 1) {
      const answer = await fetch(`${origin}/dev/v1/generations?model=video-mini-2&limit=1`, { headers });
      job = (await answer.json()).data[0];
      if (job.status !== "processing") break;
      await pause(100);
    }
    assert.deepEqual(job.error, { code: "generation_failed", message: "cancelled" });
  });
}

test("a client that knows only the address signs in at the provider", async (context) => {
  const { CLIENT_PROVIDER: provider } = process.env;
  const person = { sub: "n", email: "node@example.com", groups: ["makers"] };
  await fetch(`${provider}/person`, { method: "POST", body: JSON.stringify(person) });
  // Once on the page of the service, as a browser does it.
  let cookies = "";
  let url = `${origin}/account/sign-in/oidc`;
  while (url && !url.endsWith("/account")) {
    const step = await fetch(url, { redirect: "manual", headers: url.startsWith(origin) ? { cookie: cookies } : {} });
    assert.ok(step.status < 400, `${url}: ${step.status}`);
    const set = step.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    if (set.length > 0) cookies = set.join("; ");
    const next = step.headers.get("location");
    url = next && new URL(next, url).href;
  }
  const kept = {};
  const authProvider = {
    redirectUrl: "http://127.0.0.1:9/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1:9/callback"], client_name: "check" },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (there) => void (kept.there = there),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
  const connect = () => new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider });
  const first = connect();
  await assert.rejects(new Client({ name: "check", version: "1" }).connect(first), { name: "Error" });
  assert.equal(kept.there.searchParams.get("resource"), `${origin}/mcp`);
  const back = await fetch(kept.there, { redirect: "manual" });
  await first.finishAuth(new URL(back.headers.get("location")).searchParams.get("code"));
  const client = new Client({ name: "check", version: "1" });
  await client.connect(connect());
  context.after(() => client.close());
  const made = await client.callTool({ name: "generate", arguments: { model: "image-gen-4", prompt: "a fox" } });
  assert.equal(made.structuredContent.status, "completed");
});

const inspect = async (...given) => {
  const inspector = new URL("node_modules/.bin/mcp-inspector", import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(inspector, ["--cli", ...given]);
  return JSON.parse(stdout);
};

test("the inspector finds the tools sound and calls them", async () => {
  const http = [`${origin}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
  const stdio = ["-e", `ATELIER_API_KEY=${key}`];
  const command = ["--", program, "mcp", "--server", origin];
  const [listed, overHttp, overStdio] = await Promise.all([
    inspect(...http, "--method", "tools/list", "--strict"),
    inspect(...http, "--method", "tools/call", "--tool-name", "balance"),
    inspect(...stdio, "--method", "tools/call", "--tool-name", "balance", ...command),
  ]);
  assert.equal(listed.tools.length, 6);
  assert.equal(typeof overHttp.structuredContent.credits, "number");
  assert.equal(typeof overStdio.structuredContent.credits, "number");
});
