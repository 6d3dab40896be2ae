import { z } from "zod";
import type { Milliseconds } from "@/lib/core/base/units";

/**
 * The fields that are read around an entry's content. The format is pi's with additions, not ours: every field may be missing or of
 * another type, and is then as if it were not there. README.md says what each means.
 */
const text = z.string().nullish().catch(undefined);
const count = z.number().int().nonnegative().nullish().catch(undefined);
const reference = z.string().nullable().optional().catch(undefined);

const message = z
  .object({
    role: text,
    model: text,
    stopReason: text,
    timestamp: z.number().nullish().catch(undefined),
    toolCallId: text,
    toolUseId: text,
    excludeFromContext: z.boolean().nullish().catch(undefined),
    usage: z.unknown().optional(),
  })
  .nullish()
  .catch(undefined);

/** What `openclaw.cache-ttl` says of results that are pruned whenever the history is sent (2026.9.6). */
const pruned = z
  .object({ prunedToolResults: z.array(z.object({ key: z.string(), mode: z.string() })).catch([]) })
  .nullish()
  .catch(undefined);

const entry = z.object({
  type: text,
  id: text,
  parentId: reference,
  timestamp: text,
  message,
  customType: text,
  version: z.number().nullish().catch(undefined),
  cwd: text,
  name: text,
  tokensBefore: count,
  tokensAfter: count,
  firstKeptEntryId: text,
  firstKeptEntryIndex: count,
  targetId: reference,
  appendMode: text,
  data: pruned,
});

export type Envelope = z.infer<typeof entry>;

/** The fields around a record's content. Never throws: a record is an object, and every field is optional. */
export function envelopeOf(record: Readonly<Record<string, unknown>>): Envelope {
  return entry.parse(record);
}

/** An id, or none: `REDACTED` was put there by a publisher's tool and names nothing. Source: interfaces.md, MASKED. */
export function idOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" && value !== "REDACTED" ? value : undefined;
}

/** ISO 8601 with a date and a time; without a zone it is UTC, so that the answer does not depend on the reader's place. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** A record's own time; `undefined` where it has none that can be read. */
export function timeOf(value: string | null | undefined): Milliseconds | undefined {
  const match = typeof value === "string" ? ISO_TIME.exec(value) : null;
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(at) ? undefined : at;
}
