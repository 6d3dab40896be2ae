import fc from "fast-check";
import { expect, test } from "vitest";
import { ITEM_CATEGORIES } from "../base/categories";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns, drawTranscript } from "../testing/draw";
import { TranscriptBuilder } from "../transcript/builder";
import type { Block, BlockKind, Message } from "../transcript/model";
import { CodecError, decodeColumns, encodeColumns } from "./codec";
import { FLAG, isOrphan, isUnanswered, KIND, KINDS } from "./columns";
import { columnsFromTranscript } from "./from-transcript";
import { gatherColumns } from "./gather";
import { isMember, memberSums, recordedMembership } from "./membership";
import { pointCount } from "./points";
import { raggedMeasureOf, raggedRow } from "./ragged";
import { sizeTokenColumn, withTokenColumn } from "./token-columns";

test("rows are the overhead followed by the blocks, in order", () => {
  const columns = drawColumns("X5 u10 t3 a20 c5 c6 r7 r8 a1");
  expect(Array.from(columns.kind, (kind) => KINDS[kind])).toEqual(
    "overhead text text thinking text tool_call tool_call tool_result tool_result text".split(" "),
  );
  expect(Array.from(columns.category, (code) => ITEM_CATEGORIES[code])).toEqual(
    "overheadInferred attachments user thinking assistant toolCalls toolCalls toolResults toolResults assistant".split(
      " ",
    ),
  );
  expect(Array.from(columns.turn)).toEqual([-1, -1, 0, 0, 0, 0, 0, 0, 0, 0]);
  expect(Array.from(columns.pair)).toEqual([-1, -1, -1, -1, -1, 7, 8, 5, 6, -1]);
  expect(Array.from(columns.requests.firstItem)).toEqual([3, 9]);
  expect((columns.flags[1] ?? 0) & FLAG.INITIAL_CONTEXT).not.toBe(0);
});

test("a call without a result is marked as unanswered, even in a part of the session", () => {
  const columns = drawColumns("u10 c5 c6 r7 a1 u2 a3");
  const answered = columns.kind.indexOf(KIND.tool_call);
  expect(Array.from(columns.kind.keys()).filter((row) => isUnanswered(columns, row))).toEqual([answered + 1]);
  const part = { rows: [answered, answered + 1], points: [], boundaries: [], clearedFlags: 0 };
  const gathered = gatherColumns(columns, part);
  expect([0, 1].map((row) => isUnanswered(gathered, row))).toEqual([false, true]);
});

test("a result without an earlier call is marked, with its images, unless it has no id or is in a response", () => {
  const builder = new TranscriptBuilder({ keepChars: 10, byteLength: (text) => text.length });
  const add = (origin: Message["origin"], ...blocks: readonly (readonly [BlockKind, string?])[]) => {
    const source = { line: 1, offset: 0, length: 0, part: 0 };
    const block = ([kind, callId]: readonly [BlockKind, string?]): Block => {
      return { kind, text: { chars: 4, bytes: 4 }, source, ...(callId === undefined ? {} : { callId }) };
    };
    const role = origin === "response" ? "assistant" : "user";
    builder.message({ role, origin, line: 1, blocks: blocks.map(block) });
  };
  add("tool", ["tool_result", "late"], ["image"]);
  add("response", ["tool_call", "a"], ["tool_call", "late"], ["tool_result", "server"]);
  add("tool", ["tool_result", "a"], ["image"], ["tool_result", "none"], ["image"], ["text"], ["image"]);
  add("tool", ["tool_result"], ["image"]);
  const columns = columnsFromTranscript(builder.finish("drawn", null));
  const orphans = Array.from(columns.kind.keys()).filter((row) => isOrphan(columns, row));
  const first = columns.overheadRows;
  expect(orphans.map((row) => row - first)).toEqual([0, 1, 7, 8]);
  const part = { rows: [first + 5, first + 7], points: [], boundaries: [], clearedFlags: 0 };
  expect([0, 1].map((row) => isOrphan(gatherColumns(columns, part), row))).toEqual([false, true]);
});

