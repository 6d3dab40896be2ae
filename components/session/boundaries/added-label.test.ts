import { expect, test } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { POLICIES } from "@/lib/agents/policies";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { replay } from "@/lib/core/compaction/replay";
import { resolveSettings, type SettingSpec } from "@/lib/core/compaction/settings";
import { drawColumns } from "@/lib/core/testing/draw";
import { addedLabelKey } from "./added-label";

const WINDOW = 40_000;
const columns = drawColumns(Array.from({ length: 40 }, () => "u3000 c50 r3000 c60 r900 a800").join(" "));
const tokens = sizeTokenColumn(columns, "bytes-4");

/** Labels of all that a policy adds on the way, with and without summaries that fail. */
function labelsOf(specs: readonly SettingSpec[], policy: (typeof POLICIES)[number]): readonly string[] {
  return ["never", "always"].flatMap((failSummary) => {
    const settings = resolveSettings(specs, { failSummary });
    return replay(columns, tokens, policy, settings, { window: WINDOW, counting: "estimate" }).added.map(
      ({ item }) => item.label,
    );
  });
}

test("what policies add has a name in every language", () => {
  const labels = POLICIES.flatMap((policy) =>
    policy.presets.flatMap((preset) => labelsOf(policy.settings(preset, { window: WINDOW, agent: null }), policy)),
  );
  const known = Object.keys(MESSAGES["zh-CN"].session.boundary.addedItem);
  expect(new Set(labels).size).toBeGreaterThan(4);
  expect([...new Set(labels)].filter((label) => !known.includes(addedLabelKey(label).key))).toEqual([]);
});

test("a number in a name is no part of its key", () => {
  expect(addedLabelKey("3 pictures put back")).toEqual({ key: "n-pictures-put-back", n: "3" });
  expect(addedLabelKey("note in a summary's place")).toEqual({ key: "note-in-a-summary-s-place", n: "" });
});
