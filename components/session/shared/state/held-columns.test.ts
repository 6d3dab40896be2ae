import { expect, test, vi } from "vitest";
import { columnsDelta, encodeDelta } from "@/lib/core/columns/delta";
import { drawColumns } from "@/lib/core/testing/draw";
import { type HeldColumns, updatedColumns } from "./held-columns";

const answers: { readonly version: string; readonly bytes: Uint8Array }[] = [];

vi.mock("@/lib/queries/client/client", () => ({ getColumns: async () => answers.shift() }));

/** The generation of texts after rendering a session in several states. */
async function textsAfter(first: string, ...later: readonly string[]): Promise<number> {
  let columns = drawColumns(first);
  for (const [index, drawing] of later.entries()) {
    const next = drawColumns(drawing);
    answers.push({ version: `${index}`, bytes: encodeDelta(columnsDelta(columns, next)) });
    columns = next;
  }
  let held: HeldColumns = { version: "first", columns: drawColumns(first), measured: [], texts: 0 };
  for (const _ of later) held = await updatedColumns("id", held);
  expect(held.columns).toEqual(columns);
  return held.texts;
}

test("texts are kept while items are added, and loaded again if items were removed or replaced", async () => {
  expect(await textsAfter("u10 a20", "u10 a20 u5", "u10 a20 u5 a6")).toBe(0);
  expect(await textsAfter("u10 a20 u5 a6", "u10 a20", "u10 a20 u7 a8")).toBeGreaterThan(0);
  expect(await textsAfter("u10 a20", "u10 a21")).toBe(1);
});
