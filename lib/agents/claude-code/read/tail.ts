import { idOf } from "@/lib/agents/shared/ids";
import type { Milliseconds, Tokens } from "@/lib/core/base/units";
import type { RequestTermsRow } from "@/lib/core/columns/columns";
import { type JsonObject, objectField, textField } from "@/lib/core/records/fields";
import { Figures } from "@/lib/core/transcript/metrics";
import type { Usage } from "@/lib/core/transcript/model";
import { passesOf, sentTokens } from "./nodes";
import { type ApiUsage, apiUsageOf, compactMetadataOf, type Envelope, envelopeOf } from "./schema";

/** What the end of a file says about its session's present state. */
export interface TailState {
  /** The last response of the main chain; `undefined` where the session has none yet. */
  readonly response: LastResponse | undefined;
  /** Whether the session was compacted since that response, and the size that the file gives for what is left. */
  readonly compacted: { readonly tokensAfter: Tokens | undefined } | undefined;
}

/** A response as its record has it. */
interface LastResponse {
  readonly model: string | undefined;
  /** When it came; NaN where the record has no time. */
  readonly at: Milliseconds;
  readonly usage: Usage;
  readonly terms: RequestTermsRow;
}

/** Whoever asks for the state of a session now has no list of problems: an impossible figure counts as absent. */
const FIGURES = new Figures(() => undefined);

/**
 * Finds the state of a session by going back from its last record along the parents, as a resume does, so that a branch that was left does not
 * count. From a record without a parent the way goes on to the record before it. Lines that are no records are passed over.
 * @param lines the last lines of a file of Claude Code, in order
 * @param whole whether these are all of its lines
 * @returns `undefined` where the way back leaves these lines, so that more of them are needed
 */
export function tailState(lines: readonly string[], whole: boolean): TailState | undefined {
  const records = lines.map(mainRecord).filter((record) => record?.uuid !== undefined);
  const places = new Map(records.map((record, place) => [idOf(record?.uuid), place]));
  let compacted: TailState["compacted"];
  for (let place = records.length - 1; place >= 0; ) {
    const record = records[place];
    if (record === undefined) break;
    if (record.subtype === "compact_boundary")
      compacted ??= { tokensAfter: compactMetadataOf(record, FIGURES).postTokens };
    const response = responseOf(record);
    if (response !== undefined) return { response, compacted };
    const parent = idOf(record.parentUuid) ?? idOf(record.logicalParentUuid);
    const found = parent === undefined ? place - 1 : places.get(parent);
    if (found === undefined && !whole) return undefined;
    // A parent stands before its child. One that does not is passed over, so that the way ends.
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
    return undefined; // the line is being written, or it is damaged
  }
}

/** The response that a record holds. A message that the client itself made has no usage, and is none. */
function responseOf({ type, timestamp, record }: Envelope): LastResponse | undefined {
  if (type !== "assistant") return undefined;
  const message = objectField(record.message);
  const apiUsage = apiUsageOf(message?.usage, FIGURES);
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
