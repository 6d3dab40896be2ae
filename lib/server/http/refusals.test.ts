import { describe, expect, it } from "vitest";
import { httpProblem, sessionPage } from "@/lib/queries/contract/schemas";
import { answerApi as anything } from "@/lib/queries/table";
import { ask, routeOf } from "../testing/routes";
import { servedSamples } from "../testing/serving";

const addProfile = routeOf("POST", "/api/profiles");
const breakdown = routeOf("GET", "/api/sessions/{id}/breakdown");
const compare = routeOf("POST", "/api/sessions/{id}/compare");
const contributors = routeOf("GET", "/api/sessions/{id}/contributors");
const cost = routeOf("GET", "/api/sessions/{id}/cost");
const items = routeOf("GET", "/api/sessions/{id}/items");
const overhead = routeOf("GET", "/api/sessions/{id}/overhead");
const replay = routeOf("POST", "/api/sessions/{id}/replay");
const sessions = routeOf("GET", "/api/sessions");

const NAME = "codex-sliding-window.jsonl";
servedSamples([NAME]);

const ROUTES = { breakdown, compare, contributors, cost, items, overhead, replay };

async function sampleId(): Promise<string> {
  const page = sessionPage.parse(await (await ask(sessions, "/api/sessions", {})).json());
  return page.sessions.find(({ name }) => name === NAME)?.id ?? "";
}

async function refusal(route: keyof typeof ROUTES, query: string, body?: unknown): Promise<readonly [number, string]> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await ask(ROUTES[route], `/api/sessions/x/${route}${query}`, { id: await sampleId() }, init);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const { status, detail } = httpProblem.parse(await response.json());
  expect(status).toBe(response.status);
  return [status, detail];
}

describe("an invalid query", () => {
  it.each([
    ["breakdown", "?at=", "at must be a request, counted from 0, or last."],
    ["breakdown", "?at=-1", "at must be at least 0."],
    ["breakdown", "?at=0x5", "at must be a request, counted from 0, or last."],
    ["breakdown", "?at=99999", "no request 99999; requests go from 0 to 36"],
    ["breakdown", "?window=0", "window must be more than 0."],
    ["breakdown", "?window=", "window must be a number."],
    ["breakdown", "?window=1.5", "window must be a whole number."],
    ["breakdown", "?threshold=2", "threshold must be at most 1."],
    ["breakdown", "?threshold=NaN", "threshold must be a number."],
    ["items", "?from=0", "to is missing: it must be a number."],
    ["items", "?from=&to=", "from must be a number."],
    ["items", "?from=-1&to=2", "from must be at least 0."],
    ["items", "?from=2&to=1", "from and to are a half-open range of at most 500 items."],
    ["items", "?from=0&to=501", "from and to are a half-open range of at most 500 items."],
    ["items", "?from=0&to=1&full=x", "full must be 1."],
    ["contributors", "?by=nope", "by must be one of tool, server, file, message, turn."],
    ["contributors", "?limit=1001", "limit must be at most 1000."],
    ["cost", "?ttl=2h", "ttl must be one of 5m, 1h, recorded."],
    ["overhead", "?estimator=nope", expect.stringContaining("unknown estimator nope; known: bytes-4")],
  ] as const)("%s%s: %s", async (route, query, detail) => {
    expect(await refusal(route, query)).toEqual([400, detail]);
  });
});

describe("an invalid body", () => {
  it.each([
    ["replay", null, "The request must be an object."],
    ["replay", [], "The request must be an object."],
    ["replay", {}, "policy is missing: it must be a text."],
    ["replay", { policy: 5 }, "policy must be a text."],
    ["replay", { policy: "codex", set: {} }, "The request has no field set."],
    ["replay", { policy: "codex", settings: [] }, "settings must be an object."],
    [
      "replay",
      { policy: "codex", settings: { autoCompactLimit: [1] } },
      "settings.autoCompactLimit must be a number, true, false, null or a text.",
    ],
    ["replay", { policy: "codex", window: 1.5 }, "window must be a whole number."],
    ["replay", { policy: "codex", window: 0 }, "window must be more than 0."],
    ["replay", { policy: "codex", counting: "nope" }, "counting must be one of estimate, calibrated, anchored."],
    ["replay", { policy: "codex", estimator: "codex@current@x" }, expect.stringContaining("unknown preset current@x")],
    ["compare", { runs: [{ policy: "none" }] }, "runs must have at least 2 entries."],
    ["compare", { runs: Array(7).fill({ policy: "none" }) }, "runs must have at most 6 entries."],
    ["compare", { runs: [{ policy: "none" }, { policy: "none", at: 1 }] }, "runs.1 has no field at."],
  ] as const)("%s %j: %s", async (route, body, detail) => {
    expect(await refusal(route, "", body)).toEqual([400, detail]);
  });

  it("is refused: a profile without a name", async () => {
    const body = JSON.stringify({ name: "", profile: {} });
    const response = await ask(addProfile, "/api/profiles", {}, { method: "POST", body });
    expect(await response.json()).toMatchObject({ status: 400, detail: "name must have at least 1 character." });
  });

  it("is refused: a profile that is nested too deep", async () => {
    const body = `{"name":"p","profile":{"tools":[{"name":"t","schema":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}]}}`;
    const response = await ask(addProfile, "/api/profiles", {}, { method: "POST", body });
    expect(await response.json()).toMatchObject({
      status: 400,
      detail: "The body is nested in more than 1,000 levels.",
    });
  });
});

it.each(["/api", "/api/nope"])("%s is not a route", async (path) => {
  expect(await (await ask(anything, path, { path: [] })).json()).toMatchObject({ status: 404 });
});
