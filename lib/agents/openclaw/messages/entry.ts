import type { OpenClawPreset } from "../base/presets";
import type { AgentMessage } from "./message";
import type { JsonObject } from "./value";

/** A line of the session after its header. Every field may be missing or have another type. */
export type SessionEntry = JsonObject;

/** The message that an entry adds to the context; `undefined` for entries that add none. Source: README.md, "Context of a branch". */
export function messageOfEntry(entry: SessionEntry, preset: OpenClawPreset): AgentMessage | undefined {
  switch (entry.type) {
    case "message": {
      const message = entry.message;
      if (typeof message !== "object" || message === null) return undefined;
      const object = message as JsonObject; // It is neither null nor a primitive: its properties may be read.
      return preset === "current" && object.excludeFromContext === true ? undefined : object;
    }
    case "custom_message":
      return { role: "custom", customType: entry.customType, content: entry.content, details: entry.details };
    case "branch_summary":
      return { role: "branchSummary", summary: entry.summary, fromId: entry.fromId };
    case "compaction":
      return { role: "compactionSummary", summary: entry.summary, tokensBefore: entry.tokensBefore };
    default:
      return undefined;
  }
}
