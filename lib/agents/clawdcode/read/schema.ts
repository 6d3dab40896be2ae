import { type Figures, UNTOLD_FIGURES } from "@/lib/core/transcript/figures";
import { isObject, type JsonObject } from "../../json";

/** The fields that are read. Each may be missing or have another type, and then counts as absent. Source of the names: README.md, "Records". */
export interface Entry {
  readonly type?: string | undefined;
  readonly subtype?: string | undefined;
  readonly uuid?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly timestamp?: string | undefined;
  readonly version?: string | undefined;
  readonly cwd?: string | undefined;
  readonly gitBranch?: string | undefined;
  readonly isCompactSummary: boolean;
  readonly trigger?: string | undefined;
  readonly preTokens?: number | undefined;
  readonly postTokens?: number | undefined;
  readonly model?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/** The fields around an entry's content. Checked by hand, since a schema library takes longer than parsing the line. */
export function entryOf(record: JsonObject, figures: Figures = UNTOLD_FIGURES): Entry {
  const metadata = objectOf(record.compactMetadata);
  const message = objectOf(record.message);
  const usage = objectOf(message.usage);
  return {
    type: text(record.type),
    subtype: text(record.subtype),
    uuid: text(record.uuid),
    sessionId: text(record.sessionId),
    timestamp: text(record.timestamp),
    version: text(record.version),
    cwd: text(record.cwd),
    gitBranch: text(record.gitBranch),
    isCompactSummary: record.isCompactSummary === true,
    trigger: text(metadata.trigger),
    preTokens: figures.tokens(metadata.preTokens, "preTokens"),
    postTokens: figures.tokens(metadata.postTokens, "postTokens"),
    model: text(message.model),
    inputTokens: figures.tokens(usage.input_tokens, "input_tokens"),
    outputTokens: figures.tokens(usage.output_tokens, "output_tokens"),
  };
}

const NOTHING: JsonObject = {};

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
