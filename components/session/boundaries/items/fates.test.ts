import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { categoryCode } from "@/lib/core/base/categories";
import { type BoundaryItem, ITEM_STATES, type ItemState } from "@/lib/core/compaction/boundary-items";
import { addedItem } from "@/lib/core/testing/policies";
import { drawnBlocks, type FateBlock, fatesOf } from "./fates";

const SUMMARY = addedItem(30);

function item(at: number, state: ItemState, before: number, after: number): BoundaryItem {
  return { item: at, state, before, after, synthetic: state === "added" ? SUMMARY : undefined };
}

const items = [
  item(1, "dropped", 100, 0),
  item(2, "truncated", 80, 20),
  item(3, "kept", 40, 40),
  item(4, "kept", 10, 10),
  item(5, "added", 0, 30),
];

const input = {
  overhead: [{ category: categoryCode("systemPrompt"), before: 50, after: 50 }],
  items,
  categoryOf: ({ synthetic }: BoundaryItem) => synthetic?.category ?? "toolResults",
  tokensBefore: 300,
  tokensAfter: 150,
  addedAt: "front",
  entering: 0,
} as const;

const look = ({ band, fate, from, tokens }: FateBlock) => `${fate} ${band?.id} ${from}+${tokens}`;

describe("the fates of a context's blocks", () => {
  it("contain both contexts in order, with unattributed tokens at the end", () => {
    const { before, after } = fatesOf(input);
    expect(before.map(look)).toEqual([
      "fixed system 0+50",
      "dropped results 50+100",
      "truncated results 150+80",
      "kept results 230+40",
      "kept results 270+10",
      "unattributed unattributed 280+20",
    ]);
    expect(after.map(look)).toEqual([
      "fixed system 0+50",
      "added summaries 50+30",
      "truncated results 80+20",
      "kept results 100+40",
      "kept results 140+10",
    ]);
    expect(fatesOf({ ...input, addedAt: "back" }).after.map(({ fate }) => fate)).toEqual([
      "fixed",
      "truncated",
      "kept",
      "kept",
      "added",
    ]);
    const { after: behind } = fatesOf({ ...input, addedAt: "back", entering: 1 });
    expect(behind.map(({ fate, tokens }) => `${fate} ${tokens}`).slice(2)).toEqual(["kept 40", "added 30", "kept 10"]);
  });

  it("link kept blocks to their places after the compaction", () => {
    expect(fatesOf(input).links).toEqual([
      { before: [0, 50], after: [0, 50] },
      { before: [150, 170], after: [80, 100] },
      { before: [230, 280], after: [100, 150] },
    ]);
  });

  it("contain earlier summaries before the recording's items", () => {
    const earlier: BoundaryItem = { item: 9, state: "dropped", before: 30, after: 0, synthetic: SUMMARY };
    const { before } = fatesOf({ ...input, items: [...items, earlier], tokensBefore: 400 });
    expect(before.map(look).slice(0, 3)).toEqual([
      "fixed system 0+50",
      "dropped summaries 50+30",
      "dropped results 80+100",
    ]);
  });

  it("merge similar neighbours and narrow blocks, and keep every token", () => {
    const anyItem = fc.record({ state: fc.constantFrom(...ITEM_STATES), tokens: fc.integer({ min: 0, max: 500 }) });
    fc.assert(
      fc.property(fc.array(anyItem, { maxLength: 60 }), fc.integer({ min: 1, max: 90 }), (generated, least) => {
        const boundary = generated.map(({ state, tokens }, at) =>
          item(at, state, state === "added" || state === "entered" ? 0 : tokens, state === "dropped" ? 0 : tokens),
        );
        const { before, after, links } = fatesOf({ ...input, items: boundary });
        for (const blocks of [before, after]) {
          const merged = drawnBlocks(blocks, least);
          const end = (list: readonly FateBlock[]) => list.reduce((sum, { tokens }) => sum + tokens, 0);
          expect(end(merged)).toBeCloseTo(end(blocks), 6);
          expect(merged.slice(0, -1).every(({ tokens }) => tokens >= least)).toBe(true);
        }
        const isWhole = [before, after].every((blocks) => blocks.at(-1)?.fate === "unattributed");
        for (const link of isWhole ? links : [])
          expect(link.before[1] - link.before[0]).toBe(link.after[1] - link.after[0]);
      }),
    );
  });

  it("fill exactly the size of each context, even if the estimates sum to more", () => {
    const tokens = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 60 });
    const size = fc.integer({ min: 1, max: 5000 });
    fc.assert(
      fc.property(tokens, size, size, (sizes, tokensBefore, tokensAfter) => {
        const kept = sizes.map((own, at) => item(at, "kept", own, own));
        const { before, after } = fatesOf({ ...input, items: kept, tokensBefore, tokensAfter });
        for (const [blocks, total] of [[before, tokensBefore] as const, [after, tokensAfter] as const]) {
          const last = blocks.at(-1);
          expect((last?.from ?? 0) + (last?.tokens ?? 0)).toBeCloseTo(total, 6);
        }
      }),
    );
  });
});
