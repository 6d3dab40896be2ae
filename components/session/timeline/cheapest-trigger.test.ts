import { describe, expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { replayPrepared } from "@/lib/queries/replays/replay-result";
import { policyChoice, withSettings } from "../shared/state/replay-choice";
import { cheapestTrigger } from "./cheapest-trigger";

const WINDOW = 6000;
const recording = recordingOf(
  unknownFacts(WINDOW),
  countedBySize(drawColumns("u100 a300 u100 c5 r300 a50 u400 a300 u20 a10".repeat(3)), "bytes-4"),
);
const costs = new ReplayCosts(recording, LISTED_PRICES);

/** A replay of the custom policy, and the tokens that it sends. */
function replayed(policy: string, settings = {}) {
  const asked = { policy, preset: null, counting: null, window: null };
  const choice = withSettings(policyChoice(asked, "custom", recording), {
    ...(policy === "custom" ? { keepRecentTokens: 200, summaryTokens: 50 } : {}),
    ...settings,
  });
  const { totals } = replayPrepared(choice, choice.counting, recording);
  return { state: { choice, over: recording, costs }, now: { costUsd: null, tokensSent: totals.tokensSent } };
}

describe("the cheapest trigger of a quick sweep", () => {
  it("sends fewer tokens than a policy that never fires", async () => {
    const { state, now } = replayed("custom", { triggerShare: 1 });
    const found = await cheapestTrigger(state, now);
    expect(found).toMatchObject({ key: "triggerShare" });
    const best = replayed("custom", { triggerShare: found?.value });
    expect(best.now.tokensSent).toBeLessThan(now.tokensSent);
    for (const share of [0.2, 0.4, 0.6, 0.8])
      expect(best.now.tokensSent).toBeLessThanOrEqual(replayed("custom", { triggerShare: share }).now.tokensSent);
  });

  it("is absent if no trigger is cheaper, and if no setting moves the trigger", async () => {
    const { state } = replayed("custom");
    expect(await cheapestTrigger(state, { costUsd: null, tokensSent: 0 })).toBeUndefined();
    const none = replayed("none");
    expect(await cheapestTrigger(none.state, none.now)).toBeUndefined();
  });
});
