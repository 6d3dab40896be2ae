import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { boundariesOf } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { isMember } from "@/lib/core/columns/membership";
import { raggedRow } from "@/lib/core/columns/ragged";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { customPolicy } from "@/lib/core/compaction/policies/custom";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { describeFixtures, fixturesOf } from "@/verify/support/conformance";
import { readTranscript } from "@/verify/support/read";
import { FORMATS } from "./agents";
import { profileOf, READERS, SERVER_PROFILES } from "./registry";

describe.each(Object.entries(SERVER_PROFILES))("%s", (format, { reader }) => {
  const folder = path.join(import.meta.dirname, format, "fixtures");

  test("has a label under the same id, and at least six fixtures", () => {
    expect(FORMATS.map(({ id }) => id)).toContain(format);
    expect(profileOf(format)?.id ?? format).toBe(format);
    expect(reader.format).toBe(format);
    expect(fixturesOf(folder).length).toBeGreaterThan(5);
  });

  describeFixtures(reader, folder, READERS);
});

/** Formats whose fixtures record an emptied context, such as a `/clear` or a further session of the same file. */
const RECORD_A_CLEAR = [
  ...["atif", "chat", "copilot-cli", "gemini-cli", "inspect", "kimi-cli", "mini-swe-agent", "openclaw", "swe-agent"],
];

describe("a simulated context", () => {
  test("is emptied where the recording was cleared, whatever a compaction had dropped before", () => {
    const cleared = Object.entries(SERVER_PROFILES).flatMap(([format, { reader }]) => {
      const folder = path.join(import.meta.dirname, format, "fixtures");
      return fixturesOf(folder).flatMap((file) => {
        const columns = columnsFromTranscript(readTranscript(readFileSync(path.join(folder, file)), reader));
        const clears = boundariesOf(columns, "rollback").filter(
          (row) => raggedRow(columns.boundaries.kept, row).length === 0,
        );
        for (const [policy, settings] of [
          [nonePolicy, {}],
          [customPolicy, { triggerShare: 0.05, keepRecentTokens: 0, summaryTokens: 20 }],
        ] as const) {
          const specs = policy.settings("default", { window: 2000, agent: null });
          const options = { window: 2000, counting: "estimate" } as const;
          const run = replay(countedBySize(columns, "bytes-4"), policy, resolveSettings(specs, settings), options);
          for (const clear of clears) {
            const [request, end] = [columns.boundaries.request[clear] ?? 0, columns.boundaries.item[clear] ?? 0];
            const before = Array.from({ length: end - columns.overheadRows }, (_, at) => at + columns.overheadRows);
            const isThere = (row: number) => isMember(run, row, request);
            expect([file, before.filter(isThere)]).toEqual([file, []]);
            expect(run.added.filter((item) => item.entered < request && item.dropped > request)).toEqual([]);
          }
        }
        return clears.length === 0 ? [] : [format];
      });
    });
    expect([...new Set(cleared)]).toEqual(expect.arrayContaining(RECORD_A_CLEAR));
  });
});
