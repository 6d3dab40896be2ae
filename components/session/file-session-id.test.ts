import { expect, test } from "vitest";
import { idOfFileSession, placeOfChosen } from "./file-sessions";

test.each([
  ["abc", "s-1", "abc~~s-1"],
  ["abc~codex", "s-1", "abc~codex~s-1"],
  ["abc~~s-1", "s-2", "abc~~s-2"],
  ["abc~codex~s-1", null, "abc~codex"],
  ["abc~~s-1", null, "abc"],
  ["abc", null, "abc"],
])("the id of file %s with session %s is %s", (id, key, expected) => {
  expect(idOfFileSession(id, key)).toBe(expected);
});

test("sessions of a file are numbered from 1", () => {
  const sessions = ["a", "b"].map((key) => ({
    key,
    sessionId: key,
    title: null,
    startedAt: null,
    line: 1,
    records: 1,
    parents: [],
  }));
  expect(placeOfChosen({ total: 2, chosen: "b", sessions })).toBe(2);
  expect(placeOfChosen({ total: 2, chosen: null, sessions })).toBeUndefined();
  expect(placeOfChosen({ total: 200, chosen: "z", sessions })).toBeUndefined();
});
