import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FLAG } from "../columns/columns";
import { isMember, tokensAt } from "../columns/membership";
import { pointCount } from "../columns/points";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { addedItem, policyOf } from "../testing/policies";
import { type SentItem, sharedAt, uncachedAt, watched } from "../testing/sent-contexts";
import { wildPolicy } from "../testing/wild-policy";
import { customPolicy } from "./policies/custom";
import { nonePolicy } from "./policies/none";
import { recordedReplay } from "./policies/recorded";
import { inputSettings } from "./policy/input-settings";
import type { Policy, Retention } from "./policy/policy";
import { resolveSettings } from "./policy/settings";
import { type CountingMode, replay } from "./replay";
import { unchanged } from "./retention";

function run(
  drawing: string,
  policy: Policy,
  given: Record<string, unknown> = {},
  counting: CountingMode = "estimate",
) {
  const columns = drawColumns(drawing);
  const settings = resolveSettings(
    [...policy.settings("default", { window: 1000, agent: null }), ...inputSettings(columns)],
    given,
  );
  const { policy: seen, sent } = watched(policy);
  const result = replay(countedBySize(columns, "bytes-4"), seen, settings, { window: 1000, counting });
  const expected = uncachedAt(sent, (item, request) => result.entered[item] === request);
  let overhead = 0;
  for (let row = 0; row < columns.overheadRows; row++) overhead += result.sizes[row] ?? 0;
  return { ...result, expected, expectedShared: sharedAt(sent, overhead) };
}

test("nothing is sent uncached while the context only grows", () => {
  expect(run("u10 a20 u5 c5 r900 a1", nonePolicy).totals.tokensRewritten).toBe(0);
});

test("after a compaction, the summary and the kept items are sent uncached, but not new items", () => {
  // Before the third request u100 a300 u100 a300 u50 are in the context: the summary replaces all but the last, which is new.
  const given = { keepRecentTokens: 120, summaryTokens: 40 };
  const { uncached, compactions, totals } = run("u100 a300 u100 a300 u50 a10", customPolicy, given);
  expect(Array.from(uncached)).toEqual([0, 0, 40]);
  expect(compactions[0]?.uncached).toBe(40);
  expect(totals.tokensRewritten).toBe(40);
  // The response to the second request was not sent before either.
  const more = run("u100 a300 u100 a300 u50 a10", customPolicy, { ...given, keepRecentTokens: 450 });
  expect(more.compactions).toMatchObject([{ request: 2, keptItems: 3, uncached: 40 + 100 }]);
});

test("a cleared result makes its placeholder and the items after it uncached", () => {
  const { uncached } = run("u1 c1 r100 a2 u3 a4 u5 a6", customPolicy, { clearToolResultsAfter: 1 });
  // Request 2 rewrites the placeholder; a2 and u3 enter with it.
  expect(Array.from(uncached)).toEqual([0, 0, 9, 0]);
  const later = run("u1 c1 r100 a2 u3 a4 u5 a6", customPolicy, { clearToolResultsAfter: 2 });
  expect(Array.from(later.uncached)).toEqual([0, 0, 0, 9 + 2 + 3]);
});

const summary = addedItem(7);
/** An added item without a size. */
const empty = addedItem(0);
type Steps = Readonly<Record<number, Partial<Retention>>>;

/** Policy that makes the given changes at the given requests and keeps everything else. */
function doing(steps: Steps): Policy {
  return policyOf((view) => {
    const step = steps[view.request];
    return step && { ...unchanged(view, "failed"), trigger: "threshold", ...step };
  });
}

