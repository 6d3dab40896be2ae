import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { writeDocument } from "./document";
import { eventsOf } from "./events";
import { RETOLD_AGENTS, writeRetold } from "./retold";

const folder = mkdtempSync(join(tmpdir(), "context-replay-retold-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SAMPLE = fileURLToPath(new URL("../../public/samples/claude-code-duplicate-shipments.jsonl", import.meta.url));

it.each(RETOLD_AGENTS)(
  "%s: a sample written twice is read as one session with all records, and no problem",
  async (agent) => {
    const target = join(folder, `${agent}.jsonl`);
    const once = await writeRetold(agent, SAMPLE, target, 1);
    const made = await writeRetold(agent, SAMPLE, target, once.bytes + 1);
    expect([once.copies, made.copies, made.bytes]).toEqual([1, 2, statSync(target).size]);
    const { transcript } = readTranscript(target);
    const { transcript: sample } = readTranscript(SAMPLE);
    const events = eventsOf(SAMPLE);
    const responses = events.filter(({ kind }) => kind === "response");
    expect(responses).toHaveLength(sample.requests.length);
    expect(transcript.agent).toBe(agent);
    // In Gemini CLI, the model's reply after a compaction is a response without usage.
    expect(transcript.requests.filter(({ usage }) => usage !== undefined)).toHaveLength(responses.length * 2);
    expect(transcript.boundaries).toHaveLength(events.filter(({ kind }) => kind === "compaction").length * 2);
    expect(transcript.problems.filter(({ code }) => code !== "unanswered-call")).toEqual([]);
    const calls = Array.from(transcript.list.blocks.kind.subarray(0, transcript.list.blocks.length)).filter(
      (kind) => kind === 2,
    );
    expect(new Set(transcript.list.blocks.callIds).size).toBe(calls.length);
  },
);

it("a document contains every message once, with the results of its calls", async () => {
  const [lines, document] = [join(folder, "lines.jsonl"), join(folder, "document.json")];
  await writeRetold("gemini-cli", SAMPLE, lines, 1);
  await writeDocument(lines, document);
  const { transcript } = readTranscript(document);
  const { transcript: sample } = readTranscript(SAMPLE);
  expect(transcript.agent).toBe("gemini-cli");
  expect(transcript.requests).toHaveLength(sample.requests.length);
  expect(transcript.list.blocks.length).toBeGreaterThan(transcript.requests.length);
  expect(transcript.problems.filter(({ code }) => code !== "unanswered-call")).toEqual([]);
});
