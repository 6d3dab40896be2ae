import { expect, it } from "vitest";
import type { SessionPage } from "@/lib/api/contract";
import { ListPages } from "./list-pages";
import { listQuery } from "./session-list";

const ALL = listQuery.parse({});
const EMPTY: SessionPage = { sessions: [], nextCursor: null, total: 0, bytes: 0, indexing: { done: 0, total: 0 } };

function counted() {
  const pages = new ListPages();
  let made = 0;
  const get = (state: string, query = ALL, isFinal = true) => {
    const json = pages.get(state, query, () => {
      made += 1;
      return { page: { ...EMPTY, total: made }, isFinal };
    });
    return JSON.parse(new TextDecoder().decode(json)).total;
  };
  return get;
}

it("pages are made once per list and query", () => {
  const get = counted();
  const other = listQuery.parse({ q: "word" });
  expect([get("1"), get("1"), get("1", other), get("1", other), get("1")]).toEqual([1, 1, 2, 2, 1]);
  expect([get("2"), get("2", other), get("2")]).toEqual([3, 4, 3]);
});

it("a page that does not show all that is known is made anew", () => {
  const get = counted();
  expect([get("1", ALL, false), get("1", ALL, false), get("1"), get("1")]).toEqual([1, 2, 3, 3]);
});
