import { z } from "zod";
import type { Milliseconds } from "@/lib/core/base/units";
import type { JsonObject } from "./json";

/**
 * The fields that are read: every one may be missing or of another type, and is then as if it were not there. Source of the
 * names: systems/clawdcode.md §8.
 */
const text = z.string().nullish().catch(undefined);
const count = z.number().int().nonnegative().nullish().catch(undefined);

const entry = z.object({
  type: text,
  subtype: text,
  uuid: text,
  parentUuid: text,
  sessionId: text,
  timestamp: text,
  version: text,
  cwd: text,
  gitBranch: text,
  isCompactSummary: z.boolean().nullish().catch(undefined),
  compactMetadata: z.object({ trigger: text, preTokens: count, postTokens: count }).nullish().catch(undefined),
  message: z
    .object({
      role: text,
      model: text,
      usage: z.object({ input_tokens: count, output_tokens: count }).nullish().catch(undefined),
    })
    .nullish()
    .catch(undefined),
});

export type Entry = z.infer<typeof entry>;

/** The fields around an entry's content. Never throws: an entry is an object, and every field is optional. */
export function entryOf(record: JsonObject): Entry {
  return entry.parse(record);
}

/** An id, or none: `REDACTED` was put there by a publisher's tool and names nothing. Source: interfaces.md, MASKED. */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value !== "REDACTED" ? value : undefined;
}

/** ISO 8601 with a date and a time; without a zone it is UTC, so that the answer does not depend on the reader's place. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** An entry's own time; `undefined` where it has none that can be read. */
export function timeOf(value: string | null | undefined): Milliseconds | undefined {
  const match = typeof value === "string" ? ISO_TIME.exec(value) : null;
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(at) ? undefined : at;
}
