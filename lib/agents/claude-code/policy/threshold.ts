import type { Tokens } from "@/lib/core/base/units";
import {
  numberSetting,
  optionalNumberSetting,
  type SettingSource,
  type Settings,
} from "@/lib/core/compaction/policy/settings";

/** No source of Claude Code is public. Users reported these numbers and recordings confirm them; they must never be shown as the vendor's. */
export const REPORT: SettingSource = {
  kind: "report",
  text: "anthropics/claude-code#12004, #31806, #24079",
  notes: ["eventsFrom"],
  values: { events: "40", version: "2.1.25", lowest: "167,038", window: "200,000" },
};

export const REPORT_2025: SettingSource = {
  kind: "report",
  text: "/context, 2025",
  notes: ["bufferShown", "eventsUpTo"],
  values: { buffer: "45,000", events: "36", version: "2.1.20", lowest: "155,031", window: "200,000" },
};

/** Releases of autumn 2026: no report says that these numbers changed, and no recording was available. Source: README.md, "Compaction". */
export const REPORT_2026: SettingSource = {
  kind: "report",
  text: "anthropics/claude-code#71254, #12004, #31806",
  notes: ["reportedAlone"],
  values: { versions: "2.1.286+" },
};

/** The same for the trigger. Its earlier preparation is also reported, but without numbers. */
export const TRIGGER_REPORT_2026: SettingSource = {
  ...REPORT_2026,
  notes: ["reportedAlone", "preparedEarly"],
  values: { versions: "2.1.286+", preparation: "anthropics/claude-code#71254" },
};

/** The most that is reserved for the output, however large a model's limit is. Source: as `REPORT`. */
export const MAX_OUTPUT_RESERVE: Tokens = 20_000;

/** Buffer below the effective window. Source: as `REPORT`. */
export const AUTO_BUFFER: Tokens = 13_000;

/** The same for 2025: with the reserve, 45,000 in all. Source: as `REPORT_2025`. */
export const AUTO_BUFFER_2025: Tokens = 25_000;

/** The model's window, or the smaller one set for auto-compaction, minus the reserve for the output. */
export function effectiveWindow(window: Tokens, settings: Settings): Tokens {
  const set = optionalNumberSetting(settings, "autoCompactWindow") ?? window;
  return Math.min(window, set) - Math.min(numberSetting(settings, "maxOutputTokens"), MAX_OUTPUT_RESERVE);
}

/**
 * Size of the context that triggers auto-compaction. An override, in per cent of the effective window, can only lower it. Source: README.md,
 * "Compaction".
 */
export function autoCompactThreshold(window: Tokens, settings: Settings): Tokens {
  const effective = effectiveWindow(window, settings);
  const byDefault = effective - numberSetting(settings, "autoBuffer");
  const percent = optionalNumberSetting(settings, "pctOverride");
  const threshold = percent === null ? byDefault : Math.min(Math.floor((effective * percent) / 100), byDefault);
  return Math.max(0, threshold);
}
