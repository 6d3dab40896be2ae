import { expect, it, vi } from "vitest";
import { z } from "zod";
import { idOf, servedSamples } from "@/lib/server/testing/serving";
import { answerWithin, ask } from "./client/client";
import { openApi } from "./openapi";
import { answerApi, QUERIES } from "./table";

const FILE = "codex-duplicate-messages.jsonl";

// Only these places name a query.
vi.mock("./contract/routes", async (original) => {
  const { ROUTES } = await original<typeof import("./contract/routes")>();
  return { ROUTES: { ...ROUTES, madeUp: { method: "POST", path: "/api/sessions/{id}/made-up" } } };
});
vi.mock("./contract/shapes", async (original) => {
  const { SHAPES } = await original<typeof import("./contract/shapes")>();
  return { SHAPES: { ...SHAPES, madeUp: { body: "indexingRequest", json: "health" } } };
});
vi.mock("./session-queries", async (original) => {
  const { SESSION_QUERIES } = await original<typeof import("./session-queries")>();
  const { sessionQuery } = await import("./query");
  const madeUp = sessionQuery(MADE_UP, {
    summary: "A made-up query",
    query: z.object({ at: z.string() }),
    ofSession: async ({ summary }, { search, body }) =>
      ({ status: search.at, version: `${summary.file}`, body }) as never,
  });
  return { SESSION_QUERIES: [...SESSION_QUERIES, madeUp] };
});

/** A name that the types do not know. */
const MADE_UP = vi.hoisted(() => "madeUp" as "replay");

servedSamples([FILE]);
answerWithin((path, init) => {
  const headers = { ...init.headers, host: "localhost:3000" };
  const segments = new URL(path, ORIGIN).pathname.split("/").slice(2).map(decodeURIComponent);
  return answerApi(new Request(`${ORIGIN}${path}`, { ...init, headers }), {
    params: Promise.resolve({ path: segments }),
  });
});
const ORIGIN = "http://localhost:3000";

it("a query declared in the table is answered in the page and over HTTP", async () => {
  const body = { action: "stop" };
  const asked = { id: await idOf(FILE), search: { at: "here" }, body };
  // The body is of another query's schema.
  expect(await ask(MADE_UP, asked as never)).toEqual({ status: "here", version: FILE, body });
});

it("values outside the query's schemas are rejected", async () => {
  const asked = { id: await idOf(FILE), search: { at: "here" }, body: { action: "nothing" } };
  await expect(ask(MADE_UP, asked as never)).rejects.toMatchObject({ status: 400 });
});

it("the API's document lists the query with its parameters and schemas", () => {
  expect(openApi(QUERIES).paths["/api/sessions/{id}/made-up"]).toMatchObject({
    post: {
      summary: "A made-up query",
      parameters: [
        { name: "id", in: "path", required: true },
        { name: "at", in: "query", required: true },
      ],
      requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/indexingRequest" } } } },
      responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/health" } } } } },
    },
  });
});
