import { expect, test } from "vitest";
import { aView } from "@/components/sessions/testing/rows";
import type { SweepRow } from "@/lib/queries/contract/types";
import { recordingRows, sweepQuery } from "./recordings-table";

function row(file: string, tokensSent: number, pareto: boolean): SweepRow {
  const totals = { requests: 9, peak: 100, final: 1, tokensSent, summaryCallTokens: 5, tokensRewritten: 7 };
  const refetched = { neededAgain: 2, neededAgainTokens: 30 };
  return {
    file,
    set: { triggerShare: 0.5 },
    compactions: 2,
    keptTokens: 40,
    pareto,
    counting: "anchored",
    basis: "calibrated",
    calibration: null,
    totals: { ...totals, ...refetched, costUsd: null, regret: null, bestUsd: null, requestsOverWindow: 1 },
  };
}

test("a point is listed for every recording, the largest first, beside the recorded tokens", () => {
  const recordings = [
    { session: "a", rows: [row("a.jsonl", 10, true), row("a.jsonl", 20, false)] },
    { session: "gone", rows: [row("gone.jsonl", 11, false), row("gone.jsonl", 30, true)] },
    { session: "flat", rows: [row("flat.jsonl", 5, true), row("flat.jsonl", 5, true)] },
  ];
  const rows = recordingRows(recordings, 1, [aView("a", { title: "Find it", sent: 25 })]);
  expect(
    rows.map(({ session, title, recordedSent, metrics: { tokensSent }, onFront }) => ({
      session,
      title,
      recordedSent,
      tokensSent,
      onFront,
    })),
  ).toEqual([
    { session: "gone", title: "gone.jsonl", recordedSent: null, tokensSent: 30, onFront: true },
    { session: "a", title: "Find it", recordedSent: 25, tokensSent: 20, onFront: false },
    { session: "flat", title: "flat.jsonl", recordedSent: null, tokensSent: 5, onFront: null },
  ]);
  // The point sends 20, the recording sent 25. An estimate that is not adjusted to the recording's usage gets no difference to it.
  expect(rows.map(({ change }) => change)).toEqual([null, -0.2, null]);
  const estimates = [{ session: "a", rows: [{ ...row("a.jsonl", 20, true), basis: "estimate" as const }] }];
  expect(recordingRows(estimates, 0, [aView("a", { sent: 25 })])[0]).toMatchObject({ recordedSent: 25, change: null });
  const metrics = { keptTokens: 40, compactions: 2, peak: 100, tokensRewritten: 7, summaryCallTokens: 5 };
  expect(rows[0]).toMatchObject({ requests: 9, metrics });
});

test("a link to another session opens the same sweep and point", () => {
  const vary = [{ key: "triggerShare", from: 0.2, to: 0.8, step: 0.1 }];
  const wanted = { policy: "custom", counting: "anchored" as const, settings: { summaryTokens: 700 }, vary };
  const query = new URLSearchParams(sweepQuery(wanted, { triggerShare: 0.3 }));
  expect(Object.fromEntries(query)).toEqual({
    tab: "sweep",
    policy: "custom",
    counting: "anchored",
    vary: "triggerShare=0.2:0.8:0.1",
    "set.summaryTokens": "700",
    "set.triggerShare": "0.3",
  });
});
