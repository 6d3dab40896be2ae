import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BASE_TABLE } from "./base-table";
import type { PriceEntry, Rates } from "./model";
import { plainModelId, spellingsOf } from "./model-id";
import { OWN_TABLE } from "./own-table";
import { LISTED_PRICES, PriceList } from "./price-list";
import { ratesFor } from "./rates-at";
import { knownWindow, OWN_WINDOWS } from "./windows";

const at = (day: string) => Date.parse(day);
const LATEST = at("2026-11-22");

function ratesOf(model: string, sent = 1000, time = LATEST): Rates | undefined {
  const entry = LISTED_PRICES.find(model);
  return entry === undefined ? undefined : ratesFor(entry, time, sent);
}

/** Dollars per million tokens: input, read, 5-minute write, 1-hour write, output. */
function dollars(model: string, sent?: number, time?: number): readonly number[] | undefined {
  const rates = ratesOf(model, sent, time);
  return rates && [rates.input, rates.read, rates.write5m, rates.write1h, rates.output].map((price) => price / 1e6);
}

describe("spellings of a model's name", () => {
  it.each([
    ["claude-opus-4-5-20251101", "claude-opus-4-5"],
    ["anthropic/claude-opus-4-6", "claude-opus-4-6"],
    ["openrouter/anthropic/claude-opus-4-6", "claude-opus-4-6"],
    ["claude-sonnet-4-5[1m]", "claude-sonnet-4-5"],
    ["claude-sonnet-4-5-20250929[1m]", "claude-sonnet-4-5"],
    ["claude-3-7-sonnet-latest", "claude-3-7-sonnet"],
    ["gemini-3.1-pro-preview-customtools", "gemini-3.1-pro-preview"],
    ["claude-sonnet-4-0", "claude-sonnet-4"],
    ["claude-opus-4-0", "claude-opus-4"],
    ["claude-sonnet-4-20250514", "claude-sonnet-4"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["anthropic.claude-opus-4-1-20250805-v1:0", "claude-opus-4-1"],
    ["claude-sonnet-4-5@20250929", "claude-sonnet-4-5"],
    ["claude-haiku-4-5@default", "claude-haiku-4-5"],
    ["publishers/anthropic/models/claude-haiku-4-5@20251001", "claude-haiku-4-5"],
    ["claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["anthropic/claude-opus-4.6", "claude-opus-4-6"],
    ["github-copilot/claude-haiku-4.5", "claude-haiku-4-5"],
    ["claude-3.7-sonnet", "claude-3-7-sonnet"],
    ["claude-3-5-sonnet", "claude-3-5-sonnet"],
    ["claude-sonnet-3.7", "claude-3-7-sonnet"],
    ["claude-sonnet-3-7-20250219", "claude-3-7-sonnet"],
    ["claude-haiku-3-5", "claude-3-5-haiku"],
    ["anthropic--claude-4.5-sonnet", "claude-sonnet-4-5"],
    ["claude-4-sonnet", "claude-sonnet-4"],
    ["claude-opus-41", "claude-opus-4-1"],
    ["claude-opus-4-5-thinking", "claude-opus-4-5"],
    ["claude-opus-4-5-20251101-thinking", "claude-opus-4-5"],
    ["claude-3.7-sonnet-thought", "claude-3-7-sonnet"],
    ["claude-4.6-opus-high-thinking", "claude-opus-4-6"],
    ["gpt-5.1-codex-max-xhigh", "gpt-5.1-codex-max"],
    ["gemini-3-pro-low", "gemini-3-pro"],
    ["gemini-2.0-flash-001", "gemini-2.0-flash"],
    ["openrouter/anthropic/claude-3.7-sonnet:thinking", "claude-3-7-sonnet"],
    ["anthropic/claude-3.5-haiku:beta", "claude-3-5-haiku"],
    ["anthropic/claude-sonnet-4.5:nitro", "claude-sonnet-4-5"],
    ["openrouter/openai/gpt-5.2:floor", "gpt-5.2"],
    ["moonshotai/kimi-k2-thinking:exacto", "kimi-k2-thinking"],
    ["anthropic/claude-sonnet-4.5:thinking:nitro", "claude-sonnet-4-5"],
    ["databricks-claude-sonnet-4-5", "claude-sonnet-4-5"],
    ["databricks/databricks-claude-opus-4-6", "claude-opus-4-6"],
    ["databricks-claude-3-7-sonnet", "claude-3-7-sonnet"],
    ["system.ai.claude-haiku-4-5", "claude-haiku-4-5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]", "claude-sonnet-4-5"],
    ["claude-opus-4.6-1m", "claude-opus-4-6"],
    ["eu.anthropic.claude-opus-4-7", "claude-opus-4-7"],
    ["apac.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4"],
    ["global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
    ["us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["anthropic.claude-3-5-sonnet-20241022-v2:0:200k", "claude-3-5-sonnet"],
    ["arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
    ["arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1", "claude-opus-4-6"],
    ["bedrock/converse/us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5"],
    ["vertex_ai/claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet"],
    ["azure/gpt-5", "gpt-5"],
    ["gpt-5.5-2026-04-23", "gpt-5.5"],
    ["zai-org/GLM-4.6", "glm-4.6"],
    ["minimax/minimax-m2.7", "minimax-m2.7"],
    ["poe/Claude-Sonnet-4.5", "claude-sonnet-4-5"],
    ["Claude-3.7-Sonnet-Thinking", "claude-3-7-sonnet"],
    ["anthropic:claude-sonnet-4-5", "claude-sonnet-4-5"],
    ["bedrock:us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["GPT-5.1-Codex", "gpt-5.1-codex"],
  ])("%s is read as %s", (written, plain) => {
    expect(plainModelId(written)).toBe(plain);
    expect(LISTED_PRICES.find(written)).toBeDefined();
  });

  it("are tried as written before the id is shortened", () => {
    expect(spellingsOf("mistral-medium-latest")).toEqual(["mistral-medium-latest", "mistral-medium"]);
    expect(dollars("mistral-medium-latest")?.[0]).toBe(1.5);
    expect(dollars("mistral-medium")?.[0]).toBe(0.4);
  });

  it("keep the price of every listed id under every gateway's spelling", () => {
    const before = ["", "anthropic/", "openrouter/anthropic/", "vertex_ai/", "models/", "publishers/x/models/"];
    const bedrock = [
      "anthropic.",
      "us.anthropic.",
      "bedrock/apac.anthropic.",
      "arn:aws:bedrock:a:1:inference-profile/global.anthropic.",
    ];
    const gateway = fc.constantFrom(
      ...before.map((prefix) => [prefix, ""]),
      ...bedrock.map((prefix) => [prefix, "-v1:0"]),
    );
    const spelling = fc.record({
      id: fc.constantFrom(...LISTED_PRICES.ids),
      gateway,
      dots: fc.boolean(),
      kindLast: fc.boolean(),
      thinking: fc.constantFrom("", "-thinking", "-high", "-20250101"),
      million: fc.constantFrom("", "[1m]"),
    });
    fc.assert(
      fc.property(spelling, ({ id, gateway: [prefix = "", suffix = ""], dots, kindLast, thinking, million }) => {
        const claude = /^claude-([a-z]+)-([4-9])(?:-(\d))?$/.exec(id);
        const [, kind, major, minor] = claude ?? [];
        const version = minor === undefined ? major : `${major}${dots ? "." : "-"}${minor}`;
        const name = claude === null ? id : kindLast ? `claude-${version}-${kind}` : `claude-${kind}-${version}`;
        const written =
          claude === null
            ? `${prefix.includes("anthropic.") ? "" : prefix}${id}`
            : `${prefix}${name}${thinking}${suffix}${million}`;
        expect(LISTED_PRICES.find(written), written).toBe(LISTED_PRICES.find(id));
      }),
      { numRuns: 2000 },
    );
  });

  it("turn a listed id into one with other prices only in known cases", () => {
    const pricesOf = (id: string) => JSON.stringify(LISTED_PRICES.find(id)?.rates);
    const others = LISTED_PRICES.ids.flatMap((id) => {
      const [own, ...plainer] = spellingsOf(id);
      expect(own).toBe(id);
      return plainer
        .filter((name) => LISTED_PRICES.ids.includes(name) && pricesOf(name) !== pricesOf(id))
        .map((name) => `${id} ${name}`);
    });
    expect(others.sort()).toEqual([
      "gpt-4o-2024-05-13 gpt-4o",
      "ministral-8b-latest ministral-8b",
      "mistral-medium-latest mistral-medium",
    ]);
  });

  it("leave a similar name, a new model and an empty name without a price", () => {
    const unknown = [
      ...["claude-sonnet-5-9", "claude-sonnet", "gpt-5.9", "gpt-5.3-codex-max", "coder-model", "", "opus"],
      ...[
        "arn:aws:bedrock:eu-west-1:1:application-inference-profile/abc123def",
        "azure/my-gpt-5",
        "my-claude-opus-4-6",
      ],
      ...["arn:aws:bedrock:eu-west-1:1:application-inference-profile/gpt-5", "claude-opus-4-6-fast", "x.gpt-5"],
      ...[
        "openai/gpt-5:extended",
        "databricks-gpt-oss-120b",
        "qwen/qwen-plus:thinking",
        "claude-opus-4-6-v1:0",
        "claude-9-opus",
        "claude-4.5.1-sonnet",
        "claude-opus-4.6.1",
      ],
    ];
    for (const model of unknown) expect(LISTED_PRICES.find(model), model).toBeUndefined();
  });

  it("make OpenRouter's free variants cost nothing, unless the user's own prices have the name", () => {
    expect(dollars("z-ai/glm-4.5-air:free")).toEqual([0, 0, 0, 0, 0]);
    expect(dollars("unknown/model:free")).toEqual([0, 0, 0, 0, 0]);
    expect(LISTED_PRICES.find("free")).toBeUndefined();
    const [entry] = OWN_TABLE;
    if (entry === undefined) throw new Error("the table is empty");
    const own = { ...entry, ids: ["unknown/model:free"] };
    expect(new PriceList([BASE_TABLE, [own]]).find("unknown/model:free")).toBe(own);
  });

  it("never give a model the price of a similarly named one", () => {
    expect(dollars("claude-sonnet-5-5")).toEqual([2, 0.1, 2.5, 4, 10]);
    expect(dollars("claude-sonnet-5")).toEqual([2, 0.2, 2.5, 4, 10]);
  });
});

describe("the price table", () => {
  it("holds over 150 models, with positive prices in whole micro-dollars", () => {
    expect(LISTED_PRICES.ids.length).toBeGreaterThan(150);
    for (const { ids, rates } of [...BASE_TABLE, ...OWN_TABLE]) {
      for (const tier of rates.flatMap(({ tiers }) => tiers)) {
        for (const price of [tier.input, tier.output, tier.read, tier.write5m, tier.write1h]) {
          if (price === undefined) continue;
          expect(price, ids[0]).toBeGreaterThan(0);
          expect(price * 1e6, ids[0]).toBeCloseTo(Math.round(price * 1e6), 4);
        }
      }
    }
  });

  it("has the cache TTL of OpenAI's models from GPT-5.6 on, in every spelling", () => {
    const newer = LISTED_PRICES.ids.filter((id) => /^gpt-(?:5[.-](?:[6-9]|\d\d)|[6-9]|\d\d)(?:\D|$)/.test(id));
    expect(newer.length).toBeGreaterThan(8);
    expect(newer.filter((id) => LISTED_PRICES.find(id)?.lifetime !== 30 * 60_000)).toEqual([]);
  });

  it("states the source and day of every price", () => {
    for (const { source, seen } of [...BASE_TABLE, ...OWN_TABLE]) {
      expect(source).not.toBe("");
      expect(seen).toMatch(/^2026-\d\d-\d\d$/);
    }
  });

  it("has ordered tiers per time range, one for every size, and no gap between ranges", () => {
    for (const { ids, rates } of [...BASE_TABLE, ...OWN_TABLE]) {
      for (const { tiers } of rates) {
        expect(tiers[0]?.from, ids[0]).toBe(0);
        expect(tiers.map(({ from }) => from)).toEqual([...tiers.map(({ from }) => from)].sort((a, b) => a - b));
      }
      const days = rates.filter(({ minutes }) => minutes === undefined);
      for (const [index, { until }] of days.entries()) expect(until).toBe(days[index + 1]?.from);
    }
  });

  it("lists each id once", () => {
    for (const table of [BASE_TABLE, OWN_TABLE]) {
      const ids = table.flatMap((entry) => entry.ids);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it("prices one-hour writes at twice the input, only for Anthropic's models", () => {
    for (const { ids, provider, rates } of OWN_TABLE) {
      for (const { input, write1h } of rates.flatMap(({ tiers }) => tiers)) {
        if (provider === "anthropic") expect(write1h, ids[0]).toBeCloseTo(2 * input, 9);
        else expect(write1h, ids[0]).toBeUndefined();
      }
    }
  });

  it("does not repeat another table's wrong one-hour price of Claude 3", () => {
    expect(dollars("claude-3-haiku-20240307")?.[3]).toBe(0.5);
    expect(dollars("claude-3-opus-20240229")?.[3]).toBe(30);
    expect(dollars("claude-3-sonnet-20240229")).toEqual([3, 0.3, 3.75, 6, 15]);
  });

  it("prices cached tokens as other input if no cache price is listed", () => {
    expect(dollars("gpt-5")).toEqual([1.25, 0.125, 1.25, 1.25, 10]);
    expect(dollars("gpt-5-pro")).toEqual([15, 15, 15, 15, 120]);
    expect(dollars("gpt-6.1-sol")).toEqual([2, 0.1, 2.5, 2.5, 10]);
  });
});

describe("rates of a request", () => {
  it("depend on the size of the whole request", () => {
    expect(dollars("gpt-5.5", 271_999)?.[0]).toBe(5);
    expect(dollars("gpt-5.5", 272_000)).toEqual([10, 1, 10, 10, 45]);
    expect(dollars("gpt-6-sol", 272_000)).toEqual([4, 0.4, 5, 5, 15]);
    expect(dollars("claude-haiku-5-5", 100_000)?.[0]).toBe(0.1);
    expect(dollars("claude-haiku-5-5", 100_001)).toEqual([0.5, 0.05, 0.625, 1, 2.5]);
    expect(dollars("gemini-2.5-pro", 200_000)?.[0]).toBe(1.25);
    expect(dollars("gemini-2.5-pro", 200_001)?.[0]).toBe(2.5);
    expect(dollars("grok-4.5", 200_000)?.[0]).toBe(4);
  });

  it("depend on the day of the request, first day included and last excluded", () => {
    const before = at("2026-03-12T23:59:59.999Z");
    expect(dollars("claude-opus-4-6", 250_000, before)).toEqual([10, 1, 12.5, 20, 37.5]);
    expect(dollars("claude-opus-4-6", 250_000, at("2026-03-13"))).toEqual([5, 0.5, 6.25, 10, 25]);
    expect(dollars("gpt-5.6-luna", 1000, at("2026-07-29"))?.[0]).toBe(1);
    expect(dollars("gpt-5.6-luna", 1000, at("2026-07-30"))?.[0]).toBe(0.2);
  });

  it("have no surcharge for long requests after the day that ended it", () => {
    for (const model of ["claude-opus-4-7", "claude-opus-4-8", "claude-opus-5", "claude-sonnet-5", "claude-fable-5"])
      expect(dollars(model, 900_000)).toEqual(dollars(model, 1000));
  });

  it("depend on the hour if prices have hours", () => {
    expect(dollars("deepseek-v4-flash", 1000, at("2026-09-01T00:59:59Z"))?.[0]).toBe(0.22);
    expect(dollars("deepseek-v4-flash", 1000, at("2026-09-01T01:00:00Z"))?.[0]).toBe(0.44);
    expect(dollars("deepseek-v4-flash", 1000, at("2026-09-01T04:00:00Z"))?.[0]).toBe(0.22);
    expect(dollars("deepseek-v4-flash", 1000, at("2026-08-01T02:00:00Z"))?.[0]).toBe(0.14);
    expect(dollars("deepseek-chat", 1000, at("2025-09-05T15:00:00Z"))?.[0]).toBe(0.27);
    expect(dollars("deepseek-chat", 1000, at("2025-09-05T17:00:00Z"))?.[0]).toBe(0.56);
    expect(dollars("deepseek-reasoner", 1000, at("2026-02-01T02:00:00Z"))?.[0]).toBe(0.28);
    expect(dollars("deepseek-chat", 1000, at("2026-07-01T02:00:00Z"))?.[0]).toBe(0.14);
  });

  it("are known for a request without a time only if the prices never changed", () => {
    expect(dollars("claude-opus-4-5", 1000, Number.NaN)?.[0]).toBe(5);
    expect(dollars("claude-opus-4-6", 1000, Number.NaN)).toBeUndefined();
  });
});

describe("conflicts between the sources", () => {
  /** Ids whose current prices differ between the two tables at one of these sizes. docs/prices.md states the decisions. */
  it("are exactly the known conflicts", () => {
    const base = new PriceList([BASE_TABLE]);
    const sizes = [1, 100_001, 200_000, 200_001, 256_001, 272_000];
    const differs = (entry: PriceEntry, id: string) => {
      const other = base.find(id);
      const same = (sent: number) =>
        JSON.stringify(ratesFor(entry, LATEST, sent)) === JSON.stringify(other && ratesFor(other, LATEST, sent));
      return other !== undefined && !sizes.every(same);
    };
    const found = OWN_TABLE.flatMap((entry) => entry.ids.filter((id) => differs(entry, id)));
    expect(found.sort()).toEqual([
      "claude-sonnet-4",
      "deepseek-chat",
      "deepseek-reasoner",
      "gpt-6-luna",
      "gpt-6-sol",
      "kimi-k2",
    ]);
  });
});

describe("context windows", () => {
  it("are those of the model under any gateway's name", () => {
    const tokensOf = (model: string) => knownWindow(model)?.tokens;
    expect(tokensOf("anthropic/claude-opus-4.8")).toBe(1_000_000);
    expect(tokensOf("global.anthropic.claude-opus-5-v1")).toBe(1_000_000);
    expect(tokensOf("us.anthropic.claude-haiku-4-5-20251001-v1:0")).toBe(200_000);
    expect(tokensOf("claude-sonnet-4-0")).toBe(200_000);
    expect(tokensOf("claude-opus-4.6-1m")).toBe(1_000_000);
    expect(tokensOf("models/gemini-2.5-pro")).toBe(1_048_576);
    expect(tokensOf("z-ai/glm-4.6")).toBe(204_800);
    expect(tokensOf("minimax/minimax-m2.7")).toBe(204_800);
    expect(tokensOf("claude-acme")).toBeUndefined();
    expect(tokensOf("my-gpt-5")).toBeUndefined();
  });

  it("are marked as assumed if the model has a larger one too", () => {
    const assumed = { tokens: 200_000, larger: 1_000_000, isAssumed: true };
    for (const model of ["claude-opus-4-6", "claude-sonnet-4.6"]) expect(knownWindow(model)).toMatchObject(assumed);
    expect(knownWindow("claude-sonnet-4-5-20250929")).toMatchObject({ tokens: 200_000, larger: 1_000_000 });
    expect(knownWindow("claude-haiku-4-5")).toEqual({ tokens: 200_000 });
  });

  it("list each id once, and state source and day", () => {
    const ids = OWN_WINDOWS.flatMap((entry) => entry.ids);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { source, seen } of OWN_WINDOWS) {
      expect(source).not.toBe("");
      expect(seen).toMatch(/^2026-\d\d-\d\d$/);
    }
  });

  it("are known for every Claude model with a price", () => {
    const claude = LISTED_PRICES.ids.filter((id) => id.startsWith("claude-"));
    expect(claude.filter((id) => knownWindow(id) === undefined)).toEqual([]);
  });

  it("differ from those of the base table only for the known ids", () => {
    const base = new Map(BASE_TABLE.flatMap(({ ids, window }) => ids.map((id) => [id, window] as const)));
    const differing = OWN_WINDOWS.flatMap(({ ids, tokens }) =>
      ids.filter((id) => base.get(id) !== undefined && base.get(id) !== tokens),
    );
    expect(differing.sort()).toEqual([
      ...["claude-opus-4-6", "claude-sonnet-4-6", "deepseek-chat", "deepseek-reasoner"],
      ...["gemini-2.0-flash", "gemini-2.0-flash-lite", "gemini-2.5-flash-lite", "gemini-3-flash-preview"],
      ...["gemini-3.1-flash-lite", "gemini-3.5-flash", "gemini-3.5-flash-lite"],
      ...["gemini-3.6-flash", "gemini-3.7-flash", "gemini-3.8-flash"],
      ...["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-nano", "gpt-5.5", "gpt-5.5-pro"],
    ]);
  });
});
