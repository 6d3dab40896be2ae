import { describe, expect, it } from "vitest";
import { BASE_TABLE } from "@/lib/core/prices/base-table";
import { OWN_TABLE } from "@/lib/core/prices/own-table";
import { LISTED_PRICES, PriceList } from "@/lib/core/prices/price-list";
import { ratesFor } from "@/lib/core/prices/rates-at";
import { PricesError, parsePrices } from "./prices-file";

const SEEN = "2026-11-22";

function listWith(rows: readonly object[]): PriceList {
  const own = parsePrices(JSON.stringify({ rows }), LISTED_PRICES, SEEN);
  return new PriceList([BASE_TABLE, OWN_TABLE, own]);
}

function input(prices: PriceList, model: string, sent = 1, at = "2026-11-22"): number | undefined {
  const entry = prices.find(model);
  return entry && ratesFor(entry, Date.parse(at), sent)?.input;
}

function refusal(text: string): string {
  try {
    parsePrices(text, LISTED_PRICES, SEEN);
  } catch (error) {
    if (error instanceof PricesError) return error.message;
    throw error;
  }
  return "";
}

describe("a user's own price list", () => {
  it("adds a model, and overrides a listed one under each of its spellings", () => {
    const prices = listWith([
      { model: "my-model", input: 1.5, output: 2 },
      { model: "claude-opus-4-5", input: 4, output: 20 },
    ]);
    expect(input(prices, "my-model")).toBe(1_500_000);
    expect(input(prices, "anthropic/claude-opus-4-5-20251101")).toBe(4_000_000);
    expect(input(prices, "claude-opus-4-6")).toBe(5_000_000);
  });

  it("overrides a listed model with a date in its name if the row names it without the date", () => {
    expect(input(listWith([{ model: "claude-opus-4", input: 1, output: 1 }]), "claude-opus-4-20250514")).toBe(
      1_000_000,
    );
  });

  it("may have rows limited to a date range or to a context size", () => {
    const prices = listWith([
      { model: "m", input: 2, output: 2, above: 1000 },
      { model: "m", input: 1, output: 1 },
      { model: "m", input: 3, output: 3, until: "2026-01-01" },
    ]);
    expect([input(prices, "m", 1000), input(prices, "m", 1001)]).toEqual([1_000_000, 2_000_000]);
    expect(input(listWith([{ model: "m", input: 3, output: 3, until: "2026-01-01" }]), "m")).toBeUndefined();
  });

  it("prefers a row limited by date to one for every day, in any order of rows", () => {
    const rows = [
      { model: "m", input: 1, output: 1 },
      { model: "m", input: 3, output: 3, until: "2026-01-01" },
      { model: "m", input: 2, output: 2, from: "2026-10-01" },
      { model: "m", input: 5, output: 5, from: "2026-10-01", until: "2026-11-01" },
    ];
    for (const given of [rows, rows.toReversed()]) {
      const at = ["2025-12-31", "2026-01-01", "2026-10-31", "2026-11-01"];
      expect(at.map((day) => (input(listWith(given), "m", 1, day) ?? 0) / 1e6)).toEqual([3, 1, 5, 2]);
    }
  });

  it("keeps the listed facts that the user's row does not state", () => {
    const entry = listWith([{ model: "claude-opus-5", input: 1, output: 1 }]).find("claude-opus-5");
    expect(entry).toMatchObject({ provider: "anthropic", fast: 2, usOnly: 1.1, source: "your own list of prices" });
  });

  it("may price tokens at 0", () => {
    expect(input(listWith([{ model: "local", input: 0, output: 0 }]), "local")).toBe(0);
  });

  it.each([
    ['{\n "rows": [\n', /^line 3: it is not JSON/],
    [
      '{"rows": [\n{"model": "m", "input": 1, "output": 1},\n{"model": "n", "input": "1", "output": 1}]}',
      /^line 3: rows\[1\]\.input: /,
    ],
    ['{"rows": [\n{"model": "m", "input": -1, "output": 1}]}', /^line 2: rows\[0\]\.input: /],
    ['{"rows": [\n{"model": "m", "output": 1}]}', /^line 2: rows\[0\]\.input: /],
    ['{"rows": [\n{"model": "m", "input": 1, "output": 1, "cached": 1}]}', /^line 2: rows\[0\]: .*cached/],
    ['{"rows": [{"model": "m", "input": 1, "output": 1, "from": "soon"}]}', /^line 1: rows\[0\]\.from: /],
    ['{"rows": []}', /^line 1: rows: /],
    ["[]", /^line 1: the list: /],
    [
      '{"rows": [{"model": "m", "input": 1, "output": 1, "above": 5}]}',
      /^m: there is no row for requests of every size/,
    ],
    ['{"rows": [{"model": "m", "input": 1, "output": 1}, {"model": "m", "input": 2, "output": 1}]}', /^m: two rows/],
  ])("reports the line and the reason of an error: %j", (text, sentence) => {
    expect(refusal(text)).toMatch(sentence);
  });
});
