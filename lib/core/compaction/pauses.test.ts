import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionColumns } from "../columns/columns";
import { countedBySize } from "../columns/token-columns";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns, drawTimed } from "../testing/draw";
import { runs } from "../testing/runs";
import { pausesOf } from "./pauses";
import { customPolicy } from "./policies/custom";
import { nonePolicy } from "./policies/none";
import { scheduledPolicy } from "./policies/scheduled";
import { pauseSettings } from "./policy/pause-settings";
import type { Policy } from "./policy/policy";
import { resolveSettings } from "./policy/settings";
import { type Replay, type ReplayOptions, replay } from "./replay";

const WINDOW = 1000;

function run(
  columns: SessionColumns,
  given: Record<string, unknown>,
  policy: Policy = customPolicy,
  options: Partial<ReplayOptions> = {},
): Replay {
  const specs = [
    ...policy.settings("default", { window: WINDOW, agent: null }),
    ...pauseSettings(policy, "default", { window: WINDOW }),
  ];
  return replay(countedBySize(columns, "bytes-4"), policy, resolveSettings(specs, given), {
    window: WINDOW,
    counting: "estimate",
    ...options,
  });
}

/** Compacts everything into a summary of 40 tokens after 50 minutes; never by its threshold. */
const IDLE = { idleMinutes: 50, idleTokens: 300, summaryTokens: 40, keepRecentTokens: 0, triggerShare: 1 };

describe("pauses of a recording", () => {
  it("are the times before requests that start a turn", () => {
    // The second request answers a tool result, an hour later: the agent did not wait for a prompt.
    const columns = drawTimed("u10 c5 r100 a20 u5 a1 u5 a1", [0, 60, 90, 100]);
    expect(Array.from(pausesOf(columns).minutes)).toEqual([0, 0, 30, 10, Number.POSITIVE_INFINITY]);
  });

  it("do not exist if times are missing, or while a call waits for its result", () => {
    expect(Array.from(pausesOf(drawColumns("u10 a20 u5 a1")).minutes)).toEqual([0, 0, 0]);
    const open = drawTimed("u10 c5 u5 a1 r9 a5 u1 c7 r3", [0, 60, 70, 80]);
    expect(Array.from(pausesOf(open).minutes)).toEqual([0, 0, 0, 10, 0]);
  });

  it("end with an infinite one, unless a call is still unanswered at the last response", () => {
    expect(pausesOf(drawTimed("u10 a20 u5 c1 r3 c4", [0, 10, 20])).minutes.at(-1)).toBe(Number.POSITIVE_INFINITY);
    const answered = drawTimed("u10 c4 a5 r3", [0]);
    expect(pausesOf(answered).minutes.at(-1)).toBe(0);
  });
});

describe("a policy that compacts while idle", () => {
  it("compacts a context of the minimum size before the prompt that ends a long pause", () => {
    const columns = drawTimed("u100 a300 u90 a10 u80 a5", [0, 60, 70]);
    const { context, compactions } = run(columns, IDLE, customPolicy, { waits: false });
    // 400 tokens before the second prompt: the last message stays at any size, so 300 + 40 remain, and the prompt of 90 enters afterwards.
    expect(Array.from(context)).toEqual([100, 430, 520]);
    expect(compactions).toMatchObject([
      {
        request: 1,
        trigger: "idle",
        outcome: "summary",
        summaryCallTokens: 400,
        tokensBefore: 490,
        tokensAfter: 430,
        entering: 1,
      },
    ]);
    expect(compactions[0]?.at).toBe((columns.requests.billedAt[0] ?? 0) + 50 * 60_000);
  });

  it("does not compact below the minimum size or in a shorter pause", () => {
    const columns = (minutes: number) => drawTimed("u100 a300 u90 a10", [0, minutes]);
    const count = (minutes: number, given: object) =>
      run(columns(minutes), { ...IDLE, ...given }, customPolicy, { waits: false }).compactions.length;
    expect([count(50.1, {}), count(50, {}), count(60, { idleTokens: 400 }), count(60, { idleTokens: 401 })]).toEqual([
      ...[1, 0, 1, 0],
    ]);
  });

  it("compacts once more after the last request, although no request uses the result", () => {
    const columns = drawTimed("u100 a300 u90 a10", [0, 1]);
    const { context, compactions, totals } = run(columns, IDLE);
    expect(Array.from(context)).toEqual([100, 490]);
    expect(compactions).toMatchObject([{ request: 2, trigger: "idle", tokensBefore: 500, summaryCallTokens: 500 }]);
    expect(totals.summaryCallTokens).toBe(500);
    expect(run(columns, IDLE, customPolicy, { waits: false }).compactions).toEqual([]);
  });

  it("is not called before the request that follows an idle compaction", () => {
    const asked: number[] = [];
    const notified: Policy = {
      ...customPolicy,
      begin: (plan) => {
        const own = customPolicy.begin(plan);
        return {
          before: (view) => {
            asked.push(view.request);
            return own.before(view);
          },
          compact: (view) => own.compact?.(view),
        };
      },
    };
    run(drawTimed("u100 a300 u90 a10 u80 a5", [0, 60, 70]), IDLE, notified);
    expect(asked).toEqual([0, 2]);
  });

  it("keeps the cache alive only if the setting is on", () => {
    const columns = drawTimed("u100 a300 u90 a10", [0, 60]);
    expect(run(columns, IDLE).keptAlive).toBeUndefined();
    expect(Array.from(run(columns, { keepAliveMinutes: 30 }).keptAlive ?? [])).toEqual([0, 30, 30]);
    expect(Array.from(run(columns, { keepAliveMinutes: 30 }, nonePolicy).keptAlive ?? [])).toEqual([0, 30, 30]);
  });

  it("does not act in pauses when it follows a schedule", () => {
    const columns = drawTimed("u100 a300 u90 a10", [0, 60]);
    const { compactions, keptAlive } = run(
      columns,
      { ...IDLE, keepAliveMinutes: 30 },
      scheduledPolicy(customPolicy, new Set([1])),
    );
    expect(compactions.map(({ request, trigger }) => [request, trigger])).toEqual([[1, "threshold"]]);
    expect(Array.from(keptAlive ?? [])).toEqual([0, 0, 0]);
  });

  it("gives the same replay as without the idle rule when no request follows a pause", () => {
    const property = fc.property(arbitraryDrawing, fc.boolean(), (drawing, isTimed) => {
      const at = (columns: SessionColumns) => Array.from(columns.requests.at, () => 5);
      const columns = isTimed ? drawTimed(drawing, at(drawColumns(drawing))) : drawColumns(drawing);
      const given = { keepRecentTokens: 50, triggerShare: 0.3 };
      const [base, idle] = [given, { ...given, idleMinutes: 1, idleTokens: 0 }].map((settings) => {
        const { keptAlive: _none, ...one } = run(columns, settings, customPolicy, { waits: false });
        return { ...one, byCategory: one.byCategory, shared: one.shared };
      });
      expect(idle).toEqual(base);
    });
    fc.assert(property, { numRuns: runs(60) });
  });
});
