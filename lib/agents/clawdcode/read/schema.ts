import { idOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf } from "@/lib/agents/shared/json";
import { textField } from "@/lib/core/records/fields";
import { type KnownUsageFields, type RecordNumbers, UNREPORTED_NUMBERS } from "@/lib/core/transcript/record-numbers";

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
  readonly filesIncluded?: readonly string[] | undefined;
  readonly parentUuid?: string | undefined;
  readonly model?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

const KNOWN_USAGE: KnownUsageFields = new Set(["input_tokens", "output_tokens"]);

/** The fields around an entry's content. Checked by hand, since a schema library takes longer than parsing the line. */
export function entryOf(record: JsonObject, numbers: RecordNumbers = UNREPORTED_NUMBERS): Entry {
  const metadata = objectOf(record.compactMetadata);
  const message = objectOf(record.message);
  const usage = objectOf(message.usage);
  numbers.unknownUsage(usage, KNOWN_USAGE);
  return {
    type: textField(record.type),
    subtype: textField(record.subtype),
    uuid: textField(record.uuid),
    sessionId: textField(record.sessionId),
    timestamp: textField(record.timestamp),
    version: textField(record.version),
    cwd: textField(record.cwd),
    gitBranch: textField(record.gitBranch),
    isCompactSummary: record.isCompactSummary === true,
    trigger: textField(metadata.trigger),
    preTokens: numbers.tokens(metadata.preTokens, "preTokens"),
    postTokens: numbers.tokens(metadata.postTokens, "postTokens"),
    filesIncluded: Array.isArray(metadata.filesIncluded)
      ? metadata.filesIncluded.filter((path) => typeof path === "string")
      : undefined,
    parentUuid: idOf(record.parentUuid),
    model: textField(message.model),
    inputTokens: numbers.tokens(usage.input_tokens, "input_tokens"),
    outputTokens: numbers.tokens(usage.output_tokens, "output_tokens"),
  };
}
