import { ApiError, AtelierError, GenerationFailed, ServiceUnreachable } from "./errors.js";
import { events } from "./events.js";
import type { Generation } from "./generation.js";
import type { Inputs } from "./inputs.js";

const BASE_PATH = "/dev/v1";
/** The longest wait of one request, as the service allows. */
const WAIT_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 60;

export interface ClientOptions {
  /** The service's origin, or its base URL. Without it, `ATELIER_URL` where there are variables of environment. */
  url?: string;
  /** An API key. Without it, `ATELIER_API_KEY`. Never put a key into a page. */
  key?: string;
  /** The number of repeats after errors of the network or a busy service: 3 by default. */
  retries?: number;
  /** Another `fetch`. */
  fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** Ends the call, but not the job: `cancel` does. */
  signal?: AbortSignal;
}

export interface SubmitOptions extends CallOptions {
  /** A public https URL that receives a signed POST when the job ends. */
  webhookUrl?: string;
  /** Requests with the same key are the same job; a random one by default. */
  idempotencyKey?: string;
}

export interface RunOptions extends SubmitOptions {
  onProgress?: (job: Generation) => void;
}

/** A stored file. Its `url` names it in inputs. */
export interface Upload {
  url: string;
  mime_type: string;
  size: number;
}

/** A model in brief. */
export interface ModelSummary {
  slug: string;
  name: string;
  type: "image" | "video" | "audio" | "tool";
  category: string;
  description: string;
  /** Whether results are drafts, made without a trained model. */
  draft: boolean;
}

/** The input of a model: typed for those of the catalog, and anything for others. */
type InputOf<M extends string> = M extends keyof Inputs ? Inputs[M] : Record<string, unknown>;
type Slug = keyof Inputs | (string & {});

interface Call extends CallOptions {
  body?: BodyInit;
  headers?: Record<string, string>;
  retries?: number;
}

/** Calls one service with one key. */
export class Client {
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #retries: number;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ClientOptions = {}) {
    const base = (options.url ?? variable("ATELIER_URL") ?? "http://127.0.0.1:8080").replace(/\/+$/, "");
    const key = options.key ?? variable("ATELIER_API_KEY");
    if (!key) throw new AtelierError("an API key is required: pass `key` or set ATELIER_API_KEY");
    this.#base = new URL(base).pathname === "/" ? base + BASE_PATH : base;
    this.#headers = { Authorization: `Bearer ${key}` };
    this.#retries = options.retries ?? 3;
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** Creates a job and returns at once. */
  async submit<M extends Slug>(model: M, input: InputOf<M>, options: SubmitOptions = {}): Promise<Generation> {
    // Beside `model`, fields may have their common names too.
    const fields: Record<string, unknown> = { ...input, model };
    if (options.webhookUrl !== undefined) fields["webhook_url"] = options.webhookUrl;
    const key = options.idempotencyKey ?? crypto.randomUUID();
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    return this.#data("POST", "/generations", { ...signal(options), headers, body: JSON.stringify(fields) });
  }

  /** Creates a job and waits for its end. Throws `GenerationFailed` if it fails. */
  async run<M extends Slug>(model: M, input: InputOf<M>, options: RunOptions = {}): Promise<Generation> {
    const { id } = await this.submit(model, input, options);
    if (!options.onProgress) return this.wait(id, options);
    let last: Generation | undefined;
    for await (const job of this.follow(id, options)) options.onProgress((last = job));
    return completed(last ?? (await this.get(id, options)));
  }

  /** Creates a job and yields it whenever it changes, the last time when it has ended. */
  async *subscribe<M extends Slug>(model: M, input: InputOf<M>, options: SubmitOptions = {}) {
    const { id } = await this.submit(model, input, options);
    yield* this.follow(id, options);
  }

  /** Yields a job whenever it changes, the last time when it has ended. */
  async *follow(id: string, options: CallOptions = {}): AsyncGenerator<Generation, void> {
    const place: { last?: string } = {};
    for (let failures = 0; ; ) {
      try {
        const headers: Record<string, string> = { Accept: "text/event-stream" };
        if (place.last !== undefined) headers["Last-Event-ID"] = place.last;
        const response = await this.#once("GET", `${path(id)}/events`, { ...signal(options), headers });
        let yielded = false;
        if (response.status !== 204 && response.body) {
          for await (const job of events(response.body, place)) {
            failures = 0;
            yielded = true;
            yield job;
            if (job.status !== "processing") return;
          }
        }
        if (yielded) continue;
        // The stream was over at once: the end is known, or a proxy closed it.
        const job = await this.get(id, options);
        if (job.status !== "processing") return void (yield job);
        await sleep(1, options.signal);
      } catch (error) {
        const seconds = pause(error, failures, this.#retries);
        if (seconds === undefined || options.signal?.aborted) throw error;
        failures += 1;
        await sleep(seconds, options.signal);
      }
    }
  }

  /** Returns a job as it is now. */
  async get(id: string, options: CallOptions = {}): Promise<Generation> {
    return this.#data("GET", path(id), signal(options));
  }

  /** Waits for a job's end. Throws `GenerationFailed` if it fails. */
  async wait(id: string, options: CallOptions = {}): Promise<Generation> {
    for (;;) {
      const job: Generation = await this.#data("GET", `${path(id)}?wait=${WAIT_SECONDS}`, signal(options));
      if (job.status !== "processing") return completed(job);
    }
  }

  /** Cancels a job that has not ended. Its credits are released. */
  async cancel(id: string): Promise<Generation> {
    return this.#data("POST", `${path(id)}/cancel`, { retries: 0 });
  }

  /** Yields the account's jobs, newest first. */
  async *generations(
    filter: { status?: string; model?: string; type?: string } = {},
  ): AsyncGenerator<Generation, void> {
    const query = new URLSearchParams({ ...filter, limit: "100" });
    for (;;) {
      const page: { data: Generation[]; meta: { next_cursor: string | null } } = await this.#json(
        "GET",
        `/generations?${query}`,
        {},
      );
      yield* page.data;
      if (page.meta.next_cursor === null) return;
      query.set("cursor", page.meta.next_cursor);
    }
  }

