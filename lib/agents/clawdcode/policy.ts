import type { Share, Tokens } from "@/lib/core/base/units";
import {
  entryTruncationSetting,
  failSummarySetting,
  summaryFails,
  summaryTokensSetting,
} from "@/lib/core/compaction/common-settings";
import type {
  ContextView,
  Outcome,
  Policy,
  PolicyContext,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy";
import { summaryItem } from "@/lib/core/compaction/retention";
import { numberSetting, type SettingSpec, type Settings, type Source } from "@/lib/core/compaction/settings";
import {
  COMPRESSION_THRESHOLD,
  COMPRESSION_THRESHOLD_CURRENT,
  FALLBACK_RETAIN_SHARE,
  MAX_MESSAGES,
  memoryCount,
  RETAIN_SHARE,
  retainCount,
  THRESHOLD_SHARE,
} from "./constants";
import { CLAWDCODE_PRESETS, clawdcodePreset } from "./presets";
import { countMessages, mayExceed, newestFrom, withoutOrphanMessages } from "./rows";
import { automaticSummaryTokens, FAILURE_MESSAGE_TOKENS, filesOf, promptTokens } from "./summary-tokens";

/** Measures that this policy reads where they are there; `clawdcodeMeasures` of the server half computes them. */
export const CLAWDCODE_MEASURES = ["clawdcode.withoutCallId"] as const;
export type ClawdcodeMeasure = (typeof CLAWDCODE_MEASURES)[number];

/**
 * ClawdCode's compaction over numbers: a summary in front of the newest fifth of the messages, less the results whose call
 * went. Two triggers contradict each other, and both are offered: a share of the window, which the document recommends and the
 * program never calls, and the size of the last turn, which is in force. Memory holds 1,000 messages at most.
 */
export const clawdcodePolicy: Policy = {
  id: "clawdcode",
  label: "ClawdCode",
  presets: CLAWDCODE_PRESETS,
  settings: clawdcodeSettings,
  threshold,
  shouldCompact: (view, settings) => (fires(view, settings) || exceedsMemory(view, settings) ? "threshold" : null),
  compact,
};

const DOCUMENT = (section: string): Source => ({ kind: "document", text: `ClawdCode, chapter 8, ${section}` });
const CODE = (file: string): Source => ({
  kind: "code",
  text: `kkkhs/ClawdCode 217a013 (v1.8.0), src/context/${file}`,
});

function clawdcodeSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const current = clawdcodePreset(preset) === "current";
  const from = (section: string, file: string) => (current ? CODE(file) : DOCUMENT(section));
  const service = from("§8.7", "CompactionService.ts");
  const analyzer = from("§8.7", "FileAnalyzer.ts");
  return [
    {
      key: "rule",
      label: "Compare",
      type: "choice",
      choices: ["context", "session"],
      default: current ? "session" : "context",
      source: current
        ? CODE("ContextManager.ts: the size of the last turn; the share of the window is never called")
        : DOCUMENT("§8.11: a share of the window (102,400 of 128,000); §8.4 compares the session's tokens with 6,000"),
    },
    share("threshold", "Share of the window", THRESHOLD_SHARE, from("§8.6 and §8.11", "TokenCounter.ts")),
    {
      key: "compressionThreshold",
      label: "Tokens of the last turn",
      type: "number",
      unit: "tokens",
      // 0 stands for the default in the program.
      min: 1,
      max: 2_000_000,
      step: 500,
      default: current ? COMPRESSION_THRESHOLD_CURRENT : COMPRESSION_THRESHOLD,
      source: from("§8.4", "ContextManager.ts"),
    },
    share("retain", "Keep of the messages", RETAIN_SHARE, service),
    share("fallbackRetain", "Keep where it failed", FALLBACK_RETAIN_SHARE, from("§8.8", "CompactionService.ts")),
    { ...count("maxFiles", "Files in the prompt", 0, 50, 5), unit: "files", source: analyzer },
    {
      ...count("maxLinesPerFile", "Lines of a file in the prompt", 1, 20_000, 1000),
      unit: "lines",
      source: { ...analyzer, text: `${analyzer.text}; a recording does not hold the files, so no figure changes` },
    },
    {
      ...count("maxMessages", "Messages in memory", 2, 100_000, MAX_MESSAGES),
      unit: "messages",
      source: from("§8.5", "storage/MemoryStore.ts"),
    },
    rulesSetting(preset),
    summarySetting(context, current),
    failSummarySetting(),
    {
      ...entryTruncationSetting(false),
      source: { kind: "ours", text: "no limit on tool outputs is documented: nothing is truncated either way" },
    },
  ];
}

