import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import {
  breakdownOfSession,
  compareSession,
  contributorsOfSession,
  costOfSession,
  fidelityOfSession,
  ledgerOfSession,
  replaySession,
} from "@/lib/queries/answers/session-answers";
import { sweepAll } from "@/lib/queries/answers/sweep";
import type { ReplayResult } from "@/lib/queries/contract/schemas";
import { NO_RECORDINGS, RECORDINGS } from "@/lib/queries/testing/sessions";
import { counters } from "../../base/counters";
import { isInputError } from "../../base/input-error";
import { usablePrices } from "../../base/prices";
import type { OpenedSession } from "../../sessions/opened-session";
import { bundleText, openFile, withBundle } from "../../testing/bundled";
import { fixtureFiles, temporaryFolder } from "../../testing/files";
import { LocalRunner } from "../../threads/local-runner";
import { accuracyOfSession } from "../numbers/accuracy";
import { ESTIMATOR_IDS } from "../numbers/estimators";

const folder = temporaryFolder();
const SAMPLES = ["claude-code-duplicate-shipments", "codex-duplicate-messages"].map((name) =>
  join("public", "samples", `${name}.jsonl`),
);

/** The result without the names of files and models: a bundle calls a model that has no price `model1`. */
function metrics({ compactions, totals: { unpricedModels, ...totals }, ...rest }: ReplayResult) {
  return {
    ...rest,
    totals: { ...totals, unpricedModels: unpricedModels?.length },
    compactions: compactions.map(({ files, ...one }) => ({ ...one, files: files.length })),
  };
}

/** Windows in which policies compact even short sessions. */
const WINDOWS = [undefined, 60_000];

/** An agent's presets read the same parts of a session, so all are tried for the session's own agent, and one for each other. */
async function expectSameReplays(
  session: OpenedSession,
  bundled: OpenedSession,
  windows: readonly (number | undefined)[] = WINDOWS,
  policies: readonly Policy[] = POLICIES,
): Promise<void> {
  for (const policy of policies)
    for (const preset of policy.id === session.summary.agent ? policy.presets : policy.presets.slice(-1))
      for (const window of windows) {
        const choice = { policy: policy.id, preset, window };
        const answers = await Promise.all([session, bundled].map((one) => outcome(() => replaySession(one, choice))));
        // A matcher takes longer to compare them than they take to make, so it is used only to show a difference.
        if (!isDeepStrictEqual(answers[1], answers[0]))
          expect(answers[1], `${policy.id}@${preset}`).toEqual(answers[0]);
      }
}

/** The metrics, or the reason for their absence. */
async function outcome(work: () => Promise<ReplayResult>) {
  try {
    return metrics(await work());
  } catch (error) {
    if (error instanceof Error && ["ChoiceError", "SettingError"].includes(error.name)) return error.message;
    throw error;
  }
}

/** The compared parts: everything but names. */
function numbersOf(value: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(numbersOf);
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, numbersOf(one)]));
}

