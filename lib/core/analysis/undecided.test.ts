import { expect, test } from "vitest";
import { countedBySize } from "../columns/token-columns";
import { nonePolicy } from "../compaction/policies/none";
import type { Policy } from "../compaction/policy/policy";
import { replay } from "../compaction/replay";
import { clearing, unchanged } from "../compaction/retention";
import { drawColumns } from "../testing/draw";
import { decidedPolicy } from "./predictions";

/** Clears before request 1 if the answer had more than 110 tokens, and summarises from then on. */
const remembersClearing: Policy = {
  ...nonePolicy,
  begin: () => {
    let hasCleared = false;
    return {
      before: (view) => {
        if (hasCleared) return { ...unchanged(view, "skipped"), trigger: "threshold", outcome: "summary" };
        hasCleared = view.request === 1 && view.lastOutput > 110;
        return hasCleared ? { ...clearing(view, []), trigger: "threshold" } : undefined;
      },
    };
  },
};

test("a clearing due to an estimation error is not applied, so later verdicts do not depend on it", () => {
  const asked: number[] = [];
  const policy = decidedPolicy(
    remembersClearing,
    () => 20,
    ({ request }) => {
      asked.push(request);
      return false;
    },
  );
  const columns = drawColumns("u10 a100 u10 a100 u10 a10");
  const options = { window: 1000, counting: "estimate" } as const;
  expect(replay(countedBySize(columns, "bytes-4"), policy, {}, options).compactions).toEqual([]);
  expect(asked).toEqual([]);
});
