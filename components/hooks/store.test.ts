import { expect, test } from "vitest";
import { createStore, selected } from "./store";

test("listeners are called only for changed fields, until they are removed", () => {
  const store = createStore<{ readonly index: number | null; readonly other: number }>({ index: null, other: 7 });
  const heard: (number | null)[] = [];
  const stop = store.subscribe(() => heard.push(store.get().index));
  store.set({ index: 3 });
  store.set({ index: 3, other: 7 });
  store.set({ index: null });
  stop();
  store.set({ index: 4 });
  expect(heard).toEqual([3, null]);
  expect(store.get()).toEqual({ index: 4, other: 7 });
});

test("a read returns the same object until one of its fields changes", () => {
  const state = { pin: 1, hover: null, rows: [] };
  const first = selected(state, ["pin", "rows"], undefined);
  expect(first.result).toEqual({ pin: 1, rows: state.rows });
  expect(selected({ ...state, hover: 5 }, ["pin", "rows"], first)).toBe(first);
  const next = selected({ ...state, pin: 2 }, ["pin", "rows"], first);
  expect(next.result).toEqual({ pin: 2, rows: state.rows });
});

test("a read with a function returns what the function selects", () => {
  const select = ({ pin }: { readonly pin: number }) => pin > 1;
  const first = selected({ pin: 2 }, [select], undefined);
  expect(first.result).toBe(true);
  expect(selected({ pin: 3 }, [select], first)).toBe(first);
  expect(selected({ pin: 0 }, [select], first).result).toBe(false);
});
