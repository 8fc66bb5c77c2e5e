import { WebhookRefused } from "./errors.js";
import type { Generation } from "./generation.js";

/** A verified delivery. */
export interface WebhookEvent {
  event: "generation.completed" | "generation.failed";
  created_at: string;
  data: Generation;
  /** The same on each attempt: an event may arrive more than once. */
  deliveryId: string;
}

/**
 * Returns the event of a delivery, or throws `WebhookRefused`.
 *
 * `body` is the body as it was received, `secret` the signing secret (`whsec_…`) of the account. Deliveries that were
 * signed more than `tolerance` seconds ago are refused. The signature is that of Standard Webhooks.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
  tolerance = 300,
): Promise<WebhookEvent> {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const header = (name: string): string => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== "string") throw new WebhookRefused(`the header ${name} is missing`);
    return value;
  };
  const id = header("webhook-id");
  const sent = header("webhook-timestamp");
  const signatures = header("webhook-signature");
  const age = Date.now() / 1000 - Number(sent);
  if (!(Math.abs(age) <= tolerance)) throw new WebhookRefused(`the delivery was signed ${Math.round(age)} s ago`);
  const key = await crypto.subtle
    .importKey("raw", bytes(secret.replace(/^whsec_/, "")), { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
    .catch(() => {
      throw new WebhookRefused("the secret cannot be read");
    });
  const signed = new TextEncoder().encode(`${id}.${sent}.${text}`);
  for (const part of signatures.split(" ")) {
    // `verify` takes the same time wherever the difference is.
    if (part.startsWith("v1,") && (await crypto.subtle.verify("HMAC", key, bytes(part.slice(3)), signed))) {
      return { ...(JSON.parse(text) as Omit<WebhookEvent, "deliveryId">), deliveryId: id };
    }
  }
  throw new WebhookRefused("the signature does not match");
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
