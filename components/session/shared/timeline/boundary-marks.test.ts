import { describe, expect, it } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import { textWidth } from "@/components/charts/text-width";
import type { BoundaryKind } from "../boundaries/entries";
import { boundaryMarks, type MarkOptions } from "./boundary-marks";

interface Drawn {
  readonly request: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly kind?: BoundaryKind;
}

const margin = { left: 20, right: 0, top: 40, bottom: 20 };
/** A frame with 10 px per request. */
const frame = chartFrame({ width: 520, height: 200, margin, from: 10, to: 60, top: 100 });
/** A frame with a hundred requests per pixel. */
const wide = chartFrame({ width: 520, height: 200, margin, from: 0, to: 50_000, top: 9 });

const options: MarkOptions<Drawn> = {
  kindOf: ({ kind = "compaction" }) => kind,
  short: (tokens) => `${tokens}k`,
  nameOf: (kind, count) => `${count} ${kind}`,
};

function at(requests: readonly number[], kind?: BoundaryKind): readonly Drawn[] {
  return requests.map((request) => ({ request, tokensBefore: 8, tokensAfter: 2, ...(kind && { kind }) }));
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const inOrder = (...some: readonly (readonly Drawn[])[]) => some.flat().sort((a, b) => a.request - b.request);

describe("boundary marks", () => {
  it("leave out boundaries outside the frame, and keep the ordinals of the others", () => {
    const { lines, ticked } = boundaryMarks(at([5, 30, 90]), frame, options);
    expect(lines.map(({ ordinal, px, label, side }) => [ordinal, px, label, side])).toEqual([
      [1, 220, "8k → 2k", "right"],
    ]);
    expect(ticked).toBe(0);
  });

  it("stay without a label if there is no space for it", () => {
    const { lines } = boundaryMarks(at([30]), frame, { ...options, nameOf: undefined });
    expect(lines.map(({ side, label }) => [side, label])).toEqual([["none", undefined]]);
  });

  it("have no label across another lane's line", () => {
    const sideWith = (crossing: readonly number[]) =>
      boundaryMarks(at([30]), frame, { ...options, crossing }).lines[0]?.side;
    expect(sideWith([260])).toBe("left");
    expect(sideWith([240, 200])).toBe("none");
  });

  it("keep the size before in a label that fits, and lose it first if it does not", () => {
    const labelWith = (crossing: readonly number[]) =>
      boundaryMarks(at([30]), frame, { ...options, crossing }).lines.map(({ label, side }) => [label, side]);
    // A wider size would not fit here.
    expect(labelWith([280, 160])).toEqual([["8k → 2k", "right"]]);
    expect(labelWith([264, 190])).toEqual([["→ 2k", "right"]]);
  });

  it("merge if they share a pixel, with their number", () => {
    const { lines, ticked } = boundaryMarks(inOrder(at([10, 20, 30]), at([15], "clearing")), wide, options);
    expect(lines.map(({ label }) => label)).toEqual(["3 × 8k → 2k"]);
    expect(ticked).toBe(1);
  });

  it("become ticks if lines would be too dense, and none is lost", () => {
    const { lines, ticks, ticked, names } = boundaryMarks(at([...range(12, 32), 55]), frame, options);
    expect(lines.map(({ px }) => px)).toEqual([470]);
    expect([ticks.length, ticked]).toEqual([20, 20]);
    expect(ticks.every(({ isCompaction }) => isCompaction)).toBe(true);
    expect(names.map(({ text }) => text)).toEqual(["20 compaction"]);
  });

  it("are ticks for boundaries other than compactions, with one name between two lines", () => {
    const clearings = at([...range(12, 28), ...range(35, 55)], "clearing");
    const { lines, ticks, names } = boundaryMarks(inOrder(clearings, at([30]), at([40], "flush")), frame, options);
    expect(lines.map(({ px }) => px)).toEqual([220]);
    expect(ticks.filter(({ isCompaction }) => !isCompaction).length).toBe(36);
    expect(names).toEqual([
      { px: 40, text: "16 clearing" },
      { px: 270, text: "20 clearing, 1 flush" },
    ]);
  });

  it("have names between another lane's lines, too, and in a narrow gap only the first kind's", () => {
    const mixed = inOrder(at([12, 13, 14], "failure"), at([50], "clearing"));
    const { names } = boundaryMarks(mixed, frame, { ...options, crossing: [300] });
    expect(names.map(({ text }) => text)).toEqual(["3 failure", "1 clearing"]);
    const tight = inOrder(at([12, 13], "failure"), at([14], "truncation"), at([15], "clearing"));
    const shortened = boundaryMarks(tight, frame, { ...options, crossing: [130] });
    expect(shortened.names.map(({ text }) => text)).toEqual(["2 failure …"]);
  });

  it("have names that cover no label, line or other name", () => {
    const kinds = at(range(10, 60), "clearing");
    const { lines, names } = boundaryMarks(inOrder(kinds, at([22, 41])), frame, { ...options, crossing: [100, 300] });
    const spans = names.map(({ px, text }) => [px, px + textWidth(text)] as const);
    expect(spans.length).toBeGreaterThan(1);
    for (const [from, to] of spans) {
      expect([100, 300, ...lines.map(({ px }) => px)].filter((px) => px > from && px < to)).toEqual([]);
      expect(to).toBeLessThanOrEqual(frame.right);
    }
  });

  it("have a limited number, however many boundaries there are", () => {
    const many = inOrder(at(range(0, 15_000)), at(range(15_000, 45_000), "clearing"));
    const { lines, ticks, ticked } = boundaryMarks(many, wide, options);
    expect(lines.length + ticks.length).toBeLessThanOrEqual(500 / 2 + 1);
    expect(ticked + lines.reduce((sum, { count }) => sum + count, 0)).toBe(45_000);
  });
});
