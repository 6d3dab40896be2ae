import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readTranscript } from "@/verify/support/read";
import { qwenCodeReader } from "./reader";

const timeOf = (second: number) => new Date(Date.parse("2026-05-02T09:00:00.000Z") + second * 1000).toISOString();

function record(type: string, uuid: string, parentUuid: string | null, second: number, more: object = {}): object {
  const message = { role: type === "user" ? "user" : "model", parts: [{ text: "Go on." }] };
  const place = { uuid, parentUuid, sessionId: "s2", timestamp: timeOf(second), cwd: "/home/ada/shop" };
  return { ...place, type, version: "0.24.4", message, ...more };
}

/** A response whose input tokens equal its time in seconds. */
function response(uuid: string, parentUuid: string | null, second: number, more: object = {}): object {
  const usageMetadata = { promptTokenCount: second, candidatesTokenCount: 2, totalTokenCount: second + 2 };
  return record("assistant", uuid, parentUuid, second, { model: "coder-model", usageMetadata, ...more });
}

function read(records: readonly object[]) {
  const { requests, extraRequests } = readTranscript(
    Buffer.from(records.map((one) => JSON.stringify(one)).join("\n")),
    qwenCodeReader,
  );
  return {
    context: requests.map(({ usage, inherited }) => [usage?.input, inherited === true]),
    branches: extraRequests.map(({ kind, usage, inherited }) => [kind, usage?.input, inherited === true]),
    paid: [...requests, ...extraRequests].map(({ usage }) => usage?.input ?? 0).sort((a, b) => a - b),
  };
}

describe("branches of a session of Qwen Code", () => {
  it("bills a response abandoned by a rewind, and keeps it out of the context", () => {
    const records = [
      record("user", "a", null, 1),
      response("b", "a", 2),
      record("user", "c", "b", 3),
      response("d", "c", 4),
      record("user", "e", "b", 5),
      response("f", "e", 6),
    ];
    expect(read(records)).toMatchObject({
      context: [
        [2, false],
        [6, false],
      ],
      branches: [["branch", 4, false]],
    });
  });

  it("bills every response once, whichever branch the session continues", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 12 }), fc.nat(), (places, leaf) => {
        const entries = places.map((place, index) =>
          response(`e${index}`, index === 0 ? null : `e${place % index}`, index + 1),
        );
        const { paid } = read([...entries, record("user", "p", `e${leaf % entries.length}`, 50)]);
        expect(paid).toEqual(places.map((_place, index) => index + 1));
      }),
    );
  });

  it("treats responses copied from another session as inherited", () => {
    const copied = { forkedFrom: { sessionId: "s1", messageUuid: "b" } };
    const records = [
      record("user", "a", null, 1, copied),
      response("b", "a", 2, copied),
      response("c", "a", 3, { forkedFrom: { sessionId: "s2" } }),
      record("user", "d", "b", 4),
      response("e", "d", 5),
    ];
    expect(read(records)).toMatchObject({
      context: [
        [2, true],
        [5, false],
      ],
      branches: [["branch", 3, false]],
    });
  });
});
