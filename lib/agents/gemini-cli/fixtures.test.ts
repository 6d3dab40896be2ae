import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Transcript } from "@/lib/core/transcript/model";
import { readFile } from "@/verify/support/read";
import { geminiReader } from "./read/reader";

/** One test for the purpose of each fixture. Golden dumps check the whole reading of each, for every agent alike. */
const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));

const bytesOf = (name: string): Uint8Array => readFileSync(`${FOLDER}${name}`);
const read = (name: string): Transcript => readFile(bytesOf(name), geminiReader).transcript;
const contexts = (transcript: Transcript) =>
  transcript.requests.map(({ usage }) => (usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0)));
const messageTexts = (transcript: Transcript, indices: readonly number[]) =>
  indices.map((index) => transcript.messages[index]?.blocks[0]?.text.value);

describe("the Gemini CLI reader", () => {
  it("uses the last line of a message, and counts its usage once", () => {
    const transcript = read("written-twice.jsonl");
    expect(contexts(transcript)).toEqual([9000, 9300, 9400]);
    expect(transcript.requests[0]?.usage).toEqual({ input: 9000, cacheRead: 0, output: 65, reasoning: 25 });
    const kinds = transcript.messages.flatMap((message) => message.blocks.map((block) => block.kind));
    expect(kinds.filter((kind) => kind === "tool_call")).toHaveLength(3);
    expect(kinds.filter((kind) => kind === "tool_result")).toHaveLength(3);
    expect(transcript.messages[0]).toMatchObject({ origin: "context", initialContext: true });
    expect([transcript.title, transcript.project]).toEqual(["Sort pears by weight", "/home/ada/pears"]);
  });

  it.each([
    ["in addition to the prompt", 500, 9565, 25, { input: 500 }],
    ["in addition to the prompt, with thoughts in the output", 500, 9540, 0, { input: 500 }],
    ["within the prompt, as the total shows", 500, 9065, 25, undefined],
    ["absent", 0, 9065, 25, undefined],
  ])("bills the input of the provider's tools as a pass outside the context: %s", (_, tool, total, beside, usage) => {
    const changed = new TextDecoder()
      .decode(bytesOf("document-chinese.json"))
      .replace(/"tool": 0,\s+"total": 9065/, `"tool": ${tool}, "total": ${total}`);
    const { requests, extraRequests } = readFile(new TextEncoder().encode(changed), geminiReader).transcript;
    expect(requests[0]?.usage).toEqual({ input: 9000, cacheRead: 0, output: 40 + beside, reasoning: 25 });
    expect(extraRequests.map(({ kind, point, model, usage: read }) => ({ kind, point, model, read }))).toEqual(
      usage === undefined ? [] : [{ kind: "pass", point: 0, model: "gemini-2.5-pro", read: usage }],
    );
  });

  it("rewinds to a message, or drops everything if the message is unknown", () => {
    const transcript = read("rewinds.jsonl");
    expect(transcript.boundaries.map(({ kind, message }) => [kind, message])).toEqual([
      ["rollback", 4],
      ["rollback", 6],
    ]);
    expect(messageTexts(transcript, transcript.boundaries[0]?.kept ?? [])).toEqual([
      "Name the boat.",
      "Call it Heron.",
    ]);
    expect(transcript.boundaries[1]?.kept).toEqual([]);
  });

  it("counts a response and a prompt once if a rewind is undone", () => {
    const lines = new TextDecoder().decode(bytesOf("rewinds.jsonl")).split("\n").slice(0, 7);
    const [, ...messages] = lines.slice(0, 5).map((line) => JSON.parse(line));
    const renamed = messages.map((message) => ({ ...message, id: `new-${message.id}` }));
    const rewound = lines.slice(0, 6);
    for (const restored of [
      [{ $set: { messages } }],
      [{ $set: { messages: renamed } }],
      messages.slice(2),
      [{ $set: { messages } }, { $rewindTo: "g1" }, { $set: { messages } }],
    ]) {
      const all = [...rewound, ...restored.map((line) => JSON.stringify(line)), lines[6]].join("\n");
      const { transcript } = readFile(new TextEncoder().encode(all), geminiReader);
      expect(contexts(transcript)).toEqual([8000, 8050]);
      expect(transcript.messages.filter(({ origin }) => origin === "typed")).toHaveLength(3);
      expect(messageTexts(transcript, [transcript.messages.length - 2])).toEqual(["Tern."]);
      expect(transcript.messages.some(({ recordedOnly }) => recordedOnly)).toBe(false);
    }
  });

  it("keeps responses before a rewind in the bill", () => {
    expect(contexts(read("rewinds.jsonl"))).toEqual([8000, 8050, 8055, 7990]);
  });

  it.each(["compressed.jsonl", "compressed-new-ids.jsonl"])(
    "%s: reads a list that begins with a snapshot as a compression",
    (name) => {
      const transcript = read(name);
      expect(transcript.boundaries.map(({ kind, trigger }) => [kind, trigger])).toEqual([["compaction", "unknown"]]);
      expect(messageTexts(transcript, transcript.boundaries[0]?.kept ?? [])).toEqual(["Now the tests."]);
      const added = transcript.messages.filter((message) => message.recordedOnly === true);
      expect(added.map((message) => message.origin)).toEqual(["summary", "context"]);
      expect(transcript.requests.filter(({ usage }) => usage === undefined)).toEqual([]);
    },
  );

  it("keeps the original of a masked output", () => {
    const transcript = read("masked.jsonl");
    expect(transcript.boundaries.map(({ kind, clearedCalls }) => [kind, clearedCalls])).toEqual([["clearing", ["c1"]]]);
    const result = transcript.messages.flatMap((message) => message.blocks).find((one) => one.kind === "tool_result");
    expect(result?.text.value).toContain("text.split()");
  });

  it("counts records that are unknown or unreadable", () => {
    const transcript = read("damaged-and-unknown.jsonl");
    expect([...transcript.records.unknown.keys()]).toEqual(["tea_break", "(other)"]);
    expect(transcript.damaged.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "not JSON"],
      [3, "not an object"],
      [4, "not an object"],
      [12, "cut off"],
    ]);
    expect(contexts(transcript)).toEqual([7000]);
  });

  it("keeps a response without usage, and counts thoughts as the total implies", () => {
    const transcript = read("media-and-failures.jsonl");
    expect(contexts(transcript)).toEqual([9500, 0, 0, 9900]);
    expect(transcript.requests[3]?.usage).toMatchObject({ output: 60, reasoning: 40 });
    expect(transcript.models).toEqual(["gemini-3-pro", "gemini-3-flash-preview"]);
    expect(transcript.problems.map(({ code }) => code)).toContain("unanswered-call");
  });

  it("reads a document's messages as its records", () => {
    const transcript = read("document.json");
    expect(transcript.records.total).toBe(3);
    expect(contexts(transcript)).toEqual([9000, 9300]);
    expect(new Set(transcript.messages.flatMap(({ blocks }) => blocks.map(({ source }) => source.offset)))).toEqual(
      new Set([0]),
    );
  });
});

describe("sniff", () => {
  it("recognises a file whose first line is missing", () => {
    const { records } = readFile(bytesOf("written-twice.jsonl"), geminiReader);
    expect(geminiReader.sniff(records.slice(1).map((record) => record.value))).toBe(true);
  });
});
