import { describe, expect, it } from "vitest";
import { sniffReader } from "../registry";

const sniffed = (...records: readonly Record<string, unknown>[]) => sniffReader(records)?.format;
const say = (role: string, content: unknown, rest = {}) => ({ role, content, ...rest });

describe("messages with a role and content", () => {
  it.each([
    ["plain text", [say("user", "One."), say("assistant", "Two.")], "chat"],
    ["text parts", [say("user", [{ type: "text", text: "One." }])], "chat"],
    ["a list of them", [{ messages: [say("user", "One.")] }], "chat"],
    ["a result without a call's id", [say("tool", "exit 0", { name: "shell" })], "chat"],
    [
      "parts of the AI SDK",
      [say("assistant", [{ type: "tool-call", toolCallId: "c", toolName: "t" }])],
      "mini-claude-code",
    ],
    [
      "Anthropic's parts",
      [say("user", "One."), say("assistant", [{ type: "tool_use", id: "c", name: "t" }])],
      "api-log",
    ],
    ["OpenAI's calls", [say("user", "One."), say("assistant", null, { tool_calls: [{ id: "c" }] })], "api-log"],
    ["a list with a model", [{ model: "gpt-4.1", messages: [say("user", "One.")] }], "api-log"],
    ["records of another kind", [{ kind: "head" }, say("user", "One.")], undefined],
    ["an unknown role", [say("narrator", "One.")], undefined],
    ["a role alone", [{ role: "user" }], undefined],
  ] as const)("are recognised as the right format: %s", (_what, records, format) => {
    expect(sniffed(...records)).toBe(format);
  });
});
