import {
  type AgentMessage,
  currentResultIdOf,
  isFailed,
  isMissingResult,
  missingResult,
  type ToolCall,
  toolCallsOf,
} from "./message";
import { filledText, textOf } from "./value";

/**
 * Release 2026.9.6's pairing of calls and results. A frame runs from an assistant message with calls to the next such
 * message; within it a result takes the first free call of its id.
 * Source: systems/openclaw.md §10.13, "Repair"; openclaw@2026.9.6, agent-core tool-result-pairing.
 */

/** A call of a frame, and the result that it has. */
interface Occurrence extends ToolCall {
  result: AgentMessage | undefined;
  /** The message of the history that the result was read from. */
  source: AgentMessage | undefined;
}

interface Frame {
  readonly start: number;
  readonly end: number;
  readonly assistant: AgentMessage;
  readonly occurrences: readonly Occurrence[];
  /** What is neither call nor result. */
  readonly rest: readonly AgentMessage[];
  /** Results that no call of the frame has. */
  readonly unclaimed: readonly { readonly source: AgentMessage; readonly result: AgentMessage }[];
}

interface Pairing {
  readonly frames: readonly Frame[];
  /** Results that no call has. */
  readonly discarded: readonly AgentMessage[];
}

function pairResults(messages: readonly AgentMessage[]): Pairing {
  const starts = messages.flatMap((message, index) =>
    message.role === "assistant" && toolCallsOf(message).length > 0 ? [index] : [],
  );
  const discarded: AgentMessage[] = [];
  const frames = starts.map((start, index) =>
    frameOf(messages, start, starts[index + 1] ?? messages.length, (source) => discarded.push(source)),
  );
  claimAcrossFrames(frames, (source) => discarded.push(source));
  return { frames, discarded };
}

type Discard = (source: AgentMessage) => void;

function frameOf(messages: readonly AgentMessage[], start: number, end: number, discard: Discard): Frame {
  const assistant = messages[start] ?? {};
  const calls = toolCallsOf(assistant);
  const occurrences: Occurrence[] = calls.map((call) => ({ ...call, result: undefined, source: undefined }));
  const rest: AgentMessage[] = [];
  const unclaimed: { source: AgentMessage; result: AgentMessage }[] = [];
  for (const source of messages.slice(start + 1, end)) {
    if (source.role !== "toolResult") rest.push(source);
    else {
      const result = withLegacyId(source, calls);
      const id = currentResultIdOf(result);
      const own = occurrences.filter((call) => call.id === id);
      const free = own.find((call) => call.result === undefined);
      if (free !== undefined) assign(free, result, source);
      else if (own.length === 0) unclaimed.push({ source, result });
      else discard(replaceStandIn(own, result, source));
    }
  }
  return { start, end, assistant, occurrences, rest, unclaimed };
}

function assign(call: Occurrence, result: AgentMessage, source: AgentMessage): void {
  call.result = withName(result, call.name);
  call.source = source;
}

/** A real result takes the place of a stand-in; gives what is discarded. */
function replaceStandIn(own: readonly Occurrence[], result: AgentMessage, source: AgentMessage): AgentMessage {
  const standIn = own.find((call) => call.result !== undefined && isMissingResult(call.result));
  if (isMissingResult(result) || standIn?.source === undefined) return source;
  const discarded = standIn.source;
  assign(standIn, result, source);
  return discarded;
}

/** A result without an id belongs to the only call that there is, as an error. */
function withLegacyId(source: AgentMessage, calls: readonly ToolCall[]): AgentMessage {
  const [call] = calls;
  if (currentResultIdOf(source) !== undefined || call === undefined || calls.length !== 1) return source;
  const name = trimmed(source.toolName);
  const called = trimmed(call.name);
  if (name !== undefined && called !== undefined && name !== called) return source;
  return { ...source, toolCallId: call.id, isError: true };
}

function trimmed(value: unknown): string | undefined {
  return filledText(textOf(value)?.trim());
}

/** The result under its tool's name, the call's where it has none of its own. */
function withName(result: AgentMessage, called: string | undefined): AgentMessage {
  const own = trimmed(result.toolName);
  if (own !== undefined) return own === result.toolName ? result : { ...result, toolName: own };
  const name = trimmed(called);
  if (name !== undefined) return { ...result, toolName: name };
  return typeof result.toolName === "string" ? { ...result, toolName: "unknown" } : result;
}

/** A result that no call of its frame has may answer an open one of an earlier frame, if there is exactly one. */
function claimAcrossFrames(frames: readonly Frame[], discard: Discard): void {
  const open = new Map<string, Occurrence[]>();
  for (const frame of frames) {
    for (const call of frame.occurrences) {
      if (call.result !== undefined && !isMissingResult(call.result)) continue;
      open.set(call.id, [...(open.get(call.id) ?? []), call]);
    }
    for (const { source, result } of frame.unclaimed) {
      const id = currentResultIdOf(result);
      const candidates = (id === undefined ? [] : (open.get(id) ?? [])).filter(
        (call) => call.result === undefined || (isMissingResult(call.result) && !isMissingResult(result)),
      );
      const [only] = candidates;
      if (only === undefined || candidates.length !== 1) {
        discard(source);
        continue;
      }
      if (only.source !== undefined) discard(only.source);
      assign(only, result, source);
    }
  }
}

export interface RepairedFrames {
  readonly messages: readonly AgentMessage[];
  /** Results that were left out, in their order. */
  readonly discarded: readonly AgentMessage[];
}

/** The history with every call's result behind it, stand-ins where one is missing, and no other results. */
export function repairFrames(messages: readonly AgentMessage[]): RepairedFrames {
  const { frames, discarded } = pairResults(messages);
  const out: AgentMessage[] = [];
  const leftOut = [...discarded];
  const first = frames[0]?.start ?? messages.length;
  for (const message of messages.slice(0, first)) {
    if (message.role === "toolResult") leftOut.push(message);
    else out.push(message);
  }
  for (const frame of frames) {
    out.push(frame.assistant);
    for (const call of frame.occurrences) {
      if (call.result !== undefined) out.push(call.result);
      else if (!isFailed(frame.assistant)) out.push(missingResult(call));
    }
    out.push(...frame.rest);
  }
  const position = new Map(messages.map((message, index) => [message, index]));
  leftOut.sort((a, b) => (position.get(a) ?? 0) - (position.get(b) ?? 0));
  return { messages: out, discarded: leftOut };
}

/** The results among these that answer a call among them. */
export function pairedResults(messages: readonly AgentMessage[]): ReadonlySet<AgentMessage> {
  const calls = pairResults(messages).frames.flatMap((frame) => frame.occurrences);
  return new Set(calls.map((call) => call.source).filter((source) => source !== undefined));
}
