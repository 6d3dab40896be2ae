import { describe, expect, it } from "vitest";
import { columnsFromTranscript } from "../columns/from-transcript";
import { sizeTokenColumn } from "../columns/token-columns";
import { type Step, writtenTranscript } from "../testing/texts";
import { recordedRefetchBoundaries } from "./boundaries";
import { RefetchIndexBuilder } from "./index-builder";
import { ledgerOf } from "./ledger";

const use = (path: string, result = "ok"): Step => ["call", "Read", { file_path: path }, result];
const LINE = "export const answer = compute();";

function ledger(steps: readonly Step[], mostLines?: number, asked: readonly string[] = []) {
  const transcript = writtenTranscript(steps);
  const columns = columnsFromTranscript(transcript);
  const builder = new RefetchIndexBuilder(columns.length, undefined, true, mostLines);
  for (const [at, message] of transcript.messages.entries()) {
    const texts = message.blocks.map(({ text }) => text.value ?? "");
    builder.message(message, texts, columns.overheadRows + transcript.list.firstBlock(at));
  }
  const sizes = sizeTokenColumn(columns, "bytes-4");
  const there = { number: 0, texts: asked.map((text) => builder.namesIn(text)) };
  return ledgerOf(columns, builder.finish(), recordedRefetchBoundaries(columns), sizes, true, there);
}

describe("the score of a summary", () => {
  it("counts re-fetched names in the summary, and names of the summary that later calls use", () => {
    const steps: Step[] = [
      ...[use("/app/a.ts"), use("/app/b.ts"), use("/app/c.ts")],
      ["call", "Grep", { pattern: "readConfig" }, "call_site and unusedName"],
      ["compaction"],
      ["summary", "Work on app/a.ts and app/c.ts; look at readConfig and unusedName."],
      ...[use("/app/a.ts"), use("/app/b.ts")],
      ["call", "Grep", { pattern: "readConfig|call_site" }, "none"],
    ];
    expect(ledger(steps).boundaries[0]?.summary).toEqual({
      paths: { needed: 2, neededNamed: 1, named: 2, namedUsed: 1 },
      names: { needed: 2, neededNamed: 1, named: 2, namedUsed: 1 },
    });
  });

  it("is the same for a given text as for the same recorded text", () => {
    const summary = "Work on app/a.ts, and read readConfig.";
    const steps: Step[] = [
      ...[use("/app/a.ts"), use("/app/b.ts"), ["call", "Grep", { pattern: "readConfig" }, "none"] satisfies Step],
      ...[["compaction"] satisfies Step, ["summary", summary] satisfies Step],
      ...[use("/app/b.ts"), ["call", "Grep", { pattern: "readConfig" }, "none"] satisfies Step],
      ...[["compaction"] satisfies Step, ["summary", "b"] satisfies Step, use("/app/c.ts")],
    ];
    const { boundaries, textScores } = ledger(steps, undefined, [
      summary,
      "See /srv/app/b.ts, never_seen and app/c.ts.",
      "",
    ]);
    expect(textScores?.[0]).toEqual(boundaries[0]?.summary);
    expect(textScores?.slice(1)).toEqual([
      {
        paths: { needed: 1, neededNamed: 1, named: 2, namedUsed: 1 },
        names: { needed: 1, neededNamed: 0, named: 1, namedUsed: 0 },
      },
      {
        paths: { needed: 1, neededNamed: 0, named: 0, namedUsed: 0 },
        names: { needed: 1, neededNamed: 0, named: 0, namedUsed: 0 },
      },
    ]);
  });

  it("is absent if the file does not hold the summary's text", () => {
    const [boundary] = ledger([use("/app/a.ts"), ["compaction"], ["summary", ""], use("/app/a.ts")]).boundaries;
    expect([boundary?.needs.length, boundary?.summary]).toEqual([1, undefined]);
  });
});

describe("the score of re-fetch predictions", () => {
  it("counts the confirmed predictions, and the re-fetched results that were predicted", () => {
    const other = "nothing of this was ever foreseen by anybody";
    const steps: Step[] = [
      use("/app/a.ts", LINE),
      use("/app/b.ts", "another file that nobody reads again"),
      ["call", "Search", { query: "x" }, other],
      ["compaction"],
      use("/app/a.ts", LINE),
      ["call", "Edit", { file_path: "/app/b.ts", old_string: "z" }, "ok"],
      ["call", "Search", { query: "y" }, other],
    ];
    expect(ledger(steps).predictor).toMatchObject({ predicted: 2, confirmed: 1, refetched: 2, refetchedPredicted: 1 });
  });

  it("ignores the recorded summary", () => {
    const steps: Step[] = [use("/x/z.ts", LINE), ["compaction"], ["summary", LINE]];
    const edit: Step = ["call", "Edit", { file_path: "/x/y.ts", old_string: LINE }, "ok"];
    expect(ledger([...steps, edit]).boundaries[0]?.needs).toEqual([]);
    expect(ledger([...steps, edit]).predictor?.predicted).toBe(1);
  });
});

it("a repeated user message is listed as a hint, without tokens", () => {
  const asked = "please never touch the generated files in dist";
  const refetches = ledger([["typed", asked], ["says", "on"], ["compaction"], ["typed", asked]]).boundaries[0]?.needs;
  expect(refetches).toMatchObject([{ kind: "N5", tokens: 0 }]);
});

it("the re-fetch report spells a path like the call that uses it, even after a shorter spelling", () => {
  const stat: Step = ["call", "Bash", { command: "git diff --stat" }, ".../src/core/settings.ts | 12 +-"];
  const both: Step = ["call", "Bash", { command: "wc -l a/src/core/other.ts packages/b/src/core/settings.ts" }, "12"];
  const refetches = ledger([stat, ["compaction"], both]).boundaries[0]?.needs;
  expect(refetches).toMatchObject([{ kind: "N3", path: { name: "packages/b/src/core/settings.ts" } }]);
});

describe("a re-fetch report is absent", () => {
  it("if more than half of the results were masked by a publisher", () => {
    const masked = (path: string) => use(path, "[REDACTED_OUTPUT len=12 sha=670b6474]");
    const read = ["a", "b", "c"].map((name) => masked(`/app/${name}.ts`));
    const steps: Step[] = [...read, ["compaction"], use("/app/a.ts"), use("/app/a.ts")];
    expect(ledger(steps)).toEqual({ unknown: "masked", boundaries: [] });
    expect(ledger([...steps, use("/app/d.ts")]).unknown).toBeUndefined();
  });

  it("if there are more lines than the maximum", () => {
    const steps: Step[] = [use("/app/a.ts", LINE), use("/app/b.ts", LINE), ["compaction"], use("/app/a.ts")];
    expect(ledger(steps, 1).unknown).toBe("tooLong");
    expect(ledger(steps, 2).unknown).toBeUndefined();
  });
});
