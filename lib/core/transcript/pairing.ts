import type { LineNumber } from "../base/units";
import type { Block, Message } from "./model";
import type { ProblemCode } from "./problem";

type Report = (code: ProblemCode, line: LineNumber, detail: string) => void;

/**
 * Copies tool and file of every call to its results and reports results without a call and calls without a result.
 * Copies that a compaction put back (`recordedOnly`) are neither calls nor results of their own.
 */
export function pairCalls(messages: readonly Message[], report: Report): readonly Message[] {
  const calls = new Map<string, { block: Block; line: LineNumber; answered: boolean }>();
  const own = messages.filter((message) => message.recordedOnly !== true);
  for (const message of own) {
    for (const block of message.blocks) {
      if (block.kind === "tool_call" && block.callId !== undefined && !calls.has(block.callId)) {
        calls.set(block.callId, { block, line: message.line, answered: false });
      }
    }
  }
  for (const message of own) {
    for (const block of message.blocks) {
      if (block.kind !== "tool_result" || block.callId === undefined) continue;
      const call = calls.get(block.callId);
      if (call === undefined) report("orphan-result", message.line, block.callId);
      else call.answered = true;
    }
  }
  for (const [callId, call] of calls) {
    if (!call.answered) report("unanswered-call", call.line, callId);
  }
  return messages.map((message) => withCallFacts(message, calls));
}

function withCallFacts(message: Message, calls: ReadonlyMap<string, { block: Block }>): Message {
  if (!message.blocks.some((block) => block.kind === "tool_result")) return message;
  return { ...message, blocks: message.blocks.map((block) => resultWithCallFacts(block, calls)) };
}

function resultWithCallFacts(result: Block, calls: ReadonlyMap<string, { block: Block }>): Block {
  const call = result.callId === undefined ? undefined : calls.get(result.callId)?.block;
  if (result.kind !== "tool_result" || call === undefined) return result;
  return {
    ...result,
    ...(call.tool === undefined || result.tool !== undefined ? {} : { tool: call.tool }),
    ...(call.file === undefined || result.file !== undefined ? {} : { file: call.file }),
  };
}
