import {
  ACKNOWLEDGEMENT,
  CHARS_PER_TOKEN,
  CURRENT_DEFAULT_WINDOW,
  computeThresholds,
  IMAGE_TOKENS,
  MAX_FAILURES,
  PROMPT_TOKENS,
  RESTORED_FILES,
  RESTORED_IMAGES,
  SCREENSHOT_TRIGGER,
  SUMMARY_DIRECTIVE,
  SUMMARY_REQUEST_TOKENS,
  SUMMARY_RESERVE,
  summaryBudget,
} from "@/lib/agents/qwen-code/base/constants";
import { type Content, callOf, partsOf, responseOf } from "@/lib/agents/qwen-code/messages/content";
import { contentChars, contentTokens } from "@/lib/agents/qwen-code/messages/estimates";
import type { Tokens } from "@/lib/core/base/units";
import {
  type FileSource,
  fileParts,
  imageParts,
  type RunningSubagent,
  recentFilePaths,
  resultImages,
  stateParts,
} from "./attachments";
import type { DocumentedResult } from "./compress-documented";
import { promptTokens } from "./estimates";
import { PAYLOAD_TEXT_CHARS, slimmed } from "./slimming";
import { isCallContent } from "./split-point";
import {
  type CompressionStatus,
  hasSnapshot,
  type SummaryAnswer,
  summaryText,
  summaryTokens,
  withoutAnalysis,
} from "./summary";

/** Compaction of 0.24.4: the whole history becomes a summary. Source: README.md, "Compaction of 0.24.4". */

/** The trigger, as in the record. */
type TriggerReason = "token_limit" | "manual" | "image_overflow" | "payload_overflow";

interface CurrentRequest {
  /** The history, valid contents only. */
  readonly history: readonly Content[];
  /** The prompt size that was recorded last. */
  readonly originalTokens: Tokens;
  readonly window?: Tokens | undefined;
  /** Setting `context.autoCompactThreshold`. */
  readonly share?: number | undefined;
  /** Reserve for the summary, and further reserve. */
  readonly summaryReserve?: Tokens;
  readonly autoBuffer?: Tokens;
  /** Size including the last output and the pending messages, if the caller has computed it. */
  readonly effectiveTokens?: Tokens | undefined;
  readonly pendingUserMessage?: Content | undefined;
  readonly consecutiveFailures: number;
  /** Maximum number of failures of automatic attempts. */
  readonly mostFailures?: number;
  readonly force: boolean;
  /** Cause of the call. A forced compaction counts as manual; above the hard threshold it is forced and automatic. */
  readonly trigger?: "manual" | "auto" | undefined;
  /** True if the provider refused the request for its size. */
  readonly payloadTooLarge?: boolean;
  readonly planMode?: boolean;
  readonly subagents?: readonly RunningSubagent[];
  readonly files: FileSource;
  readonly mostFiles?: number;
  readonly mostImages?: number;
  /** Number of pictures in tool results that makes it compact at any size; 0 for never. */
  readonly imageTrigger?: number;
  /** Summarises these contents, which include the request for it. A rejection stands for an API error. */
  readonly summarise: (call: SummaryCall) => SummaryAnswer | Promise<SummaryAnswer>;
}

export interface SummaryCall {
  readonly contents: readonly Content[];
  readonly maxOutputTokens: Tokens;
}

interface CurrentResult extends Omit<DocumentedResult, "split"> {
  /** Present if it compacted. */
  readonly triggerReason?: TriggerReason;
}

/** Makes one attempt. */
export async function compressCurrent(request: CurrentRequest): Promise<CurrentResult> {
  const { originalTokens, history } = request;
  const failed = (status: CompressionStatus, newTokenCount = originalTokens): CurrentResult => ({
    status,
    originalTokenCount: originalTokens,
    newTokenCount,
  });
  const reason = triggerOf(request);
  if (reason === undefined || history.length < 2) return failed("NOOP");
  const input = summaryInput(request);
  const maxOutputTokens = summaryBudget(input.tokens, request.window ?? CURRENT_DEFAULT_WINDOW);
  const answer = await summaryOf(request, { contents: input.contents, maxOutputTokens });
  if (answer === undefined) return failed("COMPRESSION_FAILED_API_ERROR");
  if (withoutAnalysis(answer.text) === "") return failed("COMPRESSION_FAILED_EMPTY_SUMMARY");
  const output = outputOf(answer);
  if (isTruncated(answer, output, maxOutputTokens)) return failed("COMPRESSION_FAILED_OUTPUT_TRUNCATED");
  const newHistory = rebuiltHistory(request, answer.text);
  const newTokenCount = sizeAfter(request, newHistory, answer, output.tokens);
  if (newTokenCount === undefined) return failed("COMPRESSION_FAILED_TOKEN_COUNT_ERROR");
  if (newTokenCount > originalTokens) return failed("COMPRESSION_FAILED_INFLATED_TOKEN_COUNT", newTokenCount);
  return { status: "COMPRESSED", originalTokenCount: originalTokens, newTokenCount, triggerReason: reason, newHistory };
}

/** The reason to compact now; `undefined` if there is none. */
function triggerOf(request: CurrentRequest): TriggerReason | undefined {
  const reason =
    request.payloadTooLarge === true ? "payload_overflow" : isManual(request) ? "manual" : ("token_limit" as const);
  if (request.force) return reason;
  if (request.consecutiveFailures >= (request.mostFailures ?? MAX_FAILURES)) return undefined;
  const { auto } = computeThresholds(request.window ?? CURRENT_DEFAULT_WINDOW, request);
  if (effectiveTokens(request) >= auto) return reason;
  const most = request.imageTrigger ?? SCREENSHOT_TRIGGER;
  return most > 0 && resultImages(request.history) >= most ? "image_overflow" : undefined;
}

