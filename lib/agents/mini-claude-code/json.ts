import { jsonOf } from "../json";

/** A text as it is, anything else as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : jsonOf(value);
}
