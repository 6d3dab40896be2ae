import { expect, it } from "vitest";
import { type RefusalReason, RefusedError } from "../base/refusal";
import { getServer } from "../server";
import { ask, routeOf } from "../testing/routes";
import { servedSamples } from "../testing/serving";
import { handler } from "./handler";

const sweeps = routeOf("POST", "/api/sweeps");
const upload = routeOf("POST", "/api/uploads");

servedSamples([]);

const answersUnderWay = () => getServer().answerPriority.answers;

it("an answer counts as running until it resolves", async () => {
  const counted: number[] = [];
  const route = handler(async () => {
    counted.push(answersUnderWay());
    await Promise.resolve();
    counted.push(answersUnderWay());
    return Response.json({});
  });
  expect((await ask(route, "/", {})).status).toBe(200);
  expect([...counted, answersUnderWay()]).toEqual([1, 1, 0]);
});

it("a rejected answer no longer counts as running", async () => {
  const refused = Object.assign(new Error("no"), { name: "ChoiceError" });
  const atOnce = handler(() => {
    throw refused;
  });
  const later = handler(async () => Promise.reject(refused));
  expect((await ask(atOnce, "/", {})).status).toBe(400);
  expect((await ask(later, "/", {})).status).toBe(400);
  expect(answersUnderWay()).toBe(0);
});

it.each<[RefusalReason, number]>([
  ["malformed", 400],
  ["not-allowed", 403],
  ["unknown", 404],
  ["too-large", 413],
  ["not-writable", 503],
  ["no-room", 507],
])("a request refused as %s gets status %i and the sentence", async (reason, status) => {
  const route = handler(async () => Promise.reject(new RefusedError(reason, "No.")));
  const answer = await ask(route, "/", {});
  expect([answer.status, await answer.json()]).toMatchObject([status, { status, detail: "No." }]);
});

it("an aborted answer no longer counts as running", async () => {
  const client = new AbortController();
  const route = handler(async () => {
    client.abort();
    return Response.json({ counted: answersUnderWay() });
  });
  const answer = await ask(route, "/", {}, { signal: client.signal });
  expect(await answer.json()).toEqual({ counted: 0 });
  expect(answersUnderWay()).toBe(0);
});

it("uploads and the event stream of a sweep do not count as running answers", async () => {
  let send = (_bytes: Uint8Array | undefined) => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = (bytes) => (bytes === undefined ? controller.close() : controller.enqueue(bytes));
    },
  });
  // The type of a request's options lacks the option for a streamed body.
  const sent = ask(upload, "/", {}, { method: "POST", body, duplex: "half" } as RequestInit);
  send(new TextEncoder().encode("{}\n"));
  expect(answersUnderWay()).toBe(0);
  const vary = [{ key: "triggerShare", from: 0.4, to: 0.9, step: 0.1 }];
  const sweep = { sessions: ["none"], policy: "custom", vary };
  const events = await ask(sweeps, "/", {}, { method: "POST", body: JSON.stringify(sweep) });
  expect(events.status).toBe(202);
  expect(answersUnderWay()).toBe(0);
  await events.text();
  send(undefined);
  expect((await sent).status).toBe(201);
  expect(answersUnderWay()).toBe(0);
});

it("a HEAD request cancels the body's stream", async () => {
  let isEnded = false;
  const route = handler(async () => {
    const body = new ReadableStream({
      cancel() {
        isEnded = true;
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  });
  const { status, headers, body } = await ask(route, "/", {}, { method: "HEAD" });
  expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
    200,
    "text/event-stream",
    "no-store",
  ]);
  expect([isEnded, body]).toEqual([true, null]);
});
