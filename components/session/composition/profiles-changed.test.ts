import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { profilesChanged } from "./overhead-dialog";

test("a change of context profiles invalidates only the answers that depend on them, in all sessions", async () => {
  const client = new QueryClient();
  const dependent = [
    ["profiles"],
    ["compared", "t"],
    ...["s", "t"].flatMap((id) => [
      ["session", id],
      ["session", id, "fidelity"],
      ["session", id, "overhead", "bytes-4"],
      ["session", id, "ledger", { policy: "custom" }],
      ["session", id, "boundary", { policy: "custom", at: 3 }],
    ]),
  ];
  const others = [
    ["session", "s", "columns"],
    ["sessions", "list"],
  ];
  for (const key of [...dependent, ...others]) client.setQueryData(key, "known");
  await profilesChanged(client);
  const isOutdated = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated;
  expect(dependent.filter((key) => isOutdated(key) !== true)).toEqual([]);
  expect(others.filter((key) => isOutdated(key) !== false)).toEqual([]);
});
