import { createHmac, timingSafeEqual } from "node:crypto";

/** Whether the service sent this body within the last five minutes. Header names are in lower case. */
export function verify(secret: string, headers: Record<string, string>, body: Buffer): boolean {
  const { "webhook-id": id, "webhook-timestamp": sent } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) <= 300)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${sent}.`).update(body).digest();
  return headers["webhook-signature"].split(" ").some((signature) => {
    const [version, encoded = ""] = signature.split(",");
    const given = Buffer.from(encoded, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
}
