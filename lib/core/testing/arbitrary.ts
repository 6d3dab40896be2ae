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
const clearing = fc.integer({ min: 1, max: 3 }).map((results) => `-${results}`);
const boundary = size.map((tokens) => `B s${tokens}`);

const elements = [
  { weight: 3, arbitrary: user },
  { weight: 3, arbitrary: reply },
  { weight: 4, arbitrary: calls },
  { weight: 1, arbitrary: context },
];

/** Generated sessions of all shapes: parallel calls, unanswered ones, recorded boundaries, usage on some responses. */
export const arbitraryDrawing = drawingOf([...elements, { weight: 1, arbitrary: boundary }]);

/** The same with recorded clearings instead of compactions. */
export const arbitraryClearedDrawing = drawingOf([...elements, { weight: 2, arbitrary: clearing }]);

function drawingOf(weighted: readonly { weight: number; arbitrary: fc.Arbitrary<string> }[]): fc.Arbitrary<string> {
  return fc.array(fc.oneof(...weighted), { maxLength: 40 }).map((parts) => parts.join(" "));
}
