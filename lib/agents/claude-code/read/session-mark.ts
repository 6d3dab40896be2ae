import { idOf } from "@/lib/agents/shared/ids";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { SessionMark } from "@/lib/core/transcript/reader";
import { sessionRecord } from "./captured";
import { envelopeOf } from "./schema";

/**
 * Session that a record belongs to. A resumed or forked session begins with copies under its parent's id, or continues from the parent's last record:
 * both are one session. Versions that wrote no boundary began a continued session with a summary.
 */
export function sessionMark({ value }: SourceRecord): SessionMark {
  const envelope = envelopeOf(sessionRecord(value));
  const follows = [idOf(envelope.parentUuid), idOf(envelope.logicalParentUuid)];
  return {
    session: idOf(envelope.sessionId),
    id: idOf(envelope.uuid),
    follows,
    continues: envelope.isCompactSummary === true && follows.every((id) => id === undefined),
  };
}
