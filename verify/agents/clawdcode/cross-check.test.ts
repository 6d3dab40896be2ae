import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clawdcodeMeasures, createClawdcodeEstimator } from "@/lib/agents/clawdcode/estimator";
import { toNative } from "@/lib/agents/clawdcode/messages/native";
import { clawdcodePolicy } from "@/lib/agents/clawdcode/policy/policy";
import { assertDefined } from "@/lib/core/base/assert";
import type { SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { runs } from "@/lib/core/testing/runs";
import { exactCounter } from "@/verify/support/counter";
import { compactionsOf, differencesOf } from "@/verify/support/cross-check";
import { describeCrossCheck, fixtureGroups } from "@/verify/support/describe-cross-check";
import { type LoadedRecording, loadRecording } from "@/verify/support/loaded-recording";
import { fixtureSources, recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { crossCheck } from "./cross-check";
import { analyzeFiles } from "./file-analyzer";
import { automaticSummary, failureText, summaryMessage } from "./summary";
import { countTokens } from "./token-counter";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
const count = exactCounter("cl100k_base");
const estimator = createClawdcodeEstimator(exactCounter);

describeCrossCheck(crossCheck, [
  ...fixtureGroups(["clawdcode"]),
  { name: "recordings", sources: sampledSources(recordingSources(), 2, 5), sampling: SAMPLED },
]);

describe("random sessions", () => {
  const text = fc.string({ maxLength: 40 });
  // The call that a result answers: the newest before it, one that was never made, or none.
  const step = fc.record({
    type: fc.constantFrom("user", "assistant", "tool_use", "tool_result"),
    text,
    back: fc.nat(4),
  });

  it("replay the same under the policy and the independent rules", async () => {
    let compactions = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60, size: "max" }), async (steps) => {
        const bytes = Buffer.from(rows(steps).join("\n"));
        const runs = await crossCheck({ name: "drawn", format: "clawdcode", bytes: () => bytes });
        expect(differencesOf(runs)).toEqual([]);
        compactions += compactionsOf(runs);
      }),
      { numRuns: runs(40), seed: 7 },
    );
    expect(compactions).toBeGreaterThan(200);
  });
});

function rows(steps: readonly { type: string; text: string; back: number }[]): readonly string[] {
  const calls: string[] = [];
  return steps.map(({ type, text, back }, index) => {
    // Some ids are used more than once.
    const callId = `c${index % 23}`;
    if (type === "tool_use") calls.push(callId);
    const id = type === "tool_use" ? callId : back === 0 ? "" : (calls.at(-back) ?? "unknown");
    const content = type === "user" || type === "assistant" ? { message: { role: type, content: text } } : {};
    const call = type === "tool_use" ? { tool: { id, name: "Read", input: { path: text } } } : {};
    const result = type === "tool_result" ? { toolResult: { id, output: text } } : {};
    return JSON.stringify({
      uuid: `u${index}`,
      parentUuid: null,
      sessionId: "s",
      type,
      ...content,
      ...call,
      ...result,
    });
  });
}

/** A session with one response, whose calls name files. */
function withCalls(
  calls: readonly { readonly name: string; readonly path: string }[],
  prompts: readonly string[] = [],
) {
  const record = (type: string, more: object) => JSON.stringify({ sessionId: "s", type, uuid: type, ...more });
  const lines = [
    record("user", { message: { role: "user", content: "Look at `lib/text.ts`." } }),
    record("assistant", { message: { role: "assistant", content: "on it" } }),
    ...calls.map(({ name, path }, at) =>
      record("tool_use", { uuid: `c${at}`, tool: { id: `c${at}`, name, input: { file_path: path } } }),
    ),
    ...calls.map((_, at) => record("tool_result", { uuid: `r${at}`, toolResult: { id: `c${at}`, output: "x" } })),
    ...prompts.map((content, at) => record("user", { uuid: `p${at}`, message: { role: "user", content } })),
    record("user", { uuid: "next", message: { role: "user", content: "go on" } }),
    record("assistant", { uuid: "last", message: { role: "assistant", content: "done" } }),
  ];
  const bytes = Buffer.from(lines.join("\n"));
  return loadRecording({ name: "drawn", format: "clawdcode", bytes: () => bytes }, estimator, clawdcodeMeasures());
}

