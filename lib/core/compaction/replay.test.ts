import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulatedStays } from "../analysis/stays";
import { AssertionError } from "../base/assert";
import { CLEARED_TOKENS, isMember, NEVER, recordedMembership } from "../columns/membership";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { arbitraryClearedDrawing, arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { listeningPolicy, policyOf } from "../testing/policies";
import { wildPolicy } from "../testing/wild-policy";
import { customPolicy } from "./policies/custom";
import { nonePolicy } from "./policies/none";
import { recordedReplay } from "./policies/recorded";
import type { Compaction, ContextView, EntryRule, Policy } from "./policy/policy";
import { resolveSettings, SettingError } from "./policy/settings";
import { type CountingMode, replay } from "./replay";
import { summaryItem, unchanged } from "./retention";
import { comparableBefore } from "./simulation/simulated-compaction";

function run(
  drawing: string,
  policy: Policy,
  given: Record<string, unknown> = {},
  window = 1000,
  counting: CountingMode = "estimate",
) {
  const columns = drawColumns(drawing);
  const specs = policy.settings(policy.presets[0] ?? "", { window, agent: null });
  return replay(countedBySize(columns, "bytes-4"), policy, resolveSettings(specs, given), {
    window,
    counting,
  });
}

test("without a policy the context grows by the recorded items", () => {
  const { context, compactions, totals } = run("u10 a20 u5 c5 r900 a1", nonePolicy);
  expect(Array.from(context)).toEqual([10, 35, 940]);
  expect(compactions).toEqual([]);
  expect(totals).toEqual({
    requests: 3,
    peak: 940,
    final: 940,
    tokensSent: 985,
    summaryCallTokens: 0,
    tokensRewritten: 0,
    requestsOverWindow: 0,
  });
});

test("the custom policy fires at its share of the window, and keeps the newest messages that fit", () => {
  const { context, compactions } = run("u100 a300 u100 a300 u50 a10", customPolicy, {
    keepRecentTokens: 120,
    summaryTokens: 40,
  });
  // Before the third request the context is 850 of 1,000: the last message (50) stays, the response (300) does not fit.
  expect(Array.from(context)).toEqual([100, 500, 90]);
  expect(compactions).toMatchObject([
    {
      request: 2,
      outcome: "summary",
      tokensBefore: 850,
      tokensAfter: 90,
      droppedItems: 4,
      summaryTokens: 40,
      shrunk: true,
    },
  ]);
});

test("a result is dropped with its call", () => {
  const { compactions, dropped, entered } = run("u700 c100 u5 r50 u60 a1", customPolicy, {
    keepRecentTokens: 115,
    summaryTokens: 1,
  });
  expect(compactions).toMatchObject([{ request: 1, kept: [3, 5], droppedItems: 3 }]);
  expect([entered[4], dropped[4]]).toEqual([1, 1]);
});

test("a result without a known call is kept like any other item", () => {
  const { compactions } = run("u700 a1 r150 a1", customPolicy, { keepRecentTokens: 160, summaryTokens: 1 });
  expect(compactions).toMatchObject([{ request: 1, kept: [2, 3] }]);
});

test("a failed summary leaves the history unchanged, and the next request tries again", () => {
  const { compactions, context } = run("u900 a10 u10 a10", customPolicy, {
    failSummary: "1",
    keepRecentTokens: 0,
    summaryTokens: 5,
  });
  expect(compactions.map(({ request, outcome }) => [request, outcome])).toEqual([
    [0, "failed"],
    [1, "summary"],
  ]);
  expect(Array.from(context)).toEqual([900, 15]);
});

test("a summary that does not shrink the context is reported", () => {
  const { compactions } = run("u850 a1", customPolicy, { keepRecentTokens: 0, summaryTokens: 900 });
  expect(compactions).toMatchObject([{ shrunk: false, thrash: true }]);
});

test("a clearing is not a compaction: neither it nor a compaction soon after it counts as thrashing", () => {
  const given = { clearToolResultsAfter: 1, triggerShare: 0.8, keepRecentTokens: 0, summaryTokens: 5 };
  const { compactions } = run("u1 c1 r790 a1 u1 a800 u1 a800 u1 a1", customPolicy, given);
  expect(compactions.map(({ request, outcome, thrash }) => [request, outcome, thrash])).toEqual([
    [2, "clear", false],
    [3, "summary", false],
    [4, "summary", true],
  ]);
  // The clearing leaves more than 80 % of the threshold of 900, but only a compaction counts as thrashing.
  const [cleared] = run("u790 c1 r10 a1 u1 a1", customPolicy, { ...given, triggerShare: 0.9 }).compactions;
  expect([cleared?.outcome, cleared?.thrash]).toEqual(["clear", false]);
});

test("each old result is cleared in turn, and then has the size of the placeholder", () => {
  const { context, compactions } = run("u1 c1 r100 a1 u1 a1 u1 a1", customPolicy, { clearToolResultsAfter: 1 });
  expect(Array.from(context)).toEqual([1, 102, 13, 15]);
  expect(compactions).toMatchObject([{ request: 2, outcome: "clear", cleared: [[3, 9]] }]);
});

test("a result of the first request is cleared as late as any other", () => {
  const { context, compactions } = run("r100 u1 a1 u1 a1", customPolicy, { clearToolResultsAfter: 1 });
  expect(Array.from(context)).toEqual([101, 12]);
  expect(compactions).toMatchObject([{ request: 1, outcome: "clear", cleared: [[1, 9]] }]);
});

test("failSummary counts only summary calls, not clearings", () => {
  const { compactions } = run("u1 c1 r100 a1 u1 a1 u900 a1 u1 a1", customPolicy, {
    clearToolResultsAfter: 1,
    keepRecentTokens: 0,
    failSummary: "1",
  });
  expect(compactions.map(({ request, outcome }) => [request, outcome])).toEqual([
    [2, "clear"],
    [3, "failed"],
    [4, "summary"],
  ]);
});

/** Replaces the first item by a placeholder before every second request, for that request alone. */
function clearForOneRequest(view: ContextView): Compaction | undefined {
  if (view.request % 2 === 0) return undefined;
  const cleared = [[view.items.at(0), 3]] as const;
  return { ...unchanged(view, "skipped"), trigger: "threshold", outcome: "clear", cleared, transient: true };
}

test("a clearing for a single request applies to that request only", () => {
  const { context, compactions, cleared, uncached, added } = run(
    "u100 a10 u1 a10 u1 a10 u1 a10",
    policyOf(clearForOneRequest),
  );
  expect(Array.from(context)).toEqual([100, 3 + 11, 122, 3 + 33]);
  expect(compactions).toMatchObject([
    { request: 1, tokensBefore: 111, tokensAfter: 14, transient: true },
    { request: 3, tokensBefore: 133, tokensAfter: 36, transient: true },
  ]);
  // There is no request after the last one.
  expect(Array.from(cleared).filter((request) => request !== NEVER)).toEqual([3]);
  expect(added).toEqual([]);
  // The placeholder, then the restored item, and everything after it except the new items.
  expect(Array.from(uncached)).toEqual([0, 3, 111, 3 + 22]);
});

test("a clearing for a single request may change sizes, but drop no item", () => {
  const dropping = policyOf((view) => {
    const compaction = clearForOneRequest(view);
    return compaction && { ...compaction, kept: [] };
  });
  expect(() => run("u100 a10 u1 a10", dropping)).toThrow(AssertionError);
});

test("the items sum to the context at every request under any policy", () => {
  fc.assert(
    fc.property(arbitraryDrawing, wildPolicy, (drawing, policy) => {
      const text = drawing.replaceAll(/[cr](\d+)/g, "u$1");
      const result = run(text, policy);
      const sums = new Int32Array(result.context.length);
      simulatedStays(
        drawColumns(text),
        result,
      )((_item, _category, tokens, from, to) => {
        for (let point = from; point < Math.min(to, sums.length); point++) sums[point] = (sums[point] ?? 0) + tokens;
      });
      expect(Array.from(sums)).toEqual(Array.from(result.context));
    }),
  );
});

test("a simulation ignores recorded boundaries and summaries; a recorded replay contains them", () => {
  const columns = drawColumns("u100 a100 B s20 u10 a10");
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const none = replay({ columns, tokens }, nonePolicy, {}, { window: 1000, counting: "estimate" });
  expect(Array.from(none.context)).toEqual([100, 210]);
  const recorded = recordedReplay({ columns, tokens }, 1000);
  expect(Array.from(recorded.context)).toEqual([100, 30]);
  expect(recorded.compactions).toMatchObject([{ request: 1, droppedItems: 2, summaryTokens: 20 }]);
});

test("anchored counting uses recorded usage until the simulation departs from the recording", () => {
  const drawing = "u100 a100 @1100 u100 a100 @1310 B s10 u10 a10 @700";
  expect(Array.from(run(drawing, nonePolicy, {}, 5000, "anchored").context)).toEqual([1100, 1310, 1410]);
});

test.each([1, 2, 0.5])("calibrated counting adds the overhead and %f times the estimate of the messages", (factor) => {
  const estimates = Array.from({ length: 12 }, (_, request) => 10 + 20 * request);
  const drawing = estimates.map((estimate) => `u10 a10 @${110 + factor * (estimate - 10)}`).join(" ");
  const contextOf = (counting: CountingMode) => Array.from(run(drawing, nonePolicy, {}, 1000, counting).context);
  expect(contextOf("estimate")).toEqual(estimates.map((estimate) => 100 + estimate));
  expect(contextOf("calibrated")).toEqual(estimates.map((estimate) => 100 + factor * estimate));
  // Seven pairs are too few, so the estimate is used.
  const short = drawing.split(" ").slice(0, 24).join(" ");
  expect(Array.from(run(short, nonePolicy, {}, 1000, "calibrated").context)).toEqual(
    estimates.slice(0, 8).map((estimate) => 100 + estimate),
  );
});

test("a compaction is measured by the recorded usage while the replay follows the recording", () => {
  const { compactions } = run(
    "u100 a100 @900 u10 a10",
    customPolicy,
    { triggerShare: 1, keepRecentTokens: 0 },
    1000,
    "anchored",
  );
  expect(compactions).toMatchObject([{ request: 1, tokensBefore: 1010 }]);
});

test("recorded usage still counts just after a recorded compaction, before the next request", () => {
  // The estimate is 730 there; the usage of the previous request, plus the items after it, is 920.
  const drawing = "u100 a100 @600 u10 a10 @900 u10 B s5 a10 @50";
  const { compactions, context } = run(
    drawing,
    customPolicy,
    { triggerShare: 0.9, keepRecentTokens: 0 },
    1000,
    "anchored",
  );
  expect(compactions).toMatchObject([{ request: 2, tokensBefore: 920 }]);
  expect(Array.from(context.subarray(0, 2))).toEqual([600, 900]);
});

test("a compaction that departs from the recorded usage has comparable sizes before and after", () => {
  const drawing = "u1 c1 @500 r100 a1 @900 u1 a1 @910 u1 a1 @920 u1 a1";
  const { compactions, context } = run(drawing, customPolicy, { clearToolResultsAfter: 1 }, 2000, "anchored");
  const [leaving, ...others] = compactions;
  if (leaving === undefined) throw new Error("nothing was cleared");
  // The usage of 900 plus the newer items.
  expect([leaving.outcome, leaving.tokensBefore]).toEqual(["clear", 902]);
  expect(comparableBefore(leaving) - leaving.tokensAfter).toBe(100 - CLEARED_TOKENS);
  expect([leaving.tokensBeforeCounted === undefined, leaving.shrunk]).toEqual([false, true]);
  expect(leaving.tokensAfter).toBe(context[leaving.request]);
  expect(others.map(comparableBefore)).toEqual(others.map(({ tokensBefore }) => tokensBefore));
});

test("a compaction that changes nothing keeps the context at the recorded usage", () => {
  const given = { triggerShare: 0.5, failSummary: "always" };
  const { compactions, context } = run("u100 a100 @900 u10 a10 @1120", customPolicy, given, 1000, "anchored");
  const logged = compactions.map((one) => [one.outcome, one.tokensBefore, comparableBefore(one), one.tokensAfter]);
  expect(logged).toEqual([
    ["failed", 900, 900, 900],
    ["failed", 1010, 1010, 1010],
  ]);
  expect(Array.from(context)).toEqual([900, 1120]);
});

test("turns that the user took back leave the simulated context without a compaction", () => {
  const { context, compactions, dropped } = run("u1 a10 u100 a200 <2 u5 a1", nonePolicy);
  expect(Array.from(context)).toEqual([1, 111, 16]);
  expect(compactions).toEqual([]);
  expect(Array.from(dropped.subarray(3, 5))).toEqual([2, 2]);
  expect(
    Array.from(
      recordedReplay(
        {
          columns: drawColumns("u1 a10 u100 a200 <2 u5 a1"),
          tokens: sizeTokenColumn(drawColumns("u1 a10 u100 a200 <2 u5 a1"), "bytes-4"),
        },
        1000,
      ).context,
    ),
  ).toEqual([1, 111, 16]);
});

test("a rollback just after a recorded compaction keeps the items that the compaction dropped", () => {
  const { context, dropped } = run("u1 a10 u100 a200 B u5 <1 u7 a1", nonePolicy);
  expect(Array.from(context)).toEqual([1, 111, 318]);
  expect(Array.from(dropped.subarray(1, 6))).toEqual([NEVER, NEVER, NEVER, NEVER, 2]);
});

test("a rollback to the start empties the simulated context, even after a compaction", () => {
  const drawing = "u1 a10 u100 a200 B u5 a2 <7 u7 a1 u3 a1";
  const { context, dropped } = run(drawing, nonePolicy);
  expect(Array.from(context)).toEqual([1, 111, 316, 7, 11]);
  expect(Array.from(dropped.subarray(1, 8))).toEqual([3, 3, 3, 3, 3, 3, NEVER]);
  // The simulated summary leaves too, and the items that it replaced stay gone.
  const compacting = run(drawing, customPolicy, { triggerShare: 0.5, keepRecentTokens: 0, summaryTokens: 20 }, 200);
  expect(compacting.compactions.length).toBeGreaterThan(0);
  expect(Array.from(compacting.context.subarray(3))).toEqual([7, 11]);
  expect(compacting.added.every((item) => item.dropped <= 3)).toBe(true);
});

test("a result that arrived after its call was taken back stays, as in the recording", () => {
  const { context, dropped } = run("u1 c5 <1 r7 a1 u1 a1", nonePolicy);
  expect(Array.from(context)).toEqual([1, 8, 10]);
  expect(Array.from(dropped.subarray(2, 4))).toEqual([1, NEVER]);
});

test("an agent's entry rule changes only recordings of other agents", () => {
  const entryRule: EntryRule = { settings: [], tokens: (_plan, _item, tokens) => Math.floor(tokens / 2) };
  const halving: Policy = { ...nonePolicy, entryRule };
  const columns = drawColumns("u100 a100 @1100 u100 a100 @1310");
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const on = (own: boolean) =>
    Array.from(
      replay({ columns, tokens }, halving, { entryTruncation: true }, { window: 5000, counting: "anchored", own })
        .context,
    );
  expect(on(true)).toEqual([1100, 1310]);
  expect(on(false)).toEqual([1050, 1150]);
});

test("another agent's entry rule follows the recorded usage until it cuts an item", () => {
  const entryRule: EntryRule = { settings: [], tokens: (_plan, _item, tokens) => Math.min(tokens, 150) };
  const cutting: Policy = { ...nonePolicy, entryRule };
  const options = { window: 5000, counting: "anchored", own: false } as const;
  const sentIn = (drawing: string) => {
    const columns = drawColumns(drawing);
    const recording = { columns, tokens: sizeTokenColumn(columns, "bytes-4") };
    const { context, followed } = replay(recording, cutting, { entryTruncation: true }, options);
    return { context: Array.from(context), followed };
  };
  expect(sentIn("u100 a100 @1100 u100 a100 @1400")).toEqual({ context: [1100, 1400], followed: 2 });
  expect(sentIn("u100 a100 @1100 u100 a100 @1400 u500 a100 @2100")).toEqual({
    context: [1100, 1400, 1550],
    followed: 2,
  });
});

test("an unknown setting and a value out of range are rejected", () => {
  const specs = customPolicy.settings("default", { window: 1000, agent: null });
  expect(() => resolveSettings(specs, { trigger: 1 })).toThrow(SettingError);
  expect(() => resolveSettings(specs, { triggerShare: 2 })).toThrow(SettingError);
  expect(() => resolveSettings(specs, { triggerShare: "0.5" })).toThrow(SettingError);
});

const settings = fc.record({
  triggerShare: fc.integer({ min: 5, max: 100 }).map((share) => share / 100),
  keepRecentTokens: fc.integer({ min: 0, max: 1000 }),
  keepRecentMessages: fc.integer({ min: 0, max: 5 }),
  keepUserTokens: fc.integer({ min: 0, max: 500 }),
  clearToolResultsAfter: fc.integer({ min: 0, max: 4 }),
  summaryTokens: fc.integer({ min: 0, max: 300 }),
  failSummary: fc.constantFrom("never", "always", "2"),
});

test("categories and items sum to the context under any settings, and the replay is deterministic", () => {
  fc.assert(
    fc.property(
      arbitraryDrawing,
      settings,
      fc.constantFrom<CountingMode>("estimate", "calibrated", "anchored"),
      (drawing, given, counting) => {
        const result = run(drawing, customPolicy, given, 1000, counting);
        result.context.forEach((context, point) => {
          const categories = result.byCategory.reduce((sum, column) => sum + (column[point] ?? 0), 0);
          expect(categories + (result.unattributed[point] ?? 0)).toBe(context);
        });
        expect(run(drawing, customPolicy, given, 1000, counting)).toEqual(result);
      },
    ),
  );
});

test("the context at a request is the sum of its items and the added items", () => {
  fc.assert(
    fc.property(arbitraryDrawing, settings, (drawing, given) => {
      const columns = drawColumns(drawing);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const result = run(drawing, customPolicy, { ...given, keepUserTokens: 0, clearToolResultsAfter: 0 });
      const synthetic = result.compactions.map((compaction) => ({
        request: compaction.request,
        tokens: compaction.added.reduce((sum, item) => sum + item.tokens, 0),
      }));
      result.context.forEach((context, point) => {
        let sum = synthetic.filter((item) => item.request <= point && item.tokens > 0).at(-1)?.tokens ?? 0;
        for (let row = 0; row < columns.length; row++) if (isMember(result, row, point)) sum += tokens[row] ?? 0;
        expect(sum).toBe(context);
      });
    }),
  );
});

test("a replay with an infinite window has no compaction", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      expect(run(drawing, customPolicy, { triggerShare: 1 }, 1e9).compactions).toEqual([]);
    }),
  );
});

