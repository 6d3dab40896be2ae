import { isObject, jsonOf, textOf } from "@/lib/agents/shared/json";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { apportion, type BlockContent, type ItemEstimator, textAt } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { OUTPUT_CHARS } from "./base/constants";
import { type Part, partsOf, responseOf } from "./messages/content";
import { partsTokens, partTokens, textTokens } from "./messages/tokens";
import type { GeminiMeasure } from "./policy/measures";
import { contentChars } from "./policy/split-point";
import { type NativePart, nativeContent } from "./read/native";
import { isMaskable, maskedPart } from "./sent/masking";
import { truncatedOutput } from "./sent/truncate-output";

/**
 * Gemini CLI's token rule. The program rounds down once over all parts of a request. Here each content is rounded down once and distributed over its
 * blocks, so each content may bring a session up to one token below the program's count.
 */
export const geminiEstimator: ItemEstimator = {
  id: "gemini-cli",
  text: textTokens,
  message: (message) => (isObject(message) && Array.isArray(message.parts) ? partsTokens(partsOf(message)) : undefined),
  blocks: (message, contents, format) => {
    const { content, parts } = nativeContent(message, contents, format);
    return apportion(partsTokens(partsOf(content)), parts.flatMap(partWeights));
  },
};

/** Weights of a part's blocks before rounding: first the response alone, then its nested parts. */
function partWeights({ part, blocks }: NativePart): readonly number[] {
  const whole = partTokens(part);
  const own = blocks > 1 ? partTokens({ ...part, functionResponse: { ...responseOf(part), parts: undefined } }) : whole;
  return Array.from({ length: blocks }, (_, at) => (at === 0 ? own : (whole - own) / (blocks - 1)));
}

/** Numbers that the policy needs besides tokens: for each measure, one number for each block. */
export type GeminiMeasures = Readonly<Record<GeminiMeasure, readonly number[]>>;

/** Stand-ins of usual length for paths that a replay does not know. */
const OUTPUT_FOLDER = "/home/user/.gemini/tmp/project/tool-outputs";
export const savedPath = (tool: string) => `${OUTPUT_FOLDER}/${tool}_1.txt`;
export const maskedPath = (tool: string, callId: string) =>
  `${OUTPUT_FOLDER}/session-00000000/${tool}_${callId}_abcdef.txt`;

/** Measures of a message's blocks, in their order; computed once on the server, like token columns. `policy/measures.ts` defines each. */
export function geminiMeasures(message: Message, contents: readonly BlockContent[], format: string): GeminiMeasures {
  const { content, parts } = nativeContent(message, contents, format);
  const weights = message.blocks.map((_, index) => Math.max(1, textAt(contents, index).length));
  const chars = apportion(contentChars(content), weights);
  const results = parts.flatMap(({ part, blocks }) =>
    Array.from({ length: blocks }, (_, at) => (at === 0 ? resultMeasures(part) : NO_RESULT)),
  );
  return {
    "gemini-cli.json": chars,
    "gemini-cli.tokens": results.map((result) => result.tokens),
    "gemini-cli.text": results.map((result) => result.text),
    "gemini-cli.cut": results.map((result) => result.cut),
    "gemini-cli.cutText": results.map((result) => result.cutText),
    "gemini-cli.cutJson": results.map((result, index) => Math.max(0, (chars[index] ?? 0) - result.cutChars)),
    "gemini-cli.masked": results.map((result) => result.masked),
    "gemini-cli.maskedText": results.map((result) => result.maskedText),
    "gemini-cli.maskedJson": results.map(({ masked, maskedChars }, index) =>
      masked > 0 ? Math.max(0, (chars[index] ?? 0) - maskedChars) : 0,
    ),
    "gemini-cli.cutMasked": results.map((result) => result.cutMasked),
  };
}

interface ResultMeasures {
  readonly tokens: Tokens;
  readonly text: Tokens;
  readonly cut: Tokens;
  readonly cutText: Tokens;
  /** Characters of JSON that cutting saves. */
  readonly cutChars: number;
  readonly masked: Tokens;
  readonly maskedText: Tokens;
  /** Characters of JSON that masking saves. */
  readonly maskedChars: Chars;
  readonly cutMasked: Tokens;
}

const NO_RESULT: ResultMeasures = {
  tokens: 0,
  text: 0,
  cut: 0,
  cutText: 0,
  cutChars: 0,
  masked: 0,
  maskedText: 0,
  maskedChars: 0,
  cutMasked: 0,
};

/** Measures of a part's first block, which is the result if the part is a response. */
function resultMeasures(part: Part): ResultMeasures {
  const response = responseOf(part);
  if (response === undefined) return NO_RESULT;
  const text = responseText(response.response);
  if (text === undefined) return NO_RESULT;
  const output = truncatedOutput(text, savedPath(textOf(response.name)), OUTPUT_CHARS);
  const cut = { ...part, functionResponse: { ...response, response: { output } } };
  const masked = isMaskable(part) ? maskedPart(part, maskedPath) : undefined;
  return {
    tokens: partsTokens([part]),
    text: textTokens(text),
    cut: partsTokens([cut]),
    cutText: textTokens(output),
    cutChars: jsonOf(part).length - jsonOf(cut).length,
    masked: masked === undefined ? 0 : partsTokens([masked]),
    maskedText: masked === undefined ? 0 : textTokens(responseText(responseOf(masked)?.response) ?? ""),
    maskedChars: masked === undefined ? 0 : jsonOf(part).length - jsonOf(masked).length,
    cutMasked: masked === undefined ? 0 : partsTokens([maskedPart(cut, maskedPath)]),
  };
}

/** The text of a response; `undefined` if it has none. */
export function responseText(response: unknown): string | undefined {
  if (typeof response === "string") return response;
  if (response === undefined) return undefined;
  const { output, content } = isObject(response) ? response : {};
  if (typeof output === "string") return output;
  return typeof content === "string" ? content : jsonOf(response, 2);
}
