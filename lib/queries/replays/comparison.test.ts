import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { boundariesOf } from "@/lib/core/columns/columns";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { type CountingMode, compareAnswer } from "@/lib/queries/contract/schemas";
import { fixtureFiles } from "@/lib/server/testing/files";
import { ReplayCosts } from "../cost/simulated-cost";
import { NO_RECORDINGS, RECORDINGS, readSession } from "../testing/sessions";
import { toComparison } from "./compare";
import { runReplay } from "./replay-result";

/** Compares a file's replays under two policies, and returns whether its history ever changed. */
function compared(path: string, policies: readonly string[], counting?: CountingMode) {
  const { columns, session } = readSession(path);
  const recording = recordingOf(session, countedBySize(columns, "bytes-4"));
  const runs = policies.map((policy) => ({
    ran: runReplay({ policy, counting }, recording),
    estimator: "bytes-4",
    costs: new ReplayCosts(recording, LISTED_PRICES),
  }));
  const changes = [...boundariesOf(columns, "compaction"), ...boundariesOf(columns, "clearing")];
  const answer = compareAnswer.parse(toComparison(runs));
  return { ...answer, hasUsage: session.requests > 0, isChanged: changes.length > 0 };
}

function recordedAndNone(path: string): void {
  const { runs, difference, remarks, hasUsage, isChanged } = compared(path, ["recorded", "none"]);
  expect(runs.map(({ counting }) => counting)).toEqual(Array(2).fill(hasUsage ? "anchored" : "estimate"));
  if (isChanged) return;
  expect(difference.map(({ metric, values }) => [metric, new Set(values.filter((one) => one !== null)).size])).toEqual(
    difference.map(({ metric, values }) => [metric, values.some((one) => one !== null) ? 1 : 0]),
  );
  expect(remarks[0]).toMatchObject({ id: "noDifference", runs: [0, 1] });
}

function recordedAndEstimates(path: string): void {
  const { difference, hasUsage } = compared(path, ["recorded", "none", "custom"], "estimate");
  for (const { values, best, apart } of difference) {
    expect(apart).toEqual(hasUsage ? [0] : []);
    if (hasUsage) expect([values[0], best === 0]).toEqual([null, false]);
  }
}

describe.each([
  ["a policy without compactions equals a recording without compactions", recordedAndNone],
  ["uncalibrated estimates are not compared with recorded usage", recordedAndEstimates],
])("%s", (_, check) => {
  it.each(fixtureFiles(/\.jsonl?$/).map((path) => [basename(path), path]))("%s", (_name, path) => check(path));

  if (RECORDINGS.length === 0) it.skip(NO_RECORDINGS);

  it.each(RECORDINGS.map((path) => [basename(path), path]))("%s", (_name, path) => check(path));
});
