import { isObject, jsonOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import { apportion, type BlockContent, type ItemEstimator, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { MESSAGE_TOKENS } from "./base/constants";
import { isSourceFile } from "./base/source-file";
import { DEFAULT_MODEL, encodingOf } from "./messages/encodings";
import { type ClawdMessage, callsOf, contentText } from "./messages/message";
import { type NativeMessage, toNative } from "./messages/native";
import {
  callTokens,
  envelopeTokens,
  estimateCalls,
  estimateMessage,
  estimateTokens,
  messageTokens,
  type TextCount,
} from "./messages/token-counter";
import { mentionFields, namesFiles } from "./policy/files";
import type { ClawdcodeMeasure } from "./policy/measures";
import { pathsInArguments, pathsInText } from "./summary/file-analyzer";

/**
 * ClawdCode's exact count, message by message: envelope, content and calls. It is additive, so the block of a call costs as much as the call, the
 * content is distributed over its texts, and the first block also gets the envelope. Special tokens count as text here, where the program throws.
 * @param counterFor exact counters by encoding, from the host that has the tables
 * @param model the model whose encoding is used
 */
export function createClawdcodeEstimator(counterFor: CounterFor, model: string = DEFAULT_MODEL): ItemEstimator {
  const count = counterFor(encodingOf(model));
  return {
    id: "clawdcode",
    text: count,
    message: (message) => (isMessage(message) ? messageTokens(message, count) : undefined),
    blocks: (message, contents) => blockTokens(message, contents, (native) => exactParts(native, count)),
  };
}

/** ClawdCode's rough estimate, which needs no vocabulary tables. */
export const clawdcodeFastEstimator: ItemEstimator = {
  id: "clawdcode-fast",
  text: estimateTokens,
  message: (message) => (isMessage(message) ? estimateMessage(message) : undefined),
  blocks: (message, contents) => blockTokens(message, contents, roughParts),
};

function isMessage(value: unknown): value is ClawdMessage {
  return isObject(value) && ("content" in value || "tool_calls" in value);
}

/** Tokens of a message, part by part. */
interface Parts {
  readonly envelope: Tokens;
  readonly content: Tokens;
  /** The cost of each call, in order. */
  readonly calls: readonly Tokens[];
}

function exactParts({ message }: NativeMessage, count: TextCount): Parts {
  return {
    envelope: envelopeTokens(message, count),
    content: count(contentText(message)),
    calls: callsOf(message).map((call) => callTokens(call, count)),
  };
}

/** The calls are estimated as one JSON text, and each gets its share of the estimate. */
function roughParts({ message }: NativeMessage): Parts {
  const sizes = callsOf(message).map((call) => jsonOf(call).length);
  return {
    envelope: MESSAGE_TOKENS,
    content: estimateTokens(contentText(message)),
    calls: apportion(estimateCalls(message), sizes),
  };
}

function blockTokens(
  message: Message,
  contents: readonly BlockContent[],
  partsOf: (native: NativeMessage) => Parts,
): readonly Tokens[] {
  const kinds = message.blocks.map(({ kind }) => kind);
  const tokens: Tokens[] = kinds.map(() => 0);
  const add = (blocks: readonly number[], sizes: readonly Tokens[]) => {
    for (const [at, index] of blocks.entries()) tokens[index] = (tokens[index] ?? 0) + (sizes[at] ?? 0);
  };
  for (const native of toNative(message, contents)) {
    const { envelope, content, calls } = partsOf(native);
    const texts = native.blocks.filter((index) => kinds[index] === "text" || kinds[index] === "tool_result");
    const lengths = texts.map((index) => textAt(contents, index).length);
    // The first block takes the envelope.
    add(native.blocks, [envelope]);
    add(texts, apportion(content, lengths));
    add(
      native.blocks.filter((index) => kinds[index] === "tool_call"),
      calls,
    );
  }
  return tokens;
}

/**
 * Makes the measures of one session's blocks, in their order; computed once on the server, like token columns.
 * - `clawdcode.withoutCallId`: 1 if a result has no call id, which means that it is never an orphan
 * - `clawdcode.paths`: the paths in a text or a call's arguments, numbered from 0 in the order of first use (`mentionFields`), so that no path leaves
 * the server
 */
export function clawdcodeMeasures() {
  const numbers = new Map<string, number>();
  const pathFields = (path: string, from: number): readonly number[] => {
    const number = numbers.get(path) ?? numbers.size;
    numbers.set(path, number);
    return mentionFields(number, isSourceFile(path), from, from + path.length);
  };
  const pathsIn = ({ kind, tool, file }: Message["blocks"][number], text: string): readonly number[] => {
    if (kind === "text" || kind === "tool_result")
      return Array.from(pathsInText(text)).flatMap(([path, from]) => pathFields(path, from));
    if (kind !== "tool_call" || !namesFiles(tool)) return [];
    const paths = pathsInArguments(text);
    const first = file === undefined ? -1 : paths.indexOf(file);
    const others = first < 0 ? paths : paths.toSpliced(first, 1);
    const named = file === undefined ? others : [file, ...others];
    return named.flatMap((path) => pathFields(path, Math.max(0, text.indexOf(path))));
  };
  return ({ blocks }: Pick<Message, "blocks">, contents: readonly BlockContent[]) =>
    ({
      "clawdcode.withoutCallId": blocks.map((block) =>
        Number(block.kind === "tool_result" && block.callId === undefined),
      ),
      "clawdcode.paths": blocks.map((block, index) => pathsIn(block, textAt(contents, index))),
    }) satisfies Readonly<Record<ClawdcodeMeasure, unknown>>;
}
