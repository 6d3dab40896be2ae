import type { DollarRates, PriceEntry } from "./model";
import { entriesFrom, rates } from "./rates";

/**
 * Prices looked up by hand, because the base table lacks them or a needed part, or is wrong. An id in this table is taken only from here.
 * docs/prices.md, "Where the sources disagree", states each decision with its reason. Columns: input, read, 5-minute write, 1-hour write, output.
 */

const anthropic = entriesFrom({
  source: "platform.claude.com, about-claude/pricing, as of 2026-08-22",
  seen: "2026-11-22",
});
const anthropicNew = entriesFrom({ source: "@earendil-works/pi-ai 1.5.2, pricing of Anthropic", seen: "2026-11-22" });
const openai = entriesFrom({ source: "models.dev, @pydantic/genai-prices 0.1.8", seen: "2026-11-22" });
const openaiNew = entriesFrom({ source: "@earendil-works/pi-ai 1.5.2, pricing of OpenAI", seen: "2026-11-22" });
const modelsDev = entriesFrom({ source: "models.dev, 2026-07-02", seen: "2026-11-22" });
const genai = entriesFrom({ source: "@pydantic/genai-prices 0.1.8", seen: "2026-11-22" });
const deepSeek = entriesFrom({
  source: "api-docs.deepseek.com, quick_start/pricing as of September 2025, and news/news250929",
  seen: "2026-11-30",
});
const piAi = entriesFrom({ source: "@earendil-works/pi-ai 1.5.2", seen: "2026-11-22" });

/** Requests that must be answered within the United States cost a tenth more, from Claude 4.6 on. Source: platform.claude.com, data residency. */
const RESIDENCY = { usOnly: 1.1 };
/** The day on which Opus and Sonnet 4.6 lost the surcharge for long requests. */
const FLAT_SINCE = "2026-03-13";
/** From GPT-5.6 on the cache TTL is at least 30 minutes. Source: developers.openai.com, prompt caching. */
const HALF_AN_HOUR = { lifetime: 30 * 60_000 };

/**
 * OpenAI's priority tier, named fast mode since July 2026, by model. Read on 2026-11-28 at openai.com/api-priority-processing (GPT-5 to 5.5) and in
 * the fast tables of developers.openai.com/api/docs/pricing as listed by models.dev (GPT-5.6, GPT-6 Astra). The tables list one factor for input,
 * cached input and output alike.
 */
const PRIORITY = { fast: 2 };
const PRIORITY_5_5 = { fast: 2.5 };
const PRIORITY_5_MINI = { fast: 1.8 };
/** o3's priority prices are 3.50, 0.875 and 14. */
const PRIORITY_O3 = { fast: 1.75 };

/** OpenAI's rates with a tier for long requests: input costs twice as much, output 1.5 times. */
function withLong(short: DollarRates): readonly DollarRates[] {
  const { input, output, read, write5m } = short;
  const long = rates(input * 2, (read ?? 0) * 2, write5m === undefined ? null : write5m * 2, null, output * 1.5);
  return [short, { ...long, from: 272_000 }];
}

