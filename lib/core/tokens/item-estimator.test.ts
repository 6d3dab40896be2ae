import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawTranscript } from "../testing/draw";
import { IMAGE_TOKENS } from "./estimator";
import { apportion, apportionWithin, sharedOut, textAt, textEstimator } from "./item-estimator";

describe("apportion", () => {
  it.each([
    [10, [], []],
    [10, [0], [10]],
    [10, [0, 0, 0], [0, 0, 10]],
    [10, [1], [10]],
    [10, [1, 1], [5, 5]],
    [10, [1, 1, 1], [4, 3, 3]],
    [11, [1, 1, 1], [4, 4, 3]],
    [10, [3, 3, 1], [4, 4, 2]],
    [0, [5, 5], [0, 0]],
    [100, [1, 2, 97], [1, 2, 97]],
    [2, [1, 1, 1, 1], [1, 1, 0, 0]],
    [3, [2, 1, 4], [1, 0, 2]],
  ])("divides %d in proportion to %j as %j", (total, weights, parts) => {
    expect(apportion(total, weights)).toEqual(parts);
  });

  it("returns integer parts that sum to the total, each less than one from its exact share", () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.array(fc.nat(5000), { minLength: 1, maxLength: 30 }), (total, weights) => {
        const parts = apportion(total, weights);
        const sum = weights.reduce((all, weight) => all + weight, 0);
        expect(parts).toHaveLength(weights.length);
        expect(parts.reduce((all, part) => all + part, 0)).toBe(total);
        if (sum === 0) return;
        parts.forEach((part, index) => {
          expect(Number.isInteger(part)).toBe(true);
          expect(Math.abs(part - (total * (weights[index] ?? 0)) / sum)).toBeLessThan(1);
        });
      }),
    );
  });

  it("gives the rest to the largest remainders, and to the first of equal ones", () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 40 }),
        (total, weights) => {
          const sum = weights.reduce((all, weight) => all + weight, 0);
          const parts = apportion(total, weights);
          // Integer arithmetic avoids rounding: the remainders are over `sum`.
          const rounded = weights.map((weight, index) => ({
            up: (parts[index] ?? 0) * sum > total * weight,
            left: (total * weight) % sum,
            index,
          }));
          for (const low of rounded.filter(({ up, left }) => !up && left > 0)) {
            for (const high of rounded.filter(({ up }) => up)) {
              expect(high.left > low.left || (high.left === low.left && high.index < low.index)).toBe(true);
            }
          }
        },
      ),
    );
  });
});

describe("apportionWithin", () => {
  it("divides a range like a separate list, and leaves the rest unchanged", () => {
    const list = fc.array(fc.nat(500), { maxLength: 50 });
    fc.assert(
      fc.property(fc.nat(100_000), list, list, list, (total, before, weights, after) => {
        const parts = [...before, ...weights, ...after];
        apportionWithin(total, parts, before.length, before.length + weights.length);
        expect(parts).toEqual([...before, ...apportion(total, weights), ...after]);
      }),
    );
  });
});

describe("an estimator that counts texts", () => {
  const rule = textEstimator("length", (text) => text.length);

  it("counts each block's text separately, an image as a constant, and a hidden text by its size", () => {
    const [message] = drawTranscript("t1 a1 c1").messages;
    if (message === undefined) throw new Error("nothing drawn");
    const contents = ["think", "text", "call"].map((text) => ({ text, record: {} }));
    expect(rule.blocks(message, contents, "drawn")).toEqual([5, 4, 4]);
    // A random token is four bytes. Only a summary of three characters, or nothing, of the text is readable.
    const hidden = message.blocks.map((block) => ({ ...block, text: { chars: 400, bytes: 402 } }));
    expect(rule.blocks({ ...message, blocks: hidden }, contents.slice(0, 2), "drawn")).toEqual([101, 101, 101]);
    const image = { ...message, blocks: message.blocks.map((block) => ({ ...block, kind: "image" as const })) };
    expect(rule.blocks(image, contents, "drawn")).toEqual([IMAGE_TOKENS, IMAGE_TOKENS, IMAGE_TOKENS]);
  });

  it("has the given id and text rule", () => {
    expect([rule.id, rule.text("four")]).toEqual(["length", 4]);
  });
});

describe("an estimator that counts messages", () => {
  it("divides each message's tokens among its blocks, wherever they are", () => {
    const messages = [
      { tokens: 10, blocks: [0, 2] },
      { tokens: 7, blocks: [3] },
    ];
    expect(sharedOut([4, 9, 1, 0], messages)).toEqual([8, 0, 2, 7]);
    expect(sharedOut([0, 0], [{ tokens: 3, blocks: [0, 1] }])).toEqual([0, 3]);
    expect(sharedOut([], [])).toEqual([]);
  });

  it("reads an empty text if none was loaded", () => {
    const contents = [{ text: "one", record: {} }];
    expect([textAt(contents, 0), textAt(contents, 1)]).toEqual(["one", ""]);
  });
});
