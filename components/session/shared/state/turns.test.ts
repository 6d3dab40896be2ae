import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSession } from "@/lib/queries/testing/sessions";
import { sessionColumns } from "../../testing/session-columns";
import { allOpen, isOpen, rowsOfTurns, withOpen, withToggled } from "./open-rows";
import { itemRequests, type Rows, transcriptRows } from "./rows";
import { foldedRows, traceFrom, transcriptTurns } from "./turns";

type Step = "prompt" | "text" | "call" | "thinking" | "summary" | "context";

const SHAPES = {
  prompt: ["typed", "text"],
  text: ["response", "text"],
  call: ["response", "tool_call"],
  thinking: ["response", "thinking"],
  summary: ["summary", "text"],
  context: ["context", "text"],
} as const;

/** A session of some steps; every prompt begins a turn. */
function session(steps: readonly Step[]) {
  const columns = sessionColumns({
    categories: steps.map(() => "user"),
    origins: steps.map((step) => SHAPES[step][0]),
    kinds: steps.map((step) => SHAPES[step][1]),
  });
  let turn = -1;
  steps.forEach((step, item) => {
    if (step === "prompt") turn += 1;
    columns.turn[item] = turn;
    columns.bytes[item] = 1;
  });
  const lines = transcriptRows(columns, { requestOfItem: new Int32Array(steps.length), showEmpty: false });
  return { columns, lines };
}

function turnsOf(steps: readonly Step[], everyAnswer = false) {
  const { columns, lines } = session(steps);
  return transcriptTurns(columns, lines, everyAnswer);
}

const LONG = ["prompt", "thinking", "text", "call", "call", "call", "text", "prompt", "text"] as const;

describe("turns", () => {
  it("have a prompt, steps, and as answer the texts after the last call", () => {
    expect(turnsOf(LONG).parts).toEqual([
      ...["prompt", "step", "step", "step", "step", "step", "answer"],
      ...["prompt", "answer"],
    ]);
    expect(turnsOf(["prompt", "call", "text", "thinking", "text"]).parts.slice(2)).toEqual([
      "answer",
      "step",
      "answer",
    ]);
  });

  it("have no answer if the model did not finish", () => {
    expect(turnsOf(["prompt", "text", "call"]).parts).toEqual(["prompt", "step", "step"]);
    expect(turnsOf(["prompt", "text", "call"], true).parts).toEqual(["prompt", "answer", "step"]);
  });

  it("fold five or more consecutive steps of one turn, but no summary", () => {
    expect(turnsOf(LONG).traces).toEqual([{ from: 1, to: 6 }]);
    expect(turnsOf(["prompt", "call", "call", "call", "call"]).traces).toEqual([]);
    const steps = ["prompt", "call", "call", "call", "summary", "call", "call", "call"] as const;
    expect(turnsOf(steps).traces).toEqual([]);
    expect(turnsOf(["call", "call", "call", "prompt", "call", "call", "call", "call", "call"]).traces).toEqual([
      { from: 4, to: 9 },
    ]);
  });

  it("have one row for a folded trace", () => {
    const turns = turnsOf(LONG);
    const folded = foldedRows(turns, () => false);
    expect([...folded.items]).toEqual([0, 1, 6, 7, 8]);
    expect([...folded.rowOf]).toEqual([0, 1, 1, 1, 1, 1, 2, 3, 4]);
    expect([...foldedRows(turns, () => true).items]).toEqual([...turns.lines.items]);
    expect([0, 1, 2].map((item) => traceFrom(turns, item)?.to)).toEqual([undefined, 6, undefined]);
  });
});

describe("open rows", () => {
  const turns = turnsOf(LONG);
  const none = allOpen("none");

  it("are prompts and answers by turns, and none in the list of items", () => {
    expect([0, 3, 6].map((item) => isOpen({ turns }, none, item))).toEqual([true, false, true]);
    expect([0, 3, 6].map((item) => isOpen({ turns: undefined }, none, item))).toEqual([false, false, false]);
    expect(isOpen({ turns }, allOpen("all"), 3)).toBe(true);
  });

  it("include an item that is opened, and the trace around it unfolds", () => {
    const listed = { rows: rowsOfTurns(turns, none), turns };
    const open = withOpen(listed, none, 3);
    expect(isOpen({ turns }, open, 3)).toBe(true);
    expect(rowsOfTurns(turns, open).items).toHaveLength(LONG.length);
  });

  it("close when pressed; a press on a folded trace unfolds it first", () => {
    const listed = { rows: rowsOfTurns(turns, none), turns };
    expect(isOpen({ turns }, withToggled(listed, none, 0), 0)).toBe(false);
    const unfolded = withToggled(listed, none, 1);
    expect(isOpen({ turns }, unfolded, 1)).toBe(false);
    expect(isOpen({ turns }, withToggled(listed, unfolded, 1), 1)).toBe(true);
  });
});

/** Fixtures of several agents, and what their rows are. */
const FIXTURES = {
  "claude-code/fixtures/commands-and-context.jsonl": "....P.A..PP...P...A",
  "codex/fixtures/tools-and-media.jsonl": "....PP.........",
  "gemini-cli/fixtures/document.json": ".P...A",
  "pi/fixtures/parallel-calls.jsonl": ".P...P.PA",
  "opencode/fixtures/calls-and-results.json": ".P.......A",
} as const;

const MARKS = { prompt: "P", answer: "A", summary: "S", step: "." } as const;

describe("turns of recordings", () => {
  for (const [path, expected] of Object.entries(FIXTURES)) {
    it(`contain every row of ${path} once`, () => {
      const { columns } = readSession(join("lib/agents", path));
      const lines: Rows = transcriptRows(columns, { requestOfItem: itemRequests(columns), showEmpty: false });
      const turns = transcriptTurns(columns, lines, false);
      expect(turns.parts.map((part) => MARKS[part]).join("")).toBe(expected);
      for (const isUnfolded of [true, false]) {
        const { items, rowOf } = foldedRows(turns, () => isUnfolded);
        expect([...items].every((item, row) => rowOf[item] === row)).toBe(true);
      }
    });
  }
});
