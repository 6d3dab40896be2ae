import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { boundariesOf } from "@/lib/core/columns/columns";
import { recordedRefetchBoundaries } from "@/lib/core/refetch/boundaries";
import { REFETCH_ORIGINS, refetchesIn } from "@/lib/core/refetch/refetch";
import { type RefetchedText, refetchedTexts } from "@/lib/core/refetch/refetched-texts";
import { refetchesOf, resultTextOf } from "@/lib/server/read/numbers/refetches";
import { SourceFile } from "@/lib/server/read/source-file";
import { RECORDINGS, readSession } from "../testing/sessions";

/** Re-fetches in recordings beside the project, found by an independent program; `null` for masked texts. */
const TRUTH = join(process.cwd(), "..", "shared", "transcripts", "expected-cost.jsonl");

interface Row {
  readonly sha256: string;
  readonly file: string;
  readonly needs: readonly object[] | null;
  readonly beside: { readonly runAgain: readonly object[] | null };
}

function rows(): readonly (Row & { readonly path: string })[] {
  if (!existsSync(TRUTH)) return [];
  const byHash = new Map(
    RECORDINGS.map((path) => [createHash("sha256").update(readFileSync(path)).digest("hex"), path] as const),
  );
  const lines = readFileSync(TRUTH, "utf8").split("\n");
  // The rows are in the recordings' folder and have this shape.
  const all = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
  return all.flatMap((row) => {
    const path = byHash.get(row.sha256);
    return path === undefined || row.needs === undefined ? [] : [{ ...row, path }];
  });
}

async function ledgerOf(path: string) {
  const read = readSession(path);
  const { columns } = read;
  const resultText = await resultTextOf(read.transcript.agent);
  const index = await SourceFile.use(path, (file) => refetchesOf({ file, ...read }, resultText).finish());
  if (index.unknown === "masked") return { needs: null, runAgain: null };
  const boundaries = recordedRefetchBoundaries(columns);
  const refetched = refetchedTexts(columns, index, boundaries);
  const { paths, edits } = refetchesIn(columns, index, boundaries, true);
  const compactions = boundaries.flatMap(({ kind }, at) => (kind === "compaction" ? [at] : []));
  const sums = (number: number, isCheck: boolean) => {
    const sum = (list: readonly RefetchedText[] = [], one: (refetched: RefetchedText) => number) =>
      list.filter((each) => each.isCheck === isCheck).reduce((total, each) => total + one(each), 0);
    const { results, lines } = refetched[number] ?? {};
    return {
      N1: { count: sum(results, () => 1), chars: sum(results, ({ chars }) => chars) },
      N2: { count: sum(lines, (each) => each.lines), chars: sum(lines, ({ chars }) => chars) },
    };
  };
  const lines = boundariesOf(columns, "compaction").map((row) => columns.boundaries.line[row]);
  const refetches = compactions.map((at, number) => {
    const own = paths.filter(({ boundary }) => boundary === at);
    const origins = REFETCH_ORIGINS.map((origin) => [origin, own.filter((one) => one.origin === origin).length]);
    return {
      line: lines[number],
      ...sums(number, false),
      N3: { count: own.length, ...Object.fromEntries(origins) },
      N4: { count: edits.filter(({ boundary }) => boundary === at).length },
    };
  });
  return { needs: refetches, runAgain: compactions.map((_, number) => sums(number, true)) };
}

describe.skipIf(!existsSync(TRUTH))("recordings with known re-fetches", () => {
  it.each(rows().map((row) => [row.file, row] as const))("%s: every metric agrees", async (_file, row) => {
    const { needs: refetches, runAgain } = await ledgerOf(row.path);
    if (row.needs === null) expect(refetches).toBeNull();
    else expect(refetches).toEqual(row.needs);
    expect(runAgain).toEqual(row.beside.runAgain);
  });

  it("each have a row in the table", () => {
    const expected = readFileSync(TRUTH, "utf8").match(/"needs":/g) ?? [];
    expect(rows().length).toBe(expected.length);
    expect(rows().length).toBeGreaterThan(0);
  });
});
