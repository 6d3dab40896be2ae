import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { replayPrepared } from "../replays/replay-result";
import { preparePolicy } from "../session/session-context";
import { summaryBand, toBand } from "./summary-band";

const FACTS = unknownFacts(1000, "user");
/** Two recorded summaries, of 20 and 60 tokens. */
const TWO_SUMMARIES = "u100 a300 u100 a300 B s20 u100 a300 u100 a300 B s60 u100 a200 u60 a10";

function banded(drawing: string, settings: Record<string, number | string> = {}, policy = "custom") {
  const columns = drawColumns(drawing);
  const recording = recordingOf(FACTS, countedBySize(columns, "bytes-4"));
  const choice = { policy, settings: policy === "custom" ? { keepRecentTokens: 0, ...settings } : {} };
  const prepared = preparePolicy(choice, recording);
  const run = replayPrepared(prepared, "estimate", recording);
  const sized = (summaryTokens: number) =>
    replayPrepared({ ...prepared, settings: { ...prepared.settings, summaryTokens } }, "estimate", recording).context;
  return { run, sized, band: summaryBand(prepared, run, "estimate", recording) };
}

describe("the band of the summary size", () => {
  it("extends from the replay with the smallest recorded summary to that with the largest", () => {
    const { run, sized, band } = banded(TWO_SUMMARIES);
    expect(run.compactions[0]?.summaryTokens).toBe(40);
    expect(band?.summaryTokens).toEqual([20, 60]);
    expect(Array.from(band?.low ?? [])).toEqual(Array.from(sized(20)));
    expect(Array.from(band?.high ?? [])).toEqual(Array.from(sized(60)));
    const after = run.compactions[0]?.request ?? 0;
    expect([band?.low[after - 1], band?.high[after - 1]]).toEqual([run.context[after - 1], run.context[after - 1]]);
    expect([band?.low[after], band?.high[after]]).toEqual([
      (run.context[after] ?? 0) - 20,
      (run.context[after] ?? 0) + 20,
    ]);
    expect(toBand(band)).toMatchObject({ summaryTokens: [20, 60], low: Array.from(sized(20)) });
  });

  it("is absent if the size is set, if only one size is recorded, or if there is no summary", () => {
    expect(banded(TWO_SUMMARIES, { summaryTokens: 50 }).band).toBeUndefined();
    expect(banded("u100 a300 u100 a300 B s20 u100 a300 u100 a300").band).toBeUndefined();
    expect(banded(TWO_SUMMARIES, { failSummary: "always" }).band).toBeUndefined();
    expect(banded(TWO_SUMMARIES, {}, "recorded").band).toBeUndefined();
    expect(toBand(undefined)).toBeNull();
  });

  it("also covers the observed sizes of re-attached content", () => {
    const columns = drawColumns(TWO_SUMMARIES);
    const recording = recordingOf({ ...FACTS, agent: "claude-code" }, countedBySize(columns, "bytes-4"));
    const bandWith = (settings: Record<string, number>) => {
      const small = { maxOutputTokens: 0, autoBuffer: 300, ...settings };
      const prepared = preparePolicy({ policy: "claude-code", settings: small }, recording);
      const run = replayPrepared(prepared, "estimate", recording);
      return summaryBand(prepared, run, "estimate", recording);
    };
    const rest = [1600, 10_700];
    expect(bandWith({})?.settings).toEqual({ summaryTokens: [20, 60], reattachedRest: rest });
    expect(bandWith({ summaryTokens: 50 })).toMatchObject({
      summaryTokens: [50, 50],
      settings: { reattachedRest: rest },
    });
    expect(bandWith({ reattachedTokens: 100 })?.settings).toEqual({ summaryTokens: [20, 60] });
    expect(toBand(bandWith({}))?.settings).toEqual({ summaryTokens: [20, 60], reattachedRest: rest });
  });

  it("contains the line at every request, wherever the three replays compact", () => {
    fc.assert(
      fc.property(arbitraryDrawing, fc.integer({ min: 10, max: 100 }), (drawing, percent) => {
        const { run, band } = banded(drawing, { triggerShare: percent / 100 });
        if (band === undefined) return;
        run.context.forEach((tokens, point) => {
          expect(band.low[point]).toBeLessThanOrEqual(tokens);
          expect(band.high[point]).toBeGreaterThanOrEqual(tokens);
        });
      }),
    );
  });
});
