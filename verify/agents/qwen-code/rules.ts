import { computeThresholds, MAX_FAILURES, PROMPT_TOKENS } from "@/lib/agents/qwen-code/base/constants";
import { answerOf, type Content, callOf, partsOf, responseOf } from "@/lib/agents/qwen-code/messages/content";
import { contentTokens } from "@/lib/agents/qwen-code/messages/estimates";
import { objectOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { FileSource } from "./attachments";
import { compressCurrent } from "./compress-current";
import { compressDocumented } from "./compress-documented";
import { promptTokens } from "./estimates";
import type { Decision, ExactRule, Moment } from "./exact-run";
import { microcompact } from "./microcompact";
import { RESUME_TRAILER } from "./summary";

/** Size of every summary, unless the settings say otherwise. */
export const SUMMARY_TOKENS: Tokens = 80;

/** The smallest possible summary: some text, with what `current` adds to it. */
export const MIN_SUMMARY_TOKENS: Tokens = Math.ceil((RESUME_TRAILER.length + 3) / 4);

const sizeOf = (contents: readonly Content[]) => contents.reduce((sum, content) => sum + contentTokens([content]), 0);

function fails({ failSummary }: Settings, { summaryCalls }: Moment): boolean {
  return failSummary === "always" || failSummary === String(summaryCalls + 1);
}

/** The answer's text; throws if the call fails. */
function answerText(settings: Settings, moment: Moment, chars: number): string {
  if (fails(settings, moment)) throw new Error("the summary call fails");
  return settings.failSummary === "empty" ? "" : "s".repeat(chars);
}

/** The rule of the documented version and of the releases up to 0.15: the oldest part becomes a summary. */
export function documentedRule(settings: Settings, window: Tokens): ExactRule {
  let failedBefore = false;
  return async (moment) => {
    const { history, lastInput, lastOutput } = moment;
    // Before the first response there is no usage to compare.
    if (lastInput === 0) return undefined;
    const originalTokens = lastInput + (settings.usageField === "total" ? lastOutput : 0);
    const attempt = compressDocumented({
      history,
      originalTokens,
      window,
      preserve: Number(settings.preserve),
      threshold: Number(settings.threshold),
      force: false,
      failedBefore,
      summarise: (contents) => ({
        text: answerText(settings, moment, Number(settings.summaryTokens) * 4),
        usage: {
          promptTokenCount: sizeOf(contents) + PROMPT_TOKENS,
          candidatesTokenCount: Number(settings.summaryTokens),
        },
      }),
    });
    const result = await attempt.catch(() => undefined);
    // A failed call ends the request and is not remembered.
    if (result === undefined) return { outcome: "failed", history };
    if (result.status === "NOOP") {
      const limit = Number(settings.sessionTokenLimit);
      return limit > 0 && originalTokens > limit ? { outcome: "blocked", history } : undefined;
    }
    failedBefore = result.status !== "COMPRESSED";
    return failedBefore ? { outcome: "failed", history } : { outcome: "summary", history: result.newHistory ?? [] };
  };
}

/** The rule of 0.24: old results are cleared, and the rest of the history becomes a summary. */
export function currentRule(settings: Settings, window: Tokens): ExactRule {
  const failures = { auto: 0, rescue: 0 };
  const limits = {
    share: Number(settings.threshold),
    summaryReserve: Number(settings.summaryReserve),
    autoBuffer: Number(settings.autoBuffer),
  };
  const { hard } = computeThresholds(window, limits);
  return async (before) => {
    const first = clearedBy(settings, before);
    const moment = first === undefined ? before : { ...before, history: first.history };
    const clearedFirst = first !== undefined;
    const { history, pending, lastInput, lastOutput, added } = moment;
    const tokens = lastInput > 0 ? lastInput + lastOutput + added : sizeOf([...history, ...pending]);
    const kind = tokens >= hard ? "rescue" : "auto";
    const isSpent = kind === "rescue" && failures.rescue >= MAX_FAILURES;
    const whole = withOneResponse(moment);
    const result = isSpent
      ? undefined
      : await compressCurrent({
          history: whole,
          // The program begins with the size that it computed for this request.
          originalTokens: tokens,
          window,
          ...limits,
          effectiveTokens: tokens,
          pendingUserMessage: merged(pending),
          consecutiveFailures: failures.auto,
          mostFailures: Number(settings.maxFailures),
          force: kind === "rescue",
          trigger: "auto",
          files: filesOf(moment.seen),
          mostFiles: Number(settings.restoreFiles),
          mostImages: Number(settings.restoreImages),
          imageTrigger: Number(settings.imageTrigger),
          summarise: ({ contents }) => ({
            text: answerText(settings, moment, Number(settings.summaryTokens) * 4 - RESUME_TRAILER.length - 2),
            usage: {
              promptTokenCount: promptOf(moment, contents.length < whole.length + 1),
              candidatesTokenCount: Number(settings.summaryTokens),
            },
          }),
        });
    if (result === undefined || result.status === "NOOP") return first;
    // If a forced summary is still too large, it is undone, and the request is refused.
    const local = promptTokens({ history: [], userMessage: merged(pending), lastPrompt: result.newTokenCount });
    const isRefused = kind === "rescue" && (result.status !== "COMPRESSED" || local >= hard);
    if (result.status !== "COMPRESSED" || isRefused) {
      failures[kind] += 1;
      return { outcome: isRefused ? "blocked" : "failed", history, clearedFirst };
    }
    failures.auto = 0;
    failures.rescue = 0;
    return { outcome: "summary", history: withOwnAttachments(result.newHistory ?? [], whole), clearedFirst };
  };
}

/** Restored pictures become new parts, different from those of the recording. */
function withOwnAttachments(after: readonly Content[], before: readonly Content[]): readonly Content[] {
  const attached = after[2];
  if (attached === undefined || attached === before.at(-1)) return after;
  return after.with(2, { ...attached, parts: partsOf(attached).map((part) => ({ ...part })) });
}

function merged(pending: readonly Content[]): Content {
  return { role: "user", parts: pending.flatMap(partsOf) };
}

/** The history with its last response as one content. */
function withOneResponse({ history, lastResponse }: Moment): readonly Content[] {
  if (lastResponse.length < 2) return history;
  const merged: Content = { role: "model", parts: lastResponse.flatMap(partsOf) };
  return [...history.slice(0, -lastResponse.length), merged];
}

/**
 * Billed input of the summarising call: the history and the results in it, and its prompt.
 * @param withoutLast true if an unanswered call was omitted
 */
function promptOf({ history, lastResponse, pending }: Moment, withoutLast: boolean): Tokens {
  const answered = pending.flatMap(partsOf).some((part) => responseOf(part) !== undefined);
  const sent = sizeOf(history) - (withoutLast ? sizeOf(lastResponse) : 0);
  return sent + (answered ? contentTokens([merged(pending)]) : 0) + PROMPT_TOKENS;
}

function clearedBy(settings: Settings, { history, pending, gapMinutes }: Moment): Decision | undefined {
  const { history: after, meta } = microcompact({
    history,
    pending: [merged(pending)],
    settings: {
      toolResultsThresholdMinutes: Number(settings.clearIdleMinutes),
      toolResultsTotalCharsThreshold: Number(settings.clearAboveChars),
      toolResultsNumToKeep: Number(settings.keepToolResults),
    },
    ...(gapMinutes === undefined ? { sizeOnly: true } : { gapMinutes }),
  });
  const changed = meta !== undefined && meta.toolsCleared + meta.mediaCleared > 0;
  return changed ? { outcome: "clear", history: after } : undefined;
}

/** The text that a call writes, under any argument name. */
function writtenText(args: Readonly<Record<string, unknown>>): string {
  return textOf(args.content ?? args.file_text ?? args.contents);
}

/** The files as the recording last contained them. */
function filesOf(seen: readonly Content[]): FileSource {
  const paths = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const part of seen.flatMap(partsOf)) {
    const call = callOf(part);
    const path = textOf(objectOf(call?.args).file_path);
    if (path !== "") paths.set(textOf(call?.id), path);
    if (call?.name === "write_file") texts.set(path, writtenText(objectOf(call.args)));
    const response = responseOf(part);
    const { output } = answerOf(response);
    const read = paths.get(textOf(response?.id));
    const isLinked = textOf(response?.id) !== "";
    // A read that returned nothing, or only a picture, shows nothing of the file.
    const isShown = isLinked && response?.name === "read_file" && textOf(output) !== "";
    if (isShown && read !== undefined) texts.set(read, textOf(output));
  }
  return {
    read: (path) => {
      const text = texts.get(path);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    insideWorkspace: () => true,
  };
}