const ANTHROPIC: readonly PriceEntry[] = [
  anthropic("anthropic", ["claude-fable-5", "claude-mythos-5"], [rates(10, 1, 12.5, 20, 50)], RESIDENCY),
  anthropic("anthropic", ["claude-fable-5-1", "claude-mythos-5-1"], [rates(10, 0.25, 12.5, 20, 50)], RESIDENCY),
  anthropicNew("anthropic", ["claude-fable-5-2"], [rates(8, 0.2, 10, 16, 40)], RESIDENCY),
  genai("anthropic", ["claude-opus-5-5"], [rates(4, 0.2, 5, 8, 20)], RESIDENCY),
  anthropic("anthropic", ["claude-opus-5", "claude-opus-4-8"], [rates(5, 0.5, 6.25, 10, 25)], {
    ...RESIDENCY,
    fast: 2,
  }),
  anthropic("anthropic", ["claude-opus-4-7"], [rates(5, 0.5, 6.25, 10, 25)], RESIDENCY),
  anthropic(
    "anthropic",
    ["claude-opus-4-6"],
    [
      { until: FLAT_SINCE, tiers: [rates(5, 0.5, 6.25, 10, 25), rates(10, 1, 12.5, 20, 37.5, 200_001)] },
      { from: FLAT_SINCE, tiers: [rates(5, 0.5, 6.25, 10, 25)] },
    ],
    { ...RESIDENCY, fast: 6 },
  ),
  anthropic("anthropic", ["claude-opus-4-5"], [rates(5, 0.5, 6.25, 10, 25)]),
  anthropic("anthropic", ["claude-opus-4-1", "claude-opus-4"], [rates(15, 1.5, 18.75, 30, 75)]),
  anthropicNew("anthropic", ["claude-sonnet-5-5"], [rates(2, 0.1, 2.5, 4, 10)], RESIDENCY),
  anthropic("anthropic", ["claude-sonnet-5"], [rates(2, 0.2, 2.5, 4, 10)], RESIDENCY),
  anthropic(
    "anthropic",
    ["claude-sonnet-4-6"],
    [
      { until: FLAT_SINCE, tiers: [rates(3, 0.3, 3.75, 6, 15), rates(6, 0.6, 7.5, 12, 22.5, 200_001)] },
      { from: FLAT_SINCE, tiers: [rates(3, 0.3, 3.75, 6, 15)] },
    ],
    RESIDENCY,
  ),
  anthropic(
    "anthropic",
    ["claude-sonnet-4-5", "claude-sonnet-4"],
    [rates(3, 0.3, 3.75, 6, 15), rates(6, 0.6, 7.5, 12, 22.5, 200_001)],
  ),
  anthropicNew(
    "anthropic",
    ["claude-haiku-5-5"],
    [rates(0.1, 0.01, 0.125, 0.2, 0.5), rates(0.5, 0.05, 0.625, 1, 2.5, 100_001)],
    RESIDENCY,
  ),
  anthropic("anthropic", ["claude-haiku-4-5"], [rates(1, 0.1, 1.25, 2, 5)]),
  anthropic("anthropic", ["claude-3-5-haiku"], [rates(0.8, 0.08, 1, 1.6, 4)]),
  genai("anthropic", ["claude-3-sonnet"], [rates(3, 0.3, 3.75, 6, 15)]),
];

