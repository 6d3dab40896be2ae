import { createElement } from "react";
import { describe, expect, it } from "vitest";
import type { Column } from "@/components/ui/table";
import { csvOf, fileName, jsonOf, tableData } from "./table-data";

interface Row {
  readonly name: string;
  readonly share: number | null;
}

const COLUMNS: readonly Column<Row>[] = [
  { head: "open", cell: () => createElement("i") },
  { head: createElement("span"), name: "Name", cell: ({ name }) => name, value: ({ name }) => name },
  { head: "Share", cell: ({ share }) => `${share} %`, value: ({ share }) => share },
  { head: "Share", cell: () => "", value: () => true },
];
const TABLE = tableData(COLUMNS, [
  { name: "=a", share: 0.20593 },
  { name: "b", share: null },
]);

describe("an exported table", () => {
  it("has only columns with a value, unrounded, under distinct headings", () => {
    expect(TABLE).toEqual({
      heads: ["Name", "Share", "Share (2)"],
      rows: [
        ["=a", 0.20593, true],
        ["b", null, true],
      ],
    });
  });

  it("has equal values in CSV and JSON, and only CSV escapes formulas", () => {
    expect(csvOf(TABLE)).toBe("\uFEFFName,Share,Share (2)\r\n'=a,0.20593,true\r\nb,,true\r\n");
    expect(JSON.parse(jsonOf(TABLE, { title: "T", note: "recorded" }))).toEqual({
      title: "T",
      note: "recorded",
      columns: TABLE.heads,
      rows: [
        { Name: "=a", Share: 0.20593, "Share (2)": true },
        { Name: "b", Share: null, "Share (2)": true },
      ],
    });
  });

  it.each([
    ["Fix the parser · Timeline", "fix-the-parser-timeline.csv"],
    ["修复登录错误: 时间线", "修复登录错误-时间线.csv"],
    ["../../etc\\passwd", "etc-passwd.csv"],
    ["…", "context-replay.csv"],
    ["x".repeat(300), `${"x".repeat(80)}.csv`],
  ])("gets a valid file name from the title %j", (title, name) => expect(fileName(title, "csv")).toBe(name));
});
