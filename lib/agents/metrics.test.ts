import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { SourceRecord } from "@/lib/core/records/fields";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { isTime, isTokens } from "@/lib/core/transcript/record-numbers";
import { fixturesOf } from "@/verify/support/conformance";
import { readRecords, transcriptOf } from "@/verify/support/read";
import type { FormatId } from "./agents";
import { SERVER_PROFILES } from "./registry";

type Path = readonly string[];

/** A number or time of a record that the transcript depends on. */
interface RecordedMetric {
  readonly records: readonly SourceRecord[];
  readonly index: number;
  readonly path: Path;
  readonly value: number | string;
}

/** The numbers of a transcript. */
function metricsOf({ requests, boundaries, recordedWindow, startedAt, endedAt, list }: Transcript) {
  return {
    requests: requests.map(({ at, usage }) => ({ at, usage })),
    boundaries: boundaries.map(({ at, took, tokensBefore, tokensAfter }) => ({ at, took, tokensBefore, tokensAfter })),
    messages: Array.from({ length: list.length }, (_, index) => list.at(index)),
    recordedWindow,
    startedAt,
    endedAt,
  };
}

/** Every number and every text that is a time within a value, each with the keys that lead to it. */
function* leavesOf(value: unknown, to: Path = []): Generator<readonly [Path, number | string]> {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) yield [to, value];
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)) yield [to, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) yield* leavesOf(part, [...to, key]);
}

function withValue(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const holder = whole as Readonly<Record<string, unknown>>; // The path was found by walking this value.
  const changed = withValue(holder[key], rest, value);
  return Array.isArray(whole) ? whole.with(Number(key), changed) : { ...holder, [key]: changed };
}

function read(reader: Reader, { records, index, path: to }: RecordedMetric, value: unknown): Transcript {
  const changed = records.map((record, at) =>
    at === index ? { ...record, value: withValue(record.value, to, value) as SourceRecord["value"] } : record,
  );
  return transcriptOf(changed, reader);
}

/** A different value that is plausible in the same field. */
function another(value: number | string): number | string {
  if (typeof value === "number") return value + 1;
  return new Date(Date.parse(value) + 3_600_000).toISOString();
}

/** Fields whose numbers are names: the code of a span's outcome. */
const NAMES = /\.status\.code$/;

/** Number of attempts before a field counts as unread. */
const TRIES = 12;

/** One number from every field in a format's records that its reader uses. */
function metricsIn(format: FormatId): readonly RecordedMetric[] {
  const { reader } = SERVER_PROFILES[format];
  const folder = path.join(import.meta.dirname, format, "fixtures");
  const tried = new Map<string, number>();
  const found: RecordedMetric[] = [];
  for (const file of fixturesOf(folder)) {
    const records = readRecords(readFileSync(path.join(folder, file)));
    const before = JSON.stringify(metricsOf(transcriptOf(records, reader)));
    for (const [index, record] of records.entries()) {
      for (const [to, value] of leavesOf(record.value)) {
        const place = to.map((key) => (/^\d+$/.test(key) ? "*" : key)).join(".");
        const times = tried.get(place) ?? 0;
        if (times >= TRIES || NAMES.test(place)) continue;
        const metric = { records, index, path: to, value };
        const isMetric = JSON.stringify(metricsOf(read(reader, metric, another(value)))) !== before;
        tried.set(place, isMetric ? TRIES : times + 1);
        if (isMetric) found.push(metric);
      }
    }
  }
  return found;
}

const IMPOSSIBLE_TIMES = ["0000-06-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2101-01-01T00:00:00.000Z"];

/** In a time's field, a small number may be something else, such as a duration: it is not a time, but not odd either. */
function impossible({ path: to, value }: RecordedMetric): readonly unknown[] {
  if (typeof value === "string") return IMPOSSIBLE_TIMES;
  // Dollars may have fractions.
  if (to.includes("cost")) return [-1, 2 ** 60, Number.POSITIVE_INFINITY, "12", true, {}];
  return value >= 1e9 ? [1e16, Number.POSITIVE_INFINITY] : [-1, 0.5, 2 ** 60, Number.POSITIVE_INFINITY, "12", true, {}];
}

/** Formats whose records hold no usage of a request, and those without times. */
const WITHOUT_USAGE: ReadonlySet<string> = new Set([
  "chat",
  "crush",
  "factory-droid",
  "hermes",
  "mini-claude-code",
  "mistral-vibe",
  "roo-code",
  "swe-agent",
]);
const WITHOUT_TIME: ReadonlySet<string> = new Set(["continue", "mini-claude-code", "mistral-vibe", "swe-agent"]);

describe.each(Object.keys(SERVER_PROFILES) as FormatId[])("the reader of %s", (format) => {
  const { reader } = SERVER_PROFILES[format];
  const metrics = metricsIn(format);

  test("finds the numbers and the times of its format", () => {
    const isTimed = ({ value }: RecordedMetric) => typeof value === "string" || value >= 1e9;
    expect(metrics.filter((metric) => !isTimed(metric)).length >= 3).toBe(!WITHOUT_USAGE.has(format));
    expect(metrics.some(isTimed)).toBe(!WITHOUT_TIME.has(format));
  });

  test("treats an impossible number as absent, and reports its field", () => {
    for (const metric of metrics) {
      const place = metric.path.join(".");
      for (const value of impossible(metric)) {
        const transcript = read(reader, metric, value);
        const line = metric.records[metric.index]?.line;
        const reported = transcript.problems.filter(({ code }) => code === "impossible-figure");
        expect(
          reported.map((problem) => problem.line),
          `${place} ${String(value)}`,
        ).toContain(line);
        expectPossible(transcript);
      }
    }
  });
});

function expectPossible(transcript: Transcript): void {
  const { requests, boundaries, messages, recordedWindow = 1, startedAt = 0, endedAt = 0 } = metricsOf(transcript);
  for (const { at = 0, usage } of requests) {
    expect(isTime(at)).toBe(true);
    const { ownCost = 0, ...counts } = usage ?? {};
    for (const tokens of Object.values(counts)) expect(tokens === undefined || isTokens(tokens)).toBe(true);
    expect(ownCost >= 0 && ownCost <= 1e9).toBe(true);
  }
  for (const { at = 0, took = 0, tokensBefore = 0, tokensAfter = 0 } of boundaries) {
    expect([isTime(at), Number.isSafeInteger(took), isTokens(tokensBefore), isTokens(tokensAfter)]).not.toContain(
      false,
    );
  }
  for (const at of messages) expect(Number.isNaN(at) || isTime(at)).toBe(true);
  expect([isTokens(recordedWindow), isTime(startedAt), isTime(endedAt)]).not.toContain(false);
}
