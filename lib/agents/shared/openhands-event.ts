import type { JsonObject } from "./json";

// Apart from the reader: the server names a single event without loading readers.

/** True for an event of the software agent SDK, which has a `kind`. Earlier releases wrote `action` or `observation`. */
export function isSdkEvent(record: JsonObject): boolean {
  return "source" in record && typeof record.kind === "string" && SDK_KIND.test(record.kind);
}

const SDK_KIND =
  /^(?:\w*(?:Message|Action|Observation|SystemPrompt|Pause|Error|ConversationStateUpdate)Event|Condensation(?:Request)?)$/;

/** True for an event of an earlier release. */
export function isOldEvent({ timestamp, message, source, action, observation }: JsonObject): boolean {
  const isNamed = typeof (action ?? observation) === "string";
  return typeof source === "string" && typeof timestamp === "string" && typeof message === "string" && isNamed;
}
