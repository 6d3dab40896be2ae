import { z } from "zod";
import { WASTE_KINDS } from "@/lib/core/analysis/waste";

/** Waste of a session. Source: docs/method.md, "Waste". */

const row = z.object({
  /** A tool or file; `null` without one. */
  name: z.string().nullable(),
  /** Its items in the recording. */
  items: z.array(z.int()),
  /** The request of the event, or the first one that sent the content needlessly. */
  request: z.int(),
  /** Requests that sent it needlessly. For a file: reads beyond the first. For a compaction: requests before the next one. For a cache miss: 1. */
  count: z.int(),
  /** For a compaction, the requests until it pays off; `null` if it never does, and for other kinds. */
  breakEven: z.number().nullable(),
  /** Tokens × requests that sent them needlessly; `null` for a compaction. */
  tokens: z.number().nullable(),
  /** Their cost, or the part of the compaction's cost that was not earned back, at list prices. */
  usd: z.number().nullable(),
});

/** An MCP server without any tool that the session calls. */
const server = z.object({
  name: z.string(),
  tools: z.int(),
  /** As in the rows, over its tools. */
  tokens: z.number(),
  usd: z.number().nullable(),
  /** The way to turn it off in the session's agent: a command, or a text of a settings file; `null` if unknown. */
  off: z.object({ text: z.string(), file: z.string().nullable() }).nullable(),
});

const finding = z.object({
  kind: z.enum(WASTE_KINDS),
  count: z.int().describe("number of rows, also of those that are left out"),
  /** Number of declared tools, or of compactions with a known break-even; `null` for other kinds. */
  outOf: z.int().nullable(),
  /** Sums over all rows; `null` as in them. `usd` is `null` if one is. */
  tokens: z.number().nullable(),
  usd: z.number().nullable(),
  /** `recorded`: the provider's numbers. `estimated`: sizes by the estimator. `terms`: silence of later texts, which may use an output without naming anything in it. */
  because: z.enum(["recorded", "estimated", "terms"]),
  confidence: z.enum(["high", "moderate", "low"]),
  /** The largest ones, at most 50. */
  rows: z.array(row),
  /** For `unused-tools`: the MCP servers among them that the session never uses, largest first. */
  servers: z.array(server),
});

export const waste = z.object({
  file: z.string(),
  sessionId: z.string().nullable(),
  estimator: z.string(),
  /** Tokens of the session's own requests, and their input cost; `null` if unknown. Each finding is a part of them, and findings overlap. */
  sent: z.number(),
  inputUsd: z.number().nullable(),
  /** Inherited requests, which no number counts. */
  inherited: z.number(),
  /** The most expensive first. A kind without evidence is absent. */
  findings: z.array(finding),
  /** Kinds that nothing in the file can show. */
  unknown: z.array(z.enum(WASTE_KINDS)),
});

export type WasteAnswer = z.infer<typeof waste>;
export type WasteFinding = z.infer<typeof finding>;