  /** Every model that is served now. */
  async models(): Promise<ModelSummary[]> {
    return this.#data("GET", "/models", {});
  }

  /** A model with its fields, rules and price. */
  async model(slug: string): Promise<ModelSummary & Record<string, unknown>> {
    return this.#data("GET", `/models/${encodeURIComponent(slug)}`, {});
  }

  /** The credits that the account can still spend. */
  async balance(): Promise<number> {
    return (await this.#data<{ credits: number }>("GET", "/balance", {})).credits;
  }

  /** Stores a file for use in inputs: its path where there is a file system, or its bytes. */
  async upload(file: string | URL | Blob | Uint8Array<ArrayBuffer>, options: CallOptions = {}): Promise<Upload> {
    const form = new FormData();
    form.append("file", await blob(file), "file");
    return this.#data("POST", "/uploads", { ...signal(options), body: form });
  }

  /** Saves a job's files where there is a file system, and returns their paths. */
  async save(job: Generation, folder = "."): Promise<string[]> {
    const { mkdir, rename, writeFile } = await import("node:fs/promises");
    const { join } = await import("node:path");
    await mkdir(folder, { recursive: true });
    const paths: string[] = [];
    for (const [index, { url }] of (job.output?.assets ?? []).entries()) {
      const extension = /\.\w+$/.exec(new URL(url).pathname)?.[0] ?? ".bin";
      const target = join(folder, `${job.model}-${job.id.slice(-8)}-${index + 1}${extension}`);
      // Outputs are public, or their links are signed: the key stays here.
      const bytes = await this.#repeat(async () => {
        const response = await this.#reach(url, {});
        if (!response.ok) throw await ApiError.of(response);
        return broken(response.arrayBuffer());
      });
      await writeFile(`${target}.part`, new Uint8Array(bytes));
      await rename(`${target}.part`, target);
      paths.push(target);
    }
    return paths;
  }

  async #data<T>(method: string, path: string, call: Call): Promise<T> {
    return (await this.#json<{ data: T }>(method, path, call)).data;
  }

  async #json<T>(method: string, path: string, call: Call): Promise<T> {
    const once = async () => broken((await this.#once(method, path, call)).json() as Promise<T>);
    return this.#repeat(once, call);
  }

  async #once(method: string, path: string, call: Call): Promise<Response> {
    const { signal, body, headers } = call;
    const init: RequestInit = { method, headers: { ...this.#headers, ...headers } };
    if (signal) init.signal = signal;
    if (body !== undefined) init.body = body;
    const response = await this.#reach(this.#base + path, init);
    if (!response.ok) throw await ApiError.of(response);
    return response;
  }

  async #reach(url: string, init: RequestInit): Promise<Response> {
    return broken(this.#fetch(url, init));
  }

  async #repeat<T>(once: () => Promise<T>, call: Call = {}): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once();
      } catch (error) {
        const seconds = pause(error, attempt, call.retries ?? this.#retries);
        if (seconds === undefined) throw error;
        await sleep(seconds, call.signal);
      }
    }
  }
}

/** Tells a connection that broke from a call that was ended. */
async function broken<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof DOMException) throw error;
    throw new ServiceUnreachable(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The seconds to wait before the next attempt; nothing if there is none. */
function pause(error: unknown, attempt: number, retries: number): number | undefined {
  if (attempt >= retries) return undefined;
  if (error instanceof ApiError) {
    if (![429, 502, 503, 504].includes(error.status)) return undefined;
    if (error.retryAfter !== undefined) return error.retryAfter <= LONGEST_PAUSE_SECONDS ? error.retryAfter : undefined;
  } else if (!(error instanceof ServiceUnreachable)) {
    return undefined;
  }
  return 0.25 * 2 ** attempt * (0.8 + 0.4 * Math.random());
}

function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

async function blob(file: string | URL | Blob | Uint8Array<ArrayBuffer>): Promise<Blob> {
  if (file instanceof Blob) return file;
  if (file instanceof Uint8Array) return new Blob([file]);
  const { readFile } = await import("node:fs/promises");
  return new Blob([new Uint8Array(await readFile(file))]);
}

function completed(job: Generation): Generation {
  if (job.status === "failed") throw new GenerationFailed(job);
  return job;
}

function path(id: string): string {
  return `/generations/${encodeURIComponent(id)}`;
}

function signal(options: CallOptions): CallOptions {
  return options.signal ? { signal: options.signal } : {};
}

function variable(name: string): string | undefined {
  const scope = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return scope.process?.env?.[name] || undefined;
}
