import type { SessionMark, SourceRecord } from "@/lib/core/transcript/reader";
import { envelopeOf } from "./schema";

/** Whose session a record is of. A branch holds copies of the records that it was made from, and hangs on them: it is one session. */
export function sessionMark({ value }: SourceRecord): SessionMark {
  const { sessionId, uuid, parentUuid } = envelopeOf(value);
  return { session: sessionId, id: uuid, follows: [parentUuid ?? undefined] };
}
