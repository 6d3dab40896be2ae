import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { ledgerOfSession } from "./session-answers";

const SAMPLE = join("public", "samples", "claude-code-duplicate-shipments.jsonl");

it("re-fetches after recorded boundaries are searched once per estimator, whatever the prices", async () => {
  const runner = new LocalRunner();
  const asked = vi.spyOn(runner, "ledger");
  const session = new OpenedSession(SAMPLE, await runner.ingest({ path: SAMPLE }), runner);
  const first = await ledgerOfSession(session, {});
  expect(first.needs?.flatMap(({ needs: refetches }) => refetches).length).toBeGreaterThan(0);
  expect(await ledgerOfSession(session, {})).toEqual(first);
  expect((await ledgerOfSession(session, { ttl: "1h" })).needs).toHaveLength(first.needs?.length ?? 0);
  expect(asked).toHaveBeenCalledTimes(1);

  const tokensOf = ({ needs: refetches }: typeof first) =>
    refetches?.flatMap((one) => one.needs.map(({ tokens }) => tokens));
  const other = await ledgerOfSession(session, { estimator: "o200k" });
  expect(tokensOf(other)).not.toEqual(tokensOf(first));
  expect(asked).toHaveBeenCalledTimes(2);

  // Dropped items of a policy depend on its settings, so each replay searches again.
  const simulated = { policy: "custom", settings: { triggerShare: 0.4 } };
  await ledgerOfSession(session, simulated);
  await ledgerOfSession(session, simulated);
  expect(asked).toHaveBeenCalledTimes(4);
});
