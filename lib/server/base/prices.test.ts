import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { pricesAnswer } from "@/lib/queries/contract/schemas";
import { temporaryFolder } from "../testing/files";
import { ask } from "../testing/routes";

const OWN =
  '{"rows": [{"model": "my-model", "input": 1, "output": 5},\n {"model": "claude-opus-4-5", "input": 4, "output": 20}]}';

/** Prices are loaded once per process, so every test runs in its own. */
async function fresh() {
  vi.resetModules();
  return { ...(await import("./prices")), route: (await import("../testing/routes")).routeOf("GET", "/api/prices") };
}

let home = "";
beforeEach(() => {
  home = temporaryFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", "");
});
afterEach(() => vi.unstubAllEnvs());

function usual(text: string): void {
  const folder = join(home, ".config", "context-replay");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "prices.json"), text);
}

describe("current prices", () => {
  it("are the list prices if the user has no list", async () => {
    const { defaultPrices, ownPriceList } = await fresh();
    expect([defaultPrices().find("my-model"), ownPriceList()]).toEqual([undefined, null]);
    expect(defaultPrices().find("claude-opus-4-5")?.source).not.toContain("your own");
  });

  it("come from the default file, from serve's file, or from a command's file", async () => {
    usual(OWN);
    expect((await fresh()).defaultPrices().find("my-model")?.source).toBe("your own list of prices");
    const other = join(home, "other.json");
    writeFileSync(other, OWN.replace("my-model", "another"));
    const named = await fresh();
    expect(named.pricesOf(other).find("another")).toBeDefined();
    expect(named.pricesOf(undefined).find("another")).toBeUndefined();
    vi.stubEnv("CONTEXT_REPLAY_PRICES", other);
    const served = await fresh();
    expect(served.usablePrices().find("another")).toBeDefined();
    expect([served.usablePrices().find("my-model"), served.ownPriceList()]).toEqual([
      undefined,
      { name: "other.json", problem: null },
    ]);
  });

  it.each([
    ['{"rows": [\n {"model": "m", "input": -1, "output": 5}]}', /^prices\.json: line 2: rows\[0\]\.input: .*\.$/],
    ["{", /^prices\.json: line 1: it is not JSON\.$/],
  ])("stay the list prices for the invalid file %j, and a sentence names the error", async (text, sentence) => {
    usual(text);
    const { usablePrices, defaultPrices, ownPriceList } = await fresh();
    expect(usablePrices().find("claude-opus-4-5")).toBeDefined();
    expect(ownPriceList()?.problem).toMatch(sentence);
    expect(() => defaultPrices()).toThrow("prices.json");
  });

  it("stay the list prices if the file given to serve is missing", async () => {
    vi.stubEnv("CONTEXT_REPLAY_PRICES", join(home, "nowhere.json"));
    const { usablePrices, ownPriceList } = await fresh();
    expect(usablePrices().find("claude-opus-4-5")).toBeDefined();
    expect(ownPriceList()).toEqual({ name: "nowhere.json", problem: "nowhere.json: there is no such file." });
  });
});

describe("GET /api/prices", () => {
  it("lists the priced models, and returns one model's row under the requested name", async () => {
    usual(OWN);
    const { route } = await fresh();
    const all = pricesAnswer.parse(await (await ask(route, "/api/prices", {})).json());
    expect(all.models).toContain("my-model");
    expect([all.ownList?.problem, all.entry]).toEqual([null, null]);
    const one = async (model: string) =>
      pricesAnswer.parse(await (await ask(route, `/api/prices?model=${model}`, {})).json()).entry;
    expect((await one("anthropic/claude-opus-4-5-20251101"))?.rates[0]?.tiers[0]?.input).toBe(4);
    expect(await one("nobody-1")).toBeNull();
  });
});