describe.each(SAMPLES)("a bundle of %s", (path) => {
  let session: OpenedSession;
  let bundled: OpenedSession;
  beforeAll(async () => {
    ({ session, bundled } = await withBundle(path, folder));
  });

  it("gives every metric of every policy", async () => {
    await expectSameReplays(session, bundled);
  });

  it("gives the same sums, costs, checks and shares as the session", async () => {
    const both = async (ask: (one: OpenedSession) => unknown) => {
      expect(numbersOf(await ask(bundled))).toEqual(numbersOf(await ask(session)));
    };
    await both(({ summary }) => {
      const { records, links, problems, numbersOnly, fileSessions, ...rest } = summary;
      return [rest, records.total, problems.map(({ code, count }) => [code, count])];
    });
    await both((one) => [one.sparkline, Array.from(one.requestKeys.exact), Array.from(one.requestKeys.sizes)]);
    await both((one) => costOfSession(one, {}, usablePrices()));
    await both((one) => fidelityOfSession(one));
    await both((one) => one.accuracy("all"));
    await both((one) => breakdownOfSession(one, { at: "last" }));
    for (const by of ["tool", "server", "file", "turn"] as const)
      await both((one) => contributorsOfSession(one, { by, at: "last", policy: "recorded" }));
    await both((one) => compareSession(one, { runs: [{ policy: "codex" }, { policy: "recorded" }] }));
    const vary = [{ key: "triggerShare", from: 0.3, to: 0.9, step: 0.2 }];
    await both(async (one) => {
      const input = { id: "one", use: <T>(work: (session: OpenedSession) => Promise<T>) => work(one) };
      const rows: string[] = [];
      for await (const { result } of sweepAll([input], { policy: "custom", vary }, new LocalRunner()))
        if (!(result instanceof Error)) rows.push(...result);
      return rows.map((row) => JSON.parse(row));
    });
  });

  it("is made in a few passes over the texts, and contains each estimator's counts", async () => {
    const before = counters.filesCounted;
    const together = await openFile(path);
    await bundleText(together);
    expect(counters.filesCounted - before).toBeLessThan(6);
    const alone = await openFile(path);
    for (const id of ESTIMATOR_IDS) expect([...(await together.tokens(id))], id).toEqual([...(await alone.tokens(id))]);
  });

  it("is refused as the source of another bundle, since it has no texts", async () => {
    await expect(bundleText(bundled)).rejects.toThrow("is a bundle already");
  });

  it("names the missing texts when a query needs them", async () => {
    expect(bundled.summary).toMatchObject({ numbersOnly: true, title: null, project: null, sessionId: null });
    for (const ask of [
      () => ledgerOfSession(bundled, {}),
      () => bundled.search("a"),
      () => bundled.contextTexts([], { policy: "codex", preset: "current", settings: {}, asks: true }),
    ])
      await expect(ask()).rejects.toMatchObject({
        name: "InputError",
        message: expect.stringMatching(/numbers and no texts/),
      });
    const items = JSON.parse(new TextDecoder().decode(await bundled.items({ from: 0, to: 3, maxChars: 100 })));
    expect(items.items.map(({ text }: { text: string }) => text)).toEqual(["", "", ""]);
  });
});

/**
 * Besides the session's own policy, each fixture is replayed under every eighth policy, in turn: an agent has some twenty fixtures, so every policy
 * gets two or three.
 */
const TURNS = 8;

it("bundles of all fixtures give every metric", async () => {
  for (const [place, path] of fixtureFiles(/\.jsonl?$/).entries()) {
    const opened = await withBundle(path, folder).catch((error: unknown) => {
      if (isInputError(error)) return undefined; // A fixture may hold nothing that is a session.
      throw error;
    });
    if (opened === undefined) continue;
    const { session, bundled } = opened;
    const { agent } = session.summary;
    const tried = POLICIES.filter(({ id }, at) => id === agent || (place + at) % TURNS === 0);
    await expectSameReplays(session, bundled, [2000], tried);
    expect(await accuracyOfSession("all", sourceOf(bundled)), path).toEqual(
      await accuracyOfSession("all", sourceOf(session)),
    );
  }
});

const bytes = (path: string) => statSync(path).size;

function sourceOf(session: OpenedSession) {
  const { summary, columns } = session;
  return { summary, columns, tokens: (id: string) => session.tokens(id) };
}

/** As large as a session of some turns; a larger one only adds more of the same. */
const SOME_TURNS_BYTES = 250_000;

describe("bundles of recordings", () => {
  const five = ["claude-code", "codex", "gemini-cli", "opencode", "pi"].flatMap((agent) => {
    const bySize = RECORDINGS.filter((path) => path.includes(`/${agent}/`)).sort((a, b) => bytes(a) - bytes(b));
    return bySize.find((path) => bytes(path) >= SOME_TURNS_BYTES) ?? bySize.slice(-1);
  });
  if (five.length === 0) it.skip(NO_RECORDINGS);
  it.each(five.map((path) => [basename(path), path]))("give every metric: %s", async (_name, path) => {
    const { session, bundled } = await withBundle(path, folder);
    await expectSameReplays(session, bundled, [undefined]);
  });
});