/** The paths of a compaction's files, read from the texts if only those hold them. */
function namedFiles(files: SyntheticItem["files"], { transcript, contents, rowsOf }: LoadedRecording) {
  return files?.map((file) => {
    if (typeof file === "string") return file;
    const message = transcript.messages.findIndex((_, index) => rowsOf(index).includes(file.item));
    const block = rowsOf(message).indexOf(file.item);
    return contents(message)[block]?.text.slice(file.from, file.to);
  });
}

describe("the files that a compaction reads", () => {
  const IN_TEXT = "lib/text.ts";
  const filesOf = (
    preset: string,
    calls: Parameters<typeof withCalls>[0],
    given: Readonly<Record<string, unknown>>,
    prompts: readonly string[] = [],
  ) => {
    const loaded = withCalls(calls, prompts);
    const { columns, tokens, transcript, contents } = loaded;
    const window = 80;
    const settings = resolveSettings(clawdcodePolicy.settings(preset, { window, agent: null }), given);
    const { compactions } = replay({ columns, tokens }, clawdcodePolicy, settings, {
      preset,
      window,
      counting: "estimate",
    });
    const first = assertDefined(compactions[0], "a compaction");
    const end = transcript.requests[first.request]?.message ?? 0;
    const history = transcript.messages
      .slice(0, end)
      .flatMap((message, index) => toNative(message, contents(index)).map((native) => native.message));
    const exact = analyzeFiles(history, preset === "current" ? "current" : "as-documented");
    return { numbers: namedFiles(first.added[0]?.files, loaded), exact: exact.map(({ path }) => path) };
  };
  const once = ["a", "b", "c", "d", "e", "f"].map((name) => ({ name: "Read", path: `src/${name}.ts` }));
  const atOnce = { rule: "context" };

  it("follow the order of the calls in a response", () => {
    const { numbers, exact } = filesOf("as-documented", [...once, { name: "Edit", path: "src/f.ts" }], atOnce);
    expect(exact).toEqual(["src/f.ts", "src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"]);
    expect(numbers).toEqual(exact);
  });

  it("include dependencies, `.git` and binaries only in the documented version", () => {
    const others = ["node_modules/a/index.js", ".git/HEAD", "https://a.b/c.ts", "docs/a.PNG"];
    const calls = [...others, "src/a.ts"].map((path) => ({ name: "Edit", path }));
    expect(filesOf("current", calls, atOnce).numbers).toEqual(["src/a.ts", IN_TEXT]);
    expect(filesOf("as-documented", calls, atOnce).numbers).toHaveLength(5);
  });

  it("come only from texts if the program compacts by itself, since it then has no calls", () => {
    const given = { rule: "session", compressionThreshold: 1 };
    expect(filesOf("current", once, given).numbers).toEqual([IN_TEXT]);
    expect(filesOf("as-documented", once, given).numbers).toHaveLength(5);
  });

  it("are ranked by their mentions in calls and texts", () => {
    const others = ["see src/b.ts or docs/c.md", "once more: `src/b.ts`"];
    const read = ["src/a.ts", "src/b.ts", "src/d.ts", "src/e.ts"].map((path) => ({ name: "Read", path }));
    const calls = [...read, { name: "Read", path: "src/a.ts" }, { name: "Write", path: "src/c.ts" }];
    const { numbers, exact } = filesOf("as-documented", calls, atOnce, others);
    expect(exact).toEqual(["src/c.ts", "src/b.ts", "src/a.ts", "docs/c.md", "src/d.ts"]);
    expect(numbers).toEqual(exact);
  });
});

