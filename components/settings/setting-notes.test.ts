import { createTranslator } from "use-intl/core";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { POLICIES } from "@/lib/agents/registry";
import { inputSettings } from "@/lib/core/compaction/policy/input-settings";
import { pauseSettings } from "@/lib/core/compaction/policy/pause-settings";
import type { SettingSource } from "@/lib/core/compaction/policy/settings";

/** Every source that the panel can show: those of all policies and presets, with and without recorded summaries and prices, and those of pauses and inputs. */
const SOURCES: readonly (readonly [string, SettingSource])[] = [
  ...POLICIES.flatMap((policy) =>
    policy.presets.flatMap((preset) =>
      [
        {},
        { agent: policy.id },
        { isDefaultWindow: true },
        { recordedSummary: { mean: 2, low: 1, high: 3 }, priceRatios: { write: 12.5, input: 10, output: 50 } },
      ].flatMap((known) =>
        policy.settings(preset, { window: 200_000, agent: null, ...known }).map(({ key, source }) => {
          return [`${policy.id}@${preset} ${key}`, source] as const;
        }),
      ),
    ),
  ),
  ...POLICIES.flatMap((policy) =>
    policy.presets.flatMap((preset) =>
      pauseSettings(policy, preset, { window: 200_000 }).map(({ key, source }) => [key, source] as const),
    ),
  ),
  ...inputSettings({ tables: { tools: ["read"], files: [], models: [], terms: [], overhead: [] } }).map(
    ({ key, source }) => [key, source] as const,
  ),
];

describe.each(["en", "zh-CN"] as const)("notes of sources in %s", (locale) => {
  const failures: string[] = [];
  const t = createTranslator({
    locale,
    messages: MESSAGES[locale].replay,
    onError: (error) => failures.push(error.message),
  });

  it("exist for every source, and use all of its values", () => {
    for (const [, { notes = [], values }] of SOURCES) {
      for (const note of notes) t(`source.note.${note}` as never, values as never);
    }
    expect(failures).toEqual([]);
  });

  it("are all used", () => {
    const used = new Set(SOURCES.flatMap(([, { notes = [] }]) => notes));
    expect(Object.keys(MESSAGES[locale].replay.source.note).filter((note) => !used.has(note))).toEqual([]);
  });
});

it("a citation contains only names, since sentences belong in a note", () => {
  const words = /\b(the|of|and|with|by|a|is|as|no|where|chapter|settings|rule)\b/i;
  const offenders = SOURCES.filter(([, { text = "" }]) => words.test(text.replaceAll(/[\w./-]*[./-][\w./-]*/g, "")));
  expect(offenders.map(([where, { text }]) => `${where}: ${text}`)).toEqual([]);
});
