import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { sumOf } from "@/lib/core/base/numbers";
import { FLAG, KIND, ORIGIN } from "@/lib/core/columns/columns";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "@/verify/support/expected";
import { loadRecording } from "@/verify/support/loaded-recording";
import { readTranscript } from "@/verify/support/read";
import { recordingSources } from "@/verify/support/recording-sources";
import { codexEstimatorOf, codexMeasures } from "./estimator";
import { codexReader } from "./read/reader";

const rows = expectedRows("codex");

const number = (text = "") => Number(text.replaceAll(/[^\d.]/g, ""));

/** Rows of the table in docs/fidelity.md: the rollout, the request, and the table's text about it. */
const documented = Array.from(
  readFileSync("docs/fidelity.md", "utf8").matchAll(
    /^\| `…(?<file>[^`]+)`, before request (?<request>\d+) \|(?<cells>.+)\|$/gm,
  ),
  ({ groups = {} }) => {
    const [limit, total, reasoning, after, sum, share] = (groups.cells ?? "").split("|").map(number);
    return {
      file: groups.file ?? "",
      request: Number(groups.request),
      metrics: { limit, total, reasoning, after, sum, share },
    };
  },
);

/** Sizes before a compaction in a rollout: the last response's total, the reasoning of earlier turns, and the items after the response. */
function recordedBefore(file: string, request: number, limit: number) {
  const source = assertDefined(
    recordingSources().find(({ name }) => name.endsWith(`${file}.jsonl`)),
    "the rollout",
  );
  const { columns, tokens, transcript } = loadRecording(source, codexEstimatorOf("current"), codexMeasures);
  const { boundaries, kind, origin, flags, measures } = columns;
  const boundary = boundaries.request.indexOf(request);
  const from = boundaries.item[boundary - 1] ?? 0;
  const there = Array.from({ length: (boundaries.item[boundary] ?? 0) - from }, (_, index) => from + index);
  const turn = there.findLast((row) => ((flags[row] ?? 0) & FLAG.TURN_START) !== 0) ?? 0;
  const answered = there.findLast((row) => origin[row] === ORIGIN.response) ?? 0;
  const hidden = there.filter((row) => row < turn && kind[row] === KIND.thinking);
  const reasoning = sumOf(hidden.map((row) => Math.ceil((measures["codex.hidden"]?.[row] ?? 0) / 4)));
  const after = sumOf(there.filter((row) => row > answered).map((row) => tokens[row] ?? 0));
  const { input = 0, cacheRead = 0, output = 0 } = transcript.requests[request - 1]?.usage ?? {};
  const total = input + cacheRead + output;
  const sum = total + reasoning + after;
  return { limit, total, reasoning, after, sum, share: Math.round((sum / limit) * 1000) / 10 };
}

describe.skipIf(rows.length === 0)("the compactions of docs/fidelity.md", () => {
  it("are five", () => expect(documented).toHaveLength(5));

  it.each(documented)("$file has the documented sizes before request $request", ({ file, request, metrics }) => {
    expect(recordedBefore(file, request, metrics.limit ?? 0)).toEqual(metrics);
  });
});

describe.skipIf(rows.length === 0)(`recordings (${WITHOUT_RECORDINGS} otherwise)`, () => {
  it.each(rows)("the reader agrees with every judged field of $file", ({ path, expected }) => {
    const transcript = readTranscript(readFileSync(path), codexReader);
    expect(judge(transcript, expected)).toEqual([]);
    expect([...transcript.records.unknown]).toEqual([]);
  });

  it.each(rows)("the reader assigns every counted request of $file to a distinct response", ({ path }) => {
    const transcript = readTranscript(readFileSync(path), codexReader);
    for (const [index, point] of transcript.requests.entries()) {
      const next = transcript.requests[index + 1]?.message ?? transcript.messages.length;
      const response = transcript.messages.slice(point.message, next);
      expect(response[0]?.origin, `the response of line ${point.line}`).toBe("response");
    }
  });
});
