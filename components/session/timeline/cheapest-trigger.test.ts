import { describe, expect, it } from "vitest";
import { allSteps } from "@/lib/core/base/steps";
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

/** A replay of a policy. */
function replayed(policy: string, settings = {}) {
  const asked = { policy, preset: null, counting: null, window: null };
  const choice = withSettings(policyChoice(asked, "custom", recording), {
    ...(policy === "custom" ? { keepRecentTokens: 200, summaryTokens: 50 } : {}),
    ...settings,
  });
  const simulated = replayPrepared(choice, choice.counting, recording);
  return { choice, over: recording, costs, simulated };
}

const sent = (settings: object) => replayed("custom", settings).simulated.totals.tokensSent;

describe("the cheapest trigger of a quick sweep", () => {
  it("sends fewer tokens than a policy that never fires", () => {
    const found = allSteps(cheapestTrigger(replayed("custom", { triggerShare: 1 })));
    expect(found).toMatchObject({ tried: 12, isPriced: false, best: { key: "triggerShare" } });
    const least = sent({ triggerShare: found?.best?.value });
    expect(least).toBeLessThan(sent({ triggerShare: 1 }));
    for (const share of [0.2, 0.4, 0.6, 0.8]) expect(least).toBeLessThanOrEqual(sent({ triggerShare: share }));
  });

  it("has no setting if no trigger is cheaper", () => {
    const { best } = allSteps(cheapestTrigger(replayed("custom", { triggerShare: 1 }))) ?? {};
    const found = allSteps(cheapestTrigger(replayed("custom", { triggerShare: best?.value })));
    expect(found).toEqual({ tried: 12, isPriced: false });
  });

  it("is absent if no setting moves the trigger", () => {
    expect(allSteps(cheapestTrigger(replayed("none")))).toBeUndefined();
  });
});
