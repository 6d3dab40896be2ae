import { statSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { recordedContext, type SessionColumns } from "@/lib/core/columns/columns";
import type { Membership } from "@/lib/core/columns/membership";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { type ContextOverhead, NO_OVERHEAD, splitOverhead, withoutRecorded } from "@/lib/core/context/context-overhead";
import type { BreakdownInput } from "@/lib/core/context/own-breakdown";
import { profileOverhead } from "@/lib/core/context/profile";
import { recordedSeries } from "@/lib/core/context/recorded";
import { type RecordingFacts, recordingOf } from "@/lib/core/context/recording";
import type { ContextSeries } from "@/lib/core/context/series";
import { measuresOf } from "@/lib/server/read/numbers/measures";
import { SourceFile } from "@/lib/server/read/source-file";
import { measureItems } from "@/lib/server/testing/counted";
import { fixtureFiles } from "@/lib/server/testing/files";
import { replayPrepared } from "../replays/replay-result";
import { preparePolicy } from "../session/session-context";
import { NO_RECORDINGS, RECORDINGS, type ReadSession, readSession } from "../testing/sessions";
import { breakdownViews, viewedBreakdown } from "./breakdown-view";

const profile = profileOverhead(
  {
    systemPrompt: 3000,
    tools: [
      { name: "Read", schema: 900 },
      { name: "query", server: "db", schema: 400 },
    ],
  },
  () => 0,
);

interface Walk {
  readonly session: RecordingFacts;
  readonly columns: SessionColumns;
  readonly given: ContextOverhead;
}

/** The columns with the measures that the recording's own agent needs. */
async function measuredColumns(path: string, { transcript, reader, columns }: ReadSession): Promise<SessionColumns> {
  const agent = transcript.agent ?? "";
  const rule = await measuresOf(agent);
  if (rule === undefined) return columns;
  const measures = SourceFile.use(path, (file) => measureItems({ file, transcript, reader }, rule));
  return { ...columns, measures };
}

/** Checks every breakdown of a file: recorded and simulated, in every view, with and without a profile. Throws at the first wrong one. */
async function walk(path: string): Promise<number> {
  const read = readSession(path);
  const { session } = read;
  const columns = await measuredColumns(path, read);
  let seen = 0;
  for (const given of [NO_OVERHEAD, withoutRecorded(profile, columns)]) {
    const recording = recordingOf(session, countedBySize(columns, "bytes-4"), given);
    const { tokens } = recording;
    const context = { session, columns, given };
    seen += checkAll(context, tokens, recordedSeries(recording), false);
    for (const policy of [policyById(session.agent ?? "")?.id ?? "none", "custom"]) {
      const prepared = preparePolicy({ policy }, recording);
      seen += checkAll(context, tokens, replayPrepared(prepared, "anchored", recording), true);
    }
  }
  return seen;
}

function checkAll(
  { session, columns, given }: Walk,
  tokens: Int32Array,
  of: ContextSeries & Membership,
  simulated: boolean,
) {
  const series = splitOverhead(of, given);
  const window = session.contextWindow.tokens;
  const views = breakdownViews(session);
  for (let request = 0; request < pointCount(columns); request++) {
    const input: BreakdownInput = {
      columns,
      tokens,
      series,
      simulated,
      request,
      window,
      threshold: 0.8,
      overhead: given,
    };
    for (const view of views) check(input, view);
  }
  return pointCount(columns) * views.length;
}

function check(input: BreakdownInput, view: ReturnType<typeof breakdownViews>[number]): void {
  const { columns, series, simulated, request, window } = input;
  const { rows, total } = viewedBreakdown(view, input);
  const where = `${view.name} at ${request}${simulated ? ", simulated" : ""}`;
  const sum = rows.reduce((all, row) => all + row.tokens, 0);
  if (sum !== window) throw new Error(`${where}: ${sum} is not the window ${window}`);
  const usage = recordedContext(columns, request);
  const expected = simulated || usage < 0 ? series.context[request] : usage;
  if (total !== null && total.tokens !== expected) throw new Error(`${where}: total ${total.tokens}, not ${expected}`);
  if (total === null && usage > 0) throw new Error(`${where}: usage is recorded, and no total is shown`);
  for (const { id, tokens, parts = [] } of rows) {
    if (tokens < 0 && id !== "residual" && id !== "autocompactBuffer") throw new Error(`${where}: ${id} is ${tokens}`);
    const partSum = parts.reduce((all, part) => all + part.tokens, 0);
    if ((id === "messages" || parts.length > 0) && partSum !== tokens)
      throw new Error(`${where}: parts of ${id} are ${partSum}, not ${tokens}`);
  }
}

/** Larger recordings take long, and add no new cases. */
const MAX_BYTES = 1_500_000;

describe("at every request categories sum to the window, and the total is the recorded usage", () => {
  it.each(fixtureFiles().map((path) => [basename(path), path]))("%s", async (_name, path) => {
    expect(await walk(path)).toBeGreaterThan(0);
  });

  if (RECORDINGS.length === 0) it.skip(NO_RECORDINGS);

  it.each(RECORDINGS.filter((path) => statSync(path).size < MAX_BYTES).map((path) => [basename(path), path]))(
    "%s",
    async (_name, path) => {
      expect(await walk(path)).toBeGreaterThan(0);
    },
  );
});
