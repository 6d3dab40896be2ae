import { DEFAULT_WINDOW, OUTPUT_CHARS, PRESERVE, THRESHOLD } from "@/lib/agents/gemini-cli/base/constants";
import { type Content, type Part, partsOf } from "@/lib/agents/gemini-cli/messages/content";
import { partsTokens } from "@/lib/agents/gemini-cli/messages/tokens";
import { truncatedOutput } from "@/lib/agents/gemini-cli/sent/truncate-output";
import { isObject, type JsonObject, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { AnswerWithCalls, type Conformance, type GoldenContext } from "@/verify/golden";
import { compress } from "./compress";
import { loadConversationRecord } from "./conversation-record";
import { maskToolOutputs } from "./masking";
import { findSplitPoint } from "./split-point";

/** Golden cases for our functions. This file only translates names and shapes, and holds no rule. */
export const conformance: Conformance = {
  compress: adapter((input, { constants }) => compressionShape(input, textOf(constants.environmentContextText))),
  estimateTokenCountSync: adapter(({ parts }) => partsTokens(objectsOf(parts))),
  findCompressSplitPoint: adapter(({ contents, fraction }) => findSplitPoint(objectsOf(contents), Number(fraction))),
  formatTruncatedToolOutput: adapter(({ content, outputFile, maxChars }) =>
    truncatedOutput(String(content), String(outputFile), Number(maxChars)),
  ),
  loadConversationRecord: adapter(({ text, options, ...rest }) =>
    loadConversationRecord(textOf(text), { ...rest, ...(isObject(options) ? options : {}) }),
  ),
  toolOutputMasking: adapter(({ history, config }) => maskingShape(objectsOf(history), config)),
};

function adapter(answer: (input: JsonObject, context: GoldenContext) => unknown): Conformance[string] {
  return (input: unknown, context: GoldenContext) => answer(isObject(input) ? input : {}, context);
}

/** The number that the provider's count returns in the cases. */
const COUNTED = 777;
/** Number of characters of a request's last text that the cases show. */
const SHOWN_CHARS = 90;

function compressionShape(input: JsonObject, environment: string): AnswerWithCalls {
  const history = objectsOf(input.history);
  const folder = /temporary directory is: (\S+)/.exec(environment)?.[1] ?? "";
  const calls: { contents: number; lastText: string }[] = [];
  const result = compress(
    {
      history,
      original: Number(input.originalTokenCount),
      force: input.force === true,
      failedBefore: input.hasFailed === true,
      threshold: typeof input.threshold === "number" ? input.threshold : THRESHOLD,
      preserve: PRESERVE,
      window: typeof input.model === "string" ? windowOfModel(input.model) : DEFAULT_WINDOW,
      maxChars: OUTPUT_CHARS,
      environment,
    },
    {
      ask: (contents) => {
        calls.push({ contents: contents.length, lastText: lastText(contents).slice(0, SHOWN_CHARS) });
        return typeof input.summary === "string" ? input.summary : "<state_snapshot>S</state_snapshot>";
      },
      save: (tool) => `${folder}/tool-outputs/${tool}_1.txt`,
      countTokens: () => COUNTED,
    },
  );
  const shape = {
    status: result.status,
    originalTokenCount: result.originalTokens,
    newTokenCount: result.newTokens,
    newHistory: result.history?.map((content) => contentShape(content, history)) ?? null,
  };
  return new AnswerWithCalls(shape, calls);
}

function lastText(contents: readonly Content[]): string {
  return textOf(partsOf(contents.at(-1) ?? {}).at(-1)?.text);
}

function contentShape(content: Content, history: readonly Content[]): unknown {
  const json = JSON.stringify(content);
  const equals = history.findIndex((one) => one === content || JSON.stringify(one) === json);
  return equals >= 0 ? { equals } : { role: content.role, parts: partsOf(content).map(partShape) };
}

function partShape(part: Part): unknown {
  return { kind: Object.keys(part)[0], text: part.text };
}

/** A path as long as those of the run that made the cases: masking saves more or less depending on its length. */
const MASKED_FOLDER = "/tmp/gc-rbViUx/tool-outputs/session-abc";

function maskingShape(history: readonly Content[], config: unknown): unknown {
  const limits = isObject(config) ? config : {};
  const masked = maskToolOutputs(
    history,
    {
      protectedTokens: Number(limits.protectionThresholdTokens),
      minimumTokens: Number(limits.minPrunableThresholdTokens),
      protectLatestTurn: limits.protectLatestTurn !== false,
    },
    (tool, callId) => `${MASKED_FOLDER}/${tool}_${callId}_abcdef.txt`,
  );
  return { maskedCount: masked.parts.length, tokensSavedApprox: masked.saved, maskedParts: masked.parts };
}

const SMALL_WINDOW: Tokens = 256_000;

const SMALL_MODELS = new Set(["gemma-4-31b-it", "gemma-4-26b-a4b-it"]);

/** The window of a model: two models have windows of their own, any other name has Gemini's. */
function windowOfModel(model: string): Tokens {
  return SMALL_MODELS.has(model) ? SMALL_WINDOW : DEFAULT_WINDOW;
}
