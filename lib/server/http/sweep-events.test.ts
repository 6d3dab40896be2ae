import { expect, it } from "vitest";
import { InputError } from "../ingest/input-error";
import { partsOf } from "./sweep-events";

it.each([0, 1, 249, 250, 251, 10_000])(
  "%i rows of a recording are one event, made in parts of a few hundred",
  (count) => {
    const rows = Array.from({ length: count }, (_, at) => ({ row: at, file: "[]}" }));
    const parts = [...partsOf({ id: "a[]", result: rows.map((row) => JSON.stringify(row)) })];
    const data = JSON.stringify({ type: "rows", session: "a[]", rows });
    expect(parts.join("")).toBe(`event: rows\ndata: ${data}\n\n`);
    for (const part of parts) expect(part.split('"row":').length - 1).toBeLessThanOrEqual(250);
  },
);

it("a recording that could not be swept is named with its reason, unless that is a bug of ours", () => {
  const event = (error: Error) =>
    JSON.parse([...partsOf({ id: "a", result: error })].join("").split("data: ")[1] ?? "");
  expect(event(new InputError("empty", "It is empty."))).toEqual({
    ...{ type: "failed", session: "a", detail: "It is empty." },
  });
  expect(event(new Error("secret")).detail).toBe("It could not be swept.");
});
