import type { JsonObject } from "../json";

/**
 * Whether the first records are the agent's, recognised by something that no other format has: a field that only this agent writes. The checks
 * hold every fixture of every format against it.
 */
export function sniffSkeleton(head: readonly JsonObject[]): boolean {
  return head.some(({ type, agent }) => type === "session" && agent === "skeleton");
}
