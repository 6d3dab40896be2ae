import { describe, expect, it } from "vitest";
import type { Contributors } from "@/lib/core/analysis/contributors";
import { categoryCode } from "@/lib/core/base/categories";
import { pathParts } from "../shared/items/preview";
import { sessionColumns } from "../testing/session-columns";
import { contributorRows, sortedRows } from "./contributor-rows";

const columns = sessionColumns({ categories: ["toolCalls", "toolResults", "user"], tools: ["Write", "Bash"] });
const row = (kind: "tool" | "category" | "unattributed", index: number, tokens: number, residency: number) => ({
  kind,
  index,
  tokens,
  residency,
  items: 1,
  present: 1,
  calls: 0,
  largest: kind === "unattributed" ? -1 : 1,
});
const found: Contributors = {
  request: 3,
  context: 100,
  sent: 400,
  rows: [
    row("tool", 0, 20, 40),
    row("tool", 1, 30, 200),
    row("category", categoryCode("user"), 10, 120),
    row("unattributed", -1, 40, 40),
  ],
};
const rows = contributorRows(found, columns, []);
const names = (sort: "name" | "tokens" | "residency", up = false) =>
  sortedRows(rows, sort, up).map(({ name, kind }) => name ?? kind);

describe("contributors", () => {
  it("have names from the file, bands for categories, and shares of context and tokens sent", () => {
    expect(rows.map(({ name, band }) => [name, band?.id])).toEqual([
      ["Write", undefined],
      ["Bash", undefined],
      ["user", "user"],
      [undefined, "unattributed"],
    ]);
    expect(rows[1]).toMatchObject({ share: 0.3, sentShare: 0.5, item: 1 });
    expect(rows[3]?.item).toBeUndefined();
  });

  it("are sorted largest first, or by name with unnamed rows last, or in reverse", () => {
    expect(names("residency")).toEqual(["Bash", "user", "unattributed", "Write"]);
    expect(names("tokens")).toEqual(["unattributed", "Bash", "Write", "user"]);
    expect(names("tokens", true)).toEqual(["user", "Write", "Bash", "unattributed"]);
    expect(names("name")).toEqual(["Bash", "Write", "unattributed", "user"]);
  });

  it("show the last part of a path first", () => {
    expect(pathParts("/home/ada/shop/index.ts")).toEqual({ base: "index.ts", folder: "/home/ada/shop/" });
    expect(pathParts("C:\\shop\\index.ts")).toEqual({ base: "index.ts", folder: "C:\\shop\\" });
    expect(pathParts("index.ts")).toEqual({ base: "index.ts", folder: "" });
    expect(pathParts("src/")).toEqual({ base: "src/", folder: "" });
  });
});
