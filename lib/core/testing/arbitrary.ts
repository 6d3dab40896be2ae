import fc from "fast-check";

const size = fc.integer({ min: 0, max: 400 });
const user = size.map((tokens) => `u${tokens}`);
const reply = fc
  .tuple(size, fc.option(fc.integer({ min: 1, max: 3000 })))
  .map(([tokens, usage]) => `a${tokens}${usage === null ? "" : ` @${usage}`}`);
const calls = fc
  .tuple(fc.array(size, { minLength: 1, maxLength: 3 }), fc.array(size, { maxLength: 3 }))
  .map(([callSizes, resultSizes]) => {
    const results = resultSizes.slice(0, callSizes.length);
    return `| ${callSizes.map((tokens) => `c${tokens}`).join(" ")} ${results.map((tokens) => `r${tokens}`).join(" ")}`;
  });
const context = size.map((tokens) => `x${tokens}`);
const boundary = size.map((tokens) => `B s${tokens}`);

/** Drawn sessions of all shapes: parallel calls, unanswered ones, recorded boundaries, usage here and there. */
export const arbitraryDrawing = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: user },
      { weight: 3, arbitrary: reply },
      { weight: 4, arbitrary: calls },
      { weight: 1, arbitrary: context },
      { weight: 1, arbitrary: boundary },
    ),
    { maxLength: 40 },
  )
  .map((elements) => elements.join(" "));
