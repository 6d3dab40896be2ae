import { createTranslator } from "use-intl/core";
import { describe, expect, it } from "vitest";
import { MESSAGES } from "@/app/i18n/messages";
import { createFormat } from "@/components/format/format";
import type { Basis } from "@/lib/core/compaction/counting";
import type { Calibration } from "@/lib/core/context/calibration";
import type { MetricBands, Metrics } from "@/lib/core/metrics/values";
import { noneCheaperText, triggerLead, verdictOf } from "./verdict-sentence";

const metrics: Metrics = {
  requests: 30,
  compactions: 2,
  peak: 167_000,
  final: 90_000,
  tokensSent: 2_000_000,
  tokensRewritten: 5,
  summaryCallTokens: 0,
  costUsd: 23.2,
  keptTokens: 90,
  requestsNearWindow: 1,
  requestsOverWindow: 1,
  regret: null,
  bestUsd: null,
  neededAgain: 4,
  neededAgainTokens: 800,
  shortestCycle: null,
  idleCompactions: null,
  unusedIdle: null,
  keepAliveRequests: null,
  keepAliveUsd: null,
};

const calibration: Calibration = { factor: 1.1, pairs: 20, outOfSampleError: 0.08, outOfSampleBias: 0, doubts: [] };
const bands: MetricBands = {};
const recording = { basis: "recorded" as Basis, metrics, bands, calibration: undefined };

/** A recording without compactions. */
const none = { ...recording, metrics: { ...metrics, compactions: 0 } };

interface Other {
  readonly basis?: Basis;
  readonly calibration?: Calibration | undefined;
  readonly bands?: MetricBands;
  readonly summaryCallsUsd?: number;
}

/** The verdict on a replay with other metrics, as text. */
function sentence(changed: Partial<Metrics>, other: Other = {}, locale: "en" | "zh-CN" = "en", against = recording) {
  const t = createTranslator({ locale, messages: MESSAGES[locale], namespace: "replay.verdict" });
  const format = createFormat(locale);
  const replayed = {
    ...recording,
    basis: "calibrated" as Basis,
    calibration,
    ...other,
    metrics: { ...metrics, ...changed },
  };
  const lead = t("at", { tokens: "91k" });
  const verdict = verdictOf({ recording: against, replayed, lead }, t, format);
  const sentence = t.markup("sentence", { lead, parts: () => format.list(verdict.parts.map(({ text }) => text)) });
  return [sentence, ...(verdict.confidence === undefined ? [] : [verdict.confidence])]
    .join(" ")
    .replaceAll("\u00a0", " ")
    .replaceAll("\u2060", "");
}

/** The effects of the coloured parts. */
function effects(changed: Partial<Metrics>, other: Other = {}) {
  const t = createTranslator({ locale: "en", messages: MESSAGES.en, namespace: "replay.verdict" });
  const own = { basis: "calibrated" as Basis, calibration, ...other };
  const replayed = { ...recording, ...own, metrics: { ...metrics, ...changed } };
  return verdictOf({ recording, replayed, lead: "" }, t, createFormat("en")).parts.map(({ effect }) => effect);
}

const cheaper = { compactions: 8, tokensSent: 1_500_000, costUsd: 19.26, neededAgain: 10, neededAgainTokens: 6900 };

