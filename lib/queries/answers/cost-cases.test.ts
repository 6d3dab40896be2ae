import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { compare as compareCommand } from "@/lib/cli/commands/compare";
import { cost as costCommand } from "@/lib/cli/commands/cost";
import { replay as replayCommand } from "@/lib/cli/commands/replay";
import * as contract from "@/lib/queries/contract/schemas";
import { put } from "@/lib/server/testing/files";
import { printed } from "@/lib/server/testing/printed";
import { ask, post, routeOf } from "@/lib/server/testing/routes";
import { idOf, servedSamples } from "@/lib/server/testing/serving";

const compareRoute = routeOf("POST", "/api/sessions/{id}/compare");
const costRoute = routeOf("GET", "/api/sessions/{id}/cost");
const replayRoute = routeOf("POST", "/api/sessions/{id}/replay");

/** Limits of a session's cost are stated over HTTP and in text, and no unknown amount is ever "$0.00". */

const folder = servedSamples(["claude-code-report-timezone.jsonl"]);

interface Response {
  readonly model?: string;
  readonly day?: string;
  /** `null`: without usage. */
  readonly usage?: object | null;
}

const USAGE = { input_tokens: 3, cache_read_input_tokens: 1000, cache_creation_input_tokens: 500, output_tokens: 20 };

