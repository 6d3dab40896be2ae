import fc from "fast-check";
import { expect, test } from "vitest";
import { TranscriptBuilder } from "./builder";
import type { Block, Transcript } from "./model";

/** A block of a generated session: a call or a result, by id, in a message that a compaction may have restored. */
interface Drawn {
  readonly kind: "tool_call" | "tool_result" | "text";
  readonly callId?: string | undefined;
  readonly recordedOnly: boolean;
}

function transcriptOf(drawn: readonly Drawn[]): Transcript {
  const builder = new TranscriptBuilder({ keepChars: 10, byteLength: (text) => text.length });
  drawn.forEach(({ kind, callId, recordedOnly }, index) => {
    const line = index + 1;
    const block: Block = {
      kind,
      text: { chars: 4, bytes: 4 },
      source: { line, offset: 0, length: 0, part: 0 },
      ...(callId === undefined ? {} : { callId }),
      ...(kind === "tool_call" ? { tool: `tool-${line}`, file: `file-${line}` } : {}),
    };
    const role = kind === "tool_call" ? "assistant" : "user";
    const origin = kind === "tool_call" ? "response" : "tool";
    builder.message({ role, origin, line, blocks: [block], ...(recordedOnly ? { recordedOnly } : {}) });
  });
  return builder.finish("drawn", null);
}

const drawn = fc.array(
  fc.record(
    {
      kind: fc.constantFrom("tool_call" as const, "tool_result" as const, "text" as const),
      callId: fc.constantFrom("a", "b", "c"),
      recordedOnly: fc.boolean(),
    },
    { requiredKeys: ["kind", "recordedOnly"] },
  ),
  { maxLength: 14 },
);

/** Ids and lines of the problems of one kind, in order. */
function problemsOf(transcript: Transcript, code: string): unknown[] {
  return transcript.problems
    .filter((problem) => problem.code === code)
    .map(({ line, detail, count }) => [line, detail, count]);
}

test("a result gets the facts of the first call with its id, and unpaired ones are reported", () => {
  fc.assert(
    fc.property(drawn, (blocks) => {
      const transcript = transcriptOf(blocks);
      const calls = blocks.flatMap(({ kind, callId, recordedOnly }, index) =>
        kind === "tool_call" && callId !== undefined && !recordedOnly ? [{ callId, line: index + 1 }] : [],
      );
      const firstOf = (callId: string | undefined) => calls.find((call) => call.callId === callId);
      const results = blocks.flatMap(({ kind, callId, recordedOnly }, index) =>
        kind === "tool_result" && callId !== undefined ? [{ callId, recordedOnly, line: index + 1 }] : [],
      );
      for (const { callId, line } of results) {
        const call = firstOf(callId);
        const block = transcript.messages.at(line - 1)?.blocks[0];
        expect([block?.tool, block?.file]).toEqual(
          call === undefined ? [undefined, undefined] : [`tool-${call.line}`, `file-${call.line}`],
        );
      }
      const own = results.filter(({ recordedOnly }) => !recordedOnly);
      const orphans = own.filter(({ callId }) => firstOf(callId) === undefined);
      // Equal problems are listed once, at their first line, with a count.
      const listed = orphans.filter((one) => orphans.find(({ callId }) => callId === one.callId) === one);
      expect(problemsOf(transcript, "orphan-result")).toEqual(
        listed.map(({ line, callId }) => [line, callId, orphans.filter((one) => one.callId === callId).length]),
      );
      const unanswered = calls.filter(
        (call) => firstOf(call.callId) === call && !own.some(({ callId }) => callId === call.callId),
      );
      expect(problemsOf(transcript, "unanswered-call")).toEqual(
        unanswered.map(({ line, callId }) => [line, callId, 1]),
      );
    }),
    { numRuns: 500 },
  );
});
