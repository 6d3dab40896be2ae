import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { outdate } from "./use-live";

test("a preview of a summary request is outdated once the file has grown", () => {
  const client = new QueryClient();
  const isOutdated = (queryKey: readonly unknown[]) => client.getQueryState(queryKey)?.isInvalidated;
  const [own, another] = ["s", "t"].map((id) => ["session", id, "summary", { at: 3, policy: "custom" }]);
  for (const key of [own, another]) client.setQueryData(key ?? [], { preview: { digest: "of the earlier file" } });
  outdate(client, "s", "none");
  expect([isOutdated(own ?? []), isOutdated(another ?? [])]).toEqual([true, false]);
});
