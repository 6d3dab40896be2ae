import { ACKNOWLEDGEMENT, TOOL_RESPONSE_TOKENS } from "@/lib/agents/gemini-cli/base/constants";
import { responseText } from "@/lib/agents/gemini-cli/estimator";
import { type Content, isMedia, type Part, partsOf, responseOf } from "@/lib/agents/gemini-cli/messages/content";
import { partsTokens } from "@/lib/agents/gemini-cli/messages/tokens";
import { truncatedOutput } from "@/lib/agents/gemini-cli/sent/truncate-output";
import { CHECK_REQUEST, summaryRequest } from "@/lib/agents/gemini-cli/summary/summary-prompt";
import { textOf } from "@/lib/agents/shared/json";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { findSplitPoint } from "./split-point";

type CompressionStatus =
  | "NOOP"
  | "COMPRESSED"
  | "CONTENT_TRUNCATED"
  | "COMPRESSION_FAILED_EMPTY_SUMMARY"
  | "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT";

interface CompressionInput {
  readonly history: readonly Content[];
  /** Prompt tokens of the last response. */
  readonly original: Tokens;
  readonly force: boolean;
  /** True if an earlier automatic compression increased the size. */
  readonly failedBefore: boolean;
  /** Effective share of the window. */
  readonly threshold: number;
  readonly preserve: number;
  readonly window: Tokens;
  readonly toolResponseTokens?: Tokens;
  /** Length to which a tool response that does not fit is cut. */
  readonly maxChars: Chars;
  /** Text of the turn with which a new chat starts. */
  readonly environment: string;
}

/** Services of the program that the rule needs. */
interface CompressionHost {
  /** Returns the summarising model's answer. */
  readonly ask: (contents: readonly Content[]) => string;
  /** Saves an output and returns its path; `undefined` on failure. */
  readonly save: (tool: string) => string | undefined;
  /** The provider's count, needed only with media; `undefined` if it is not available. */
  readonly countTokens: (parts: readonly Part[]) => Tokens | undefined;
}

export interface Compression {
  readonly status: CompressionStatus;
  readonly originalTokens: Tokens;
  readonly newTokens: Tokens;
  /** Absent if the history is unchanged. */
  readonly history?: readonly Content[];
}

/** Makes one attempt to compress a history. Source: README.md, "Compression". */
export function compress(input: CompressionInput, host: CompressionHost): Compression {
  const { history, original, force } = input;
  if (history.length === 0) return { status: "NOOP", originalTokens: 0, newTokens: 0 };
  const noop: Compression = { status: "NOOP", originalTokens: original, newTokens: original };
  if (!force && original < input.threshold * input.window) return noop;
  const truncated = withinToolBudget(history, input, host);
  if (input.failedBefore && !force) {
    const newTokens = partsTokens(truncated.flatMap(partsOf));
    if (newTokens >= original) return noop;
    return { status: "CONTENT_TRUNCATED", originalTokens: original, newTokens, history: truncated };
  }
  const split = findSplitPoint(truncated, 1 - input.preserve);
  if (split === 0) return noop;
  const whole = history.slice(0, split);
  const fits = partsTokens(whole.flatMap(partsOf)) < input.window;
  const summary = snapshotOf(fits ? whole : truncated.slice(0, split), host);
  if (summary === "") return { ...noop, status: "COMPRESSION_FAILED_EMPTY_SUMMARY" };
  return concluded([user(summary), model(ACKNOWLEDGEMENT), ...truncated.slice(split)], input, host);
}

function concluded(next: readonly Content[], input: CompressionInput, host: CompressionHost): Compression {
  const newTokens = requestTokens([user(input.environment), ...next].flatMap(partsOf), host);
  const sizes = { originalTokens: input.original, newTokens };
  if (newTokens > input.original) return { status: "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT", ...sizes };
  return { status: "COMPRESSED", ...sizes, history: next };
}

/** The model's snapshot, checked once by the model; empty if it gave none. */
function snapshotOf(history: readonly Content[], host: CompressionHost): string {
  const request = [...history, user(summaryRequest(history))];
  const first = host.ask(request);
  const second = host.ask([...request.slice(0, -1), model(first), user(CHECK_REQUEST)]);
  return second.trim() || first.trim();
}

/** Size of a request: the provider's count if there is media, otherwise the estimate. */
function requestTokens(parts: readonly Part[], host: Pick<CompressionHost, "countTokens">): Tokens {
  const counted = parts.some(isMedia) ? host.countTokens(parts) : undefined;
  return counted ?? partsTokens(parts);
}

/** Keeps tool responses within a budget, newest first. One that does not fit is saved to a file; its head and tail are kept. */
function withinToolBudget(
  history: readonly Content[],
  { toolResponseTokens = TOOL_RESPONSE_TOKENS, maxChars }: CompressionInput,
  host: CompressionHost,
): readonly Content[] {
  let used = 0;
  const fitted = (part: Part): Part => {
    const response = responseOf(part);
    const text = response === undefined ? undefined : responseText(response.response);
    if (response === undefined || text === undefined) return part;
    const tokens = partsTokens([{ text }]);
    const file = used + tokens > toolResponseTokens ? host.save(textOf(response.name)) : undefined;
    if (file === undefined) {
      used += tokens;
      return part;
    }
    const output = truncatedOutput(text, file, maxChars);
    used += partsTokens([{ text: output }]);
    return { ...part, functionResponse: { ...response, response: { output } } };
  };
  return history
    .toReversed()
    .map((content) => {
      const before = partsOf(content);
      const parts = before.toReversed().map(fitted).reverse();
      return parts.some((part, index) => part !== before[index]) ? { ...content, parts } : content;
    })
    .reverse();
}

function user(text: string): Content {
  return { role: "user", parts: [{ text }] };
}

function model(text: string): Content {
  return { role: "model", parts: [{ text }] };
}