const OPENAI: readonly PriceEntry[] = [
  openai(
    "openai",
    ["gpt-5", "gpt-5-codex", "gpt-5.1", "gpt-5.1-codex"],
    [rates(1.25, 0.125, null, null, 10)],
    PRIORITY,
  ),
  openai("openai", ["gpt-5.1-codex-max"], [rates(1.25, 0.125, null, null, 10)]),
  openai("openai", ["gpt-5-mini"], [rates(0.25, 0.025, null, null, 2)], PRIORITY_5_MINI),
  openai("openai", ["gpt-5.1-codex-mini"], [rates(0.25, 0.025, null, null, 2)]),
  openai("openai", ["gpt-5.2"], [rates(1.75, 0.175, null, null, 14)], PRIORITY),
  openai("openai", ["gpt-5.2-codex"], [rates(1.75, 0.175, null, null, 14)]),
  // Its priority factor: ccusage, fast-multiplier-overrides.json at 09a32683.
  openai("openai", ["gpt-5.3-codex"], [rates(1.75, 0.175, null, null, 14)], PRIORITY),
  modelsDev("openai", ["gpt-5.3-codex-spark"], [rates(1.75, 0.175, null, null, 14)]),
  openai("openai", ["gpt-5.4"], withLong(rates(2.5, 0.25, null, null, 15)), PRIORITY),
  genai("openai", ["gpt-5.4-mini"], [rates(0.75, 0.075, null, null, 4.5)], PRIORITY),
  openai("openai", ["gpt-5.5"], withLong(rates(5, 0.5, null, null, 30)), PRIORITY_5_5),
  genai(
    "openai",
    ["gpt-5.6-sol", "gpt-5-6-sol", "gpt-5.6", "gpt-5-6"],
    [
      { until: "2026-08-21", tiers: withLong(rates(5, 0.5, 6.25, null, 30)) },
      { from: "2026-08-21", tiers: withLong(rates(4, 0.4, 5, null, 20)) },
    ],
    { ...HALF_AN_HOUR, ...PRIORITY },
  ),
  genai(
    "openai",
    ["gpt-5.6-terra", "gpt-5-6-terra"],
    [
      { until: "2026-07-30", tiers: withLong(rates(2.5, 0.25, 3.125, null, 15)) },
      { from: "2026-07-30", tiers: withLong(rates(2, 0.2, 2.5, null, 12)) },
    ],
    { ...HALF_AN_HOUR, ...PRIORITY },
  ),
  genai(
    "openai",
    ["gpt-5.6-luna", "gpt-5-6-luna"],
    [
      { until: "2026-07-30", tiers: withLong(rates(1, 0.1, 1.25, null, 6)) },
      { from: "2026-07-30", tiers: withLong(rates(0.2, 0.02, 0.25, null, 1.2)) },
    ],
    { ...HALF_AN_HOUR, ...PRIORITY },
  ),
  openaiNew("openai", ["gpt-6-astra"], withLong(rates(10, 1, 12.5, null, 50)), {
    ...HALF_AN_HOUR,
    ...PRIORITY,
  }),
  openaiNew("openai", ["gpt-6-sol"], withLong(rates(2, 0.2, 2.5, null, 10)), HALF_AN_HOUR),
  openaiNew("openai", ["gpt-6-luna"], withLong(rates(0.1, 0.01, 0.125, null, 0.5)), HALF_AN_HOUR),
  openaiNew("openai", ["gpt-6.1-sol"], withLong(rates(2, 0.1, 2.5, null, 10)), HALF_AN_HOUR),
  openaiNew("openai", ["gpt-6.1-terra"], withLong(rates(1, 0.05, 1.25, null, 5)), HALF_AN_HOUR),
  genai(
    "openai",
    ["o3"],
    [
      { until: "2025-06-10", tiers: [rates(10, 0.5, null, null, 40)] },
      { from: "2025-06-10", tiers: [rates(2, 0.5, null, null, 8)] },
    ],
    PRIORITY_O3,
  ),
];

/** DeepSeek's rates with peak hours (in UTC), at which they double since the prices changed. */
function withPeaks(usual: DollarRates): PriceEntry["rates"] {
  const { input, read = 0, output } = usual;
  const from = "2026-08-17";
  const tiers = [rates(input * 2, read * 2, null, null, output * 2)];
  return [
    { from, tiers: [usual] },
    { from, minutes: [60, 240], tiers },
    { from, minutes: [360, 600], tiers },
  ];
}

const UNIFIED_SINCE = "2025-09-05T16:00:00Z";
const V3_2_SINCE = "2025-09-29";
const V4_SINCE = "2026-04-24";
const V4_FLASH = rates(0.14, 0.0028, null, null, 0.28);

/** DeepSeek's two names without a version, whose prices changed with the model behind them; since V4 they are aliases of `deepseek-v4-flash`. */
function unversioned(night: DollarRates, day: DollarRates): PriceEntry["rates"] {
  return [
    { until: UNIFIED_SINCE, tiers: [night] },
    { until: UNIFIED_SINCE, minutes: [30, 990], tiers: [day] },
    { from: UNIFIED_SINCE, until: V3_2_SINCE, tiers: [rates(0.56, 0.07, null, null, 1.68)] },
    { from: V3_2_SINCE, until: V4_SINCE, tiers: [rates(0.28, 0.028, null, null, 0.42)] },
    { from: V4_SINCE, until: "2026-08-17", tiers: [V4_FLASH] },
    ...withPeaks(rates(0.22, 0.007, null, null, 0.66)),
  ];
}

/** xAI's rates, which double for requests of 200,000 tokens or more. */
function withDouble(short: DollarRates): readonly DollarRates[] {
  const { input, read = 0, output } = short;
  return [short, rates(input * 2, read * 2, null, null, output * 2, 200_000)];
}

