import { expect, it } from "vitest";
import { ListPages } from "./list";

/** `ListPages` with a clock that advances only while an answer is computed, and by `pass`. */
function counted({ takesMs = 0 } = {}) {
  let now = 0;
  let made = 0;
  const pages = new ListPages(() => now);
  const get = async (state: string, query = {}, isChanging = true) => {
    const make = async () => {
      made += 1;
      now += takesMs;
      return JSON.stringify(made);
    };
    const json = await pages.get(state, query, make, isChanging);
    return JSON.parse(new TextDecoder().decode(json));
  };
  const pass = (ms: number) => {
    now += ms;
  };
  return { get, pass, pages };
}

it("an answer is computed once per list revision and query", async () => {
  const { get } = counted();
  const other = { q: "word" };
  const first = [await get("1"), await get("1"), await get("1", other), await get("1", other), await get("1")];
  expect(first).toEqual([1, 1, 2, 2, 1]);
  expect([await get("2"), await get("2", other), await get("2")]).toEqual([3, 4, 3]);
});

it("concurrent callers share an answer", async () => {
  const { get } = counted();
  expect(await Promise.all([get("1"), get("1"), get("1", { q: "word" })])).toEqual([1, 1, 2]);
});

it("while the list changes, a slow answer is reused for ten times its duration", async () => {
  const { get, pass } = counted({ takesMs: 20 });
  expect([await get("1"), await get("2")]).toEqual([1, 1]);
  pass(199);
  expect(await get("3")).toBe(1);
  pass(1);
  expect(await get("4")).toBe(2);
});

it("no outdated answer is returned once all files are read", async () => {
  const { get } = counted({ takesMs: 20 });
  expect([await get("1"), await get("2", {}, false), await get("2", {}, false)]).toEqual([1, 2, 2]);
});

it("an answer is reused for at most two seconds", async () => {
  const { get, pass } = counted({ takesMs: 900 });
  await get("1");
  pass(2000);
  expect(await get("2")).toBe(2);
});

it("a user's change is visible at once", async () => {
  const { get, pages } = counted({ takesMs: 20 });
  await get("1");
  pages.clear();
  expect(await get("2")).toBe(2);
});

it("an answer that started before a user's change is not returned after it", async () => {
  let now = 0;
  const pages = new ListPages(() => now);
  let release = () => {};
  const first = pages.get("1", {}, async () => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    now = 100;
    return "without";
  });
  pages.clear();
  release();
  await first;
  const next = await pages.get("2", {}, async () => "with");
  expect(new TextDecoder().decode(next)).toBe("with");
});
