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
function replayed(policy: string, settings = {}, window: number | null = null) {
  const asked = { policy, preset: null, counting: null, window };
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
    const uncompacted = replayed("custom", { triggerShare: 1 }).simulated.totals;
    expect(least).toBeLessThan(uncompacted.tokensSent);
    for (const share of [0.4, 0.6, 0.7, 0.8, 0.9]) {
      const triggerShare = Math.round((100 * share * uncompacted.peak) / WINDOW) / 100;
      const { totals, compactions } = replayed("custom", { triggerShare }).simulated;
      if (compactions.every(({ thrash }) => !thrash)) expect(least).toBeLessThanOrEqual(totals.tokensSent);
    }
  });

  it("has no setting if none of the triggers tried is cheaper", () => {
    const { best } = allSteps(cheapestTrigger(replayed("custom", { triggerShare: 1 }))) ?? {};
    const found = allSteps(cheapestTrigger(replayed("custom", { triggerShare: best?.value })));
    expect(found).toMatchObject({ tried: 12, isPriced: false });
    expect(found?.best).toBeUndefined();
  });

  it("does not thrash, however cheap thrashing would be", () => {
    // Half of the context stays: a low trigger is reached again at once.
    const thrashing = { triggerShare: 1, keepRecentTokens: 1000 };
    const found = allSteps(cheapestTrigger(replayed("custom", thrashing)));
    expect(found?.thrashing).toBeGreaterThan(0);
    const { key = "", value } = found?.best ?? {};
    const best = replayed("custom", { ...thrashing, ...(found?.best && { [key]: value }) });
    expect(best.simulated.compactions.some(({ thrash }) => thrash)).toBe(false);
  });

  it("is searched among contexts that the session reaches, even in a much larger window", () => {
    const wide = { triggerShare: 1 };
    const found = allSteps(cheapestTrigger(replayed("custom", wide, 40 * WINDOW)));
    expect(found?.best?.value).toBeLessThan(0.2);
    expect(found?.best).toBeDefined();
  });

  it("is absent if no setting moves the trigger", () => {
    expect(allSteps(cheapestTrigger(replayed("none")))).toBeUndefined();
  });
});
