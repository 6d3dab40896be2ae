import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Block, Transcript } from "@/lib/core/transcript/model";
import { contextOf, messageTotals, usageTotals } from "@/lib/core/transcript/totals";
import { readRecords, readTranscript } from "@/verify/support/read";
import { codexReader } from "./read/reader";

/** One test for the purpose of each fixture. Golden dumps check the whole reading of each, for every agent alike. */
const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith(".jsonl") ? [file.slice(0, -6)] : []));
const bytesOf = (name: string) => readFileSync(`${FOLDER}${name}.jsonl`);
const read = (name: string): Transcript => readTranscript(bytesOf(name), codexReader);
const contexts = (transcript: Transcript) => transcript.requests.map(contextOf);
const blocks = (transcript: Transcript): readonly Block[] => transcript.messages.flatMap((message) => message.blocks);

it("hidden texts and images, which the file lacks, are loaded at their stated sizes", () => {
  const met = { hidden: 0, image: 0 };
  for (const name of names) {
    const records = new Map(readRecords(bytesOf(name)).map((record) => [record.offset, record.value]));
    for (const { kind, text, source } of blocks(read(name))) {
      if (text.value !== undefined) continue;
      const found = codexReader.texts(records.get(source.offset) ?? {})[source.part];
      expect(found).toBeDefined();
      if (kind === "image") expect(found).toHaveLength(text.chars);
      else expect(text.bytes).toBeGreaterThan(0);
      met[kind === "image" ? "image" : "hidden"] += 1;
    }
  }
  expect(met.hidden).toBeGreaterThan(0);
  expect(met.image).toBeGreaterThan(0);
});

