import { expect, test } from "vitest";
import { sizeTokenColumn } from "../columns/token-columns";
import { drawColumns } from "../testing/draw";
import { byRules } from "./by-rules";
import { nonePolicy } from "./none";
import type { ContextView } from "./policy";
import { perSettings, remembered } from "./remembered";
import { replay } from "./replay";
import { unchanged } from "./retention";

test("is found once a request, and anew for other settings and other replays", () => {
  const columns = drawColumns("u1 a1 | u2 a1 | u3 a1");
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const found: number[] = [];
  const historyOf = remembered((view: ContextView) => {
    found.push(view.request);
    return view.history;
  });
  const policy = {
    ...nonePolicy,
    begin: byRules({
      shouldCompact: (view, settings) => {
        expect(historyOf(view, settings)).toBe(view.history);
        return "threshold";
      },
      compact: (view, settings) => {
        expect(historyOf(view, settings)).toBe(view.history);
        return unchanged(view, "skipped");
      },
    }),
  };
  const run = (settings: Record<string, number>) =>
    replay(columns, tokens, policy, settings, { window: 1000, counting: "estimate" });
  run({ one: 1 });
  expect(found).toEqual([0, 1, 2]);
  run({ one: 1 });
  expect(found).toEqual([0, 1, 2, 0, 1, 2]);
});

test("a figure of the settings is found once for a window and settings", () => {
  let found = 0;
  const share = perSettings((window, settings) => {
    found += 1;
    return window * Number(settings.share);
  });
  const [low, high] = [{ share: 0.5 }, { share: 0.8 }];
  expect([share(100, low), share(100, low), share(100, low)]).toEqual([50, 50, 50]);
  expect(found).toBe(1);
  expect([share(200, low), share(200, high), share(100, low)]).toEqual([100, 160, 50]);
  expect(found).toBe(4);
});
