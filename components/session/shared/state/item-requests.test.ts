import { describe, expect, it } from "vitest";
import { sessionColumns } from "../../testing/session-columns";
import { itemOfRequest, itemRequests } from "./rows";

const columns = sessionColumns({
  overheadRows: 1,
  categories: ["overheadInferred", "user", "assistant", "toolCalls", "toolResults", "assistant", "user"],
  origins: ["overhead", "typed", "response", "response", "tool", "response", "typed"],
  firstItems: [2, 5],
});

describe("the request of an item", () => {
  it("is the one whose response contains the item, or else the first one that sends it", () => {
    expect([...itemRequests(columns)]).toEqual([0, 0, 0, 0, 1, 1, 1]);
  });

  it("has an item to show, even if it has no items of its own", () => {
    expect([itemOfRequest(columns, 0), itemOfRequest(columns, 1)]).toEqual([2, 5]);
    expect(itemOfRequest(sessionColumns({ categories: ["user", "user"] }), 0)).toBe(1);
    expect([...itemRequests(sessionColumns({ categories: ["user"] }))]).toEqual([0]);
  });
});
