import { describe, expect, it } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import { placedMarks } from "./boundary-marks";

const frame = chartFrame({
  width: 520,
  height: 200,
  margin: { left: 20, right: 0, top: 40, bottom: 20 },
  from: 10,
  to: 60,
  top: 100,
});
const short = (tokens: number) => `${tokens}k`;

describe("boundary marks", () => {
  it("leaves out what lies outside and keeps the ordinals of the rest", () => {
    const marks = placedMarks(
      [
        { request: 5, tokensBefore: 9, tokensAfter: 1 },
        { request: 30, tokensBefore: 8, tokensAfter: 2 },
        { request: 90, tokensBefore: 7, tokensAfter: 3 },
      ],
      frame,
      short,
      true,
    );
    expect(marks).toEqual([{ ordinal: 1, px: 220, label: "8k → 2k", side: "right" }]);
  });

  it("keeps the marks and drops the words where there is no room for them", () => {
    const marks = placedMarks([{ request: 30, tokensBefore: 8, tokensAfter: 2 }], frame, short, false);
    expect(marks.map(({ side }) => side)).toEqual(["none"]);
  });
});
