import { z } from "zod";
import { OVERHEAD_CATEGORIES } from "@/lib/core/base/categories";
import { MAX_ROWS } from "@/lib/core/bundle/arrays";
import { instant } from "./basics";
import { sessionSummary } from "./sessions";

/** The first line of a bundle, a session as numbers alone: docs/interfaces.md, "Bundle". Every further line is an array of numbers. */

const count = z
  .int()
  .nonnegative()
  .max(2 ** 31 - 1);
const rows = z.int().nonnegative().max(MAX_ROWS);
/** A word of a closed list, or a number that stands for a name: only letters, digits and the punctuation of paths and models. */
const name = z
  .string()
  .regex(/^[\w.:/\\<>@[\] -]*$/)
  .max(2000);
const id = z.string().regex(/^[\w.@-]{1,60}$/);
const overheadId = z.enum(OVERHEAD_CATEGORIES).exclude(["overheadInferred"]);
const { contextWindow, records, messages, usage, peakContext, lastContext, compactions, resume } = sessionSummary.shape;

/** Counts from the index of a session's texts, which cannot be recomputed without the texts. */
const textCounts = z.strictObject({
  needed: z.strictObject({ count, tokens: count }).nullable(),
  scores: z.array(z.strictObject({ score: id, part: count, whole: count })).max(20),
});

export const bundleHeader = z.strictObject({
  /** Version of the format. In bundles of version 1, `sidechains` holds the only requests outside of the context: those of subagents. */
  contextReplayBundle: z.literal([1, 2]),
  format: id,
  agent: id.nullable(),
  agentVersion: z
    .string()
    .regex(/^[\w.-]{1,60}$/)
    .nullable(),
  formatVersion: z.int().nullable(),
  startedAt: instant,
  endedAt: instant,
  models: z.array(name).max(1000),
  contextWindow: contextWindow.extend({ tokens: count }),
  records: records.pick({ total: true, damagedTotal: true }).strict(),
  messages: messages.strict(),
  requests: count,
  usage: usage.strict(),
  peakContext,
  lastContext,
  compactions: z.array(compactions.element.omit({ filesIncluded: true, parentUuid: true })).max(100_000),
  subagents: count,
  /** Number of occurrences of each problem. */
  problems: z.array(z.strictObject({ code: id, count })).max(100),
  resume: resume.unwrap(),
  rows: z.strictObject({
    items: rows,
    overheadRows: rows.positive(),
    requests: rows,
    boundaries: rows,
    extra: rows.optional(),
    sidechains: rows.optional(),
  }),
  tables: z.strictObject({
    tools: z.array(name).max(MAX_ROWS),
    files: z.array(name).max(MAX_ROWS),
    models: z.array(name).max(1000),
    terms: z
      .array(
        z.strictObject({
          speed: id.optional(),
          serviceTier: id.optional(),
          inferenceGeo: id.optional(),
          effort: id.optional(),
          process: rows.optional(),
          missReason: id.optional(),
        }),
      )
      .max(100_000),
    overhead: z.array(name).max(MAX_ROWS),
  }),
  /** Contents of the agent's own report that the file lacks; null without a report. */
  overhead: z
    .strictObject({
      categories: z
        .array(
          z.strictObject({
            id: overheadId,
            tokens: count,
            items: z.array(z.strictObject({ name, tokens: count })).max(100_000),
          }),
        )
        .max(OVERHEAD_CATEGORIES.length),
      declaredTokens: count.optional(),
    })
    .nullable(),
  told: textCounts.nullable(),
  /** Number of lines that follow. */
  lines: z.int().positive().max(1000),
});

export type BundleHeader = z.infer<typeof bundleHeader>;