const front = "front" as const;
// Before the last request u1 a2 u3 a4 u5 a6 u7 are in the context, as rows 1 to 7; a6 and u7 enter with it.
test.each<[uncachedItems: string, steps: Steps, uncached: readonly number[]]>([
  ["the items after a cleared item", { 3: { cleared: [[3, 1]] } }, [0, 0, 0, 1 + 4 + 5]],
  [
    "the items after a dropped item",
    {
      3: {
        kept: [
          [0, 3],
          [4, 7],
        ],
      },
    },
    [0, 0, 0, 5],
  ],
  ["the items after two changes in a row", { 2: { cleared: [[3, 1]] }, 3: { cleared: [[4, 1]] } }, [0, 0, 1, 1 + 5]],
  [
    "a summary that is added in front, and everything after it",
    { 3: { added: [summary], addedAt: front } },
    [0, 0, 0, 7 + 1 + 2 + 3 + 4 + 5],
  ],
  [
    "everything after a summary of size 0 that is added in front",
    { 3: { added: [empty], addedAt: front } },
    [0, 0, 0, 1 + 2 + 3 + 4 + 5],
  ],
  [
    "the items after a dropped summary of size 0",
    { 1: { added: [empty], addedAt: front }, 3: { kept: [[1, 8]] } },
    [0, 1, 0, 1 + 2 + 3 + 4 + 5],
  ],
  ["no items before a summary that is added at the end", { 2: { added: [summary] } }, [0, 0, 0, 0]],
  [
    "the rest of a truncated summary",
    { 1: { kept: [], added: [summary], addedAt: front }, 2: { truncated: [[9, 2]] } },
    [0, 7, 2, 0],
  ],
  [
    "no summary in front of the first request, but the items after a later change",
    { 0: { added: [summary], addedAt: front }, 3: { cleared: [[5, 1]] } },
    [0, 0, 0, 1],
  ],
])("a change makes these tokens uncached: %s", (_, steps, uncached) => {
  const result = run("u1 a2 u3 a4 u5 a6 u7 a8", doing(steps));
  expect(Array.from(result.uncached)).toEqual(uncached);
  expect(Array.from(result.uncached)).toEqual(result.expected);
});

test("after a rollback nothing is sent uncached, since only the end was removed", () => {
  expect(run("u1 a10 u100 a200 u7 a1 <2 u5 a1", nonePolicy).totals.tokensRewritten).toBe(0);
});

test("nothing is sent uncached before the first request", () => {
  const given = { keepRecentTokens: 0, summaryTokens: 5 };
  expect(run("u900 a10 u10 a10", customPolicy, given).uncached[0]).toBe(0);
});

const given = fc.record({
  triggerShare: fc.integer({ min: 5, max: 100 }).map((share) => share / 100),
  keepRecentTokens: fc.integer({ min: 0, max: 1000 }),
  keepRecentMessages: fc.integer({ min: 0, max: 5 }),
  keepUserTokens: fc.integer({ min: 0, max: 500 }),
  clearToolResultsAfter: fc.integer({ min: 0, max: 4 }),
  summaryTokens: fc.integer({ min: 0, max: 300 }),
  inputClearAfter: fc.integer({ min: 0, max: 4 }),
});
const counting = fc.constantFrom<CountingMode>("estimate", "calibrated");

test("the number of uncached tokens equals a comparison of consecutive contexts under any settings", () => {
  fc.assert(
    fc.property(arbitraryDrawing, given, counting, (drawing, settings, mode) => {
      const { uncached, expected, compactions, totals, ...more } = run(drawing, customPolicy, settings, mode);
      expect(Array.from(uncached)).toEqual(expected);
      if (mode === "estimate") expect(Array.from(more.shared ?? [])).toEqual(more.expectedShared);
      expect(compactions.map((compaction) => compaction.uncached)).toEqual(
        compactions.map(({ request }) => expected[request]),
      );
      expect(totals.tokensRewritten).toBe(expected.reduce((sum, tokens) => sum + tokens, 0));
    }),
  );
});

test("the number of uncached tokens equals this comparison even if a policy changes every request", () => {
  fc.assert(
    fc.property(arbitraryDrawing, wildPolicy, (drawing, wild) => {
      const { uncached, expected, shared, expectedShared } = run(drawing.replaceAll(/[cr](\d+)/g, "u$1"), wild);
      expect(Array.from(uncached)).toEqual(expected);
      expect(Array.from(shared ?? [])).toEqual(expectedShared);
    }),
    { numRuns: 500 },
  );
});

