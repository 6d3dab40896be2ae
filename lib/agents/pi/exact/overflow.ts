import type { Tokens } from "@/lib/core/base/units";
import { FILLED_SHARE } from "../constants";
import type { AssistantMessage } from "../messages/message";
import type { PiPreset } from "../presets";

/** Error texts from which pi, in both releases, concludes that a request was too long. Source: README.md, "Overflow errors". */
const PATTERNS: readonly RegExp[] = [
  /input is too long for requested model/i,
  /exceeds the context window/i,
  /maximum prompt length is \d/i,
  /reduce the length of the messages/i,
  /maximum context length is \d+ tokens/i,
  /exceeds the limit of \d/i,
  /exceeds the available context size/i,
  /greater than the context length/i,
  /context window exceeds limit/i,
  /exceeded model token limit/i,
  /context[_ ]length[_ ]exceeded/i,
  /too many tokens/i,
  /token limit exceeded/i,
];

const PATTERNS_OF: Readonly<Record<PiPreset, readonly RegExp[]>> = {
  "v0.51.0": [...PATTERNS, /prompt is too long/i],
  current: [
    ...PATTERNS,
    /prompt (?:is )?too long/i,
    /prompt exceeds max length/i,
    /request_too_large/i,
    /exceeds (?:the )?(?:model'?s )?maximum context length(?: of [\d,]+ tokens?|\s*\([\d,]+\))/i,
    /context window exceeded/i,
    /exceeds (?:the )?maximum allowed input length of [\d,]+ tokens?/i,
    /input \(\d+ tokens\) is longer than the model'?s context length \(\d+ tokens\)/i,
    /too large for model with \d+ maximum context length/i,
    /prompt has [\d,]+ tokens?, but the configured context size is [\d,]+ tokens?/i,
    /model_context_window_exceeded/i,
    /range of input length should be/i,
    /^(?:[\w -]+ API error \(413\):|413(?:\s|:|$))/i,
  ],
};

/** An answer without a body. `v0.51.0` takes it for an overflow from any provider, `current` only from Cerebras. */
const WITHOUT_BODY = /^4(?:00|13)\s*(?:status code\s*)?\(no body\)/i;

/** Texts that mean another failure, whatever else they say (`current`). */
const OTHER_FAILURES: readonly RegExp[] = [
  /^(?:Throttling error|Service unavailable):/i,
  /rate limit/i,
  /too many requests/i,
];

/**
 * Whether a response shows that the context exceeded the window: by its error, by more input than the window holds, or (`current`) by a full
 * window without output. Source: README.md, "Overflow errors".
 * @param window where it is absent or 0, only the error counts
 */
export function isContextOverflow(message: AssistantMessage, window: Tokens | undefined, preset: PiPreset): boolean {
  if (saysOverflow(message, preset)) return true;
  if (!window || message.usage === undefined) return false;
  const input = Number(message.usage.input) + Number(message.usage.cacheRead);
  if (message.stopReason === "stop") return input > window;
  const cutShort = message.stopReason === "length" && message.usage.output === 0;
  return preset === "current" && cutShort && input >= window * FILLED_SHARE;
}

function saysOverflow(message: AssistantMessage, preset: PiPreset): boolean {
  const text = message.errorMessage ?? "";
  if (message.stopReason !== "error" || text === "") return false;
  if (preset === "current" && OTHER_FAILURES.some((pattern) => pattern.test(text))) return false;
  if (PATTERNS_OF[preset].some((pattern) => pattern.test(text)) || saysInputCount(text)) return true;
  return (preset === "v0.51.0" || message.provider === "cerebras") && WITHOUT_BODY.test(text);
}

/** Matches `/input token count.*exceeds the maximum/i` in linear time: both parts on one line, in this order. */
function saysInputCount(text: string): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => {
    const count = /input token count/i.exec(line);
    return count !== null && /exceeds the maximum/i.test(line.slice(count.index + count[0].length));
  });
}