describe("the Codex reader", () => {
  it("marks requests that a fork copied with new times as inherited, and later ones as its own", () => {
    const lines = [
      '{"timestamp":"2026-03-02T10:00:00.000Z","type":"session_meta","payload":{"id":"fork-2","forked_from_id":"thread-1","cwd":"/home/ada/shop","cli_version":"0.153.3"}}',
      '{"timestamp":"2026-03-02T10:00:00.000Z","type":"session_meta","payload":{"id":"thread-1","cwd":"/home/ada/shop","cli_version":"0.153.3"}}',
      '{"timestamp":"2026-03-02T10:00:00.001Z","type":"turn_context","payload":{"model":"gpt-5.2-codex","cwd":"/home/ada/shop"}}',
      '{"timestamp":"2026-03-02T10:00:00.002Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Look."}]}}',
      '{"timestamp":"2026-03-02T10:00:00.003Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Seen."}]}}',
      '{"timestamp":"2026-03-02T10:00:00.004Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":8000,"cached_input_tokens":0,"output_tokens":100,"reasoning_output_tokens":0,"total_tokens":8100},"last_token_usage":{"input_tokens":8000,"cached_input_tokens":0,"output_tokens":100,"reasoning_output_tokens":0,"total_tokens":8100},"model_context_window":258400}}}',
      '{"timestamp":"2026-03-02T10:00:00.005Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Change it."}]}}',
      '{"timestamp":"2026-03-02T10:00:00.006Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Changed."}]}}',
      '{"timestamp":"2026-03-02T10:00:00.007Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":17000,"cached_input_tokens":7936,"output_tokens":300,"reasoning_output_tokens":0,"total_tokens":17300},"last_token_usage":{"input_tokens":9000,"cached_input_tokens":7936,"output_tokens":200,"reasoning_output_tokens":0,"total_tokens":9200},"model_context_window":258400}}}',
      '{"timestamp":"2026-03-02T10:02:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Test it."}]}}',
      '{"timestamp":"2026-03-02T10:02:08.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Green."}]}}',
      '{"timestamp":"2026-03-02T10:02:09.000Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":27000,"cached_input_tokens":16896,"output_tokens":350,"reasoning_output_tokens":0,"total_tokens":27350},"last_token_usage":{"input_tokens":10000,"cached_input_tokens":8960,"output_tokens":50,"reasoning_output_tokens":0,"total_tokens":10050},"model_context_window":258400}}}',
    ];
    const { requests, links } = readTranscript(Buffer.from(lines.join("\n")), codexReader);
    expect(requests.map(({ inherited }) => inherited === true)).toEqual([true, true, false]);
    expect(links.parents).toEqual([{ session: "thread-1", kind: "fork" }]);
    // A subagent may name its parent without repeating the parent's header.
    const [head, , ...others] = lines.map((line) => line.replace("forked_from_id", "parent_thread_id"));
    const subagent = readTranscript(Buffer.from([head, ...others].join("\n")), codexReader);
    expect(subagent.requests.map(({ inherited }) => inherited === true)).toEqual([true, true, false]);
    expect(subagent.links.parents).toEqual([{ session: "thread-1", kind: "subagent" }]);
    // A request after a pause is its own, however quick the answer.
    const asked = [head, ...others.map((line) => line.replace("10:00:00.00", "10:00:00.20"))];
    const own = readTranscript(Buffer.from(asked.join("\n")), codexReader);
    expect(own.requests.some(({ inherited }) => inherited)).toBe(false);
  });

  it("marks everything that a fork copied without a pause as inherited, however long it took", () => {
    const at = (ms: number) => new Date(Date.UTC(2026, 2, 2, 10, 0, 0, ms)).toISOString();
    const record = (ms: number, type: string, payload: object) =>
      JSON.stringify({ timestamp: at(ms), type, payload: { cwd: "/home/ada/shop", ...payload } });
    const item = (ms: number, role: string, kind: string) =>
      record(ms, "response_item", { type: "message", role, content: [{ type: kind, text: "Look." }] });
    const tokens = (input: number) => ({ input_tokens: input, cached_input_tokens: 0, output_tokens: 9 });
    const response = (ms: number, input: number) => [
      item(ms, "user", "input_text"),
      item(ms + 100, "assistant", "output_text"),
      record(ms + 110, "event_msg", { type: "token_count", info: { last_token_usage: tokens(input) } }),
    ];
    const copied = Array.from({ length: 12 }, (_, turn) => response(turn * 190, 1000 + turn)).flat();
    const own = [item(2300, "user", "input_text"), ...response(4000, 5000).slice(1)];
    const head = record(0, "session_meta", { id: "thread-2", cli_version: "0.153.3", forked_from_id: "thread-1" });
    const { requests } = readTranscript(Buffer.from([head, ...copied, ...own].join("\n")), codexReader);
    expect(requests.map(({ inherited }) => inherited === true)).toEqual([...Array(12).fill(true), false]);
  });

  it("assigns a token count after tool outputs to the response before them", () => {
    const transcript = read("counts-after-outputs");
    expect(contexts(transcript)).toEqual([4000, 4300, 4500]);
    expect(messageTotals(transcript)).toMatchObject({ user: 1, assistant: 3, toolCalls: 3, toolResults: 3 });
    expect(blocks(transcript).filter((block) => block.isError === true)).toHaveLength(1);
  });

  it("assigns a token count before tool outputs to the preceding response, and ignores repeats", () => {
    const transcript = read("counts-before-outputs");
    expect(contexts(transcript)).toEqual([3000, 3200, 3400]);
    expect(usageTotals(transcript).usage).toEqual({
      input: 3100,
      cacheRead: 6500,
      cacheWrite: null,
      output: 170,
      reasoning: 50,
    });
    expect(messageTotals(transcript).toolCalls).toBe(3);
  });

  it("measures encrypted reasoning by the bytes behind it", () => {
    const thinking = blocks(read("counts-before-outputs")).find((block) => block.kind === "thinking");
    expect(thinking?.text).toEqual({ chars: 315, bytes: Math.floor((1287 * 3) / 4) - 650 });
  });

  it("does not read estimates after a compaction or absurd counts as requests", () => {
    const transcript = read("compacted-on-the-server");
    expect(contexts(transcript)).toEqual([5000, 6000, 2600, 2700]);
    expect(transcript.problems).toContainEqual({ code: "pseudo-usage", line: 16, detail: "token_count", count: 2 });
  });

  it("finds the items that a replacement history kept, and adds its new ones", () => {
    const transcript = read("compacted-on-the-server");
    const [boundary] = transcript.boundaries;
    expect(boundary).toMatchObject({ kind: "compaction", trigger: "unknown", kept: [0, 2, 5], message: 8 });
    const added = transcript.messages.filter((message) => message.recordedOnly === true);
    expect(added.map((message) => message.origin)).toEqual(["context", "summary"]);
    expect(messageTotals(transcript)).toMatchObject({ user: 3, assistant: 4 });
  });

  it("marks a compaction as manual if its task holds nothing else", () => {
    const { boundaries } = read("compact-commands");
    expect(boundaries.map(({ trigger }) => trigger)).toEqual(["unknown", "unknown", "unknown"]);
    expect(boundaries.map(({ inferredTrigger }) => inferredTrigger)).toEqual(["manual", undefined, undefined]);
  });

  it("rebuilds a local compaction from its message", () => {
    const transcript = read("compacted-locally");
    expect(transcript.boundaries[0]).toMatchObject({ summaryLine: 18, kept: [0, 1, 2, 6] });
    const summary = transcript.messages.find((message) => message.origin === "summary");
    expect(summary?.blocks[0]?.text.value).toContain("A hedge was asked for next.");
  });

  it("reads the bare format", () => {
    const transcript = read("bare-form");
    expect(transcript).toMatchObject({ sessionId: "5973b6c0-94b8-487b-a530-2aeb6098ae0e", title: "How many trees?" });
    expect(transcript.requests).toHaveLength(2);
    expect(usageTotals(transcript)).toMatchObject({ requests: 0, usage: { input: null, output: null } });
  });

  it("follows changes of the model and its window, and a restarted running total", () => {
    const transcript = read("window-and-total-change");
    expect(transcript.models).toEqual(["gpt-5.3-codex-spark", "gpt-5.5"]);
    expect(transcript.requests.map((point) => point.model)).toEqual(["gpt-5.3-codex-spark", "gpt-5.5", "gpt-5.5"]);
    expect(transcript.recordedWindow).toBe(258_400);
    expect(contexts(transcript)).toEqual([9000, 9200, 9500]);
  });

  it("reads the first session_meta as the session's, and counts its instructions once", () => {
    const transcript = read("repeated-session-meta");
    expect(transcript.sessionId).toBe("fork-0000");
    expect(transcript.overhead).toHaveLength(1);
    expect(transcript.problems.map((problem) => [problem.code, problem.count])).toEqual([["duplicate-record", 2]]);
  });

  it("keeps an interrupted response as a request without usage", () => {
    const transcript = read("interrupted");
    expect(contexts(transcript)).toEqual([0, 4100, 4300, 0]);
    expect(messageTotals(transcript)).toMatchObject({ user: 4, toolCalls: 3, toolResults: 2, unansweredCalls: 1 });
  });

  it("records turns that were rolled back, and still counts their cost", () => {
    const transcript = read("rolled-back");
    expect(transcript.boundaries).toMatchObject([{ kind: "rollback", kept: [0, 1, 2, 3], message: 8 }]);
    expect(usageTotals(transcript).requests).toBe(4);
  });

  it("reads every kind of call, and skips ghost snapshots", () => {
    const transcript = read("tools-and-media");
    expect(messageTotals(transcript)).toMatchObject({ toolCalls: 3, toolResults: 4, orphanResults: 1 });
    expect(transcript.requests[0]?.usage).toEqual({
      input: 4000,
      cacheRead: 1000,
      cacheWrite: 2000,
      output: 60,
      reasoning: 0,
    });
    expect(blocks(transcript).filter((block) => block.kind === "image")).toHaveLength(3);
  });

  it("reads an output as a result even if it is only an image, or begins with one", () => {
    const transcript = read("images-as-results");
    expect(messageTotals(transcript)).toMatchObject({ toolCalls: 2, toolResults: 2, unansweredCalls: 0 });
    const outputs = transcript.messages.filter((message) => message.origin === "tool");
    expect(outputs.map((message) => message.blocks.map((block) => block.kind))).toEqual([
      ["tool_result", "image"],
      ["tool_result", "image", "tool_result"],
    ]);
  });

  it("counts records that are unknown or unreadable", () => {
    const transcript = read("unknown-and-damaged");
    expect([...transcript.records.unknown.keys()]).toEqual([
      "tea_break",
      "event_msg/ate_lunch",
      "response_item/crystal_ball",
    ]);
    expect(transcript.damaged.map((damage) => damage.reason)).toEqual(["cut off", "not an object"]);
    expect(transcript.boundaries).toHaveLength(1);
    expect(contexts(transcript)).toEqual([4000]);
  });

  it("does not read context that a resumed session inserts again as initial context", () => {
    const transcript = read("context-again");
    const context = transcript.messages.filter((message) => message.origin === "context");
    expect(context.map((message) => message.initialContext === true)).toEqual([true, true, false, false]);
    expect(transcript.title).toBe("Rename the pear.");
  });
});

describe("sniff", () => {
  it("recognises a bare file whose first line is damaged", () => {
    const head = readRecords(bytesOf("bare-form")).slice(1);
    expect(codexReader.sniff(head.map((record) => record.value))).toBe(true);
  });
});
