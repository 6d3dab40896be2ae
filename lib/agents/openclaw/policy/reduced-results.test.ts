import { expect, test } from "vitest";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { openClawPolicy } from "./policy";

test("results are measured once per session and limit, however often a slider moves", () => {
  const drawn = drawColumns(`u100 ${"| c5 r900 a20 u30 ".repeat(40)}| a10`);
  let reads = 0;
  const measures = {
    get "openclaw.givenWeighted"() {
      reads += 1;
      return drawn.chars;
    },
  };
  const columns = { ...drawn, measures };
  const tokens = sizeTokenColumn(columns, "chars-4");
  const run = (given: Readonly<Record<string, number>>) => {
    const specs = openClawPolicy.settings("current", { window: 20_000, agent: null });
    const settings = resolveSettings(specs, { ...given, reserveTokensFloor: 2000, reserveTokens: 2000 });
    const options = { preset: "current", window: 20_000, counting: "estimate" } as const;
    const { compactions } = replay({ columns, tokens }, openClawPolicy, settings, options);
    return compactions.filter(({ truncated }) => truncated.length > 0).length;
  };
  expect(run({ keepRecentTokens: 3000 })).toBeGreaterThan(0);
  const first = reads;
  expect(first).toBeGreaterThan(0);
  expect(run({ keepRecentTokens: 2500 })).toBeGreaterThan(0);
  expect(reads).toBe(first);
  run({ keepRecentTokens: 2500, toolResultChars: 3000 });
  expect(reads).toBeGreaterThan(first);
});