describe("the verdict", () => {
  it("compares compactions, cost and re-fetches with the recording, and states the confidence", () => {
    expect(sentence(cheaper)).toBe(
      "Compacting at 91k: 8 compactions instead of 2, −$3.94 (−17 %), 6 more re-fetches (+6.1k tokens). Moderate confidence: estimates ±8 %.",
    );
    expect(sentence(cheaper, {}, "zh-CN")).toBe(
      "在 91k 时压缩：压缩 8 次，记录为 2 次，−$3.94（−17 %），重新获取多 6 次（+6.1k token）。 可信度中等：估算误差 ±8 %。",
    );
  });

  it("marks only cost and re-fetches as better or worse", () => {
    expect(effects(cheaper)).toEqual([undefined, "better", "worse"]);
    expect(effects({ compactions: 1, costUsd: 25, neededAgain: 1 })).toEqual([undefined, "worse", "better"]);
  });

  it("marks an extra cost as worse only if it exceeds the summary calls that the recorded cost lacks", () => {
    const costlier = { costUsd: 24, neededAgain: 4 };
    expect(effects(costlier, { summaryCallsUsd: 0.5 })).toEqual([undefined, "worse", undefined]);
    expect(effects(costlier, { summaryCallsUsd: 2 })).toEqual([undefined, undefined, undefined]);
    expect(sentence(costlier, { summaryCallsUsd: 2 })).toContain(
      "+$0.8000 (+3 %; $2.00 for summary calls, which the recorded cost lacks)",
    );
    expect(sentence(costlier, { summaryCallsUsd: 2 }, "en", none)).toContain("+$0.8000 (+3 %), ");
    expect(sentence(costlier, { summaryCallsUsd: 2 }, "en", none)).not.toContain("summary calls");
  });

  it("marks nothing as better or worse at low confidence, and states why", () => {
    const doubted: Calibration = { ...calibration, outOfSampleError: 0.5, doubts: ["error"] };
    expect(effects(cheaper, { calibration: doubted })).toEqual([undefined, undefined, undefined]);
    expect(sentence(cheaper, { calibration: doubted })).toMatch(
      /Low confidence: estimates ±50 %. Too uncertain to call a change better or worse.$/,
    );
    expect(sentence(cheaper, { calibration: doubted }, "zh-CN")).toMatch(
      /可信度低：估算误差 ±50 %。误差太大，无法判断变好还是变差。$/,
    );
    expect(effects(cheaper, { basis: "estimate", calibration: undefined })).toContain(undefined);
    const estimate = { ...recording, basis: "estimate" as Basis };
    expect(sentence(cheaper, { basis: "estimate", calibration: undefined }, "en", estimate)).toContain("Too uncertain");
  });

  it("does not call a cost better or worse, nor its confidence high, if the recorded cost lies in its range", () => {
    const exact: Calibration = { ...calibration, outOfSampleError: 0.0002 };
    const withBand = (low: number, high: number) => ({
      calibration: exact,
      bands: { costUsd: { low, high, lowerBound: false } },
    });
    expect(sentence(cheaper, withBand(19.2, 23.1))).toMatch(/High confidence: estimates ±0.0 %.$/);
    expect(effects(cheaper, withBand(19.2, 23.1))[1]).toBe("better");
    expect(sentence(cheaper, withBand(19.2, 47.4))).toMatch(
      / Moderate confidence: estimates ±0.0 %. The recorded cost is within its range.$/,
    );
    expect(effects(cheaper, withBand(19.2, 47.4))).toEqual([undefined, undefined, "worse"]);
    expect(effects({ ...cheaper, costUsd: 24 }, withBand(23, 25))[1]).toBeUndefined();
    expect(sentence(cheaper, withBand(19.2, 47.4), "zh-CN")).toMatch(
      /可信度中等：估算误差 ±0.0 %。记录的费用在其区间内。$/,
    );
  });

  it("states sizes if more re-fetches have fewer tokens or vice versa, and marks neither as better", () => {
    const smaller = { ...cheaper, neededAgain: 21, neededAgainTokens: 400 };
    expect(sentence(smaller)).toContain("17 more re-fetches, of smaller contents: −400 tokens in all.");
    expect(effects(smaller)).toEqual([undefined, "better", undefined]);
    const larger = { ...cheaper, neededAgain: 1, neededAgainTokens: 6900 };
    expect(sentence(larger)).toContain("3 fewer re-fetches, of larger contents: +6.1k tokens in all.");
    expect(sentence(smaller, {}, "zh-CN")).toContain("重新获取多 17 次，但内容较小：共 −400 token。");
  });

  it("keeps the minus sign of a cost on one line with its amount", () => {
    const t = createTranslator({ locale: "en", messages: MESSAGES.en, namespace: "replay.verdict" });
    const replayed = { ...recording, basis: "calibrated" as Basis, calibration, metrics: { ...metrics, ...cheaper } };
    const [, cost] = verdictOf({ recording, replayed, lead: "" }, t, createFormat("en")).parts;
    // U+2212 and the dollar sign are both prefixes of numbers, between which a line may break.
    expect(cost?.text).toBe("−\u2060$3.94 (−17\u00a0%)");
  });

  it("states that nothing changes if every metric is as recorded", () => {
    expect(sentence({}, { basis: "recorded" })).toBe("Compacting at 91k: nothing changes (2 compactions as recorded).");
    expect(sentence({}, { basis: "recorded" }, "zh-CN")).toBe("在 91k 时压缩：没有变化（压缩 2 次，与记录相同）。");
  });

  it("states that nothing changes if only estimates of requests without usage differ", () => {
    expect(sentence({ tokensSent: 2_000_010, compactions: 0 }, { basis: "recorded" }, "en", none)).toBe(
      "Compacting at 91k: nothing changes (no compaction, as recorded).",
    );
  });

  it("leaves out a cost that either side lacks, and unknown re-fetches", () => {
    const unknown = { ...cheaper, costUsd: null, neededAgain: null, neededAgainTokens: null };
    expect(sentence(unknown)).toBe(
      "Compacting at 91k: 8 compactions instead of 2. Moderate confidence: estimates ±8 %.",
    );
    const unpriced = { ...recording, metrics: { ...metrics, costUsd: null } };
    expect(sentence(cheaper, {}, "en", unpriced)).not.toContain("$");
  });

  it("marks costs that are lower bounds, without a percentage", () => {
    const least = { costUsd: { low: 19, high: 20, lowerBound: true } };
    const bounded = { ...recording, bands: least };
    expect(sentence(cheaper, { bands: least }, "en", bounded)).toContain(
      "instead of 2, −$3.94 (≥ $19.26 instead of ≥ $23.20), 6 more",
    );
    expect(sentence(cheaper, { bands: least }, "zh-CN", bounded)).toContain("−$3.94（≥ $19.26，记录为 ≥ $23.20）");
  });

  it("states no difference between a cost and a lower bound", () => {
    const least = { costUsd: { low: 19, high: 20, lowerBound: true } };
    expect(sentence(cheaper, { bands: least })).toContain(
      "8 compactions instead of 2, ≥ $19.26 instead of $23.20, 6 more",
    );
  });

  it("states no differences if the estimate is not fitted to recorded usage", () => {
    const estimate = { basis: "estimate" as Basis, calibration: undefined };
    expect(sentence(cheaper, estimate)).toBe(
      "Compacting at 91k: 8 compactions, 2 in the recording. Low confidence: the estimate is not fitted to recorded usage, so no differences are given.",
    );
    expect(sentence(cheaper, estimate, "en", { ...recording, basis: "estimate" })).toContain(
      "−$3.94 (−17 %), 6 more re-fetches (+6.1k tokens). Low confidence: the estimate is not fitted to recorded usage. Too",
    );
  });

  it("derives the level of confidence from the calibration's error and doubts", () => {
    const word = (change: Partial<Calibration>, locale: "en" | "zh-CN" = "en") =>
      /(?:High|Moderate|Low) confidence: .*?%?[.](?= |$)|可信度.*?。/u.exec(
        sentence(cheaper, { calibration: { ...calibration, ...change } }, locale),
      )?.[0];
    expect(word({ outOfSampleError: 0.05 })).toBe("High confidence: estimates ±5 %.");
    expect(word({ outOfSampleError: 0.004 })).toBe("High confidence: estimates ±0.4 %.");
    expect(word({ outOfSampleError: 0.051 })).toBe("Moderate confidence: estimates ±5 %.");
    expect(word({ outOfSampleError: 0.2, doubts: ["error"] })).toBe("Low confidence: estimates ±20 %.");
    expect(word({ factor: 4, doubts: ["factor"] })).toBe(
      "Low confidence: estimates ±8 %, fitted with an implausible factor of 4.00.",
    );
    expect(word({ outOfSampleError: 0.2, doubts: ["error"] }, "zh-CN")).toBe("可信度低：估算误差 ±20 %。");
  });
});

