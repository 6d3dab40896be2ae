import { afterEach, expect, test, vi } from "vitest";
import { ApiError } from "@/lib/queries/client/api-error";
import { sweepSessions } from "@/lib/queries/client/event-answers";
import type { SweepEvent } from "@/lib/queries/contract/types";

afterEach(() => vi.unstubAllGlobals());

const WANTED = { sessions: ["a"], policy: "custom", vary: [{ key: "triggerShare", from: 0.5, to: 0.8, step: 0.1 }] };
const PROGRESS = `data: {"type":"progress","done":1,"total":4}\n\n`;
const END = `data: {"type":"end"}\n\n`;

/** The page's events of an answer, and its end. @param disconnects true to lose the connection after the chunks */
async function received(chunks: readonly string[], disconnects = false): Promise<readonly [SweepEvent[], unknown]> {
  const events: SweepEvent[] = [];
  const left = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull: (control) => {
      const chunk = left.shift();
      if (chunk !== undefined) control.enqueue(new TextEncoder().encode(chunk));
      else if (disconnects) control.error(new TypeError("network error"));
      else control.close();
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body));
  try {
    for await (const event of sweepSessions(WANTED, new AbortController().signal)) events.push(event);
    return [events, undefined];
  } catch (error) {
    return [events, error];
  }
}

test("the events of a complete sweep are returned in order", async () => {
  const [events, error] = await received([PROGRESS, END]);
  expect(events.map(({ type }) => type)).toEqual(["progress", "end"]);
  expect(error).toBeUndefined();
});

test.each([
  ["a connection that is lost", [PROGRESS], true, "network"],
  ["an answer that ends before the sweep", [PROGRESS], false, "network"],
  ["an unreadable event", ["data: {nothing}\n\n"], false, "unreadable"],
])("%s is reported as an error", async (_, chunks, disconnects, kind) => {
  const [events, error] = await received(chunks, disconnects);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ kind });
  expect(events.map(({ type }) => type)).toEqual(kind === "network" ? ["progress"] : []);
});
