import { describe, expect, test } from "vitest";
import { idOf, nameOf } from "./ids";

describe("ids", () => {
  test.each(["call_1", "toolu_01Fj8", "0", "redactedness", "[REDACTED_CALL_ID len=29 sha=74dc01]"])(
    "%s is an id",
    (id) => {
      expect(idOf(id)).toBe(id);
    },
  );

  test.each([
    "REDACTED",
    "[REDACTED]",
    "<redacted>",
    "call_REDACTED",
    "REDACTED|REDACTED",
    "REDACTED|fc_1",
    "[REDACTED_ID len=29]",
  ])("%s is masked, and thus not an id", (id) => expect(idOf(id)).toBeUndefined());

  test.each(["", undefined, null, 7, {}, ["a"]])("%j is neither an id nor a name", (value) => {
    expect(idOf(value)).toBeUndefined();
    expect(nameOf(value)).toBeUndefined();
  });
});

describe("names", () => {
  test.each(["/home/REDACTED/pears", "Fix what REDACTED broke", "gpt-5.3-codex"])("%s is a usable name", (name) => {
    expect(nameOf(name)).toBe(name);
  });

  test.each(["REDACTED", "[REDACTED]", "<redacted>"])("%s is only a mask, and thus not a name", (name) =>
    expect(nameOf(name)).toBeUndefined(),
  );
});