function isManual({ trigger, force }: CurrentRequest): boolean {
  return trigger === undefined ? force : trigger === "manual";
}

function effectiveTokens(request: CurrentRequest): Tokens {
  const { history, pendingUserMessage, originalTokens } = request;
  if (request.effectiveTokens !== undefined) return request.effectiveTokens;
  if (pendingUserMessage === undefined) return originalTokens;
  return promptTokens({ history, userMessage: pendingUserMessage, lastPrompt: originalTokens });
}

/** The results that are about to be sent: they are summarised with the history, and kept as well. */
function pendingResults(request: CurrentRequest): Content | undefined {
  const pending = request.pendingUserMessage;
  return pending !== undefined && partsOf(pending).some((part) => responseOf(part) !== undefined) ? pending : undefined;
}

/** The contents to summarise, without an unanswered call, and their estimate including prompt and directive. */
function summaryInput(request: CurrentRequest): { readonly contents: readonly Content[]; readonly tokens: Tokens } {
  const pending = pendingResults(request);
  const answered =
    pending === undefined && isCallContent(request.history.at(-1)) ? request.history.slice(0, -1) : request.history;
  const whole = pending === undefined ? answered : [...answered, pending];
  const contents = slimmed(whole, request.payloadTooLarge === true ? PAYLOAD_TEXT_CHARS : undefined);
  const tokens = contentTokens(contents) + SUMMARY_REQUEST_TOKENS;
  return { contents: [...contents, { role: "user", parts: [{ text: SUMMARY_DIRECTIVE }] }], tokens };
}

async function summaryOf(request: CurrentRequest, call: SummaryCall): Promise<SummaryAnswer | undefined> {
  try {
    return await request.summarise(call);
  } catch {
    // A failed call is an outcome of its own, whatever the error.
    return undefined;
  }
}

interface Output {
  readonly tokens: Tokens;
  /** True if it was computed here because the usage does not state it. */
  readonly estimated: boolean;
}

function outputOf({ text, usage }: SummaryAnswer): Output {
  const { candidatesTokenCount: candidates, promptTokenCount: input, totalTokenCount: total } = usage ?? {};
  if (typeof candidates === "number") return { tokens: candidates, estimated: false };
  if (typeof total === "number" && typeof input === "number") {
    return { tokens: Math.max(0, total - input), estimated: false };
  }
  return { tokens: summaryTokens(text), estimated: true };
}

/** A summary that used up its budget counts as cut off; one of unknown size must also hold a closed snapshot. */
function isTruncated(answer: SummaryAnswer, output: Output, budget: Tokens): boolean {
  const limit = output.estimated && budget > 1 ? SUMMARY_RESERVE : budget;
  if (output.tokens >= limit) return true;
  return output.estimated && budget < SUMMARY_RESERVE && !hasSnapshot(answer.text);
}

/** Summary, acknowledgement, attachments, and the call whose result is about to be sent. */
function rebuiltHistory(request: CurrentRequest, summary: string): readonly Content[] {
  const unanswered = isManual(request) && isCallContent(request.history.at(-1));
  const history = unanswered ? request.history.slice(0, -1) : request.history;
  const small = request.payloadTooLarge === true;
  const paths = recentFilePaths(history, small ? 0 : (request.mostFiles ?? RESTORED_FILES));
  const attached = [
    ...stateParts(request.planMode === true, request.subagents ?? []),
    ...fileParts(paths.filter(request.files.insideWorkspace), request.files),
    ...imageParts(history, small ? 0 : (request.mostImages ?? RESTORED_IMAGES)),
  ];
  const last = history.at(-1);
  const call = isCallContent(last) ? last : undefined;
  const head: Content = { role: "user", parts: [{ text: summaryText(summary) }] };
  const acknowledgement = { text: ACKNOWLEDGEMENT };
  if (attached.length > 0) {
    const parts = [acknowledgement];
    return [head, { role: "model", parts }, { role: "user", parts: attached }, ...(call === undefined ? [] : [call])];
  }
  const calls = call === undefined ? [] : partsOf(call).filter((part) => callOf(part) !== undefined);
  return [head, { role: "model", parts: [acknowledgement, ...calls] }];
}

/**
 * The size after the compaction, from the call's usage if it reports one, else from estimates of the visible history; `undefined` if neither works.
 */
function sizeAfter(
  request: CurrentRequest,
  newHistory: readonly Content[],
  { usage }: SummaryAnswer,
  output: Tokens,
): Tokens | undefined {
  const { originalTokens, history } = request;
  const input = usage?.promptTokenCount;
  if (request.payloadTooLarge !== true && typeof input === "number" && input > 0 && output > 0) {
    const pending = pendingResults(request);
    const summarised = Math.max(0, input - PROMPT_TOKENS - (pending === undefined ? 0 : contentTokens([pending])));
    const restored = newHistory.slice(2).reduce((sum, content) => sum + contentChars(content, IMAGE_TOKENS), 0);
    return Math.max(0, originalTokens - summarised + output) + Math.ceil(restored / CHARS_PER_TOKEN);
  }
  const before = contentTokens(history);
  const after = contentTokens(newHistory);
  return before > 0 && after > 0 ? Math.max(0, originalTokens - before) + after : undefined;
}
