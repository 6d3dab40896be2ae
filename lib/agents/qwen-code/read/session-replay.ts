import { type JsonObject, objectOf } from "@/lib/agents/shared/json";
import { partsOf } from "../messages/content";
import type { CommandEcho } from "./chain";

/** Facts about the echo in a slash command's record. */
export function commandEcho(payload: JsonObject): CommandEcho {
  const items = payload.outputHistoryItems;
  const answered =
    payload.phase === "result" &&
    payload.sentToModel !== true &&
    Array.isArray(items) &&
    items.length > 0 &&
    items.every((item) => objectOf(item).type === "assistant");
  return { answered, rawCommand: typeof payload.rawCommand === "string" ? payload.rawCommand : undefined };
}

/** The text of a plain user record: one part that holds nothing but its text. */
export function plainUserText(subtype: string | undefined, message: JsonObject | undefined): string | undefined {
  const [part, more] = partsOf(message ?? {});
  if (subtype !== undefined || message?.role !== "user" || part === undefined || more !== undefined) return undefined;
  return typeof part.text === "string" && Object.keys(part).length === 1 ? part.text : undefined;
}
