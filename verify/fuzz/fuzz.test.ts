import { describe, expect, it } from "vitest";
import { READERS } from "@/lib/agents/registry";
import { runs } from "@/lib/core/testing/runs";
import { unaccounted } from "./accounting";
import { FUZZ, fuzz, fuzzInput } from "./run";

/** The bench tries many thousand inputs; these few are the same in every run. */
const INPUTS = { reading: runs(400), answers: runs(40) } as const;

describe("damaged files", () => {
  it("are read without an exception or a hang, and every byte is accounted for", async () => {
    const report = await fuzz("reading", 1_000_000, 1_000_000 + INPUTS.reading);
    expect(report.findings).toEqual([]);
    expect(Object.keys(report.byReader).sort()).toEqual(READERS.map(({ format }) => format).sort());
  });

  it("are the same for the same seed, and usually differ from the original file", () => {
    const sources = FUZZ.reading.sources();
    const changed = Array.from({ length: 200 }, (_, seed) => {
      const { source, bytes } = fuzzInput("reading", sources, seed);
      expect(fuzzInput("reading", sources, seed).bytes.equals(bytes)).toBe(true);
      return bytes.equals(source.bytes) ? 0 : 1;
    }).reduce<number>((sum, one) => sum + one, 0);
    expect(changed).toBeGreaterThan(180);
  });
});

describe("files with impossible numbers", () => {
  it("get answers that follow the contract, with correct sums", async () => {
    const report = await fuzz("answers", 1_000_000, 1_000_000 + INPUTS.answers);
    expect(report.findings).toEqual([]);
    expect(Object.keys(report.byReader).sort()).toEqual(READERS.map(({ format }) => format).sort());
  });

  it("are the same for the same seed, and contain impossible numbers", () => {
    const sources = FUZZ.answers.sources();
    const textOf = (seed: number) => fuzzInput("answers", sources, seed).bytes.toString();
    const texts = Array.from({ length: 300 }, (_, seed) => textOf(seed));
    for (let seed = 0; seed < 40; seed++) expect(textOf(seed)).toBe(texts[seed]);
    for (const value of [":-1", ":0.5", ":1e309", ":2147483648", "+010000-01-01T00:00:00.000Z", '"NaN"']) {
      expect(texts.filter((text) => text.includes(value)).length, value).toBeGreaterThan(0);
    }
  });
});

describe("the account of a file's bytes", () => {
  const place = (line: number, offset: number, length: number) => ({ line, offset, length });
  const damage = (line: number, bytes: number) => ({ line, bytes, reason: "not JSON" as const });
  const file = Buffer.from('\ufeff{"a":1} {"b":2}\r\n\n \t\nbad\r\n{"c":3}x');

  it("is complete if every line is blank, consists of records, or is reported as damage", () => {
    const records = [place(1, 3, 7), place(1, 11, 7), place(5, 29, 7)];
    expect(unaccounted(file, records, [damage(4, 3), damage(5, 8)])).toBeUndefined();
  });

  it.each([
    ["a record is omitted", [place(1, 3, 7)], [damage(4, 3), damage(5, 8)], "line 1: bytes in no record"],
    ["a line is omitted", [place(1, 3, 15)], [damage(5, 8)], "line 4: bytes in no record"],
    ["the text after a record is omitted", [place(1, 3, 15), place(5, 29, 7)], [damage(4, 3)], "line 5: bytes in"],
    ["a length is wrong", [place(1, 3, 15)], [damage(4, 5), damage(5, 8)], "line 4: 5 bytes damaged of 3"],
    ["a record is in another place", [place(1, 2, 15)], [damage(4, 3), damage(5, 8)], "line 1: a record that is not"],
    ["a line is damaged twice", [place(1, 3, 15)], [damage(4, 3), damage(4, 3)], "a line is damaged twice"],
    ["a line is invented", [place(1, 3, 15)], [damage(4, 3), damage(5, 8), damage(6, 1)], "damage of lines"],
  ])("is incomplete if %s", (_what, records, damaged, wrong) => {
    expect(unaccounted(file, records, damaged)).toContain(wrong);
  });
});
