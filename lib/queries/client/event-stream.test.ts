import { describe, expect, it } from "vitest";
import { eventsOf } from "./event-answers";

const encode = (text: string) => new TextEncoder().encode(text);

function streamOf(bytes: Uint8Array, chunk: number, onCancel = () => {}): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + chunk));
      at += chunk;
    },
    cancel: onCancel,
  });
}

async function all(text: string, chunk: number): Promise<unknown[]> {
  const events: unknown[] = [];
  for await (const event of eventsOf(streamOf(encode(text), chunk))) events.push(event);
  return events;
}

describe("events of a stream", () => {
  const TEXT = ': a comment\n\ndata: {"a":"会话"}\n\nevent: x\ndata:[1,\ndata: 2]\n\ndata: "cut off"\n';

  it.each([1, 2, 3, 7, 1000])("are the same in chunks of %i bytes", async (chunk) => {
    expect(await all(TEXT, chunk)).toEqual([{ a: "会话" }, [1, 2]]);
  });

  it("are absent for an empty stream, and reject invalid JSON", async () => {
    expect(await all("", 5)).toEqual([]);
    await expect(all("data: no\n\n", 5)).rejects.toThrow(SyntaxError);
  });

  it("cancel the stream if the listener stops", async () => {
    let cancelled = false;
    const stream = streamOf(encode("data: 1\n\ndata: 2\n\n".repeat(50)), 9, () => {
      cancelled = true;
    });
    for await (const event of eventsOf(stream)) {
      expect(event).toBe(1);
      break;
    }
    expect(cancelled).toBe(true);
  });
});
