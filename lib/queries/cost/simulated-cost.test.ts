import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { POLICIES, PROFILES, policyById } from "@/lib/agents/registry";
import type { AgentProfile } from "@/lib/agents/shared/profile";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { simulatedCostUsd } from "@/lib/queries/contract/schemas";
import { readTranscript } from "@/lib/server/read/read-transcript";
import { summarise } from "../boundaries/summarise";
import { runReplay } from "../replays/replay-result";
import { toCost } from "./cost";
import { ReplayCosts } from "./simulated-cost";

const LONG = join(process.cwd(), "public", "samples", "codex-sliding-window.jsonl");

function opened(path: string) {
  const { transcript } = readTranscript(path);
  return { session: summarise(transcript, basename(path)), columns: columnsFromTranscript(transcript) };
}

const long = opened(LONG);

const SIMULATED = POLICIES.map(({ id }) => id).filter((id) => id !== "recorded");

function costOf(policy: string, settings = {}, window?: number) {
  const { session, columns } = long;
  const recording = recordingOf(session, countedBySize(columns, "bytes-4"));
  const ran = runReplay({ policy, settings, ...(window !== undefined && { window }) }, recording);
  const cost = new ReplayCosts(recording, LISTED_PRICES).of(ran.prepared, ran.replay);
  return {
    cost: cost === null ? null : simulatedCostUsd.parse(cost),
    compactions: ran.replay.compactions.length,
    called: ran.replay.compactions.some(({ summaryCallTokens }) => summaryCallTokens > 0),
  };
}

describe("cost of a replay", () => {
  it("is the recorded cost under the policy `recorded`", () => {
    const { session, columns } = opened(LONG);
    const { costUsd } = toCost(session, columns, LISTED_PRICES);
    const { cost } = costOf("recorded");
    expect(cost?.total).toBe(costUsd.total);
    expect([cost?.low, cost?.high, cost?.summaryCalls]).toEqual([costUsd.total, costUsd.total, null]);
  });

  it("includes the summary calls, and has none if nothing is compacted", () => {
    expect(costOf("none").cost?.summaryCalls).toBe(0);
    const { cost, compactions } = costOf("custom", { triggerShare: 0.3 });
    expect(compactions).toBeGreaterThan(0);
    expect(cost?.summaryCalls).toBeGreaterThan(0);
    expect(cost?.total).toBeGreaterThanOrEqual(cost?.low ?? Number.NaN);
    expect(cost?.total).toBeLessThanOrEqual(cost?.high ?? Number.NaN);
  });

  it.each(SIMULATED)("includes the summary calls of %s, if it makes any", (policy) => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000, max: 400_000 }), (window) => {
        const { cost, called } = costOf(policy, {}, window);
        expect(cost?.summaryCalls).toBeGreaterThanOrEqual(costOf("none", {}, window).cost?.summaryCalls ?? Number.NaN);
        expect((cost?.summaryCalls ?? 0) > 0).toBe(called);
      }),
      { numRuns: 10 },
    );
  });

  it("has parts that sum to the total", () => {
    const { cost } = costOf("codex", { autoCompactLimit: 20_000 });
    const { read, write, plain, output, summaryCalls, total } = cost ?? {};
    expect((read ?? 0) + (write ?? 0) + (plain ?? 0) + (output ?? 0) + (summaryCalls ?? 0)).toBeCloseTo(total ?? -1, 9);
  });
});

const profiles: readonly AgentProfile[] = Object.values(PROFILES);

describe("summary calls", () => {
  it.each(profiles.filter(({ policy }) => policy !== undefined).map((profile) => [profile.id, profile] as const))(
    "of %s have a rule with its source",
    (id, { summaryCall }) => {
      expect(policyById(id)).toBeDefined();
      expect(summaryCall?.source.text).toBeTruthy();
    },
  );

  it("share a known prefix in Codex's local call, but not in its remote one", () => {
    const rule = profiles.find(({ id }) => id === "codex")?.summaryCall;
    expect([
      rule?.sharesPrefix({}),
      rule?.sharesPrefix({ remote: false }),
      rule?.sharesPrefix({ remote: true }),
    ]).toEqual([true, true, undefined]);
  });
});
