import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { InputError } from "../../base/input-error";
import type { AppServer } from "../../server";
import { OpenedSession } from "../../sessions/opened-session";
import { assistantLine, put, temporaryFolder, userLine } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import { partsOf, sweepEvents } from "./sweep-events";

it.each([0, 1, 249, 250, 251, 10_000])(
  "%i rows of a recording form one event, built in chunks of at most 250 rows",
  (count) => {
    const rows = Array.from({ length: count }, (_, at) => ({ row: at, file: "[]}" }));
    const parts = [...partsOf({ id: "a[]", result: rows.map((row) => JSON.stringify(row)) })];
    const data = JSON.stringify({ type: "rows", session: "a[]", rows });
    expect(parts.join("")).toBe(`event: rows\ndata: ${data}\n\n`);
    for (const part of parts) expect(part.split('"row":').length - 1).toBeLessThanOrEqual(250);
  },
);

it("a failed recording is reported with its reason, but the message of an internal error is hidden", () => {
  const event = (error: Error) =>
    JSON.parse([...partsOf({ id: "a", result: error })].join("").split("data: ")[1] ?? "");
  expect(event(new InputError("empty", "It is empty."))).toEqual({
    type: "failed",
    session: "a",
    detail: "It is empty.",
  });
  expect(event(new Error("secret")).detail).toBe("It could not be swept.");
});

it("parts of a recording that finish after the end of the sweep send nothing", async () => {
  const errors: string[] = [];
  const note = (error: unknown) => errors.push(String(error));
  process.on("uncaughtException", note);
  const turns = Array.from({ length: 5000 }, (_, n) => [
    userLine(`Q${n}`, `u${n}`, n === 0 ? undefined : `a${n - 1}`),
    assistantLine("Two.", `a${n}`, `u${n}`),
  ]);
  const path = put(temporaryFolder(), "s.jsonl", turns.flat().join("\n"));
  const runner = new LocalRunner();
  const session = new OpenedSession(path, await runner.ingest({ path }), runner);
  let parts = 0;
  const background = {
    run: async (_name: "sweep", task: { readonly from: number; readonly to: number }) => {
      parts += 1;
      if (parts === 1) throw new Error("this thread has ended");
      await delay(65);
      return { rows: Array(task.to - task.from).fill("{}"), tradeOff: [] };
    },
  };
  const openWithProfile = async () => ({ session, profile: undefined });
  // The functions of a server that a sweep calls.
  const server = { isOwnPolicy: () => false, openWithProfile, background } as unknown as AppServer;
  const vary = [{ key: "triggerShare", from: 0.05, to: 0.95, step: 0.001 }];
  const wanted = { sessions: ["a"], policy: "custom", settings: {}, vary };
  const text = await sweepEvents(new Request("http://127.0.0.1/"), server, wanted).text();
  expect(text).toMatch(/event: end\n/);
  await delay(300);
  process.off("uncaughtException", note);
  expect(parts).toBeGreaterThan(1);
  expect(errors).toEqual([]);
});
