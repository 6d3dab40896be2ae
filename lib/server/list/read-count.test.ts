import fc from "fast-check";
import { expect, it } from "vitest";
import type { CatalogEntry } from "./files/entries";
import { ReadCount } from "./list";

const IDS = ["a", "b", "c", "d"] as const;
const entryOf = (id: string, bytes: number): CatalogEntry => ({
  id,
  source: "s",
  kind: "folder",
  agent: null,
  path: id,
  name: id,
  placed: {},
  version: { bytes, mtimeMs: 1 },
});

/** Steps: files are listed, one is read or counts as unread again, all count as unread, or a client queries. */
const step = fc.oneof(
  fc.subarray([...IDS]).map((listed) => ({ listed })),
  fc.record({ id: fc.constantFrom(...IDS), isRead: fc.boolean() }),
  fc.constant({ again: true }),
  { weight: 2, arbitrary: fc.constant({ asked: true }) },
);

it("incremental counts equal a full count", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const count = new ReadCount();
      const read = new Set<string>();
      let [revision, listed]: [number, readonly CatalogEntry[]] = [0, []];
      let touched: Set<string> | undefined;
      const index = {
        isRead: ({ id }: CatalogEntry) => read.has(id),
        takeTouched() {
          const taken = touched;
          touched = new Set();
          return taken;
        },
      };
      for (const one of [...steps, { asked: true }]) {
        if ("listed" in one) {
          revision += 1;
          listed = one.listed.map((id, at) => entryOf(id, 10 ** at + revision));
        } else if ("id" in one) {
          if (one.isRead) read.add(one.id);
          else read.delete(one.id);
          touched?.add(one.id);
        } else if ("again" in one) {
          read.clear();
          touched = undefined;
        } else {
          const readEntries = listed.filter(({ id }) => read.has(id));
          const bytesOf = (all: readonly CatalogEntry[]) => all.reduce((sum, { version }) => sum + version.bytes, 0);
          expect(count.of(revision, () => listed, index)).toEqual({
            files: listed.length,
            bytes: bytesOf(listed),
            readFiles: readEntries.length,
            readBytes: bytesOf(readEntries),
          });
        }
      }
    }),
  );
});

it("unchanged files are not checked again", () => {
  const count = new ReadCount();
  const entries = Array.from({ length: 1000 }, (_, at) => entryOf(`file-${at}`, at));
  let checks = 0;
  let touched: Set<string> | undefined;
  const index = {
    isRead: () => {
      checks += 1;
      return true;
    },
    takeTouched: () => touched,
  };
  count.of(1, () => entries, index);
  touched = new Set(["file-7", "elsewhere"]);
  const before = checks;
  count.of(1, () => entries, index);
  expect(checks - before).toBe(1);
});
