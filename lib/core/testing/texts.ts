import { columnsFromTranscript } from "../columns/from-transcript";
import { RefetchIndexBuilder } from "../refetch/index-builder";
import { TranscriptBuilder } from "../transcript/builder";
import type { BlockKind, Message, Origin, Transcript } from "../transcript/model";

/** One step of a session that is written with its texts. */
export type Step =
  | readonly ["typed" | "says" | "thinks" | "context" | "summary", string]
  /** A call, which begins a response of its own, and its result. */
  | readonly ["call", tool: string, given: unknown, result?: string]
  /** A compaction that keeps the last messages before it. */
  | readonly ["compaction", kept?: number]
  /** A rollback to the first messages. */
  | readonly ["rollback", left: number];

const ORIGIN = {
  typed: "typed",
  says: "response",
  thinks: "response",
  context: "context",
  summary: "summary",
} as const;

/** The transcript of such a session. */
export function writtenTranscript(steps: readonly Step[]): Transcript {
  const builder = new TranscriptBuilder({ keepChars: 100_000, byteLength: (text) => text.length });
  let [line, calls] = [0, 0];
  const push = (origin: Origin, kind: BlockKind, text: string, rest: object = {}, facts: Partial<Message> = {}) => {
    line += 1;
    const source = { line, offset: 0, length: 0, part: 0 };
    if (origin === "response") builder.request({ message: builder.messageCount, line });
    const role = origin === "response" ? "assistant" : "user";
    builder.message({ role, origin, line, blocks: [builder.block({ kind, text, ...rest }, source)], ...facts });
  };
  const boundary = (kind: "compaction" | "rollback", kept: readonly number[]) => {
    line += 1;
    builder.boundary({ kind, line, trigger: "unknown", message: builder.messageCount, kept, clearedCalls: [] });
  };
  for (const step of steps) {
    if (step[0] === "call") {
      const [, tool, given, result] = step;
      const callId = `call-${calls++}`;
      push("response", "tool_call", typeof given === "string" ? given : JSON.stringify(given), { callId, tool });
      if (result !== undefined) push("tool", "tool_result", result, { callId });
    } else if (step[0] === "compaction") {
      const count = builder.messageCount;
      boundary(
        "compaction",
        Array.from({ length: step[1] ?? 0 }, (_, at) => count - (step[1] ?? 0) + at),
      );
    } else if (step[0] === "rollback") {
      boundary(
        "rollback",
        Array.from({ length: step[1] }, (_, at) => at),
      );
    } else {
      const isOnly = step[0] === "summary";
      push(
        ORIGIN[step[0]],
        step[0] === "thinks" ? "thinking" : "text",
        step[1],
        {},
        isOnly ? { recordedOnly: true } : {},
      );
    }
  }
  return builder.finish("written", null);
}

/** Its columns, and the index of its texts. */
export function writtenSession(steps: readonly Step[]) {
  const transcript = writtenTranscript(steps);
  const columns = columnsFromTranscript(transcript);
  const index = new RefetchIndexBuilder(columns.length);
  for (const [at, message] of transcript.messages.entries()) {
    const texts = message.blocks.map(({ text }) => text.value ?? "");
    index.message(message, texts, columns.overheadRows + transcript.list.firstBlock(at));
  }
  return { transcript, columns, index: index.finish() };
}