test("uncached tokens of a recording are derived from its boundaries, scaled to its usage", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const columns = drawColumns(drawing.replaceAll(/ @\d+/g, ""));
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const { uncached, totals, ...membership } = recordedReplay({ columns, tokens }, 1000);
      const rows = Array.from({ length: columns.length - columns.overheadRows }, (_, at) => columns.overheadRows + at);
      const sent = Array.from({ length: pointCount(columns) }, (_, request) =>
        rows
          .filter((row) => isMember(membership, row, request))
          .map((row): SentItem => [row, tokensAt(membership, tokens, row, request)]),
      );
      const isOwn = (row: number) => ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0;
      const expected = uncachedAt(sent, (row, request) => isOwn(row) && membership.entered[row] === request);
      expect(Array.from(uncached)).toEqual(expected);
      expect(totals.tokensRewritten).toBe(expected.reduce((sum, size) => sum + size, 0));
    }),
  );
  // The summary of 20 is the rest of the context; by the usage, everything in it is twice as large.
  const columns = drawColumns("u100 a100 @100 u50 a1 @500 B s20 u10 a10 @60");
  const { compactions } = recordedReplay(countedBySize(columns, "bytes-4"), 1000);
  expect(compactions).toMatchObject([{ request: 2, uncached: 40 }]);
});

test("the number of uncached tokens includes unattributed tokens after the change", () => {
  // Ten turns whose estimate equals the usage exactly, then a summary of 20 in a context of 170: no item accounts for 150.
  let sent = 0;
  const turns = Array.from({ length: 10 }, (_, at) => {
    sent += 100 + at * 10;
    const turn = `u${100 + at * 10} a10 @${sent}`;
    sent += 10;
    return turn;
  });
  const columns = drawColumns(`${turns.join(" ")} B s20 a10 @170`);
  const { compactions, unattributed, uncached } = recordedReplay(countedBySize(columns, "bytes-4"), 10_000);
  expect(compactions.map(({ request }) => request)).toEqual([10]);
  expect(unattributed[10]).toBe(150);
  expect(uncached[10]).toBe(170);
});

describe("uncached tokens of a recording with cache reads", () => {
  function recorded(drawing: string) {
    const columns = drawColumns(drawing);
    const { uncached, totals, compactions } = recordedReplay(countedBySize(columns, "bytes-4"), 1000);
    expect(totals.tokensRewritten).toBe(uncached.reduce((sum, tokens) => sum + tokens, 0));
    expect(compactions.map((one) => one.uncached)).toEqual(compactions.map(({ request }) => uncached[request]));
    return Array.from(uncached);
  }
  // The overhead is 40; after the compaction come a summary of 20 and 30 of new text. The usage equals the estimate.
  const before = "u100 a10 @140+0 u50 a10 @60+140";

  test("are the tokens sent after a compaction and not read from the cache, without new items", () => {
    expect(recorded(`${before} B s20 u30 a1 @90+0`)).toEqual([0, 0, 60]);
    expect(recorded(`${before} B s20 u30 a1 @50+40`)).toEqual([0, 0, 20]);
    expect(recorded(`${before} B s20 u30 a1 @0+90`)).toEqual([0, 0, 0]);
  });

  test("are zero if the context only grew, even if the cache was lost", () => {
    expect(recorded("u100 a10 @140+0 u50 a10 @200+0 u5 a1 @15+200")).toEqual([0, 0, 0]);
  });

  test("are zero if a rollback removed only the end", () => {
    expect(recorded(`${before} <2 u5 a1 @145+0`)).toEqual([0, 0, 0]);
  });

  test("follow from comparing the contexts if the usage or the cache reads are missing", () => {
    expect(recorded(`${before} B s20 u30 a1`)).toEqual([0, 0, 20]);
    expect(recorded("u100 a10 @140+0 u50 a10 @200+0 B s20 u30 a1 @90+0")).toEqual([0, 0, 20]);
  });

  test("never exceed the sent tokens and are never negative", () => {
    fc.assert(
      fc.property(arbitraryDrawing, fc.array(fc.nat(2000), { minLength: 1 }), (drawing, reads) => {
        let at = 0;
        const drawn = drawing.replaceAll(/@(\d+)/g, (_, input) => `@${input}+${reads[at++ % reads.length]}`);
        const columns = drawColumns(drawn);
        const { uncached, context } = recordedReplay(countedBySize(columns, "bytes-4"), 1000);
        for (const [request, tokens] of uncached.entries()) {
          expect(tokens).toBeGreaterThanOrEqual(0);
          expect(tokens).toBeLessThanOrEqual(context[request] ?? 0);
        }
      }),
    );
  });
});