describe("the replacement of a summary", () => {
  const fixture = fixtureSources(["clawdcode"]).find(({ name }) => name === "clawdcode/compactions.jsonl");
  const loaded = loadRecording(assertDefined(fixture, "the fixture"), estimator, clawdcodeMeasures());
  const window = Math.ceil((loaded.overhead + 240) / 0.8);
  const run = (preset: string, settings: Readonly<Record<string, unknown>>) =>
    replay(
      { columns: loaded.columns, tokens: loaded.tokens },
      clawdcodePolicy,
      resolveSettings(clawdcodePolicy.settings(preset, { window, agent: null }), settings),
      { preset, window, counting: "estimate" },
    ).compactions;

  it("is a note and three tenths of the messages after a failed call in the documented version", () => {
    const [first] = run("as-documented", { failSummary: "always" });
    const note = countTokens([summaryMessage(failureText(4, "LLM unavailable", "as-documented"))], count);
    expect(first).toMatchObject({ outcome: "fallback", summaryTokens: 0 });
    expect(Math.abs((first?.added[0]?.tokens ?? 0) - note)).toBeLessThanOrEqual(1);
    const messages = first?.kept.length ?? 0;
    expect(messages).toBeGreaterThan(run("as-documented", {})[0]?.kept.length ?? 0);
  });

  it("is the program's own summary of about its real size", () => {
    const [first] = run("current", { rule: "session", compressionThreshold: 10 });
    const end = loaded.transcript.requests[first?.request ?? 0]?.message ?? 0;
    const history = loaded.transcript.messages
      .slice(0, end)
      .flatMap((message, index) => toNative(message, loaded.contents(index)).map((native) => native.message));
    const exact = countTokens([summaryMessage(automaticSummary(history))], count);
    expect(first).toMatchObject({ outcome: "summary", summaryTokens: 0, summaryCallTokens: 0 });
    expect(Math.abs((first?.added[0]?.tokens ?? 0) - exact)).toBeLessThan(exact * 0.15);
    expect(first?.added[0]?.label).toBe("automatic summary");
  });
});

describe("settings", () => {
  const run = (drawing: string, given: Readonly<Record<string, unknown>>) => {
    const columns = drawColumns(drawing);
    const settings = resolveSettings(
      clawdcodePolicy.settings("as-documented", { window: 128_000, agent: null }),
      given,
    );
    const tokens = columns.chars.map((chars) => Math.ceil(chars / 4));
    const chosen = { preset: "as-documented", window: 128_000, settings };
    const { compactions } = replay({ columns, tokens }, clawdcodePolicy, settings, { ...chosen, counting: "estimate" });
    return { threshold: clawdcodePolicy.threshold?.(chosen), compactions };
  };

  it("replace a threshold of 0 by the default of 6,000", () => {
    expect(run("u1 a1", { rule: "session", compressionThreshold: 0 }).threshold).toBe(6000);
  });

  it("compare the previous turn under rule `session`, which delays the compaction by a prompt", () => {
    const { compactions } = run("u3000 a2 | u3001 a414 | u1 a1 | u1 a1", { rule: "session" });
    expect(compactions.map(({ request, tokensBefore }) => [request, tokensBefore])[0]).toEqual([2, 6418]);
  });

  it("keep the newest 50 messages and 32,000 tokens if the context filter is on", () => {
    const many = Array.from({ length: 30 }, () => "u1 a1").join(" | ");
    expect(run(many, {}).compactions).toEqual([]);
    const { compactions } = run(many, { contextFilter: true });
    expect(compactions[0]).toMatchObject({ outcome: "trim", request: 25, keptItems: 50, droppedItems: 1 });
    const large = run("u20000 a1 | u20000 a1 | u1 a1", { contextFilter: true }).compactions;
    expect(large[0]).toMatchObject({ outcome: "trim", request: 1, keptItems: 2, droppedItems: 1 });
  });
});
