import { expect, test } from "vitest";
import type { CheckedBoundaryWire, FidelityWire } from "@/lib/queries/contract/types";
import { type CheckedFile, fidelityTable } from "./fidelity-table";

function boundary(request: number, part: Partial<CheckedBoundaryWire> = {}): CheckedBoundaryWire {
  return {
    request,
    line: request * 10,
    at: `2026-01-01T00:00:${String(request % 60).padStart(2, "0")}.000Z`,
    tokensBefore: 1000,
    tokensAfter: 300,
    lastRecorded: 990,
    wouldSend: 1010,
    reanchored: { verdict: "hit", prediction: { request, tokensBefore: 1010, tokensAfter: 340 }, error: null },
    freeRunning: { verdict: "miss", prediction: null, error: null },
    ...part,
  };
}

function metrics(alarms: readonly number[] = []): FidelityWire["reanchored"] {
  return {
    hits: 0,
    withinError: 0,
    misses: 0,
    falseAlarms: alarms.length,
    errorBefore: null,
    errorAfter: null,
    alarms: alarms.map((request) => ({ request, tokensBefore: 1100, tokensAfter: 200, withinError: false })),
  };
}

function file(name: string, requests: number, boundaries: readonly CheckedBoundaryWire[], alarms?: readonly number[]) {
  const checked: CheckedFile = {
    file: name,
    sessionId: "s",
    requests,
    fidelity: {
      policy: "claude-code",
      preset: "reported",
      window: { tokens: 2000, source: "default" },
      threshold: 1000,
      calibration: null,
      recorded: boundaries.length,
      manual: 0,
      reanchored: metrics(),
      freeRunning: metrics(alarms),
      boundaries: [...boundaries],
    },
  };
  return checked;
}

test("a compaction in several copies of a session counts once, with the longest copy's verdict", () => {
  const missed = { reanchored: { verdict: "miss", prediction: null, error: null } } as const;
  const { rows, boundaries } = fidelityTable([
    file("early.jsonl", 20, [boundary(10, missed)]),
    file("late.jsonl", 50, [boundary(10), boundary(40)]),
  ]);
  expect(boundaries.map(({ request, file: name, files }) => [request, name, files])).toEqual([
    [10, "late.jsonl", 2],
    [40, "late.jsonl", 1],
  ]);
  expect(rows).toMatchObject([
    {
      sessions: 1,
      recorded: 2,
      reanchored: { hits: 2, misses: 0, errorBefore: { boundaries: 2, bias: 10, meanAbsolute: 10 } },
      freeRunning: { hits: 0, misses: 2, errorBefore: null },
    },
  ]);
});

test("a compaction in a copy that continued differently counts, too", () => {
  const { boundaries } = fidelityTable([
    file("one.jsonl", 50, [boundary(10)]),
    file("two.jsonl", 20, [boundary(10), boundary(15, { lastRecorded: 900 })]),
  ]);
  expect(boundaries.map(({ request, file: name }) => [request, name])).toEqual([
    [10, "one.jsonl"],
    [15, "two.jsonl"],
  ]);
});

test("false alarms count only in the longest copy", () => {
  const { rows, alarms } = fidelityTable([file("early.jsonl", 20, [], [12]), file("late.jsonl", 50, [], [12, 31])]);
  expect(alarms.map(({ request, file: name, figure: metric }) => [request, name, metric])).toEqual([
    [12, "late.jsonl", "freeRunning"],
    [31, "late.jsonl", "freeRunning"],
  ]);
  expect(rows).toMatchObject([{ reanchored: { falseAlarms: 0 }, freeRunning: { falseAlarms: 2 } }]);
});

test("a session without an id, and a boundary without a time, are never merged with others", () => {
  const nameless = (name: string) => ({ ...file(name, 20, [boundary(10, { at: null })]), sessionId: null });
  const { rows } = fidelityTable([nameless("one.jsonl"), nameless("two.jsonl")]);
  expect(rows).toMatchObject([{ sessions: 2, recorded: 2 }]);
});

test("a compaction within the estimate's error counts neither as hit, miss nor false alarm", () => {
  const undecided = { verdict: "withinError", prediction: null, error: 180 } as const;
  const checked = file("one.jsonl", 50, [boundary(10), boundary(20, { reanchored: undecided })], [30, 40]);
  const [first, second] = checked.fidelity.freeRunning.alarms;
  if (first === undefined || second === undefined) throw new Error("two alarms were drawn");
  const alarms = [{ ...first, withinError: true }, second];
  const fidelity = { ...checked.fidelity, freeRunning: { ...checked.fidelity.freeRunning, alarms } };
  const { rows, boundaries } = fidelityTable([{ ...checked, fidelity }]);
  expect(rows).toMatchObject([
    { reanchored: { hits: 1, withinError: 1, misses: 0 }, freeRunning: { misses: 2, falseAlarms: 1 } },
  ]);
  expect(boundaries[1]?.reanchored).toEqual(undecided);
});

test("manual compactions are counted separately", () => {
  const manual = { verdict: "manual", prediction: null, error: null } as const;
  const { rows } = fidelityTable([file("one.jsonl", 50, [boundary(10, { reanchored: manual, freeRunning: manual })])]);
  expect(rows).toMatchObject([{ recorded: 1, manual: 1, reanchored: { hits: 0, misses: 0 } }]);
});
