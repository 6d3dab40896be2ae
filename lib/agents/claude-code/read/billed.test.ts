import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { billOf } from "@/lib/core/cost/bill";
import { recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { runs } from "@/lib/core/testing/runs";
import type { Transcript } from "@/lib/core/transcript/model";
import { contextOf, usageTotals } from "@/lib/core/transcript/totals";
import { readTranscript } from "@/verify/support/read";
import { claudeCodeReader } from "./reader";

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)), "utf8")
    .trimEnd()
    .split("\n");
const read = (lines: readonly string[]) => readTranscript(Buffer.from(lines.join("\n")), claudeCodeReader);

/** Micro-dollars and responses billed to the session. */
function billed(transcript: Transcript) {
  const bill = billOf(columnsFromTranscript(transcript), LISTED_PRICES).billed;
  const { cost } = recordedCost(bill?.priced ?? []);
  return { requests: bill?.requests ?? 0, cost: cost && totalOf(cost) };
}

it("the reader uses the last main pass as the context size, and bills every pass at its own model", () => {
  const transcript = read(fixture("advisor-passes.jsonl"));
  expect(transcript.requests.map(contextOf)).toEqual([20_003, 21_604, 21_803]);
  expect(transcript.extraRequests.map(({ kind, point, model, usage }) => [kind, point, model, usage?.input])).toEqual([
    ["pass", 1, "claude-sonnet-4-6", 2],
    ["pass", 1, "claude-opus-4-7", 30_000],
  ]);
  expect(usageTotals(transcript)).toMatchObject({ requests: 3, usage: { input: 30_012, output: 590 } });
  const main = (12 * 3 + 62_600 * 0.3 + 21_800 * 3.75 + 190 * 15) / 1e6;
  const advisor = (30_000 * 5 + 400 * 25) / 1e6;
  expect((billed(transcript).cost ?? 0) / 1e6).toBeCloseTo(main + advisor, 5);
});

it("the reader treats history that a second compaction appended again as copies, not as a rewind", () => {
  const transcript = read(fixture("history-appended-again.jsonl"));
  expect(transcript.requests.map(contextOf)).toEqual([9003, 9103, 4003, 5003]);
  expect(transcript.boundaries).toHaveLength(2);
  expect(transcript.extraRequests).toEqual([]);
});

it("a boundary or a hook's attachment may continue history that a compaction appended again", () => {
  const [first, second] = [session([-1, 0]), session([-1, 0, 1, 2, 3, 4]).slice(4)];
  const at = (second: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 1, 0, 3, second)).toISOString() });
  const boundary = (uuid: string, logicalParentUuid: string) =>
    JSON.stringify({
      ...{ ...BASE, ...at(10), type: "system", subtype: "compact_boundary", uuid, parentUuid: null, logicalParentUuid },
      compactMetadata: { trigger: "manual", preTokens: 2000 },
    });
  const hook = { type: "hook_success", hookName: "PreCompact", content: "ok" };
  const attachment = { ...BASE, ...at(9), type: "attachment", uuid: "h1", parentUuid: "a1", attachment: hook };
  const command = { ...attachment, type: "user", attachment: undefined, message: { role: "user", content: COMMAND } };
  for (const row of [undefined, attachment, command]) {
    const added = row === undefined ? [] : [JSON.stringify(row)];
    const last = row === undefined ? "a1" : "h1";
    const rest = second.map((line) => line.replace('"parentUuid":"a1"', '"parentUuid":"b1"'));
    const [before, after] = [rest.slice(0, 4), rest.slice(4)];
    const relinked = after.map((line) => line.replace('"parentUuid":"a3"', '"parentUuid":"b2"'));
    const transcript = read([
      ...first,
      boundary("b1", "a1"),
      ...before,
      ...first,
      ...added,
      boundary("b2", last),
      ...relinked,
    ]);
    expect([transcript.requests.length, transcript.boundaries.length]).toEqual([6, 2]);
    expect(transcript.extraRequests).toEqual([]);
  }
});

