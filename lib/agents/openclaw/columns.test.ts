import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { decodeColumns, encodeColumns } from "@/lib/core/columns/codec";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { readRecords, readTranscript } from "@/verify/support/read";
import { READERS } from "../registry";
import { openClawReader } from "./read/reader";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));
const others = READERS.filter((reader) => reader.format !== "openclaw");

describe.each(fixtures)("%s", (name) => {
  const bytes = readFileSync(FOLDER + name);
  const head = readRecords(bytes)
    .slice(0, 50)
    .map((record) => record.value);

  it("is recognised by no other agent's reader", () => {
    expect(others.filter((reader) => reader.sniff(head)).map((reader) => reader.format)).toEqual([]);
  });

  it("becomes columns that survive encoding, and replays as recorded", () => {
    const columns = columnsFromTranscript(readTranscript(bytes, openClawReader));
    expect(decodeColumns(encodeColumns(columns))).toEqual(columns);
    const { context } = recordedReplay(countedBySize(columns, "chars-4"), 200_000);
    expect(context).toHaveLength(Math.max(1, columns.requests.length));
    for (const tokens of context) expect(tokens).toBeGreaterThanOrEqual(0);
  });
});

it("other agents' fixtures are not recognised as OpenClaw's", () => {
  let checked = 0;
  for (const reader of others) {
    const folder = fileURLToPath(new URL(`../${reader.format}/fixtures/`, import.meta.url));
    for (const file of readdirSync(folder).filter((one) => one.endsWith(".jsonl"))) {
      const head = readRecords(readFileSync(folder + file)).slice(0, 50);
      expect(openClawReader.sniff(head.map((record) => record.value)), file).toBe(false);
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(10);
});
