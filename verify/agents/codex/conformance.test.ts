import { describe, expect, it } from "vitest";
import { codexPreset } from "@/lib/agents/codex/base/presets";
import { toItem } from "@/lib/agents/codex/messages/item";
import { serializeItem } from "@/lib/agents/codex/messages/serialize";
import { expandGolden, type GoldenCase } from "@/verify/golden";
import { describeGoldenCases, goldenFile, goldenFiles } from "@/verify/support/golden-cases";
import { conformance } from "./conformance";

/** These cases also hold the exact JSON that was measured. */
type MeasuredCase = GoldenCase & { readonly serialized?: string };

describeGoldenCases("codex", conformance);

const measured = goldenFiles("codex").filter((name) => name.endsWith("estimate-items.json"));

describe("the serialized JSON of a golden case", () => {
  it.each(measured)("%s has the same JSON", (name) => {
    const file = goldenFile("codex", name);
    const cases: readonly MeasuredCase[] = file.cases;
    for (const one of cases) {
      if (one.serialized === undefined) continue;
      const input = expandGolden(one.input);
      const item = typeof input === "object" && input !== null && "item" in input ? toItem(input.item) : undefined;
      expect(item && serializeItem(item, codexPreset(file.preset)), one.id).toBe(expandGolden(one.serialized));
    }
  });
});