function share(key: string, label: string, byDefault: Share, source: Source): SettingSpec {
  return { key, label, type: "number", unit: "share", min: 0, max: 1, step: 0.01, default: byDefault, source };
}

function count(key: string, label: string, min: number, max: number, byDefault: number) {
  return { key, label, type: "number", min, max, step: 1, default: byDefault } as const;
}

function rulesSetting(preset: string): SettingSpec {
  return {
    key: "rules",
    label: "Rules of",
    type: "choice",
    choices: CLAWDCODE_PRESETS,
    default: clawdcodePreset(preset),
    source: { kind: "ours", text: "the preset: what happens when the summary call fails, and who makes the summary" },
  };
}

function summarySetting(context: PolicyContext, current: boolean): SettingSpec {
  const setting = summaryTokensSetting(context);
  if (!current) return setting;
  const text = `${setting.source.text}; under the rule "session" no model is called, and the size follows from the messages`;
  return { ...setting, source: { ...setting.source, text } };
}

/** The size at which it fires: rule A's share of the window, or rule B's own figure. */
function threshold(window: Tokens, settings: Settings): Tokens {
  return isSessionRule(settings)
    ? numberSetting(settings, "compressionThreshold")
    : Math.floor(window * numberSetting(settings, "threshold"));
}

function isSessionRule(settings: Settings): boolean {
  return settings.rule === "session";
}

/**
 * Rule A compares everything that would be sent (>=). Rule B compares the last turn's input and output (>), which are known
 * when the next message is added: so it fires a message late, when a person writes.
 */
function fires(view: ContextView, settings: Settings): boolean {
  const limit = threshold(view.window, settings);
  if (!isSessionRule(settings)) return view.history >= limit;
  return view.request > 0 && view.turnStart && view.lastInput + view.lastOutput > limit;
}

function exceedsMemory(view: ContextView, settings: Settings): boolean {
  const most = numberSetting(settings, "maxMessages");
  return mayExceed(view, most) && countMessages(view) > most;
}

function compact(view: ContextView, settings: Settings): Retention {
  const messages = memoryCount(countMessages(view), numberSetting(settings, "maxMessages"));
  if (!fires(view, settings)) return retention(view, messages, "trim");
  const automatic = isCurrent(settings) && isSessionRule(settings);
  const fails = !automatic && summaryFails(settings.failSummary, view.compactions);
  if (fails && !isCurrent(settings)) {
    const kept = retainCount(messages, numberSetting(settings, "fallbackRetain"));
    const note: SyntheticItem = { ...summaryItem(FAILURE_MESSAGE_TOKENS), label: "note that compaction failed" };
    return { ...retention(view, kept, "fallback"), added: [note], summaryCallTokens: promptTokens(view) };
  }
  const summaryTokens = automatic || fails ? automaticSummaryTokens(view) : numberSetting(settings, "summaryTokens");
  const summary: SyntheticItem = {
    ...summaryItem(summaryTokens),
    label: automatic || fails ? "automatic summary" : "summary",
    files: filesOf(view, numberSetting(settings, "maxFiles")),
  };
  return {
    ...retention(view, retainCount(messages, numberSetting(settings, "retain")), fails ? "fallback" : "summary"),
    added: [summary],
    summaryTokens,
    summaryCallTokens: automatic ? 0 : promptTokens(view),
  };
}

function isCurrent(settings: Settings): boolean {
  return clawdcodePreset(settings.rules) === "current";
}

/** The newest messages less orphans, and nothing in front of them yet. */
function retention(view: ContextView, messages: number, outcome: Outcome): Retention {
  return {
    kept: withoutOrphanMessages(view, newestFrom(view, messages)),
    truncated: [],
    cleared: [],
    added: [],
    addedAt: "front",
    outcome,
    summaryTokens: 0,
    summaryCallTokens: 0,
  };
}
