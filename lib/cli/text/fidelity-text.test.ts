import { expect, it } from "vitest";
import type { FidelityTable } from "@/lib/queries/contract/schemas";
import { fidelityText } from "./fidelity-text";

const metrics = { hits: 1, withinError: 1, misses: 0, falseAlarms: 0, errorBefore: null, errorAfter: null };
const met = { verdict: "hit", prediction: { request: 9, tokensBefore: 1010, tokensAfter: 300 }, error: null } as const;
const undecided = { verdict: "withinError", prediction: null, error: 1180 } as const;
const preset = { policy: "claude-code", preset: "reported" };
const boundary = {
  ...preset,
  threshold: 1000,
  file: "a.jsonl",
  files: 1,
  request: 10,
  line: 3,
  at: null,
  tokensBefore: 1005,
  tokensAfter: 310,
  lastRecorded: 990,
  wouldSend: 1010,
};
const table: FidelityTable = {
  rows: [{ ...preset, sessions: 1, recorded: 2, manual: 0, reanchored: metrics, freeRunning: metrics }],
  boundaries: [
    { ...boundary, reanchored: met, freeRunning: undecided },
    { ...boundary, request: 20, reanchored: undecided, freeRunning: undecided },
  ],
  alarms: [
    {
      ...preset,
      file: "a.jsonl",
      figure: "freeRunning",
      request: 15,
      tokensBefore: 1001,
      tokensAfter: 3,
      withinError: true,
    },
  ],
  doubtful: [],
};

it("the table lists compactions within the estimate's error apart from hits and misses", () => {
  const lines = fidelityText(table).split("\n");
  expect(lines[0]).toMatch(/ hits +within error +misses +false alarms /);
  expect(lines[1]).toMatch(/re-anchored +1 +1 +0 +0 /);
  expect(lines[5]).toMatch(/ hit −1 +within ±1,180 /);
  expect(lines[6]).toMatch(/ within ±1,180 +within ±1,180 /);
  expect(lines.at(-2)).toMatch(/ free-running, within error +1,001$/);
});
