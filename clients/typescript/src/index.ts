/** Makes images, videos and audio with an atelier service. Requires only `fetch`: Node, Deno, Bun or a browser. */

export { Client } from "./client.js";
export type { CallOptions, ClientOptions, ModelSummary, RunOptions, SubmitOptions, Upload } from "./client.js";
export { ApiError, AtelierError, GenerationFailed, ServiceUnreachable, WebhookRefused } from "./errors.js";
export type { Problem } from "./errors.js";
export type { Asset, Generation } from "./generation.js";
export type { Inputs } from "./inputs.js";
export type * as inputs from "./inputs.js";
export { verifyWebhook } from "./webhooks.js";
export type { WebhookEvent } from "./webhooks.js";
