import { expect, it } from "vitest";
import { compactReport } from "./index";

const result = { success: true, preTokens: 50_000, postTokens: 8000, filesIncluded: ["src/utils.ts", "a.ts"] };

it("the documented report has one decimal and the files' names", () => {
  expect(compactReport(result, "as-documented")).toBe(
    "✅ 压缩完成！\n\nToken 变化: 50000 → 8000 (-84.0%)\n包含文件: src/utils.ts, a.ts",
  );
  expect(compactReport({ ...result, filesIncluded: [] }, "as-documented")).toContain("包含文件: 无");
});

it("the program's report has whole percentages and the number of files", () => {
  const report = compactReport(result, "current");
  expect(report).toContain("| before | 50,000 tokens |");
  expect(report).toContain("| saved | 42,000 tokens (84%) |");
  expect(report).toContain("| files | 2 |");
  expect(compactReport({ ...result, preTokens: 0 }, "current")).toContain("(-Infinity%)");
});

it("a failure is reported as a warning with the error", () => {
  const failed = { ...result, success: false, error: "LLM unavailable" };
  expect(compactReport(failed, "as-documented")).toContain("LLM unavailable\n\n已保留最近 30% 的消息。");
  expect(compactReport(failed, "current")).toBe("compaction failed: LLM unavailable");
});