test("an overhead row that declares a tool refers to the same tool as its calls", () => {
  const entry = (category: "builtinTools" | "memoryFiles", name: string) => ({
    category,
    name,
    text: { chars: 8, bytes: 8 },
    source: { line: 1, offset: 0, length: 0, part: 0 },
  });
  const overhead = [entry("builtinTools", "Other"), entry("builtinTools", "Read"), entry("memoryFiles", "AGENTS.md")];
  const columns = columnsFromTranscript({ ...drawTranscript("u10 c5 r5"), overhead });
  const names = Array.from(columns.tool, (tool) => columns.tables.tools[tool]);
  expect(names).toEqual(["Other", "Read", undefined, undefined, undefined, "Read", "Read"]);
});

test("the inferred overhead is the first recorded context minus the estimate of its messages", () => {
  const columns = drawColumns("u10 a20 @510 u5 a1 @600");
  expect(sizeTokenColumn(columns, "bytes-4")[0]).toBe(500);
  expect(sizeTokenColumn(drawColumns("u10 a20"), "bytes-4")[0]).toBe(0);
  expect(sizeTokenColumn(drawColumns("u900 a20 @510"), "bytes-4")[0]).toBe(0);
});

test("after a recorded boundary only the summary and the items after it are in the context", () => {
  const columns = drawColumns("u10 a20 B s40 u5 a1");
  const membership = recordedMembership(columns);
  const members = (request: number) =>
    Array.from({ length: columns.length }, (_, row) => row).filter((row) => isMember(membership, row, request));
  expect(members(0)).toEqual([0, 1]);
  expect(members(1)).toEqual([0, 3, 4]);
});

test("incremental member sums equal sums over all members", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const columns = drawColumns(drawing);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const membership = recordedMembership(columns);
      const [sums] = memberSums(columns, tokens, membership, 1, () => 0);
      for (let point = 0; point < pointCount(columns); point++) {
        let sum = 0;
        for (let row = 0; row < columns.length; row++) if (isMember(membership, row, point)) sum += tokens[row] ?? 0;
        expect(sums?.[point]).toBe(sum);
      }
    }),
  );
});

test("decoding encoded columns returns the same columns at any buffer offset", () => {
  fc.assert(
    fc.property(arbitraryDrawing, fc.integer({ min: 0, max: 9 }), (drawing, shift) => {
      const bare = {
        ...drawColumns(drawing),
        tables: {
          tools: ["Read", "工具"],
          files: ["a\u0000b", "\ud800"],
          models: [],
          terms: [],
          overhead: ["tool", ""],
        },
      };
      const columns = withTokenColumn(bare, "bytes-4", sizeTokenColumn(bare, "bytes-4"));
      const encoded = encodeColumns(columns);
      const moved = new Uint8Array(encoded.length + shift);
      moved.set(encoded, shift);
      expect(decodeColumns(moved.subarray(shift))).toEqual(columns);
    }),
  );
});

test("decoding rejects foreign bytes and a newer version with a readable message", () => {
  expect(() => decodeColumns(new Uint8Array(64))).toThrow(CodecError);
  expect(() => decodeColumns(new Uint8Array(3))).toThrow(CodecError);
  const newer = encodeColumns(drawColumns("u1"));
  newer[8] = 99;
  expect(() => decodeColumns(newer)).toThrow(/version 99/);
});

test("selected rows keep their ragged measures", () => {
  const columns = drawColumns("u1 a2 | u3");
  const offset = Int32Array.from({ length: columns.length + 1 }, (_, row) => (row * (row + 1)) / 2);
  const value = Int32Array.from({ length: offset.at(-1) ?? 0 }, (_, at) => at);
  const measured = { ...columns, measures: { "m.offset": offset, "m.value": value, n: Int32Array.of(5, 6, 7, 8) } };
  const rows = [0, 2, 3];
  const { measures } = gatherColumns(measured, { rows, points: [], boundaries: [], clearedFlags: 0 });
  const lists = raggedMeasureOf(measures, "m");
  expect(rows.map((_, row) => [...(lists === undefined ? [] : raggedRow(lists, row))])).toEqual([
    [0],
    [3, 4, 5],
    [6, 7, 8, 9],
  ]);
  expect(measures.n).toEqual(Int32Array.of(5, 7, 8));
});