describe("a recorded clearing", () => {
  /** A result of 100 is cleared before the request that was recorded at 460. */
  const CLEARED = "u10 c5 @350 r100 a1 @500 u20 -1 a1 @460 u30 a1 @491 u5 a1 @497";

  test("is followed under a policy that clears nothing itself", () => {
    const { context, cleared, estimated, compactions } = run(CLEARED, nonePolicy, {}, 5000, "anchored");
    expect(Array.from(context)).toEqual([350, 500, 460, 491, 497]);
    expect(Array.from(estimated)).toEqual([0, 0, 0, 0, 0]);
    expect(compactions).toEqual([]);
    expect(Array.from(cleared)).toEqual([NEVER, NEVER, NEVER, 2, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER]);
  });

  test("still counts in the estimate after the policy's own compaction", () => {
    // The policy compacts before the fourth request (460 + 1 + 30 of 600) and keeps all but the first message.
    const settings = { triggerShare: 0.81, keepRecentTokens: 70, summaryTokens: 50 };
    const { context, compactions } = run(CLEARED, customPolicy, settings, 600, "anchored");
    const inferred = 340;
    expect(compactions).toMatchObject([{ request: 3, tokensBefore: 491 }]);
    expect(Array.from(context)).toEqual([350, 500, 460, inferred + 50 + 5 + CLEARED_TOKENS + 1 + 20 + 1 + 30, 462]);
  });

  test("happens before the policy is called, which no longer counts the cleared items", () => {
    const asked = new Map<number, number>();
    const watching = listeningPolicy(nonePolicy, { asked: ({ request, history }) => asked.set(request, history) });
    run(CLEARED, watching, {}, 5000, "anchored");
    expect(asked.get(2)).toBe(500 + 1 + 20 - (100 - CLEARED_TOKENS));
  });

  test("ends anchored counting if the policy has a clearing rule that did not fire", () => {
    const { context, estimated } = run(CLEARED, customPolicy, { clearToolResultsAfter: 9 }, 5000, "anchored");
    expect(Array.from(estimated)).toEqual([0, 0, 1, 1, 1]);
    expect(Array.from(context)).toEqual([350, 500, 476, 507, 513]);
  });

  test("is ignored if usage is not counted, and after a recorded compaction", () => {
    expect(Array.from(run(CLEARED, nonePolicy, {}, 5000).context)).toEqual([350, 455, 476, 507, 513]);
    const compacted = "u10 c5 @350 r100 a1 @500 B s5 u20 a1 @370 -1 u30 a1 @401";
    expect(Array.from(run(compacted, nonePolicy, {}, 5000, "anchored").context)).toEqual([350, 500, 476, 507]);
  });

  test("gives a policy that does nothing the recorded contexts, items and placeholders", () => {
    fc.assert(
      fc.property(arbitraryClearedDrawing, (drawing) => {
        const columns = drawColumns(drawing);
        const tokens = sizeTokenColumn(columns, "bytes-4");
        const { context, byCategory, unattributed, cleared, dropped } = run(drawing, nonePolicy, {}, 1e6, "anchored");
        const recorded = recordedReplay({ columns, tokens }, 1e6);
        const usage = columns.requests.input;
        context.forEach((size, point) => {
          if ((usage[point] ?? -1) > 0) expect(size).toBe(usage[point]);
          expect(size).toBe(recorded.context[point]);
          const categories = byCategory.reduce((sum, column) => sum + (column[point] ?? 0), 0);
          expect(categories + (unattributed[point] ?? 0)).toBe(size);
        });
        const membership = recordedMembership(columns);
        expect(dropped).toEqual(membership.dropped);
        cleared.forEach((request, row) => {
          if ((tokens[row] ?? 0) > CLEARED_TOKENS && (membership.cleared[row] ?? NEVER) < context.length)
            expect(request).toBe(membership.cleared[row]);
        });
      }),
    );
  });

  test("keeps the estimate equal to the sum of its items, whatever the policy does later", () => {
    fc.assert(
      fc.property(arbitraryClearedDrawing, settings, (drawing, given) => {
        const columns = drawColumns(drawing);
        const result = run(drawing, customPolicy, { ...given, clearToolResultsAfter: 0 }, 1000, "anchored");
        const sums = new Int32Array(result.context.length);
        simulatedStays(
          columns,
          result,
        )((_item, _category, size, from, to) => {
          for (let point = from; point < Math.min(to, sums.length); point++) sums[point] = (sums[point] ?? 0) + size;
        });
        const left =
          result.compactions.find(({ outcome }) => outcome === "summary")?.request ?? Number.POSITIVE_INFINITY;
        result.context.forEach((size, point) => {
          if (point >= left) expect(sums[point]).toBe(size);
        });
      }),
    );
  });
});

test("a context above the maximum of a column is rejected instead of counted wrongly", () => {
  const piling = policyOf((view) => ({
    ...unchanged(view, "skipped"),
    trigger: "threshold",
    outcome: "summary",
    added: [summaryItem(600_000_000)],
  }));
  expect(Array.from(run("u10 a10 u10 a10 u10 a10", piling).context)).toEqual([
    600_000_010, 1_200_000_030, 1_800_000_050,
  ]);
  expect(() => run("u10 a10 u10 a10 u10 a10 u10 a10", piling)).toThrow(SettingError);
});
