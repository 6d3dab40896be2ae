import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { contributorsAt } from "@/lib/core/analysis/contributors";
import type { MeasuredContext } from "@/lib/core/analysis/measured-context";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Replay } from "@/lib/core/compaction/replay";
import { recordingOf } from "@/lib/core/context/recording";
import { fixtureFiles } from "@/lib/server/testing/files";
import { replayPrepared } from "../replays/replay-result";
import { preparePolicy } from "../session/session-context";
import { NO_RECORDINGS, RECORDINGS, readSession } from "../testing/sessions";
import { contextOf } from "./contributors";

/** Number of checked requests of a long session. */
const LOOKS = 9;

/** Checks every grouping of a file's contexts, recorded and simulated, and with changed inputs. Throws at the first wrong sum. */
function walk(path: string): number {
  const { columns, session } = readSession(path);
  const recording = recordingOf(session, countedBySize(columns, "bytes-4"));
  const run = (policy: string, settings = {}): Replay =>
    replayPrepared(preparePolicy({ policy, settings }, recording), "anchored", recording);
  const inputs = { inputTruncateTokens: 500, inputClearAfter: 5, triggerShare: 0.3 };
  return (
    check(contextOf(columns, run("recorded"), "recorded"), "recorded") +
    check(contextOf(columns, run(policyById(session.agent ?? "")?.id ?? "custom"), "own"), "its own policy") +
    check(contextOf(columns, run("custom", inputs), "custom"), "custom, other inputs")
  );
}

function check(context: MeasuredContext, what: string): number {
  const points = pointCount(context.columns);
  const step = Math.max(1, Math.floor(points / LOOKS));
  let seen = 0;
  for (let request = points - 1; request >= 0; request -= step) {
    for (const by of GROUPINGS) {
      const { rows, sent } = contributorsAt(context, request, by);
      const where = `${what}, at ${request} by ${by}`;
      const sum = rows.reduce((all, row) => all + row.tokens, 0);
      const residency = rows.reduce((all, row) => all + row.residency, 0);
      if (sum !== context.series.context[request]) throw new Error(`${where}: tokens are ${sum}`);
      if (Math.abs(residency - sent) > 0.01)
        throw new Error(`${where}: tokens × requests are ${residency}, not ${sent}`);
      if (rows.some(({ tokens }) => tokens < 0)) throw new Error(`${where}: a contributor has a negative size`);
      seen += 1;
    }
  }
  return seen;
}

describe("contributors sum to the context and to the tokens sent", () => {
  it.each(fixtureFiles().map((path) => [basename(path), path]))("%s", (_name, path) => {
    expect(walk(path)).toBeGreaterThan(0);
  });

  if (RECORDINGS.length === 0) it.skip(NO_RECORDINGS);

  it.each(RECORDINGS.map((path) => [basename(path), path]))("%s", (_name, path) => {
    expect(walk(path)).toBeGreaterThan(0);
  });
});
