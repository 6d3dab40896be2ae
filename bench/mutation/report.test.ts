import { expect, it } from "vitest";
import { targetOf } from "./groups";
import { mutationReport, scoresIn, scoreTable } from "./report";

const scores = new Map([
  ["agents/pi/exact/cut-point.ts", { killed: 7, survived: 2, uncovered: 1 }],
  ["core/tokens/characters.ts", { killed: 30, survived: 0, uncovered: 0 }],
]);

it("reads a table as it was written, in the order of the groups", () => {
  const table = scoreTable(scores);
  expect(scoresIn(table)).toEqual(scores);
  expect(table.indexOf("characters.ts")).toBeLessThan(table.indexOf("cut-point.ts"));
  expect(table).toContain("| agents/pi/exact/cut-point.ts | 10 | 7 | 2 | 1 | 70.0 |");
  expect(table).toContain("| **total** | 40 | 37 | 2 | 1 | 92.5 |");
  expect(table).toMatch(/^Not run: .*agents\/pi\/messages\/tokens\.ts/m);
});

it("keeps former rows and what was written below them", () => {
  const former = `# Title of 2026-01-02\n\n${scoreTable(scores)}\n\n## Survivors\nEquivalent: none.\n`;
  const report = mutationReport([], former);
  expect(scoresIn(report)).toEqual(scores);
  expect(report).toContain("2026-01-02");
  expect(report.endsWith("\n\n## Survivors\nEquivalent: none.\n")).toBe(true);
  expect(mutationReport([], report)).toBe(report);
});

it("knows groups and files by name", () => {
  expect(targetOf("pi")?.files).toContain("lib/agents/pi/exact/cut-point.ts");
  expect(targetOf("agents/pi/exact/cut-point.ts")?.files).toEqual(["lib/agents/pi/exact/cut-point.ts"]);
  expect(targetOf("lib/agents/pi/estimator.ts")?.tests).toContain("lib/agents/pi/*.test.ts");
  expect(targetOf("agents/pi/no-rule.ts")).toBeUndefined();
});
