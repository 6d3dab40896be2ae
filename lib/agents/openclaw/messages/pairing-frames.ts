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
 * Pairing of calls and results in release 2026.9.6. A frame runs from one assistant message with calls to the next; within a frame a result takes the
 * first free call with its id. Source: README.md, "Pairs"; openclaw@2026.9.6, agent-core tool-result-pairing.
 */

/** A call of a frame, and the result that it has. */
interface Occurrence extends ToolCall {
  result: AgentMessage | undefined;
  /** The message of the history from which the result was read. */
  source: AgentMessage | undefined;
}

interface Frame {
  readonly assistant: AgentMessage;
  readonly occurrences: readonly Occurrence[];
  /** The messages up to the next frame. */
  readonly following: readonly AgentMessage[];
}

interface Framed {
  /** The messages before the first frame. */
  readonly before: readonly AgentMessage[];
  readonly frames: readonly Frame[];
}

/** The frames of a history, every call with the result that answers it. */
function pairResults(messages: readonly AgentMessage[]): Framed {
  const framed = framesOf(messages);
  claimAcross(framed.frames.map((frame) => ({ ...frame, unclaimed: claimWithin(frame) })));
  return framed;
}

function framesOf(messages: readonly AgentMessage[]): Framed {
  const before: AgentMessage[] = [];
  const frames: (Frame & { readonly following: AgentMessage[] })[] = [];
  for (const message of messages) {
    const calls = message.role === "assistant" ? toolCallsOf(message) : [];
    const occurrences = calls.map((call) => ({ ...call, result: undefined, source: undefined }));
    if (calls.length > 0) frames.push({ assistant: message, occurrences, following: [] });
    else (frames.at(-1)?.following ?? before).push(message);
  }
  return { before, frames };
}

/** A result, and the message from which it was read. */
interface Claim {
  readonly source: AgentMessage;
  readonly result: AgentMessage;
}

/** Gives a frame's results to its calls, and returns those whose id no call of the frame has. */
function claimWithin({ occurrences, following }: Frame): readonly Claim[] {
  const unclaimed: Claim[] = [];
  for (const source of following.filter(isResult)) {
    const result = withLegacyId(source, occurrences);
    const id = currentResultIdOf(result);
    const own = occurrences.filter((call) => call.id === id);
    const open = own.find((call) => call.result === undefined) ?? own.find((call) => isOpenTo(call, result));
    if (open !== undefined) assign(open, { source, result });
    else if (own.length === 0) unclaimed.push({ source, result });
  }
  return unclaimed;
}

/** A result without a call in its own frame may answer an open call of an earlier frame, if there is exactly one. */
function claimAcross(frames: readonly (Frame & { readonly unclaimed: readonly Claim[] })[]): void {
  const calls = new Map<string | undefined, Occurrence[]>();
  for (const { occurrences, unclaimed } of frames) {
    for (const call of occurrences) calls.set(call.id, [...(calls.get(call.id) ?? []), call]);
    for (const claim of unclaimed) {
      const same = calls.get(currentResultIdOf(claim.result)) ?? [];
      const [only, ...others] = same.filter((call) => isOpenTo(call, claim.result));
      if (only !== undefined && others.length === 0) assign(only, claim);
    }
  }
}

/** True if a call takes a result: a call without one takes any, and a stand-in is replaced by a real result. */
function isOpenTo(call: Occurrence, result: AgentMessage): boolean {
  return call.result === undefined || (isMissingResult(call.result) && !isMissingResult(result));
}

function assign(call: Occurrence, { source, result }: Claim): void {
  call.result = withName(result, call.name);
  call.source = source;
}

function isResult(message: AgentMessage): boolean {
  return message.role === "toolResult";
}

/** Assigns a result without an id to the only call that exists, as an error. */
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

/** The result under its tool's name, or the call's name if it has none. */
function withName(result: AgentMessage, called: string | undefined): AgentMessage {
  const own = trimmed(result.toolName);
  if (own !== undefined) return own === result.toolName ? result : { ...result, toolName: own };
  const name = trimmed(called);
  if (name !== undefined) return { ...result, toolName: name };
  return typeof result.toolName === "string" ? { ...result, toolName: "unknown" } : result;
}

interface RepairedFrames {
  readonly messages: readonly AgentMessage[];
  /** Omitted results, in order. */
  readonly discarded: readonly AgentMessage[];
}

/** The history with every call's result after it, stand-ins for missing ones, and no other results. */
export function repairFrames(messages: readonly AgentMessage[]): RepairedFrames {
  const { before, frames } = pairResults(messages);
  const answers = sourcesOf(frames);
  return {
    messages: [...withoutResults(before), ...frames.flatMap(repairedFrame)],
    discarded: messages.filter((message) => isResult(message) && !answers.has(message)),
  };
}

function repairedFrame({ assistant, occurrences, following }: Frame): readonly AgentMessage[] {
  const results = occurrences.map((call) => call.result ?? (isFailed(assistant) ? undefined : missingResult(call)));
  return [assistant, ...results.filter((result) => result !== undefined), ...withoutResults(following)];
}

function withoutResults(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  return messages.filter((message) => !isResult(message));
}

/** The results in this list that answer a call in it. */
export function pairedResults(messages: readonly AgentMessage[]): ReadonlySet<AgentMessage> {
  return sourcesOf(pairResults(messages).frames);
}

function sourcesOf(frames: readonly Frame[]): ReadonlySet<AgentMessage> {
  const calls = frames.flatMap(({ occurrences }) => occurrences);
  return new Set(calls.map(({ source }) => source).filter((source) => source !== undefined));
}