it("the reader keeps responses and compactions that share a uuid with another record", () => {
  const lines = fixture("history-appended-again.jsonl").map((line) =>
    line.replace(/"uuid":"(b2|a4)"/, (_, uuid) => `"uuid":"${uuid === "b2" ? "b1" : "a1"}"`),
  );
  const transcript = read(lines);
  expect([transcript.requests.length, transcript.boundaries.length]).toEqual([4, 2]);
});

const BASE = { isSidechain: false, sessionId: "s", version: "2.1.240" };
const COMMAND = "<command-name>/compact</command-name>";

/** A session whose prompts each continue some earlier response: the last one, or an older one after a rewind. */
function session(parents: readonly number[]): string[] {
  return parents.flatMap((parent, turn) => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, turn, second)).toISOString();
    const usage = { input_tokens: 10 * (turn + 1), cache_creation_input_tokens: 1000 + turn, output_tokens: 5 + turn };
    const message = {
      id: `m${turn}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content: [],
      stop_reason: "end_turn",
    };
    const text = [{ type: "text", text: `Answer ${turn}` }];
    return [
      {
        ...BASE,
        type: "user",
        uuid: `u${turn}`,
        parentUuid: parent < 0 ? null : `a${parent}`,
        timestamp: at(0),
        message: { role: "user", content: `Prompt ${turn}` },
      },
      {
        ...BASE,
        type: "assistant",
        uuid: `a${turn}`,
        parentUuid: `u${turn}`,
        timestamp: at(5),
        message: { ...message, content: text, usage },
      },
    ].map((record) => JSON.stringify(record));
  });
}

const tree = fc
  .array(fc.nat(1000), { minLength: 1, maxLength: 8 })
  .map((draws) => draws.map((draw, turn) => (draw % 3 === 0 && turn > 0 ? draw % turn : turn - 1)));

it("a rewind changes the context but not the cost", () => {
  fc.assert(
    fc.property(tree, (parents) => {
      const straight = parents.map((_, turn) => turn - 1);
      const transcript = read(session(parents));
      expect(billed(transcript)).toEqual(billed(read(session(straight))));
      const branches = transcript.extraRequests.filter(({ kind }) => kind === "branch").length;
      expect(transcript.requests.length + branches).toBe(parents.length);
    }),
    { numRuns: runs(40) },
  );
});

it("repeated records change neither context nor cost", () => {
  fc.assert(
    fc.property(tree, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }), (parents, repeats) => {
      const lines = session(parents);
      const repeated = [...lines];
      for (const [from, to] of repeats) {
        const line = lines[from % lines.length] ?? "";
        const first = repeated.indexOf(line) + 1;
        repeated.splice(first + (to % (repeated.length - first + 1)), 0, line);
      }
      const [once, twice] = [read(lines), read(repeated)];
      expect(twice.requests.map(contextOf)).toEqual(once.requests.map(contextOf));
      expect(billed(twice)).toEqual(billed(once));
    }),
    { numRuns: runs(40) },
  );
});

it("the reader marks responses copied by a branch as inherited, even next to unmarked copies", () => {
  const lines = session([-1, 0, 1]);
  const forkedFrom = { sessionId: "s-parent", messageUuid: "u" };
  const branch = (line: string) => JSON.stringify({ ...JSON.parse(line), forkedFrom });
  const [copied, own] = [lines.slice(0, 4), lines.slice(4)];
  for (const file of [
    [...copied.map(branch), ...own],
    [...copied.map(branch), ...copied, ...own],
    [...copied, ...copied.map(branch), ...own],
  ]) {
    const { requests, links } = read(file);
    expect(requests.map(({ inherited }) => inherited === true)).toEqual([true, true, false]);
    expect(links.parents).toContainEqual({ session: "s-parent", kind: "fork" });
  }
});

/** Rows of one session: `text` is the message of a user or an assistant, `usage` marks a response. Rows have ids only if a test gives them. */
function rows(...given: readonly Record<string, unknown>[]): string[] {
  return given.map(
    (
      {
        text = "x",
        content = [{ type: "text", text }],
        usage,
        id,
        stop = null,
        second,
        model = "claude-sonnet-4-5",
        ...row
      },
      at,
    ) => {
      const answer = { role: "assistant", model, content, stop_reason: stop, usage, id };
      return JSON.stringify({
        ...BASE,
        type: usage === undefined ? "user" : "assistant",
        uuid: `r${at}`,
        parentUuid: at === 0 ? null : `r${at - 1}`,
        timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, typeof second === "number" ? second : at * 10)).toISOString(),
        message: usage === undefined ? { role: "user", content } : answer,
        ...row,
      });
    },
  );
}
const sent = (input: number, output: number) => ({
  input_tokens: 3,
  cache_creation_input_tokens: input,
  output_tokens: output,
});
const outputs = (lines: readonly string[]) => read(lines).requests.map(({ usage }) => usage?.output);

it("the reader joins the rows of a response without any id", () => {
  const streamed = [{ usage: sent(5000, 1) }, { usage: sent(5000, 1) }, { usage: sent(5000, 310), stop: "tool_use" }];
  expect(outputs(rows({}, ...streamed, {}, { usage: sent(5400, 20), stop: "end_turn" }))).toEqual([310, 20]);
  const empty = { input_tokens: 0, output_tokens: 0 };
  expect(outputs(rows({}, { usage: empty }, { usage: sent(5000, 310), stop: "end_turn" }))).toEqual([310]);
  const whole = { usage: sent(5000, 310), stop: "tool_use", second: 4 };
  expect(outputs(rows({}, whole, whole, {}, { usage: sent(5400, 20) }))).toEqual([310, 20]);
  const named = { usage: sent(5000, 310), requestId: "q1", second: 4 };
  expect(outputs(rows({}, named, {}, { ...named, parentUuid: "r1" }, { ...named, requestId: "q2" }))).toEqual([
    310, 310,
  ]);
  // A parallel call's result may be between the rows.
  expect(outputs(rows({}, streamed[0] ?? {}, {}, { ...streamed[2], parentUuid: "r1" }))).toEqual([310]);
  const streamedOutside = streamed.map((row) => ({
    ...row,
    parentUuid: undefined,
    session_id: "s",
    sessionId: undefined,
  }));
  expect(outputs(rows({ session_id: "s", sessionId: undefined }, ...streamedOutside))).toEqual([310]);
});

it("the reader separates rows without any id if one cannot continue the other", () => {
  const one = { usage: sent(5000, 10), stop: "end_turn" };
  expect(outputs(rows({}, one, {}, one, {}, one))).toEqual([10, 10, 10]);
  expect(outputs(rows({}, one, one))).toEqual([10, 10]);
  expect(outputs(rows({}, { usage: sent(5000, 10) }, { usage: sent(5300, 10) }))).toEqual([10, 10]);
  expect(outputs(rows({}, { usage: sent(5000, 10) }, { usage: sent(5000, 9) }))).toEqual([10, 9]);
  expect(outputs(rows({}, { usage: sent(5000, 10), id: "m1" }, { usage: sent(5000, 10), id: "m2" }))).toEqual([10, 10]);
});

it("the reader separates ended rows without any id if their texts differ", () => {
  const ended = { usage: sent(5000, 10), stop: "end_turn", second: 4 };
  const text = (value: string) => ({ ...ended, text: value });
  const call = { ...ended, content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }] };
  const thinking = { ...ended, content: [{ type: "thinking", thinking: "Which one?", signature: "s" }] };
  expect(outputs(rows({}, text("The first answer."), text("Another one.")))).toEqual([10, 10]);
  expect(outputs(rows({}, thinking, text("The first answer."), text("Another one.")))).toEqual([10, 10]);
  // Parts of one response: several kinds of blocks, a row written twice, and an empty text.
  expect(outputs(rows({}, thinking, text("I look."), call, { ...call }))).toEqual([10]);
  expect(outputs(rows({}, text("I look."), text("I look.")))).toEqual([10]);
  expect(outputs(rows({}, text("I look."), text(""), call, text("That was all.")))).toEqual([10]);
  // While a response is streamed, its rows may hold parts of one text.
  const part = (value: string) => ({ ...text(value), stop: null });
  expect(outputs(rows({}, part("The first"), part(" answer.")))).toEqual([10]);
});

it("the reader bills at least a response's usage, even if its passes sum to less", () => {
  const pass = (input: number, output: number) => ({ type: "message", ...sent(input, output) });
  const advisor = { type: "advisor_message", model: "claude-opus-4-7", input_tokens: 3000, output_tokens: 40 };
  const usage = { ...sent(5000, 90), input_tokens: 9 };
  const response = (iterations: unknown, last: object = {}) =>
    read(rows({}, { usage: { ...usage, iterations }, stop: "end_turn", id: "m", ...last }));
  const own = (transcript: Transcript) =>
    [...transcript.requests, ...transcript.extraRequests.filter(({ model }) => model !== advisor.model)].map(
      ({ usage }) => [usage?.input, usage?.cacheWrite, usage?.output],
    );
  expect(own(response([pass(2000, 30), pass(1000, 20)]))).toEqual([
    [3, 1000, 20],
    [3, 2000, 30],
    [3, 2000, 40],
  ]);
  expect(own(response([pass(2000, 30)]))).toEqual([[9, 5000, 90]]);
  const found = (iterations: unknown) => response(iterations).problems.map(({ code, detail }) => detail ?? code);
  expect([pass(2000, 30), [pass(2000, 30), pass(1, 1)]].map((one) => found([one].flat()))).toEqual([
    ["incomplete-passes"],
    ["incomplete-passes"],
  ]);
  expect(found([{ type: "message", ...usage }, advisor])).toEqual([]);
  const objects = [advisor, { first: { type: "message", ...usage }, second: advisor }];
  for (const one of objects) {
    expect(response(one).extraRequests.map(({ model }) => model)).toEqual([advisor.model]);
    expect(found(one)).toEqual(["usage.iterations"]);
  }
  for (const one of [7, "x", [null]]) expect(found(one)).toEqual(["usage.iterations"]);
  // A later line without passes states more than an earlier one with them.
  const [first, second] = [[pass(2000, 30), { ...pass(1000, 20), input_tokens: 6 }], sent(5000, 90)];
  const lines = rows(
    {},
    { usage: { ...usage, iterations: first }, id: "m" },
    { usage: second, id: "m", stop: "end_turn" },
  );
  const sums = own(read(lines)).reduce((sum, one) => sum.map((value, at) => value + (one[at] ?? 0)), [0, 0, 0]);
  expect(sums).toEqual([9, 5000, 90]);
});

it("the reader bills a refused attempt and the model that answered instead, each once", () => {
  const pass = (type: string, model: string, written: number, read: number, output: number) => ({
    type,
    model,
    input_tokens: 2,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: output,
  });
  const { type: _, model, ...usage } = pass("fallback_message", "claude-opus-4-8", 0, 79_000, 13_000);
  const billedOf = (iterations: readonly object[], named = model) => {
    const { requests, extraRequests } = read(
      rows({}, { usage: { ...usage, iterations }, model: named, stop: "end_turn", id: "m" }),
    );
    return [...requests, ...extraRequests].map((one) => [one.model, one.usage?.cacheRead, one.usage?.output]);
  };
  const answered = { ...usage, type: "fallback_message", model };
  const own = [model, 79_000, 13_000];
  expect(billedOf([pass("message", "claude-fable-5", 10_000, 72_000, 578), answered])).toEqual([
    own,
    ["claude-fable-5", 72_000, 578],
  ]);
  // An attempt without output costs nothing.
  expect(billedOf([pass("message", "claude-fable-5", 10_000, 72_000, 0), answered])).toEqual([own]);
  // A pass may spell the response's model in another way.
  expect(billedOf([{ ...usage, type: "message", model: "claude-opus-4-8-20260615" }])).toEqual([own]);
});

it("the reader marks session responses copied into a side question or summary call as inherited", () => {
  const lines = session([-1, 0, 1]).map((line) => ({ ...JSON.parse(line), isSidechain: true }));
  const inherited = (agentId: string) =>
    read(lines.map((line) => JSON.stringify({ ...line, agentId }))).requests.map((one) => one.inherited === true);
  expect(inherited("aside_question-c5e5c961a7749e08")).toEqual([true, true, false]);
  expect(inherited("acompact-c5e5c961a7749e08")).toEqual([true, true, false]);
  expect(inherited("ac5e5c961a7749e08")).toEqual([false, false, false]);
});
