import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { columnsDelta, withDelta } from "@/lib/core/columns/delta";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { recordedMembership } from "@/lib/core/columns/membership";
import { sizeTokenColumn, withTokenColumn } from "@/lib/core/columns/token-columns";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { trajectoryOf } from "@/lib/core/compaction/simulation/trajectory";
import { fixturesOf } from "@/verify/support/conformance";
import { readTranscript } from "@/verify/support/read";
import { READERS } from "./registry";

/** Longer fixtures take too long to read once for each of their lines. */
const MAX_LINES = 40;
const ESTIMATOR = "bytes-4";

const cases = READERS.flatMap((reader) => {
  const folder = path.join(import.meta.dirname, reader.format, "fixtures");
  const files = fixturesOf(folder).filter((file) => file.endsWith(".jsonl"));
  const texts = files.map((file) => readFileSync(path.join(folder, file), "utf8").split("\n"));
  return [{ format: reader.format, reader, files: texts.filter((lines) => lines.length <= MAX_LINES) }];
}).filter(({ files }) => files.length > 0);

/** Values derived from columns, computed through the caches. */
function derivedFrom(columns: SessionColumns) {
  const tokens = columns.tokens[ESTIMATOR] ?? new Int32Array(0);
  const { context, uncached, compactions, totals } = recordedReplay({ columns, tokens }, 200_000);
  const { items, end } = trajectoryOf(columns);
  return { context, uncached, compactions, totals, items, end, membership: recordedMembership(columns) };
}

describe.each(cases)("a session of $format written line by line", ({ reader, files }) => {
  it("has the same metrics at every line as a file that ends there", () => {
    for (const lines of files) {
      let shown: SessionColumns | undefined;
      for (let count = 1; count <= lines.length; count++) {
        const bytes = new TextEncoder().encode(lines.slice(0, count).join("\n"));
        const bare = columnsFromTranscript(readTranscript(bytes, reader));
        const fresh = withTokenColumn(bare, ESTIMATOR, sizeTokenColumn(bare, ESTIMATOR));
        shown = shown === undefined ? fresh : withDelta(shown, columnsDelta(shown, fresh));
        const grown = derivedFrom(shown);
        // The same columns under other objects have no cached values.
        expect(grown).toEqual(derivedFrom(structuredClone(fresh)));
      }
    }
  });
});
