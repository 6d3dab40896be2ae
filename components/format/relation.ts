import type { RelatedSession } from "@/lib/queries/contract/types";

/** Relations to another session that state a session's origin, the most specific one first. */
const ORIGINS = ["subagent-of", "copy-of", "continues", "fork-of"] as const satisfies RelatedSession["kind"][];

type OriginKind = (typeof ORIGINS)[number];

export interface OriginRelation extends RelatedSession {
  readonly kind: OriginKind;
}

/** The origin of a session: the most specific of its relations. `undefined` without one. */
export function originOf(related: readonly RelatedSession[]): OriginRelation | undefined {
  const origins = related.filter(isOrigin);
  return origins.sort((a, b) => ORIGINS.indexOf(a.kind) - ORIGINS.indexOf(b.kind))[0];
}

function isOrigin(relation: RelatedSession): relation is OriginRelation {
  return (ORIGINS as readonly string[]).includes(relation.kind);
}

/** The subagent's session that a call started; `undefined` if none is listed. */
export function subagentOf(related: readonly RelatedSession[], callId: string | null): RelatedSession | undefined {
  if (callId === null) return undefined;
  return related.find((relation) => relation.kind === "has-subagent" && relation.callId === callId);
}

export function itemHref(id: string, item: number): string {
  return `${sessionHref(id)}?item=${item}`;
}

export function sessionHref(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`;
}
