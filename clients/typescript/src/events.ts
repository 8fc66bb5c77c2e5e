import { ServiceUnreachable } from "./errors.js";
import type { Generation } from "./generation.js";

/** Reads a stream of server-sent events, and remembers the last id for the next connection. */
export async function* events(
  body: ReadableStream<Uint8Array>,
  place: { last?: string },
): AsyncGenerator<Generation, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        if (error instanceof DOMException) throw error;
        throw new ServiceUnreachable("the connection broke", { cause: error });
      });
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [, name, content] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (name === "id" && content !== undefined) place.last = content;
        else if (name === "data" && content !== undefined) data.push(content);
        else if (line === "" && data.length > 0) {
          const event = JSON.parse(data.join("\n")) as Generation;
          data = [];
          yield event;
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