/** A session of Claude Code with these responses, an hour apart. */
function session(name: string, responses: readonly Response[]): void {
  const shared = { sessionId: name, version: "2.1.37", cwd: "/a", isSidechain: false };
  const lines = responses.flatMap(({ model = "claude-opus-4-6", day = "2026-07-29", usage = USAGE }, index) => {
    const timestamp = `${day}T0${index}:00:00.000Z`;
    const [user, answer] = [`${name}-u${index}`, `${name}-a${index}`];
    const parentUuid = index === 0 ? null : `${name}-a${index - 1}`;
    const content = [{ type: "text", text: `Answer ${index} of ${name}.` }];
    const message = { id: `m-${answer}`, type: "message", role: "assistant", model, content, ...(usage && { usage }) };
    return [
      {
        ...shared,
        type: "user",
        uuid: user,
        parentUuid,
        timestamp,
        message: { role: "user", content: `Ask ${index} of ${name}.` },
      },
      { ...shared, type: "assistant", uuid: answer, parentUuid: user, timestamp, requestId: `r-${answer}`, message },
    ];
  });
  put(folder, `${name}.jsonl`, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
}

const ids = new Map<string, string>();
beforeAll(async () => {
  session("unknown", [{}, { model: "claude-opus-99" }]);
  session("silent", [{ usage: null }, { usage: null }]);
  session("two", [{}, { model: "claude-haiku-4-5" }]);
  session("change", [{ model: "gpt-5.6-luna" }, { model: "gpt-5.6-luna", day: "2026-07-30" }]);
  session("absurd", [{}, { usage: { ...USAGE, input_tokens: -5 } }, { usage: { ...USAGE, output_tokens: 1e30 } }]);
  for (const name of ["unknown", "silent", "two", "change", "absurd"]) ids.set(name, await idOf(`${name}.jsonl`));
});

async function answered(name: string, query = "") {
  const response = await ask(costRoute, `/${query}`, { id: ids.get(name) ?? "" });
  return contract.cost.parse(await response.json());
}

async function replayed(name: string, more = {}) {
  const response = await ask(replayRoute, "/", { id: ids.get(name) ?? "" }, post({ policy: "none", ...more }));
  return contract.replayResult.parse(await response.json()).totals.costUsd;
}

const both = [
  { policy: "recorded", settings: {} },
  { policy: "none", settings: {} },
] as const;

function costText(name: string): Promise<string> {
  const path = join(folder, `${name}.jsonl`);
  return printed(
    () => costCommand([path], {}),
    () => replayCommand(path, { policy: "none" }),
    () => compareCommand(path, both, {}),
  );
}

describe("a model without a price", () => {
  it("leaves the session without a cost, and reports the priced share", async () => {
    const { costUsd, priced, byModel } = await answered("unknown");
    expect([costUsd.total, costUsd.input, priced]).toEqual([null, null, 0.5]);
    expect(byModel["claude-opus-4-6"]?.total).toBeGreaterThan(0);
    expect(byModel["claude-opus-99"]?.total).toBeNull();
    expect(await replayed("unknown")).toBeNull();
    const text = await costText("unknown");
    expect(text).toContain("n/a, 50 % of 2 requests have a price");
    expect(text).toMatch(/claude-opus-99 +1( +n\/a){5}/);
    expect(text).toContain("cost by list prices n/a, above best timing n/a, ");
    expect(text).toMatch(/cost by list prices +n\/a +n\/a/);
    // The first request has no cache miss: that costs nothing, and nothing else does.
    expect(text.match(/\$0\.00(?!\d)/g)).toHaveLength(1);
  });

  it("is priced as another model's on request, and the answer notes the different tokenizer", async () => {
    expect((await answered("unknown", "?on=claude-opus-5")).costUsd.total).toBeGreaterThan(0);
    expect((await replayed("unknown", { on: "claude-opus-5" }))?.total).toBeGreaterThan(0);
  });
});

describe("a file without usage", () => {
  it("has no cost, neither recorded nor replayed", async () => {
    const { costUsd, priced, cacheRule } = await answered("silent");
    expect([costUsd.total, priced, cacheRule]).toEqual([null, null, null]);
    expect(await replayed("silent")).toBeNull();
    const text = await costText("silent");
    expect(text).toContain("n/a, no request records its usage");
    expect(text).toContain("The cost is n/a: no request records its usage.");
    expect(text).not.toContain("$");
  });
});

describe("a price", () => {
  it("is described as a list price, not as a subscription", async () => {
    const text = await costText("two");
    expect(text.match(/not what was paid, and none of it on a subscription/g)?.length).toBe(2);
  });
});

describe("a session of two models", () => {
  it("has the costs of both models, and their sum", async () => {
    const { costUsd, byModel } = await answered("two");
    const sums = Object.values(byModel).map(({ total }) => total ?? Number.NaN);
    expect(sums.length).toBe(2);
    expect(sums.reduce((all, one) => all + one)).toBeCloseTo(costUsd.total ?? Number.NaN, 9);
    expect(await costText("two")).toMatch(/claude-haiku-4-5 +1 .*\nall +\$/);
  });
});

describe("a session across a change of prices", () => {
  it("uses the prices of each request's day and states that; a chosen day has one price", async () => {
    const { byModel, repriced } = await answered("change");
    expect(repriced).toEqual(["gpt-5.6-luna"]);
    // 1.00, 0.10, 1.25 and 6.00 on the first day, a fifth of each on the second.
    const first = 3 * 1 + 1000 * 0.1 + 500 * 1.25 + 20 * 6;
    expect(byModel["gpt-5.6-luna"]?.total).toBeCloseTo((first * 1.2) / 1e6, 5);
    expect(await costText("change")).toContain("The price of gpt-5.6-luna changed during the session");
    const fixed = await answered("change", "?priceDate=2026-08-15");
    expect([fixed.repriced, fixed.priceDate]).toEqual([[], "2026-08-15"]);
    expect(fixed.costUsd.total).toBeCloseTo((first * 0.4) / 1e6, 5);
  });
});

describe("invalid numbers", () => {
  it("count as absent, and are reported", async () => {
    const { requests, impossibleFigures, costUsd } = await answered("absurd");
    expect([requests, impossibleFigures]).toEqual([3, 2]);
    expect([costUsd.plain, costUsd.output]).toEqual([0.00003, 0.001]);
    const text = await costText("absurd");
    expect(text).toContain("2 numbers in the file cannot be right, such as a negative count");
    expect(text).toContain("so the cost may be too low.");
  });
});

describe("choices of prices", () => {
  it.each([
    [{ on: "nobody-1" }, "There is no price of a model nobody-1."],
    [{ priceDate: "2026-02-30" }, "The date of prices is recorded, today, or a day as 2026-09-01."],
    [{ ttl: "2h" }, "ttl must be one of 5m, 1h, recorded."],
  ])("are rejected if invalid: %j", async (terms, sentence) => {
    const id = ids.get("two") ?? "";
    const query = `/?${new URLSearchParams(terms as Record<string, string>)}`;
    const refused = [
      await ask(costRoute, query, { id }),
      await ask(replayRoute, "/", { id }, post({ policy: "none", ...terms })),
      await ask(compareRoute, "/", { id }, post({ runs: [{ policy: "none" }, { policy: "none", ...terms }] })),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await refused[0]?.json())?.detail).toBe(sentence);
  });

  it("apply to each run of a comparison separately", async () => {
    const runs = [{ policy: "none" }, { policy: "none", on: "claude-haiku-4-5" }];
    const answer = await ask(compareRoute, "/", { id: ids.get("two") ?? "" }, post({ runs }));
    const { difference, runs: ran } = contract.compareAnswer.parse(await answer.json());
    expect(ran.map(({ costTerms }) => costTerms.on)).toEqual([null, "claude-haiku-4-5"]);
    expect(difference.find(({ metric }) => metric === "costUsd")?.best).toBe(1);
  });
});
