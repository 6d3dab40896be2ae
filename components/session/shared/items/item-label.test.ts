import { describe, expect, it } from "vitest";
import { sessionColumns } from "../../testing/session-columns";
import { itemLabel } from "./item-label";

const columns = sessionColumns({
  overheadRows: 1,
  categories: ["systemPrompt", "user", "toolCalls", "toolResults", "summaries", "other"],
  kinds: ["overhead", "text", "tool_call", "tool_result", "text", "text"],
  origins: ["overhead", "typed", "response", "tool", "summary", "context"],
  tools: ["", "", "Bash", "Bash"],
  failed: [3],
  masked: [5],
});

describe("item labels", () => {
  it("name an item that has no text", () => {
    expect([0, 1, 2, 3, 4, 5].map((item) => itemLabel(columns, item).word)).toEqual([
      "overhead",
      "system",
      "call",
      "failedResult",
      "summary",
      "context",
    ]);
    expect([3, 4, 5].map((item) => itemLabel(columns, item).masked)).toEqual([false, false, true]);
    expect(itemLabel(columns, 3).tool).toBe("Bash");
    expect(itemLabel(columns, 0).category).toBe("systemPrompt");
  });
});
