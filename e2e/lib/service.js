// Starts the real program on a data folder of its own, and helps tests to use it from outside.

import { spawn, execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const program =
  process.env.ATELIER ?? join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/atelier");

const run = promisify(execFile);

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a service. `link` creates the first operator. `files` are put into its data folder first: texts by path. */
export async function startService(config = "", files = {}) {
  const data = await mkdtemp(join(tmpdir(), "atelier-e2e-"));
  const port = await freePort();
  await writeFile(
    join(data, "atelier.toml"),
    `[metrics]
listen = ""
[outbound]
allow_private = true
[webhooks]
retry_seconds = [1, 1, 600]
[limits]
generations_per_minute = 600
${config}`,
  );
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(data, name)), { recursive: true });
    await writeFile(join(data, name), text);
  }
  const child = spawn(program, ["serve", "--json", "--data", data, "--listen", `127.0.0.1:${port}`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk) => (log += chunk));
  const announced = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(JSON.parse(text.slice(0, text.indexOf("\n"))));
    });
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}: ${log}`)));
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    base: `http://127.0.0.1:${port}/dev/v1`,
    link: announced.first_operator_url,
    data,
    log: () => log,
    async cli(...args) {
      const { stdout } = await run(program, [...args, "--json", "--data", data]);
      return JSON.parse(stdout);
    },
    async stop() {
      child.removeAllListeners("exit");
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}

/**
 * The configuration of three programs: `one` and `two`, which do not fit together and take two seconds to load, and
 * `broken`, which ends while it loads. `folder` is for their logs; `models` are what they serve.
 */
export function programs(folder, models = ["image-gen-4", "flux-1-schnell", "z-image-turbo"]) {
  const worker = join(root, "crates/atelier/tests/processes/worker.py");
  const engine = (name) => `[engines.${name}]
kind = "process"
profile = "sd-server"
command = ["python3", "${worker}", "{port}", "${join(folder, name)}", "2"]
memory_mb = 600
`;
  const route = (model, name) => `[[routes]]\nmodel = "${model}"\nengine = "${name}"\n`;
  return `[devices.cpu]
memory_mb = 1000
${engine("one")}${engine("two")}[engines.broken]
kind = "process"
profile = "sd-server"
command = ["sh", "-c", "echo 'the weights are missing: {port}' >&2; exit 3"]
memory_mb = 100
${["one", "two", "broken"].map((name, place) => route(models[place], name)).join("")}`;
}

/** A webhook receiver: keeps requests, answers with `receiver.status` and `receiver.answer`. */
export async function startReceiver() {
  const receiver = { status: 200, received: [] };
  const server = createHttpServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      receiver.received.push({ headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(receiver.status, { "content-type": "text/plain" });
      response.end(receiver.answer ?? "");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${server.address().port}/hook`;
  receiver.stop = () => new Promise((resolve) => server.close(resolve));
  return receiver;
}

/** Waits until `check` returns a true value, and returns it. */
export async function until(what, check, milliseconds = 20_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