describe("the sentence for triggers that are not cheaper", () => {
  const none = (values: Partial<Metrics>, own: MetricBands, locale: "en" | "zh-CN" = "en") => {
    const t = createTranslator({ locale, messages: MESSAGES[locale], namespace: "replay.verdict" });
    const outcome = { metrics: { ...metrics, ...values }, bands: own };
    return noneCheaperText({ tried: 9, isPriced: true, thrashing: 0 }, outcome, t, createFormat(locale));
  };

  it("compares tokens without prices, and excepts triggers that thrash", () => {
    const swept = { tried: 9, isPriced: false, thrashing: 2 };
    const t = createTranslator({ locale: "en", messages: MESSAGES.en, namespace: "replay.verdict" });
    expect(noneCheaperText(swept, { metrics, bands: {} }, t, createFormat("en"))).toContain(
      "None of 9 other triggers tried sends fewer tokens without thrash",
    );
    expect(triggerLead({ ...swept, best: { key: "triggerShare", value: 1 } }, "70k", t)).toBe(
      "Of 9 triggers tried, 70k sends the fewest tokens without thrash:",
    );
  });

  it("states the cost at the best timing, and the share that it saves", () => {
    expect(none({ costUsd: 4, bestUsd: 3 }, {})).toContain("would cost $3.00 (−25\u00a0%)");
  });

  it("marks a lower bound of the best timing, without a percentage", () => {
    const bound = (value: number) => ({ low: value, high: value, lowerBound: true });
    const own = { costUsd: bound(4), bestUsd: bound(3) };
    expect(none({ costUsd: 4, bestUsd: 3 }, own)).toContain("would cost ≥\u00a0$3.00 (−$1.00)");
    expect(none({ costUsd: 4, bestUsd: 3 }, own, "zh-CN")).toContain("≥\u00a0$3.00（−$1.00）");
  });
});
