import { type JsonObject, textOf } from "../json";

/** Whether the first records are trajectories: these name the version of the schema, as no other format does. */
export function sniffAtif(head: readonly JsonObject[]): boolean {
  return head.some(({ schema_version, steps }) => textOf(schema_version).startsWith("ATIF-v") && Array.isArray(steps));
}
