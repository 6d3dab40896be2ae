import { claudeCodeEstimator } from "@/lib/agents/claude-code/estimator";
import { claudeCodeMeasures } from "@/lib/agents/claude-code/file-sizes";
import { claudeCodePolicy } from "@/lib/agents/claude-code/policy/policy";
import { sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { type CheckedAgent, crossCheckOf, wideBounds } from "@/verify/support/checked-agent";
import { addedItem, type ItemList } from "@/verify/support/item-list";
import { LISTED_SUMMARY_TOKENS, type ListedChange, type ListedRule, listedSide } from "@/verify/support/listed-run";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import type { Variant } from "@/verify/support/variant";
import { reattachedSize } from "./reattached";

/**
 * Compares Claude Code's policy with the reported rule, which is written out here over a list of items from the description alone (README.md,
 * "Compaction"). The program's source is closed, so this checks that the numbers follow the rule, not that the rule is the program's. Every size
 * is compared to the token.
 */
export const checked: CheckedAgent<Preset> = {
  policy: claudeCodePolicy,
  presets: ["reported", "2026-11", "reported-2025"],
  estimatorOf: () => claudeCodeEstimator,
  measures: claudeCodeMeasures,
  variants: variantsOf,
  summaryTokens: LISTED_SUMMARY_TOKENS,
  boundsOf: wideBounds,
  takesAnyEstimator: true,
  variedCounting: ["estimate", "calibrated"],
  exactSide: () => listedSide(reportedRule, MISSING),
};

export const crossCheck = crossCheckOf(checked);

type Preset = keyof typeof BUFFERS;

/** window − 33,000, and for 2025 window − 45,000, of which 20,000 are for the output. Source: README.md, "Compaction". */
const BUFFERS = { reported: 13_000, "2026-11": 13_000, "reported-2025": 25_000 };

function variantsOf({ tokens, overhead }: LoadedRecording, preset: Preset): readonly Variant[] {
  /** A window whose threshold leaves space for the overhead and a quarter of the items. */
  const window = overhead + Math.ceil((sumOf(tokens) - overhead) / 4) + 20 + 20_000 + BUFFERS[preset];
  const quarter = { window, given: { reattachedTokens: 30 } };
  const asTheSessionHad = { window, given: { reattachedRest: 10 } };
  return [
    { label: "defaults", window: 200_000, given: {} },
    { ...quarter, label: "a quarter" },
    { ...quarter, label: "a quarter, sizes calibrated", counting: "calibrated" },
    { ...quarter, label: "a quarter, 8,000 reserved for output", given: { maxOutputTokens: 8000 } },
    { ...quarter, label: "a quarter, more reserved than counts", given: { maxOutputTokens: 64_000 } },
    { ...quarter, label: "a quarter, no buffer", given: { autoBuffer: 0, reattachedTokens: 0 } },
    { ...quarter, label: "an override of 37 per cent", given: { pctOverride: 37 } },
    { ...quarter, label: "an override above the default", given: { pctOverride: 100 } },
    { ...quarter, label: "failing summaries", given: { failSummary: "always" } },
    { ...quarter, label: "empty summaries", given: { failSummary: "empty" } },
    { ...quarter, label: "the second summary fails", given: { failSummary: "2" } },
    { ...asTheSessionHad, label: "a quarter, with what the session had" },
    { ...asTheSessionHad, label: "a quarter, with what the session had, sizes calibrated", counting: "calibrated" },
    { label: "a window below what is reserved", window: 30_000, given: { reattachedTokens: 0 } },
    { label: "a window of its own", window: 250_000, given: { autoCompactWindow: 100_000 } },
    { label: "results cleared after a minute", window: 100_000_000, given: { clearIdleMinutes: 1 } },
    {
      label: "a quarter, all but the newest result cleared after two minutes",
      window,
      given: { clearIdleMinutes: 2, keepToolResults: 1, reattachedTokens: 30 },
    },
  ];
}

/** Size of the placeholder for a call without a result. */
const MISSING: Tokens = Math.ceil("[Tool result missing due to internal error]".length / 4);

/** The rule for one run: it counts its summary calls. */
function reportedRule(): ListedRule {
  let calls = 0;
  return (list, settings, window) => {
    const own = Math.min(window, Number(settings.autoCompactWindow ?? window));
    const effective = own - Math.min(Number(settings.maxOutputTokens), 20_000);
    const byDefault = effective - Number(settings.autoBuffer);
    const percent = settings.pctOverride;
    const overridden = percent === null ? byDefault : Math.floor((effective * Number(percent)) / 100);
    if (list.size === 0 || usageOf(list) < Math.min(byDefault, overridden)) return cleared(list, settings);
    calls += 1;
    const summaryCallTokens = list.size;
    if (["always", "empty"].includes(String(settings.failSummary)) || settings.failSummary === String(calls)) {
      return { outcome: "failed", summaryTokens: 0, summaryCallTokens };
    }
    const summaryTokens = Number(settings.summaryTokens);
    const { reattachedTokens, reattachedRest } = settings;
    const back = reattachedTokens === null ? reattachedSize(list) + Number(reattachedRest) : Number(reattachedTokens);
    list.items = [addedItem(summaryTokens, list.request), addedItem(back, list.request)];
    return { outcome: "summary", summaryTokens, summaryCallTokens };
  };
}

/** The tools whose results are cleared after a pause. */
const TOOLS = /^(read|bash|grep|glob|webfetch|websearch|edit|write)$/i;
/** Size of the placeholder that replaces a cleared result: `[Old tool result content cleared]`. */
const PLACEHOLDER: Tokens = Math.ceil("[Old tool result content cleared]".length / 4);

/** Clears all but the newest results of these tools if the newest item came so many minutes after the last response. */
function cleared(list: ItemList, settings: Settings): ListedChange | undefined {
  const { messages, requests } = list.recording.transcript;
  const minutes = Number(settings.clearIdleMinutes);
  const now = messages[list.items.at(-1)?.message ?? -1]?.at ?? Number.NaN;
  const last = requests[list.request - 1]?.at ?? Number.NaN;
  if (minutes === 0 || !(now - last >= minutes * 60_000)) return undefined;
  const results = list.items.filter(({ kind, row = -1 }) => kind === "tool_result" && TOOLS.test(toolOf(list, row)));
  const old = results
    .slice(0, -Number(settings.keepToolResults))
    .filter(({ isCleared, tokens }) => isCleared !== true && tokens > PLACEHOLDER);
  if (old.length === 0) return undefined;
  list.items = list.items.map((item) =>
    old.includes(item) ? { ...item, tokens: PLACEHOLDER, isCleared: true } : item,
  );
  const rows = old.map(({ row }) => [row ?? -1, PLACEHOLDER] as const);
  return { outcome: "clear", summaryTokens: 0, summaryCallTokens: 0, cleared: rows };
}

function toolOf({ recording }: ItemList, row: ItemIndex): string {
  const { tool, tables } = recording.columns;
  return tables.tools[tool[row] ?? -1] ?? "";
}

/** Usage of the last response, plus the program's own count of the messages after it; before the first response, an estimate of everything. */
function usageOf({ lastInput, lastOutput, addedCount, size }: ItemList): Tokens {
  return lastInput === 0 ? size : lastInput + lastOutput + addedCount;
}
