import { describe, expect, it } from "vitest";
import { summaryTokensSetting } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, type SettingSpec } from "@/lib/core/compaction/policy/settings";
import { summarySizeOf } from "./boundary-heading";

const NONE: PolicyContext = { window: 200_000, agent: null };
const RECORDED: PolicyContext = { ...NONE, recordedSummary: { mean: 2100, low: 900, high: 3300 } };
const DOCUMENTED = { tokens: 800, source: "a document" };

function sizeOf(spec: SettingSpec, summaryTokens: number, given: Readonly<Record<string, number>> = {}) {
  const settings = resolveSettings([spec], given);
  const changed = new Set(Object.keys(given));
  return summarySizeOf({ summaryTokens }, { specs: [spec], settings, changed });
}

describe("the source of the size of a simulated summary", () => {
  it("is the session's own mean, else the documentation, else an assumption", () => {
    expect(sizeOf(summaryTokensSetting(RECORDED, DOCUMENTED), 2100)).toBe("recordedMean");
    expect(sizeOf(summaryTokensSetting(NONE, DOCUMENTED), 800)).toBe("documented");
    expect(sizeOf(summaryTokensSetting(NONE), 1500)).toBe("assumed");
  });

  it("is the user's setting, even if summaries are recorded", () => {
    expect(sizeOf(summaryTokensSetting(RECORDED), 4000, { summaryTokens: 4000 })).toBe("chosen");
  });

  it("is the policy if its summary has another size", () => {
    expect(sizeOf(summaryTokensSetting(RECORDED), 12)).toBe("own");
    expect(summarySizeOf({ summaryTokens: 5 }, { specs: [], settings: {}, changed: new Set() })).toBe("own");
  });
});
