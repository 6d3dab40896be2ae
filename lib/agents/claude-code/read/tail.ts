import { idOf } from "@/lib/agents/shared/ids";
import type { Milliseconds, Tokens } from "@/lib/core/base/units";
import type { RequestTermsRow } from "@/lib/core/columns/columns";
import { type JsonObject, objectField, textField } from "@/lib/core/records/fields";
import type { Usage } from "@/lib/core/transcript/model";
import { RecordNumbers } from "@/lib/core/transcript/record-numbers";
import { passesOf, sentTokens } from "./nodes";
import { type ApiUsage, apiUsageOf, compactMetadataOf, type Envelope, envelopeOf } from "./schema";

/** Present state of a session, read from the end of its file. */
export interface TailState {
  /** The last response of the main chain; `undefined` where the session has none yet. */
  readonly response: LastResponse | undefined;
  /** Set if the session was compacted after that response, with the recorded size of the remaining context. */
  readonly compacted: { readonly tokensAfter: Tokens | undefined } | undefined;
}

/** A response as recorded. */
interface LastResponse {
  readonly model: string | undefined;
  /** Time of the response; NaN if the record has none. */
  readonly at: Milliseconds;
  readonly usage: Usage;
  readonly terms: RequestTermsRow;
}

/** The status line shows no list of problems, so an impossible number simply counts as absent. */
const NUMBERS = new RecordNumbers(() => undefined);

/**
 * Finds the state of a session by walking back from its last record along the parents, as a resume does, so that abandoned branches do not count.
 * After a record without a parent the walk continues with the previous record. Lines that are not records are skipped.
 * @param lines the last lines of a file of Claude Code, in order
 * @param whole true if these are all of its lines
 * @returns `undefined` if the walk needs earlier lines
 */
export function tailState(lines: readonly string[], whole: boolean): TailState | undefined {
  const records = lines.map(mainRecord).filter((record) => record?.uuid !== undefined);
  const places = new Map(records.map((record, place) => [idOf(record?.uuid), place]));
  let compacted: TailState["compacted"];
  for (let place = records.length - 1; place >= 0; ) {
    const record = records[place];
    if (record === undefined) break;
    if (record.subtype === "compact_boundary")
      compacted ??= { tokensAfter: compactMetadataOf(record, NUMBERS).postTokens };
    const response = responseOf(record);
    if (response !== undefined) return { response, compacted };
    const parent = idOf(record.parentUuid) ?? idOf(record.logicalParentUuid);
    const found = parent === undefined ? place - 1 : places.get(parent);
    if (found === undefined && !whole) return undefined;
    // A parent precedes its child. One that does not is skipped, so that the walk ends.
    place = found !== undefined && found < place ? found : place - 1;
  }
  return whole ? { response: undefined, compacted } : undefined;
}

/** A record of the main chain; `undefined` for a subagent's, and for a line that is not a JSON object. */
function mainRecord(line: string): Envelope | undefined {
  const envelope = recordOf(line);
  return envelope?.isSidechain === true ? undefined : envelope;
}

function recordOf(line: string): Envelope | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return objectField(record) === undefined ? undefined : envelopeOf(record as JsonObject);
  } catch {
    return undefined; // incomplete or damaged line
  }
}

/** The response in a record. A message made by the client has no usage, and is not a response. */
function responseOf({ type, timestamp, record }: Envelope): LastResponse | undefined {
  if (type !== "assistant") return undefined;
  const message = objectField(record.message);
  const apiUsage = apiUsageOf(message?.usage, NUMBERS);
  const { usage } = passesOf(apiUsage, textField(message?.model));
  if (usage === undefined || sentTokens(usage) === 0) return undefined;
  return { model: textField(message?.model), at: Date.parse(timestamp ?? ""), usage, terms: termsOf(apiUsage) };
}

function termsOf(usage: ApiUsage | undefined): RequestTermsRow {
  const { speed, service_tier: serviceTier, inference_geo: inferenceGeo } = usage ?? {};
  return {
    ...(speed === undefined ? {} : { speed }),
    ...(serviceTier === undefined ? {} : { serviceTier }),
    ...(inferenceGeo === undefined ? {} : { inferenceGeo }),
  };
}
