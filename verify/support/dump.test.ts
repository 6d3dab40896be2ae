import { expect, it } from "vitest";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { block } from "@/lib/core/transcript/draft";
import { dumpTranscript } from "./dump";

function builder(keepChars = 100): TranscriptBuilder {
  return new TranscriptBuilder({ keepChars, byteLength: (text) => new TextEncoder().encode(text).length });
}

const source = (line: number, part = 0) => ({ line, offset: line * 100, length: 90, part });

it("a dump lists facts, counts, problems and the trajectory in order", () => {
  const b = builder();
  b.countRecord("user");
  b.countRecord("assistant");
  b.unknownRecord("odd\nkind", 3);
  b.damagedLine({ line: 4, bytes: 12, reason: "cut off" });
  b.facts({ sessionId: "s", title: " padded ", agentVersion: "1.0", recordedWindow: 1000 });
  b.time(0, 1);
  b.model("m");
  b.overhead({ category: "systemPrompt", name: "base", text: b.text("You are"), source: source(1) });
  b.message({
    role: "user",
    origin: "typed",
    line: 1,
    at: 1000,
    blocks: [block("text", b.text("é\n\u2028"), source(1))],
  });
  const call = block("tool_call", b.text("{}"), source(2, 1), { callId: "c1", tool: "Read", file: "a b.ts" });
  const message = b.message({ role: "assistant", origin: "response", line: 2, blocks: [call] });
  b.request({ message, line: 2, model: "m", usage: { input: 5, cacheRead: 0, output: 2, reasoning: 1 } });
  b.message({
    role: "user",
    origin: "tool",
    line: 3,
    blocks: [block("tool_result", b.payload("data"), source(3), { callId: "c1", isError: true })],
  });
  b.boundary({
    kind: "compaction",
    line: 4,
    trigger: "auto",
    tokensBefore: 9,
    summaryLine: 5,
    message: 3,
    kept: [0, 2],
    clearedCalls: [],
  });
  b.message({ role: "user", origin: "summary", line: 5, recordedOnly: true, blocks: [] });
  b.boundary({ kind: "clearing", line: 6, trigger: "unknown", message: 4, kept: [], clearedCalls: ["c1"] });
  b.sidechains(2);
  expect(dumpTranscript(b.finish("chat", null))).toBe(`format chat
agent none
agentVersion 1.0
session s
title " padded "
started 1970-01-01T00:00:00.000Z
ended 1970-01-01T00:00:00.000Z
models m
recordedWindow 1000
sidechains 2

records 2
  assistant 1
  user 1

unknown
  "odd\\nkind" 1

damaged
  line 4: cut off, 12 bytes

problems
  unknown-record line 3: "odd\\nkind"
  damaged-line line 4: cut off

overhead
  systemPrompt "base" line 1.0 7c "You are"

trajectory
  #0 user typed line 1 1970-01-01T00:00:01.000Z
     .0 text 3c 6b "é\\n\\u2028"
  @0 line 2 m input 5 cacheRead 0 output 2 reasoning 1
  #1 assistant response line 2
     .1 tool_call Read (c1) "a b.ts" 2c "{}"
  #2 user tool line 3
     .0 tool_result Read (c1) "a b.ts" error 4c
  = compaction line 4 auto before 9 summary line 5 kept #0 #2
  #3 user summary line 5 recorded-only
  = clearing line 6 unknown cleared c1
`);
});

it("a dump cuts long texts between characters, and shows only the size of texts not kept", () => {
  const b = builder(200);
  const long = `${"x".repeat(79)}😀tail`;
  const texts = [long, "y".repeat(300)].map((text, part) => block("text", b.text(text), source(1, part)));
  b.message({ role: "user", origin: "typed", line: 1, blocks: texts });
  const dump = dumpTranscript(b.finish("chat", null));
  expect(dump).toContain(`.0 text 85c 87b "${"x".repeat(79)}…"\n`);
  expect(dump).toContain(".1 text 300c\n");
});
