// The first day of a new user: sign in at the company's provider, create a limited key, use it with common clients,
// reach the limit, raise it, find the request in the log, and delete the result.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import OpenAI from "openai";
import { accessible, launch, person } from "../lib/browser.js";
import { startProvider } from "../lib/provider.js";
import { freePort, startService, until } from "../lib/service.js";

const run = promisify(execFile);
// With characters that must be encoded on the way.
const SECRET = "se/cret: with+odd";
// The price of a picture of 1K by `image-gen-4`.
const PRICE = 4;
const ASKED = { model: "image-gen-4", prompt: "a lighthouse at dusk", size: "1024x1024" };

let service, provider, browser, grace, openai, key;

before(async () => {
  const port = await freePort();
  // The service and the command line read it.
  process.env.E2E_OIDC_SECRET = SECRET;
  service = await startService(
    `[sign_in.oidc]
issuer = "http://127.0.0.1:${port}"
name = "Example"
client_id = "atelier"
client_secret_env = "E2E_OIDC_SECRET"
scopes = ["email", "groups"]
create = true
groups = { media = "studio:developer" }
[[routes]]
model = "*"
engine = "echo"
`,
  );
  await service.cli("account", "create", "studio", "--credits", "1000");
  const { origin } = service;
  provider = await startProvider(port, { origin, id: "atelier", secret: SECRET, groups: ["media"] });
  browser = await launch();
  grace = await person(browser);
});

after(async () => {
  await browser?.close();
  await provider?.stop();
  await service?.stop();
  // The provider's own pages load a font from elsewhere.
  assert.deepEqual(grace.complaints.filter((one) => one.startsWith(service.origin)), []);
});

const go = (where) => grace.page.goto(service.origin + where);

test("she signs in at the provider and is a developer of her group's account", async () => {
  const { page } = grace;
  await go("/account/sign-in");
  await page.getByText("Sign in with Example").click();
  await page.locator("[name=login]").fill("grace");
  await page.locator("[name=password]").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${service.origin}/account`);
  assert.match(await page.locator("main").innerText(), /credits available\s+1,000/);
  await accessible(page);
  const members = await service.cli("account", "members", "studio");
  assert.deepEqual(members.map((one) => [one.login, one.account_role]), [["grace@example.com", "developer"]]);
});

test("she makes a key that may spend two pictures a day", async () => {
  const { page } = grace;
  await go("/account/apps");
  await page.getByLabel("Name of a new key").fill("notebook");
  await page.getByText("Limits of the new key").click();
  await page.getByLabel("Credits per day").fill(String(2 * PRICE));
  await page.getByRole("button", { name: "Create key" }).click();
  key = await page.locator("#new-key").textContent();
  await accessible(page);
});

test("OpenAI's client, an assistant and our package use it, until its limit is met", async () => {
  openai = new OpenAI({ baseURL: `${service.origin}/v1`, apiKey: key, maxRetries: 0 });
  const made = await openai.images.generate(ASKED);
  assert.equal(Buffer.from(made.data[0].b64_json, "base64").subarray(1, 4).toString(), "PNG");

  const assistant = new McpClient({ name: "check", version: "1" });
  const headers = { Authorization: `Bearer ${key}` };
  await assistant.connect(
    new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { requestInit: { headers } }),
  );
  const asked = { model: "image-gen-4", prompt: "a fox", resolution: "1K" };
  const shown = await assistant.callTool({ name: "generate", arguments: asked });
  assert.equal(shown.structuredContent.status, "completed");
  await assistant.close();

  const folder = fileURLToPath(new URL("../../clients/typescript", import.meta.url));
  await run(fileURLToPath(new URL("../node_modules/.bin/tsc", import.meta.url)), ["--project", folder]);
  const { Client } = await import(`${folder}/dist/index.js`);
  const client = new Client({ url: service.origin, key });
  const refusal = /the limit `credits_per_day` of this key allows 8, of which 8 are spent or held/;
  await assert.rejects(client.run("image-gen-4", { prompt: "a third", resolution: "1K" }), refusal);
  await assert.rejects(openai.images.generate(ASKED), refusal);
});

test("an assistant that knows only the address gets a token of hers from the provider", async () => {
  const { page } = grace;
  const redirectUrl = "http://127.0.0.1:9/callback";
  const kept = {};
  const authProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: "assistant",
      redirect_uris: [redirectUrl],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      application_type: "native",
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (there) => void (kept.there = there),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier,
  };
  const connect = () => new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`), { authProvider });
  const first = connect();
  await assert.rejects(new McpClient({ name: "check", version: "1" }).connect(first), /Unauthorized/);

  // She is signed in at the provider, and lets the assistant in.
  await page.route(`${redirectUrl}?*`, (route) => route.fulfill({ body: "done" }));
  await page.goto(kept.there.href);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${redirectUrl}?*`);
  await first.finishAuth(new URL(page.url()).searchParams.get("code"));
  const assistant = new McpClient({ name: "check", version: "1" });
  await assistant.connect(connect());
  const { structuredContent } = await assistant.callTool({ name: "balance", arguments: {} });
  await assistant.close();
  assert.equal(structuredContent.credits, 1000 - 2 * PRICE);

  const asked = { jsonrpc: "2.0", id: 1, method: "ping" };
  const ping = (token) => fetch(`${service.origin}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(asked),
  });
  assert.equal((await ping(kept.tokens.access_token)).status, 200);
  const refused = await ping(kept.tokens.id_token);
  assert.equal(refused.status, 401, "an ID token is not an access token");
  assert.match(refused.headers.get("www-authenticate"), /error="invalid_token"/);
});

test("she raises the limit and goes on", async () => {
  const { page } = grace;
  await go("/account/apps");
  await page.getByRole("link", { name: "Edit notebook" }).click();
  await page.getByLabel("Credits per day").fill("100");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The limits are saved").waitFor();
  await openai.images.generate({ ...ASKED, prompt: "the third picture" });
});

test("she finds the request in the log, with its job, and deletes the result", async () => {
  const { page } = grace;
  const entries = page.getByRole("list", { name: "Requests, newest first" }).getByRole("listitem");
  await until("the log", async () => {
    await go("/account/requests?status=2xx");
    return (await entries.filter({ hasText: "/v1/images/generations" }).count()) === 2;
  });
  await accessible(page);
  await entries.filter({ hasText: "/v1/images/generations" }).first().getByRole("link", { name: "job" }).click();
  assert.match(await page.locator("main").innerText(), /the third picture/);
  const job = new URL(page.url()).pathname;
  await page.getByRole("link", { name: "Delete" }).click();
  await accessible(page);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await page.waitForURL(/\/account\/gallery(\?.*)?$/);
  assert.equal((await go(job)).status(), 410);
  assert.match(await page.locator("main").innerText(), /was deleted/);
  await go("/account/requests?status=4xx");
  assert.ok((await entries.count()) >= 2, "the refusals are there too");
});
