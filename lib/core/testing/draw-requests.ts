import type { SessionColumns } from "../columns/columns";
import { columnsFromTranscript } from "../columns/from-transcript";
import { TranscriptBuilder } from "../transcript/builder";
import type { Boundary, RequestTerms, Usage } from "../transcript/model";

/** A request as tests of costs write it. Every field has a default. */
export interface DrawnRequest {
  /** Minutes since the first; `null` for a request without a time. */
  readonly at?: number | null;
  readonly model?: string | null;
  /** Tokens that were neither read from a cache nor written to one. */
  readonly plain?: number;
  /** Read from a cache; `null` if the file does not say. */
  readonly read?: number | null;
  /** Tokens written for five minutes; if `long` is absent, the usage does not divide writes by TTL. */
  readonly write?: number;
  /** Tokens written for an hour. */
  readonly long?: number;
  readonly output?: number;
  readonly usage?: Partial<Usage>;
  readonly terms?: RequestTerms;
  /** The kind of boundary that the file has just before it. */
  readonly behind?: Boundary["kind"];
}

/** Default start of generated sessions. */
export const DRAWN_START = Date.parse("2026-09-01T09:00:00Z");

/** Columns of a session that consists of requests only, for tests of their cost. */
export function drawRequests(requests: readonly DrawnRequest[], start = DRAWN_START): SessionColumns {
  const builder = new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });
  for (const [index, drawn] of requests.entries()) {
    const line = 2 * index + 2;
    const message = builder.messageCount;
    if (drawn.behind !== undefined) {
      const [kind, trigger] = [drawn.behind, "auto"] as const;
      builder.boundary({ kind, line: line - 1, trigger, message, kept: [], clearedCalls: [] });
    }
    const { at = index, model = "claude-opus-4-5", terms } = drawn;
    builder.request({
      message,
      line,
      usage: usageOf(drawn),
      ...(at === null ? {} : { at: start + at * 60_000 }),
      ...(model === null ? {} : { model }),
      ...(terms === undefined ? {} : { terms }),
    });
    const source = { line, offset: 0, length: 0, part: 0 };
    builder.message({
      role: "assistant",
      origin: "response",
      line,
      blocks: [{ kind: "text", text: { chars: 4, bytes: 4 }, source }],
    });
  }
  return columnsFromTranscript(builder.finish("drawn", null));
}

function usageOf({ plain = 0, read = 0, write = 0, long, output = 0, usage }: DrawnRequest): Usage {
  return {
    input: plain,
    ...(read === null ? {} : { cacheRead: read }),
    cacheWrite: write + (long ?? 0),
    ...(long === undefined ? {} : { cacheWrite1h: long }),
    output,
    ...usage,
  };
}
