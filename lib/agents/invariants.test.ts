import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentProfile } from "@/lib/agents/shared/profile";
import type { Tokens } from "@/lib/core/base/units";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { breakdownAt } from "@/lib/core/context/breakdown";
import { NO_OVERHEAD } from "@/lib/core/context/context-overhead";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { runs } from "@/lib/core/testing/runs";
import { POLICY_INVARIANTS } from "@/lib/policy-check/policy-invariants";
import { arbitraryCounting, arbitraryRun, replayed } from "@/verify/support/arbitrary-run";
import { POLICIES, PROFILES } from "./registry";

/*
 * Invariants of every replay (docs/method.md, "Invariants"), under every policy and preset. Each agent's cross-check tests that its exact and its
 * columnar layer agree; the invariants of columns and of reading are tested next to the codec and in `lib/server/read`.
 */

const CASES = POLICIES.flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
);

const NEVER_COMPACT = new Set(["none", "recorded"]);

describe.each(CASES)("$name, under any settings", ({ name, policy, preset }) => {
  const drawn = arbitraryRun(policy, preset);

  it.each(POLICY_INVARIANTS)("$name", ({ runs: drawings, holds }) => {
    let happened = 0;
    const property = fc.property(drawn, (given) => {
      happened += holds(policy, given).compactions.length;
    });
    fc.assert(property, { numRuns: runs(drawings / 2) });
    // A few hundred generated sessions include compactions of every policy that compacts, of pi as few as five.
    if (!NEVER_COMPACT.has(policy.id) && drawings >= 200) expect(happened).toBeGreaterThan(0);
  });

  it("makes context, free space and buffer sum to the window", () => {
    const property = fc.property(drawn, (given) => {
      const { run } = replayed(given, policy);
      const trigger = policy.threshold?.(given);
      for (const [point, context] of run.context.entries()) {
        const { rows, total } = breakdownAt({ series: run, request: point, window: given.window, trigger });
        const tokensOf = (id: string) => rows.find((row) => row.id === id)?.tokens ?? 0;
        const [free, buffer, residual] = [tokensOf("freeSpace"), tokensOf("autocompactBuffer"), tokensOf("residual")];
        const filled = rows.reduce((sum, { tokens }) => sum + tokens, 0) - free - buffer - residual;
        expect([total?.tokens, filled]).toEqual([context, context]);
        // The residual is the amount by which context and buffer exceed the window.
        const [left, beyond] = [given.window - buffer - context, Math.max(0, context + buffer - given.window)];
        expect([free, residual]).toEqual([Math.max(0, left), beyond === 0 ? 0 : -beyond]);
      }
    });
    fc.assert(property, { numRuns: runs(20) });
  });

  it("compacts nothing in an unlimited window", () => {
    const property = fc.property(arbitraryDrawing, arbitraryCounting, fc.boolean(), (small, counting, entries) => {
      const drawing = small.replace(/([a-z])(\d+)/g, (_, kind, size) => `${kind}${size}00`);
      const window = 2 ** 30;
      const specs = policy.settings(preset, { window, agent: null });
      const settings = resolveSettings(specs, { entryTruncation: entries });
      const { run } = replayed({ drawing, preset, window, counting, settings }, policy);
      const limit = WITHOUT_WINDOW[name];
      for (const { outcome, tokensBefore } of run.compactions) {
        if (outcome === "clear") expect(CLEAR_WITHOUT_WINDOW).toContain(name);
        else expect(tokensBefore).toBeGreaterThan(limit ?? Number.POSITIVE_INFINITY);
      }
    });
    fc.assert(property, { numRuns: runs(40) });
  });
});

const OWN_BREAKDOWNS = Object.values<AgentProfile>(PROFILES).flatMap(({ id, breakdown, policy }) =>
  breakdown === undefined || policy === undefined
    ? []
    : breakdown.presets.map((preset) => ({ name: `${id}@${preset}`, breakdown, policy, preset })),
);

describe.each(OWN_BREAKDOWNS)("the breakdown of $name", ({ breakdown, policy, preset }) => {
  it("sums to the window", () => {
    const property = fc.property(arbitraryRun(policy, policy.presets[0] ?? ""), (given) => {
      const { window } = given;
      const { columns, run } = replayed(given, policy);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const trigger = policy.threshold?.(given);
      for (const request of run.context.keys()) {
        const asked = {
          columns,
          tokens,
          series: run,
          simulated: true,
          request,
          window,
          trigger,
          overhead: NO_OVERHEAD,
        };
        const { rows } = breakdown.at(asked, preset);
        expect(rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(window);
      }
    });
    fc.assert(property, { numRuns: runs(20) });
  });
});

/** These presets compact above a size of their own, or at any size once it pays, whatever the window. */
const WITHOUT_WINDOW: Readonly<Record<string, Tokens>> = {
  "clawdcode@current": 100_000,
  "mistral-vibe@v2.18.4": 199_999,
  "rent-to-buy@default": 0,
};
/** These presets clear old results by age, number or size, whatever the window. */
const CLEAR_WITHOUT_WINDOW: readonly string[] = ["gemini-cli@current", "openclaw@current", "qwen-code@current"];
