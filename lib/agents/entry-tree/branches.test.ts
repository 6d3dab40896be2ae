import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reader } from "@/lib/core/transcript/reader";
import { readTranscript } from "@/verify/support/read";
import { openClawReader } from "../openclaw/read/reader";
import { piReader } from "../pi/read/reader";

const READERS: readonly (readonly [string, Reader])[] = [
  ["pi", piReader],
  ["OpenClaw", openClawReader],
];
const START = Date.parse("2026-05-02T09:00:00.000Z");
const timeOf = (second: number) => new Date(START + second * 1000).toISOString();

function header(second: number, more: object = {}): object {
  return { type: "session", version: 3, id: "s2", timestamp: timeOf(second), cwd: "/home/ada/shop", ...more };
}

function prompt(id: string, parentId: string | null, second: number): object {
  const message = { role: "user", content: "Go on.", timestamp: START + second * 1000 };
  return { type: "message", id, parentId, timestamp: timeOf(second), message };
}

/** A response whose input tokens equal its time in seconds. */
function response(id: string, parentId: string | null, second: number, made = second): object {
  const usage = { input: second, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: second + 2 };
  const content = [{ type: "text", text: "Done." }];
  const message = { role: "assistant", content, model: "claude-sonnet-4-5", usage, timestamp: START + made * 1000 };
  return { type: "message", id, parentId, timestamp: timeOf(second), message };
}

function read(reader: Reader, records: readonly object[]) {
  const { requests, extraRequests } = readTranscript(
    Buffer.from(records.map((record) => JSON.stringify(record)).join("\n")),
    reader,
  );
  return {
    context: requests.map(({ usage }) => usage?.input),
    branches: extraRequests.map(({ kind, usage }) => [kind, usage?.input]),
    inherited: [...requests, ...extraRequests].flatMap(({ inherited, usage }) =>
      inherited === true ? [usage?.input] : [],
    ),
    paid: [...requests, ...extraRequests].map(({ usage }) => usage?.input ?? 0).sort((a, b) => a - b),
  };
}

describe.each(READERS)("branches of a session of %s", (_, reader) => {
  it("bills a summary call on an abandoned branch once, by the branch's model", () => {
    const usage = { input: 50, output: 7, cacheRead: 0, cacheWrite: 0, totalTokens: 57 };
    const summary = { type: "compaction", summary: "Before.", firstKeptEntryId: "c", tokensBefore: 9, usage };
    const left = { ...summary, id: "x", parentId: "d", timestamp: timeOf(5) };
    const records = [
      ...[header(0), prompt("a", null, 1), response("b", "a", 2), prompt("c", "b", 3), response("d", "c", 4)],
      ...[left, { ...left, id: "y" }, prompt("e", "b", 6), response("f", "e", 7)],
    ];
    expect(read(reader, records)).toMatchObject({
      context: [2, 7],
      branches: [
        ["branch", 4],
        ["compaction", 50],
      ],
      paid: [2, 4, 7, 50],
    });
    const text = records.map((record) => JSON.stringify(record)).join("\n");
    const { extraRequests, boundaries } = readTranscript(Buffer.from(text), reader);
    expect(extraRequests.map(({ model }) => model)).toEqual(["claude-sonnet-4-5", "claude-sonnet-4-5"]);
    expect(boundaries).toEqual([]);
  });

  it("bills a response abandoned by a rewind, and keeps it out of the context", () => {
    const records = [
      header(0),
      prompt("a", null, 1),
      response("b", "a", 2),
      prompt("c", "b", 3),
      response("d", "c", 4),
      prompt("e", "b", 5),
      response("f", "e", 6),
    ];
    expect(read(reader, records)).toMatchObject({ context: [2, 6], branches: [["branch", 4]], inherited: [] });
  });

  it("bills a response once if a rewritten branch holds it again", () => {
    const again = response("f", "e", 4);
    const records = [header(0), prompt("a", null, 1), response("d", "a", 4), prompt("e", null, 5), again];
    expect(read(reader, records)).toMatchObject({ context: [4], branches: [] });
  });

  it("bills every response once, whichever branch the session continues", () => {
    const parents = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(parents, fc.nat(), (places, leaf) => {
        const entries = places.map((place, index) =>
          response(`e${index}`, index === 0 ? null : `e${place % index}`, index + 1),
        );
        const rewound = [header(0), ...entries, prompt("p", `e${leaf % entries.length}`, 50)];
        expect(read(reader, rewound).paid).toEqual(places.map((_place, index) => index + 1));
      }),
    );
  });

  it("treats responses of a fork that are older than the fork as inherited", () => {
    const records = [
      header(10, { parentSession: "/home/ada/2026-05-02T09-00-00-000Z_s1.jsonl" }),
      prompt("a", null, 1),
      response("b", "a", 2),
      response("c", "a", 3),
      prompt("d", "c", 11),
      response("e", "d", 12),
    ];
    expect(read(reader, records)).toMatchObject({ context: [3, 12], branches: [["branch", 2]], inherited: [3, 2] });
  });

  it("treats no response as inherited in a session that is not a fork", () => {
    const records = [header(10), prompt("a", null, 1), response("b", "a", 2)];
    expect(read(reader, records)).toMatchObject({ context: [2], inherited: [] });
  });
});
