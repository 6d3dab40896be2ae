import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measuredContext } from "../../analysis/measured-context";
import { simulatedStays } from "../../analysis/stays";
import type { SessionColumns } from "../../columns/columns";
import { CONTENT_MEASURE } from "../../columns/content";
import { CLEARED_TOKENS } from "../../columns/membership";
import { pointCount } from "../../columns/points";
import { sizeTokenColumn } from "../../columns/token-columns";
import { arbitraryDrawing } from "../../testing/arbitrary";
import { drawColumns } from "../../testing/draw";
import { REFERENCE_TOKENS, TRUNCATION_MARKER_TOKENS } from "../input-rules";
import { customPolicy } from "../policies/custom";
import { nonePolicy } from "../policies/none";
import { type CountingMode, type Replay, replay } from "../replay";
import { INPUT_KEYS, inputSettings } from "./input-settings";
import type { Policy } from "./policy";
import { resolveSettings } from "./settings";

type Given = Readonly<Record<string, number | boolean | string>>;

function run(
  columns: SessionColumns,
  given: Given,
  policy: Policy = nonePolicy,
  counting: CountingMode = "estimate",
): Replay {
  const specs = [...policy.settings("default", { window: 1000, agent: null }), ...inputSettings(columns)];
  const tokens = sizeTokenColumn(columns, "bytes-4");
  return replay({ columns, tokens }, policy, resolveSettings(specs, given), { window: 1000, counting });
}

const contexts = (columns: SessionColumns, given: Given) => Array.from(run(columns, given).context);
const withContent = (columns: SessionColumns, content: Int32Array) => ({
  ...columns,
  measures: { [CONTENT_MEASURE]: content },
});
const session = "u10 c5 r100 c5 r40 c5 r100 a3";

describe("input rules", () => {
  test("change nothing if no rule is set", () => {
    expect(contexts(drawColumns(session), {})).toEqual([10, 115, 160, 265]);
    expect(inputSettings(drawColumns(session)).map(({ key }) => key)).toEqual([...INPUT_KEYS]);
  });

  test("cut results to head and tail", () => {
    const cut = 50 + TRUNCATION_MARKER_TOKENS;
    const columns = drawColumns(session);
    expect(contexts(columns, { inputTruncateTokens: 50 })).toEqual([10, 15 + cut, 60 + cut, 65 + 2 * cut]);
  });

  test("clear results that were sent as often as the setting states", () => {
    const columns = drawColumns(session);
    expect(contexts(columns, { inputClearAfter: 1 })).toEqual([10, 115, 60 + CLEARED_TOKENS, 125 + 2 * CLEARED_TOKENS]);
    const { cleared } = run(columns, { inputClearAfter: 1 });
    expect([cleared[3], cleared[5]]).toEqual([2, 3]);
  });

  test("omit a server or a tool with its calls, its results and its recorded declaration", () => {
    const drawn = drawColumns(session);
    const tables = { ...drawn.tables, tools: ["mcp__git__log", "Read"] };
    // The second of the three calls belongs to the agent's own tool; the overhead row declares the server's tool.
    const columns = { ...drawn, tables, tool: Int32Array.of(0, -1, 0, 0, 1, 1, 0, 0, -1) };
    expect(contexts(columns, { inputWithout: "server:git" })).toEqual([10, 10, 55, 55]);
    expect(contexts(columns, { inputWithout: "tool:Read" })).toEqual([10, 115, 115, 220]);
    const specs = inputSettings(columns);
    const without = specs.find(({ key }) => key === "inputWithout");
    expect(without).toMatchObject({ choices: ["none", "server:git", "tool:mcp__git__log", "tool:Read"] });
  });

  test("replace a repeated text by a reference while its first copy is in the context unchanged", () => {
    const content = Int32Array.of(0, 0, 0, 7, 0, 8, 0, 7, 0);
    const columns = withContent(drawColumns(session), content);
    expect(contexts(columns, { inputReferences: true })).toEqual([10, 115, 160, 165 + REFERENCE_TOKENS]);
    // After a clearing in between, the second text is the first whole one.
    expect(contexts(columns, { inputReferences: true, inputClearAfter: 1 })).toEqual(
      contexts(columns, { inputClearAfter: 1 }),
    );
  });

  test("follow the recorded usage until the first change", () => {
    const columns = drawColumns("u10 c5 @500 r30 c5 @540 r100 a3 @700");
    expect(
      Array.from(run(columns, { inputTruncateTokens: 50 }, nonePolicy, "anchored").context.subarray(0, 2)),
    ).toEqual([500, 540]);
    expect(run(columns, { inputTruncateTokens: 50 }, nonePolicy, "anchored").estimated[2]).toBe(1);
  });
});

const GIVEN = fc.record({
  inputTruncateTokens: fc.integer({ min: 0, max: 200 }),
  inputClearAfter: fc.integer({ min: 0, max: 4 }),
  inputReferences: fc.boolean(),
  triggerShare: fc.double({ min: 0.05, max: 1, noNaN: true }),
  keepRecentTokens: fc.integer({ min: 0, max: 400 }),
});

test("input rules keep the context equal to the sum of its items, and enlarge no request", () => {
  fc.assert(
    fc.property(arbitraryDrawing, GIVEN, fc.integer({ min: 1, max: 3 }), (drawing, given, texts) => {
      const drawn = drawColumns(drawing);
      const columns = withContent(
        drawn,
        drawn.chars.map((chars) => 1 + (chars % texts)),
      );
      const simulated = run(columns, given, customPolicy);
      const { stays, series } = measuredContext(columns, simulatedStays(columns, simulated), simulated);
      const sums = new Array<number>(pointCount(columns)).fill(0);
      stays((_item, _category, tokens, from, to) => {
        for (let request = from; request < Math.min(to, sums.length); request++)
          sums[request] = (sums[request] ?? 0) + tokens;
      });
      expect(sums).toEqual(Array.from(series.context));
      const { triggerShare: _share, keepRecentTokens: _keep, ...inputs } = given;
      const plain = contexts(columns, {});
      contexts(columns, inputs).forEach((tokens, request) => expect(tokens).toBeLessThanOrEqual(plain[request] ?? 0));
    }),
  );
});
