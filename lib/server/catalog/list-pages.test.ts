import { expect, it } from "vitest";
import { ListPages } from "./list-pages";

function counted() {
  const pages = new ListPages();
  let made = 0;
  return async (state: string, query = {}) => {
    const json = await pages.get(state, query, async () => {
      made += 1;
      return JSON.stringify(made);
    });
    return JSON.parse(new TextDecoder().decode(json));
  };
}

it("answers are made once per list and query", async () => {
  const get = counted();
  const other = { q: "word" };
  const first = [await get("1"), await get("1"), await get("1", other), await get("1", other), await get("1")];
  expect(first).toEqual([1, 1, 2, 2, 1]);
  expect([await get("2"), await get("2", other), await get("2")]).toEqual([3, 4, 3]);
});

it("who asks at the same time shares an answer", async () => {
  const get = counted();
  expect(await Promise.all([get("1"), get("1"), get("1", { q: "word" })])).toEqual([1, 1, 2]);
});
