import { once } from "node:events";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { eventsOf } from "@/lib/queries/client/event-answers";
import {
  httpProblem,
  type SummaryEvent,
  summarizerAnswer,
  summaryEvent,
  summaryPreviewAnswer,
} from "@/lib/queries/contract/schemas";
import { CONFIG_VARIABLE } from "../../base/config";
import { closeServer } from "../../shared-server";
import { answersChat, chatPiece, startEndpoint, startStream, type TestEndpoint } from "../../testing/endpoint";
import { ask, post, routeOf } from "../../testing/routes";
import { idOf, servedSamples } from "../../testing/serving";

const preview = routeOf("POST", "/api/sessions/{id}/summary/preview");
const send = routeOf("POST", "/api/sessions/{id}/summary");
const summarizer = routeOf("GET", "/api/summarizer");

const SAMPLE = "claude-code-duplicate-shipments.jsonl";
servedSamples([SAMPLE]);

let endpoint: TestEndpoint;
beforeAll(async () => {
  endpoint = await startEndpoint(answersChat(["Work on ", "src/shipments/shipment-service.ts."]));
});
afterEach(() => endpoint.behave(answersChat(["Work on ", "src/shipments/shipment-service.ts."])));
afterAll(() => endpoint.close());

const BOUNDARY = { at: 46, policy: "mini-claude-code", window: 128_000, counting: "estimate" };

/** Restarts the server, with the endpoint or without one. */
async function started(choice: object | undefined): Promise<string> {
  await closeServer();
  const { summarizer: _before, ...rest } = JSON.parse(process.env[CONFIG_VARIABLE] ?? "");
  vi.stubEnv(CONFIG_VARIABLE, JSON.stringify(choice === undefined ? rest : { ...rest, summarizer: choice }));
  return idOf(SAMPLE);
}

const startedWithEndpoint = () => started({ url: endpoint.origin, model: "gpt-5" });
let served: Promise<string> | undefined;
/**
 * The sample's id, served with the endpoint: by one server for all tests that need no other, since each reads and counts the sample again.
 */
const named = () => (served ??= startedWithEndpoint());

async function previewOf(id: string) {
  const response = await ask(preview, "/api/sessions/x/summary/preview", { id }, post(BOUNDARY));
  return summaryPreviewAnswer.parse(await response.json());
}

async function eventsOfResponse({ body }: Response): Promise<SummaryEvent[]> {
  const events: SummaryEvent[] = [];
  if (body !== null) for await (const event of eventsOf(body)) events.push(summaryEvent.parse(event));
  return events;
}

it("if no endpoint is configured, the routes report this and send nothing", async () => {
  const id = await started(undefined);
  const response = await ask(summarizer, "/api/summarizer", {});
  expect(summarizerAnswer.parse(await response.json())).toEqual({ summarizer: null });
  const refused = await ask(preview, "/api/sessions/x/summary/preview", { id }, post(BOUNDARY));
  expect([refused.status, httpProblem.parse(await refused.json()).detail]).toEqual([
    404,
    "No endpoint for summaries was named; serve takes one with --summarizer.",
  ]);
  const sent = await ask(send, "/api/sessions/x/summary", { id }, post({ ...BOUNDARY, digest: "x" }));
  expect([sent.status, endpoint.seen.length]).toEqual([404, 0]);
});

it("the route sends the previewed request, and reports events as they arrive", async () => {
  const id = await named();
  expect((await previewOf(id)).made).toEqual([]);
  const { preview: shown } = await previewOf(id);
  const before = endpoint.seen.length;
  const body = { ...BOUNDARY, digest: shown?.digest, samples: 2 };
  const response = await ask(send, "/api/sessions/x/summary", { id }, post(body));
  expect([response.status, response.headers.get("content-type")]).toEqual([202, "text/event-stream"]);
  const events = await eventsOfResponse(response);
  expect(endpoint.seen.length - before).toBe(2);
  expect(events.map(({ type }) => type)).toEqual(["text", "text", "text", "made", "text", "text", "made", "end"]);
  const made = events.flatMap((event) => (event.type === "made" ? [event.summary] : []));
  expect(made[0]).toMatchObject({ text: "Work on src/shipments/shipment-service.ts.", score: { paths: { named: 1 } } });
  // After a restart they are still there.
  served = startedWithEndpoint();
  await served;
  expect((await previewOf(id)).made).toEqual(made);
});

it("the route rejects a request that was not previewed", async () => {
  const id = await named();
  const before = endpoint.seen.length;
  const response = await ask(send, "/api/sessions/x/summary", { id }, post({ ...BOUNDARY, digest: "0".repeat(64) }));
  expect([response.status, endpoint.seen.length]).toEqual([409, before]);
});

it.each([
  ["another site's page", { "sec-fetch-site": "cross-site" }, 403],
  ["another origin", { origin: "https://evil.example" }, 403],
  ["another host name", { host: "evil.example:3000" }, 421],
])("the route rejects a request from another sender: %s", async (_name, headers, status) => {
  const id = await named();
  const { preview: shown } = await previewOf(id);
  const before = endpoint.seen.length;
  const init = { ...post({ ...BOUNDARY, digest: shown?.digest }), headers };
  const refused = await ask(send, "/api/sessions/x/summary", { id }, init);
  const unseen = await ask(preview, "/api/sessions/x/summary/preview", { id }, { ...post(BOUNDARY), headers });
  expect([refused.status, unseen.status, endpoint.seen.length]).toEqual([status, status, before]);
});

it("the route reports a failure as the last event", async () => {
  const id = await named();
  const { preview: shown } = await previewOf(id);
  endpoint.behave((response) => {
    startStream(response);
    response.write(chatPiece("Half"), () => response.destroy());
  });
  const response = await ask(send, "/api/sessions/x/summary", { id }, post({ ...BOUNDARY, digest: shown?.digest }));
  expect((await eventsOfResponse(response)).at(-1)).toEqual({
    type: "failed",
    host: endpoint.host,
    failure: { code: "cutOff", status: null, seconds: null, detail: null },
  });
});

it("the route aborts the endpoint's call if the client leaves", async () => {
  const id = await named();
  const { preview: shown } = await previewOf(id);
  let closed: Promise<unknown> | undefined;
  endpoint.behave((response) => {
    closed = once(response, "close");
    startStream(response);
    response.write(chatPiece("Half"));
  });
  const response = await ask(send, "/api/sessions/x/summary", { id }, post({ ...BOUNDARY, digest: shown?.digest }));
  for await (const event of eventsOf(response.body ?? new ReadableStream())) {
    if (summaryEvent.parse(event).type === "text" && closed !== undefined) break;
  }
  await closed;
});
