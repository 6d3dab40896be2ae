import { expect, test } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { POLICIES } from "@/lib/agents/registry";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";

const WINDOW = 40_000;
const columns = drawColumns(Array.from({ length: 40 }, () => "u3000 c50 r3000 c60 r900 a800").join(" "));
const tokens = sizeTokenColumn(columns, "bytes-4");

/** Names of all items that policies add during a replay, with and without failing summaries. */
function namesOf(policy: Policy, preset: string): readonly string[] {
  const specs = policy.settings(preset, { window: WINDOW, agent: null });
  return ["never", "always"].flatMap((failSummary) => {
    const settings = resolveSettings(specs, { failSummary });
    return replay({ columns, tokens }, policy, settings, { preset, window: WINDOW, counting: "estimate" }).added.map(
      ({ item }) => item.name,
    );
  });
}

test("every item that a policy adds has a name in every language", () => {
  const names = POLICIES.flatMap((policy) => policy.presets.flatMap((preset) => namesOf(policy, preset)));
  const known = Object.keys(MESSAGES["zh-CN"].session.boundary.addedItem);
  expect(new Set(names).size).toBeGreaterThan(4);
  expect([...new Set(names)].filter((name) => !known.includes(name))).toEqual([]);
});
