// A server of files for pulls, and entries of an index that name them.

import { createHash } from "node:crypto";
import { createServer } from "node:http";

/** Serves these files by name. Sends nothing while `held`, and counts the bytes that it sent. */
export async function startHub(files, held = false) {
  const hub = { held, sent: 0 };
  const server = createServer(async (request, response) => {
    const bytes = files[request.url.split("/").at(-1)];
    if (!bytes) return response.writeHead(404).end();
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? "");
    const first = range ? Number(range[1]) : 0;
    const last = range?.[2] ? Math.min(Number(range[2]), bytes.length - 1) : bytes.length - 1;
    const part = bytes.subarray(first, last + 1);
    const headers = { "content-length": part.length };
    if (range) headers["content-range"] = `bytes ${first}-${last}/${bytes.length}`;
    response.writeHead(range ? 206 : 200, headers);
    if (request.method === "HEAD") return response.end();
    response.flushHeaders();
    while (hub.held && !response.destroyed) await new Promise((resolve) => setTimeout(resolve, 20));
    hub.sent += part.length;
    response.end(part);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  hub.url = `http://127.0.0.1:${server.address().port}`;
  hub.stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return hub;
}

export const MIT = `{ id = "MIT", page = "https://example.com/mit", commercial = "yes" }`;

/** An entry with one file of the hub. `facts` are further lines. */
export function entry(name, hub, { file, role, bytes, facts, licence = MIT, tables = "" }) {
  return `name = "${name}"
title = "Weights ${name}"
summary = "Weights for a test."
status = "verified"
licence = ${licence}
${facts}

[[files]]
role = "${role}"
name = "${file}"
size = ${bytes.length}
sha256 = "${createHash("sha256").update(bytes).digest("hex")}"
url = "${hub.url}/${file}"
${tables}`;
}
