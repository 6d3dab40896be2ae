import { agentOfFormat, FORMATS } from "@/lib/agents/agents";
import { readerOf } from "@/lib/agents/registry";
import type { SourceRecord } from "@/lib/core/records/fields";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { LIMITS } from "../base/limits";

/** A format that a file may be read as, and how many messages it would find in the first records. */
export interface FormatOffer {
  readonly format: string;
  readonly messages: number;
}

/**
 * Every format, for records that no reader recognised as its own. The format that finds the most messages comes first, among equals the one that
 * finds fewer oddities, and then the formats that belong to no agent.
 */
export function formatOffers(head: readonly SourceRecord[]): readonly FormatOffer[] {
  const ids = FORMATS.map(({ id }) => id);
  const plain = ids.filter((id) => agentOfFormat(id) === null);
  return [...plain.reverse(), ...ids.filter((id) => agentOfFormat(id) !== null)]
    .map((format) => ({ format, ...foundAs(format, head) }))
    .sort((a, b) => b.messages - a.messages || a.oddities - b.oddities)
    .map(({ format, messages }) => ({ format, messages }));
}

function foundAs(format: string, head: readonly SourceRecord[]): { messages: number; oddities: number } {
  const builder = new TranscriptBuilder({ keepChars: LIMITS.keepChars, byteLength: Buffer.byteLength });
  const parser = readerOf(format)?.parse(builder);
  for (const record of head) parser?.record(record);
  parser?.end();
  const { problems } = builder.finish(format, agentOfFormat(format));
  return { messages: builder.messageCount, oddities: problems.reduce((sum, { count }) => sum + count, 0) };
}
