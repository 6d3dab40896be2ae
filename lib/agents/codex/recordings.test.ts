import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectedRows, judge, WITHOUT_RECORDINGS } from "../testing/expected";
import { readTranscript } from "../testing/read";
import { codexReader } from "./reader";

const rows = expectedRows("codex");

const FOLDER = "../shared/transcripts/codex";
const number = (text = "") => Number(text.replaceAll(/[^\d.]/g, ""));

/** Rows of the table of docs/fidelity.md: which rollout, before which request, and what is said of it. */
const documented = Array.from(
  readFileSync("docs/fidelity.md", "utf8").matchAll(
    /^\| `…(?<file>[^`]+)`, before request (?<request>\d+) \|(?<cells>.+)\|$/gm,
  ),
  ({ groups = {} }) => {
    const [, limit, total, share, , reasoning, shareWithIt] = (groups.cells ?? "").split("|").map(number);
    return {
      file: groups.file ?? "",
      request: Number(groups.request),
      figures: { limit, total, share, reasoning, shareWithIt },
    };
  },
);

/** What a rollout records before a compaction: the last response's total, and the reasoning of the turns since the one before. */
function recordedBefore(file: string, request: number, limit: number) {
  const name = readdirSync(FOLDER).find((one) => one.endsWith(`${file}.jsonl`)) ?? "";
  const { requests, messages, boundaries } = readTranscript(readFileSync(`${FOLDER}/${name}`), codexReader);
  const pointAt = (message: number) => requests.filter((one) => one.message < message).length;
  const earlier = boundaries.map(({ message }) => pointAt(message)).filter((point) => point < request);
  const turn = messages.slice(0, requests[request - 1]?.message).findLastIndex(({ origin }) => origin === "typed");
  const usages = requests.slice(Math.max(0, ...earlier), pointAt(turn)).map(({ usage }) => usage?.reasoning ?? 0);
  const { input = 0, cacheRead = 0, output = 0 } = requests[request - 1]?.usage ?? {};
  const [total, reasoning] = [input + cacheRead + output, usages.reduce((sum, tokens) => sum + tokens, 0)];
  const shareOf = (tokens: number) => Math.round((tokens / limit) * 1000) / 10;
  return { limit, total, share: shareOf(total), reasoning, shareWithIt: shareOf(total + reasoning) };
}

describe.skipIf(rows.length === 0)("the compactions of docs/fidelity.md", () => {
  it("are four", () => expect(documented).toHaveLength(4));

  it.each(documented)("$file before request $request", ({ file, request, figures }) => {
    expect(recordedBefore(file, request, figures.limit ?? 0)).toEqual(figures);
  });
});

describe.skipIf(rows.length === 0)(`recordings (${WITHOUT_RECORDINGS} otherwise)`, () => {
  it.each(rows)("$file agrees on every judged field", ({ path, expected }) => {
    const transcript = readTranscript(readFileSync(path), codexReader);
    expect(judge(transcript, expected)).toEqual([]);
    expect([...transcript.records.unknown]).toEqual([]);
  });

  it.each(rows)("$file gives every counted request to a response of its own", ({ path }) => {
    const transcript = readTranscript(readFileSync(path), codexReader);
    for (const [index, point] of transcript.requests.entries()) {
      const next = transcript.requests[index + 1]?.message ?? transcript.messages.length;
      const response = transcript.messages.slice(point.message, next);
      expect(response[0]?.origin, `the response of line ${point.line}`).toBe("response");
    }
  });
});
