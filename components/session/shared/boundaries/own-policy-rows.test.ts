import { expect, test } from "vitest";
import type { FidelityWire } from "@/lib/queries/contract/types";
import { ownPolicyRows } from "./fidelity";

const none = { hits: 0, withinError: 0, misses: 0, falseAlarms: 0, errorBefore: null, errorAfter: null, alarms: [] };
const checked = { verdict: "miss" as const, prediction: null, error: null };
const boundary = {
  request: 50,
  line: 3,
  at: "2026-01-01T00:00:00Z",
  tokensBefore: null,
  tokensAfter: 10,
  lastRecorded: 90_000,
  wouldSend: 91_000,
  reanchored: checked,
  freeRunning: checked,
};
const fidelity: FidelityWire = {
  policy: "codex",
  preset: "current",
  window: { tokens: 128_000, source: "known-model" as const },
  threshold: 120_000,
  recorded: 1,
  manual: 0,
  boundaries: [boundary],
  calibration: null,
  reanchored: { ...none, misses: 1 },
  freeRunning: {
    ...none,
    misses: 1,
    falseAlarms: 2,
    alarms: [
      { request: 70, tokensBefore: 121_000, tokensAfter: 20_000, withinError: false },
      { request: 40, tokensBefore: 120_500, tokensAfter: 20_000, withinError: false },
    ],
  },
};

test("the table lists recorded compactions among the false alarms, with their share of the limit", () => {
  const rows = ownPolicyRows(fidelity);
  expect(rows.map(({ kind, request }) => [kind, request])).toEqual([
    ["alarm", 40],
    ["recorded", 50],
    ["alarm", 70],
  ]);
  expect(rows[1]).toMatchObject({ ofLimit: 0.75 });
  expect(rows[2]).toMatchObject({ metric: "freeRunning", prediction: { tokensBefore: 121_000 } });
});

test("the table states no share if there is no limit", () => {
  expect(ownPolicyRows({ ...fidelity, threshold: null })[1]).toMatchObject({ ofLimit: null });
});
