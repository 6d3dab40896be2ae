import type { Share, Tokens } from "@/lib/core/base/units";
import {
  entryTruncationSetting,
  failSummarySetting,
  numberSpec,
  summaryTokensSetting,
} from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { SettingSource, SettingSpec } from "@/lib/core/compaction/policy/settings";
import {
  COMPRESSION_THRESHOLD,
  COMPRESSION_THRESHOLD_CURRENT,
  FALLBACK_RETAIN_SHARE,
  MAX_MESSAGES,
  RETAIN_SHARE,
  THRESHOLD_SHARE,
} from "./constants";

/** Rule sets of this agent; the first is the default. Source: README.md. */
export const CLAWDCODE_PRESETS = ["as-documented", "current"] as const;
export type ClawdcodePreset = (typeof CLAWDCODE_PRESETS)[number];

/** The preset with a name; the default if the name is unknown. */
export function clawdcodePreset(name: string): ClawdcodePreset {
  return CLAWDCODE_PRESETS.find((preset) => preset === name) ?? CLAWDCODE_PRESETS[0];
}

/** Preset for a recording of a version: the program is at 1.8.0, while records in ClawdCode's published description have version 0.1.0 or none. */
export function presetFor(version: string | undefined): ClawdcodePreset {
  const [, major] = /^(\d+)\./.exec(version ?? "") ?? [];
  return major !== undefined && Number(major) > 0 ? "current" : "as-documented";
}

const DOCUMENT = (section: string): SettingSource => ({ kind: "document", text: `ClawdCode ${section}` });
const CODE = (file: string): SettingSource => ({
  kind: "code",
  text: `kkkhs/ClawdCode 217a013 (v1.8.0), src/context/${file}`,
});

/** Default size for the comparison of rule `session`. */
export function thresholdByDefault(preset: string): Tokens {
  return clawdcodePreset(preset) === "current" ? COMPRESSION_THRESHOLD_CURRENT : COMPRESSION_THRESHOLD;
}

/** Settings of a preset, with their defaults and the defaults' sources. */
export function clawdcodeSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const current = clawdcodePreset(preset) === "current";
  const from = (section: string, file: string) => (current ? CODE(file) : DOCUMENT(section));
  const service = from("§8.7", "CompactionService.ts");
  const analyzer = from("§8.7", "FileAnalyzer.ts");
  const memory = from("§8.5", "storage/MemoryStore.ts");
  const manager = from("§8.4", "ContextManager.ts");
  return [
    {
      key: "rule",
      label: "Compare",
      type: "choice",
      choices: ["context", "session"],
      default: current ? "session" : "context",
      source: current
        ? { ...CODE("ContextManager.ts"), notes: ["lastTurn"] }
        : {
            ...DOCUMENT("§8.11, §8.4"),
            notes: ["shareOrSession"],
            values: { share: "102,400", window: "128,000", session: "6,000" },
          },
    },
    {
      ...share("threshold", "Share of the window", THRESHOLD_SHARE, from("§8.6, §8.11", "TokenCounter.ts")),
      needs: { key: "rule", is: "context" },
      inAgent: null,
      decidesWhen: true,
    },
    {
      // 0 means the default, both in the chapter and in the program.
      ...numberSpec(
        "compressionThreshold",
        "Tokens of the last turn",
        "tokens",
        [0, 2_000_000, 500],
        thresholdByDefault(preset),
        manager,
      ),
      needs: { key: "rule", is: "session" },
      decidesWhen: true,
    },
    { ...share("retain", "Share of the messages kept", RETAIN_SHARE, service), shareOf: "messages" },
    {
      ...share(
        "fallbackRetain",
        "Share kept by the fallback",
        FALLBACK_RETAIN_SHARE,
        from("§8.8", "CompactionService.ts"),
      ),
      shareOf: "messages",
    },
    numberSpec("maxFiles", "Files in the prompt", "files", [0, 50, 1], 5, analyzer),
    numberSpec("maxLinesPerFile", "Lines of a file in the prompt", "lines", [1, 20_000, 1], 1000, {
      ...analyzer,
      notes: ["filesNotHeld"],
    }),
    numberSpec("maxMessages", "Messages in memory", "messages", [2, 100_000, 1], MAX_MESSAGES, memory),
    {
      key: "contextFilter",
      label: "Apply the context filter",
      type: "boolean",
      default: false,
      source: { ...manager, notes: ["declaredOnly"] },
    },
    summarySetting(context, current),
    failSummarySetting(),
    {
      ...entryTruncationSetting(false),
      source: { kind: "ours", notes: ["noLimitDocumented"] },
    },
  ];
}

function share(key: string, label: string, byDefault: Share, source: SettingSource) {
  return numberSpec(key, label, "share", [0, 1, 0.01], byDefault, source);
}

function summarySetting(context: PolicyContext, current: boolean): SettingSpec {
  const setting = summaryTokensSetting(context);
  if (!current) return setting;
  return { ...setting, source: { ...setting.source, notes: [...(setting.source.notes ?? []), "sessionRule"] } };
}
