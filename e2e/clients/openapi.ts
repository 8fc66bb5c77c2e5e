// Calls the service through types that openapi-typescript has made of /openapi.json.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/api.js";

const origin = process.env["CLIENT_ORIGIN"]!;
const client = createClient<paths>({
  baseUrl: `${origin}/dev/v1`,
  headers: { Authorization: `Bearer ${process.env["CLIENT_KEY"]}` },
});

// The fields of a model, typed: the compiler refuses `resolution: "3K"`. Those with a default may be left out.
const params: components["schemas"]["Params.image-gen-4"] = { prompt: "a fox", resolution: "1K", n: 2 };
const { data: accepted, error } = await client.POST("/generations", { body: { model: "image-gen-4", params } });
assert.equal(error, undefined);
assert.equal(accepted.data.status, "processing");

const { data: job } = await client.GET("/generations/{id}", {
  params: { path: { id: accepted.data.id }, query: { wait: 30 } },
});
assert.equal(job?.data.status, "completed");
assert.equal(job.data.output?.assets.length, 2);
assert.match(job.data.output?.assets[0]?.url ?? "", /^http/);

const { data: page } = await client.GET("/generations", { params: { query: { model: "image-gen-4", limit: 1 } } });
assert.equal(page?.data[0]?.id, accepted.data.id);
assert.equal(page.meta.limit, 1);

const { data: models } = await client.GET("/models", { params: { query: { type: "tool" } } });
assert.ok(models?.data.some((model) => model.slug === "upscale"));

const { error: refused, response } = await client.POST("/generations", {
  body: { model: "image-gen-4", prompt: "a fox", n: 99 },
});
assert.equal(response.status, 400);
assert.equal(refused?.error.code, "invalid_request");
assert.equal(refused.error.details?.[0]?.parameter, "n");
console.log("openapi-typescript: a strictly typed client creates, reads and lists jobs");
