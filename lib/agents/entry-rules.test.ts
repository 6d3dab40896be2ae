import { describe, expect, it } from "vitest";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import {
  resolveSettings,
  type SettingSpec,
  type Settings,
  type SettingValue,
} from "@/lib/core/compaction/policy/settings";
import { drawColumns } from "@/lib/core/testing/draw";
import { POLICIES } from "./registry";

/** Tool results of all sizes, several in a turn. */
const COLUMNS = drawColumns("X900 u40 c20 c20 r70000 r3 a9 u12 c8 r12000 a5 c8 c8 r400 r25000 a30");
const WITH_RULES = POLICIES.filter(({ entryRule }) => entryRule !== undefined).flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
);

/** While a slider moves, sizes on entry are cached under the settings that the rule names. */
describe.each(WITH_RULES)("the entry rule of $name", ({ policy, preset }) => {
  const specs = policy.settings(preset, { window: 200_000, agent: null });
  const others = specs.filter(({ key }) => policy.entryRule?.settings.includes(key) !== true);

  it("depends on the settings that it names and on no others", () => {
    const byDefault = sizes(policy, preset, resolveSettings(specs, {}));
    for (const spec of others) {
      for (const value of otherValues(spec)) {
        const settings = resolveSettings(specs, { [spec.key]: value });
        expect(sizes(policy, preset, settings), `${spec.key} = ${value}`).toEqual(byDefault);
      }
    }
  });
});

function sizes(policy: Policy, preset: string, settings: Settings): number[] {
  const plan = { columns: COLUMNS, preset, settings, window: 200_000 };
  return Array.from(
    sizeTokenColumn(COLUMNS, "bytes-4"),
    (size, row) => policy.entryRule?.tokens(plan, row, size) ?? size,
  );
}

function otherValues(spec: SettingSpec): readonly SettingValue[] {
  if (spec.type === "boolean") return [!spec.default];
  if (spec.type === "choice") return spec.choices.filter((choice) => choice !== spec.default);
  return [spec.min, spec.max];
}
