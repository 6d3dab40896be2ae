import { jsonOf } from "../json";

/** A text as it is, any other value as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : jsonOf(value);
}
