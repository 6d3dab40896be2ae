import { expect, it } from "vitest";
import type { Message } from "@/lib/core/transcript/model";
import { blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { summaryPromptOf } from "./summary-prompt";

const HEAD = "The following is the conversation history:";

function promptOf(...messages: readonly Message[]): string {
  return summaryPromptOf(
    messages.map((message) => ({ message, contents: contentsOf(message) })),
    "current",
    "chat",
  ).text;
}

it("the prompt contains a user message as one text, and a call with its result and files", () => {
  const typed = messageOf(
    "user",
    "typed",
    blockOf("text", "Look."),
    blockOf("image", "AAAA"),
    blockOf("text", "Well?"),
  );
  const call = blockOf("tool_call", '{"path":"a.png"}', { callId: "c1", tool: "read" });
  const result = [blockOf("tool_result", "read", { callId: "c1" }), blockOf("image", "AAAA", { callId: "c1" })];
  expect(promptOf(typed, messageOf("assistant", "response", call), messageOf("user", "tool", ...result))).toBe(
    [
      HEAD,
      "[User]: Look.\nWell?\n[Attached image/png: file]",
      '[Assistant tool call]: read({"path":"a.png"})\n[Tool result]: read\n[Attached image/png: file]',
    ].join("\n\n"),
  );
});

it("the prompt contains a call without a result alone, and a failed call with its error", () => {
  const call = (callId: string) => blockOf("tool_call", "{}", { callId, tool: "bash" });
  const failed = messageOf("user", "tool", blockOf("tool_result", "no", { callId: "c1", isError: true }));
  expect(promptOf(messageOf("assistant", "response", call("c1"), call("c2")), failed)).toBe(
    `${HEAD}\n\n[Assistant tool call]: bash({})\n[Tool error]: no\n[Assistant tool call]: bash({})`,
  );
});

it("the prompt omits messages that an earlier compaction added to the session", () => {
  const question = { ...messageOf("user", "context", blockOf("text", "What did we do so far?")), recordedOnly: true };
  const summary = { ...messageOf("assistant", "summary", blockOf("text", "Much.")), recordedOnly: true };
  expect(promptOf(question, summary, messageOf("user", "typed", blockOf("text", "Go on.")))).toBe(
    `${HEAD}\n\n[User]: Go on.`,
  );
});
