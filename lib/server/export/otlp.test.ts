import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORMATS } from "@/lib/agents/agents";
import { apiLogReader } from "@/lib/agents/api-log/server";
import { sniffReader } from "@/lib/agents/registry";
import type { RequestColumns, SessionColumns } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { readRecords, readTranscript, transcriptOf } from "@/verify/support/read";
import { otlpOf } from "./otlp";

const AGENTS = join(import.meta.dirname, "../../agents");

const fixtures = FORMATS.flatMap(({ id }) => {
  const folder = join(AGENTS, id, "fixtures");
  return readdirSync(folder)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => ({ name: `${id}/${name}`, bytes: readFileSync(join(folder, name)) }));
});

function sessionOf(bytes: Uint8Array): SessionColumns | undefined {
  const records = readRecords(bytes);
  const reader = sniffReader(records.map(({ value }) => value));
  return reader === undefined ? undefined : columnsFromTranscript(transcriptOf(records, reader));
}

async function traceOf(columns: SessionColumns): Promise<string> {
  const facts = { sessionId: "s1", file: "s1.jsonl", format: "codex", agent: "codex", agentVersion: null };
  let text = "";
  for await (const part of otlpOf({ summary: { ...facts, startedAt: null, endedAt: null }, columns })) text += part;
  return text;
}

const USAGE = ["input", "cacheRead", "cacheWrite", "cacheWrite1h", "output", "reasoning", "webSearches"] as const;

function rowsOf(requests: RequestColumns, { tables }: SessionColumns) {
  return Array.from({ length: requests.length }, (_, row) => ({
    usage: USAGE.map((name) => requests[name][row]),
    cost: requests.ownCost[row],
    at: Math.round(requests.at[row] ?? Number.NaN),
    model: tables.models[requests.model[row] ?? -1],
    flags: [requests.inherited[row], requests.partial[row]],
  }));
}

/** Facts of a session that a trace keeps. */
function factsOf(columns: SessionColumns) {
  const { extra, boundaries } = columns;
  const { kind, point, boundary, furtherPass } = extra;
  const extras = rowsOf(extra, columns).map((row, at) => ({
    ...row,
    place: [kind[at], point[at], boundary[at], furtherPass[at]],
  }));
  return {
    requests: rowsOf(columns.requests, columns),
    // Extra requests have no order of their own.
    extras: extras.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    boundaries: Array.from({ length: boundaries.length }, (_, row) => [
      ...[boundaries.kind[row], boundaries.trigger[row], boundaries.request[row]],
      ...[boundaries.tokensBefore[row], boundaries.tokensAfter[row]],
    ]),
  };
}

describe("an OTLP trace", () => {
  it.each(fixtures)("of $name has the session's requests, usage, models and compactions", async ({ bytes }) => {
    const columns = sessionOf(bytes);
    if (columns === undefined || columns.requests.length === 0) return;
    const trace = Buffer.from(await traceOf(columns));
    expect(sniffReader([JSON.parse(trace.toString())])?.format).toBe("api-log");
    const read = readTranscript(trace, apiLogReader);
    expect(read.problems).toEqual([]);
    expect(factsOf(columnsFromTranscript(read))).toEqual(factsOf(columns));
  });
});
