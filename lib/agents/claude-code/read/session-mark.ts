import type { SessionMark, SourceRecord } from "@/lib/core/transcript/reader";
import { idOf } from "../../ids";
import { envelopeOf } from "./schema";

/**
 * Whose session a record is of. A session that was resumed or forked begins with copies under its parent's id, or hangs on
 * the parent's last record: that is one session. Versions that wrote no boundary began a continued one with a summary.
 */
export function sessionMark({ value }: SourceRecord): SessionMark {
  const envelope = envelopeOf(value);
  const follows = [idOf(envelope.parentUuid), idOf(envelope.logicalParentUuid)];
  return {
    session: idOf(envelope.sessionId),
    id: idOf(envelope.uuid),
    follows,
    continues: envelope.isCompactSummary === true && follows.every((id) => id === undefined),
  };
}
