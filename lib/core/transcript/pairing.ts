import type { LineNumber } from "../base/units";
import type { ProblemCode } from "../records/problem";
import { BLOCK } from "./block-list";
import type { MessageList } from "./message-list";

type Report = (code: ProblemCode, line: LineNumber, detail: string) => void;

const NONE = -1;

/**
 * Copies tool and file of every call to its results, and reports results without a call and calls without a result. Copies that a compaction restored
 * (`recordedOnly`) get these facts, but count neither as calls nor as results.
 */
export function pairCalls(messages: MessageList, report: Report): void {
  const { blocks } = messages;
  if (blocks.callIds.length === 0) return;
  const calls = firstCalls(messages);
  const answered = new Uint8Array(blocks.callIds.length);
  eachBlock(messages, (row, message) => {
    const id = blocks.callId[row] ?? NONE;
    if (blocks.kind[row] !== BLOCK.tool_result || id === NONE) return;
    const call = calls.row[id] ?? NONE;
    if (call !== NONE) blocks.copyCallFacts(row, call);
    if (messages.recordedOnly(message)) return;
    if (call === NONE) report("orphan-result", messages.line(message), blocks.callIds[id] ?? "");
    else answered[id] = 1;
  });
  for (const id of calls.ids) {
    if (answered[id] === 0) report("unanswered-call", calls.line[id] ?? 0, blocks.callIds[id] ?? "");
  }
}

interface Calls {
  /** Call ids in the order of their first calls. */
  readonly ids: readonly number[];
  /** Row and line of the first call with an id; row −1 if there is none. */
  readonly row: Int32Array;
  readonly line: Int32Array;
}

function firstCalls(messages: MessageList): Calls {
  const { blocks } = messages;
  const ids: number[] = [];
  const row = new Int32Array(blocks.callIds.length).fill(NONE);
  const line = new Int32Array(blocks.callIds.length);
  eachBlock(messages, (at, message) => {
    const id = blocks.callId[at] ?? NONE;
    if (blocks.kind[at] !== BLOCK.tool_call || id === NONE || row[id] !== NONE || messages.recordedOnly(message))
      return;
    ids.push(id);
    row[id] = at;
    line[id] = messages.line(message);
  });
  return { ids, row, line };
}

function eachBlock(messages: MessageList, visit: (row: number, message: number) => void): void {
  for (let message = 0; message < messages.length; message++) {
    const end = messages.firstBlock(message + 1);
    for (let row = messages.firstBlock(message); row < end; row++) visit(row, message);
  }
}
