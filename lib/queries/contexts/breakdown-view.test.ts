import { expect, it } from "vitest";
import { PROFILES } from "@/lib/agents/registry";
import type { AgentProfile } from "@/lib/agents/shared/profile";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { recordedBreakdown } from "./breakdown";

const counted = countedBySize(drawColumns("u100 a100 @150000 u100 a100 @250000"), "bytes-4");
const BOUND = 250_000;

/** Breakdowns of a recording with this window, in every view of every agent. */
function breakdownsUnder(source: "inferred" | "known-model", threshold?: number) {
  return Object.values<AgentProfile>(PROFILES).flatMap(({ id: agent, breakdown }) => {
    const facts = { ...unknownFacts(BOUND, source), agent };
    const presets = ["ours", ...(breakdown?.presets ?? [])];
    return presets.map((preset) => {
      const shown = recordedBreakdown({ at: "last", preset, threshold }, recordingOf(facts, counted));
      const { rows, levels = [], tier } = shown.breakdown;
      const buffer = rows.find(({ id }) => id === "autocompactBuffer")?.tokens ?? 0;
      return { view: `${agent}@${preset}`, buffer, levels: levels.map(({ id }) => id), tier };
    });
  });
}

it("no agent's breakdown takes a lower bound of the window as a limit", () => {
  const breakdowns = breakdownsUnder("inferred");
  expect(breakdowns).toEqual(breakdowns.map(({ view }) => ({ view, buffer: 0, levels: [], tier: undefined })));
});

it("a breakdown has a limit if the window is known or the user sets a share", () => {
  for (const breakdowns of [breakdownsUnder("known-model"), breakdownsUnder("inferred", 0.8)]) {
    const qwen = breakdowns.find(({ view }) => view === "qwen-code@current");
    expect(qwen?.buffer).toBeGreaterThan(0);
    expect(qwen?.levels).toHaveLength(4);
  }
});