const OTHERS: readonly PriceEntry[] = [
  genai("other", ["gemini-2.5-pro"], [rates(1.25, 0.125, null, null, 10), rates(2.5, 0.25, null, null, 15, 200_001)]),
  genai(
    "other",
    ["gemini-3-pro-preview", "gemini-3-pro", "gemini-3.1-pro-preview", "gemini-3.1-pro"],
    [rates(2, 0.2, null, null, 12), rates(4, 0.4, null, null, 18, 200_001)],
  ),
  genai("other", ["gemini-2.5-flash"], [rates(0.3, 0.03, null, null, 2.5)]),
  genai("other", ["gemini-2.5-flash-lite"], [rates(0.1, 0.01, null, null, 0.4)]),
  genai("other", ["gemini-3-flash-preview", "gemini-3-flash"], [rates(0.5, 0.05, null, null, 3)]),
  genai("other", ["gemini-3.5-flash"], [rates(1.5, 0.15, null, null, 9)]),
  piAi("other", ["gemini-4-argon"], [rates(2, 0.1, null, null, 10)]),
  modelsDev("other", ["qwen3-coder-plus"], [rates(1, null, null, null, 5)]),
  modelsDev(
    "other",
    ["qwen3.6-plus", "qwen3.7-plus"],
    [rates(0.5, 0.05, 0.625, null, 3), rates(2, 0.2, 2.5, null, 6, 256_001)],
  ),
  modelsDev("other", ["qwen3.6-max"], [rates(1.3, 0.13, 1.625, null, 7.8)]),
  modelsDev("other", ["qwen3.7-max"], [rates(2.5, 0.5, 3.125, null, 7.5)]),
  deepSeek(
    "other",
    ["deepseek-chat"],
    unversioned(rates(0.135, 0.035, null, null, 0.55), rates(0.27, 0.07, null, null, 1.1)),
  ),
  deepSeek(
    "other",
    ["deepseek-reasoner"],
    unversioned(rates(0.135, 0.035, null, null, 0.55), rates(0.55, 0.14, null, null, 2.19)),
  ),
  genai(
    "other",
    ["deepseek-v4-flash"],
    [{ until: "2026-08-17", tiers: [V4_FLASH] }, ...withPeaks(rates(0.22, 0.007, null, null, 0.66))],
  ),
  genai(
    "other",
    ["deepseek-v4-pro"],
    [
      { until: "2026-08-17", tiers: [rates(0.435, 0.003625, null, null, 0.87)] },
      ...withPeaks(rates(0.66, 0.022, null, null, 1.98)),
    ],
  ),
  genai("other", ["grok-4.3"], withDouble(rates(1.25, 0.2, null, null, 2.5))),
  genai("other", ["grok-4.5"], withDouble(rates(2, 0.3, null, null, 6))),
  genai("other", ["grok-4.6"], withDouble(rates(2, 0.5, null, null, 6))),
  piAi("other", ["grok-4.7"], withDouble(rates(2, 0.5, null, null, 6))),
  genai("other", ["grok-code-fast-1"], [rates(0.2, 0.02, null, null, 1.5)]),
  genai("other", ["kimi-k2"], [rates(0.6, 0.15, null, null, 2.5)]),
  genai("other", ["kimi-k2.5"], [rates(0.6, 0.1, null, null, 3)]),
  genai("other", ["kimi-k2.6"], [rates(0.95, 0.16, null, null, 4)]),
  genai("other", ["kimi-k2.7-code"], [rates(0.95, 0.19, null, null, 4)]),
  genai("other", ["kimi-k3"], [rates(3, 0.3, null, null, 15)]),
  piAi("other", ["kimi-k3.1-pro"], [rates(2, 0.2, null, null, 10)]),
  modelsDev("other", ["glm-4.5", "glm-4.6", "glm-4.7"], [rates(0.6, 0.11, null, null, 2.2)]),
  modelsDev("other", ["glm-5"], [rates(1, 0.2, null, null, 3.2)]),
  modelsDev("other", ["glm-5.1", "glm-5.2", "glm-5.3"], [rates(1.4, 0.26, null, null, 4.4)]),
];

/** All prices looked up by hand. */
export const OWN_TABLE: readonly PriceEntry[] = [...ANTHROPIC, ...OPENAI, ...OTHERS];
