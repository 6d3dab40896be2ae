import type { SessionMark, SourceRecord } from "@/lib/core/transcript/reader";
import { envelopeOf } from "./schema";

/**
 * Which session a record belongs to. A branch begins with copies of the records that it was made from and continues them, so it is one session.
 */
export function sessionMark({ value }: SourceRecord): SessionMark {
  const { sessionId, uuid, parentUuid } = envelopeOf(value);
  return { session: sessionId, id: uuid, follows: [parentUuid ?? undefined] };
}
