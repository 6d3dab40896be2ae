import { describe, expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import type { OwnPolicy } from "./own-policy";
import type { Limits } from "./realm";
import { ownOf } from "./testing/policies";

const RECORDING = countedBySize(drawColumns("u10 a20 | c5 r900 | a5 u10 a20"), "bytes-4");

/** A policy with a body for `before`, which begins on line 4. */
const withBefore = (body: string) => `
export default {
  begin: () => ({
    before(view) {
      ${body}
    },
  }),
};
`;

/** The error message of a policy; `undefined` if it does not fail. */
async function sentenceOf(text: string, limits: Partial<Limits> = {}): Promise<string | undefined> {
  try {
    const own = await ownOf(text, limits);
    replayed(own);
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ name: "PolicyError" });
    return String(error).replace("PolicyError: ", "");
  }
}

function replayed(own: OwnPolicy) {
  return replay(RECORDING, own, {}, { window: 1000, counting: "estimate" });
}

const SHORT = { ms: 200 };
const NOTHING_ADDED = `truncated: [], cleared: [], added: [], addedAt: "front", outcome: "trim", summaryTokens: 0, summaryCallTokens: 0`;

describe("a harmful policy", () => {
  it.each([
    ["ends the process", "process.exit(1);", "'process' is not defined"],
    ["asks the network", 'fetch("https://example.com");', "'fetch' is not defined"],
    ["reads files", 'require("node:fs").readFileSync("/etc/passwd");', "'require' is not defined"],
    ["throws", 'throw new Error("no such item");', "no such item"],
    ["asks the clock", "return Date.now();", "a policy is deterministic, so there is no clock"],
    ["draws lots", "return Math.random();", "a policy is deterministic, so there is no Math.random"],
  ])("is reported with its line if it %s", async (_, body, message) => {
    expect(await sentenceOf(withBefore(body))).toBe(`mine.mjs:5: the policy threw before request 0: ${message}.`);
  });

  it("cannot import anything", async () => {
    for (const from of ["node:fs", "./other.mjs", "fs"]) {
      const sentence = await sentenceOf(`import fs from "${from}";\nexport default {};`);
      expect(sentence).toBe(
        `mine.mjs: the policy threw while it was loaded: a policy is one file, and ${from} is another one.`,
      );
    }
    expect(await sentenceOf(withBefore('import("node:fs").then((fs) => fs.rmSync("/"));'))).toBeUndefined();
  });

  it.each([
    ["a loop", "for (;;);"],
    ["a loop that catches what stops it", "for (;;) try { for (;;); } catch {}"],
    ["a regular expression", '/(a+)+$/.test("a".repeat(40) + "b");'],
  ])("is stopped in %s", async (_, body) => {
    const sentence = await sentenceOf(withBefore(body), SHORT);
    expect(sentence).toMatch(
      /^mine\.mjs:[45]: the policy took longer than 0\.2 s before request 0, and was stopped\.$/,
    );
  });

  it("is stopped if it is slow over many requests", async () => {
    const own = await ownOf(withBefore("for (let at = 0; at < 3e5; at++);"), { ms: 200 });
    const long = countedBySize(drawColumns("u10 a20 | ".repeat(300)), "bytes-4");
    expect(() => replay(long, own, {}, { window: 1000, counting: "estimate" })).toThrow(
      /took longer than 0\.2 s before request \d+/,
    );
  });

  it("cannot be called again after it was stopped", async () => {
    const own = await ownOf(withBefore("for (;;);"), SHORT);
    expect(() => replayed(own)).toThrow("was stopped");
    const began = performance.now();
    expect(() => replayed(own)).toThrow("was stopped");
    expect(performance.now() - began).toBeLessThan(SHORT.ms);
  });

  it.each([
    ["lists", "const all = []; for (;;) all.push(new Array(1e5).fill(view.request));"],
    ["buffers", "const all = []; for (;;) all.push(new ArrayBuffer(1e7));"],
    ["ten gigabytes at once", "return [1, 2, 3].map(() => new Uint8Array(2e9));"],
    ["texts", 'let text = "x"; for (;;) text += text;'],
  ])("cannot exceed its memory limit by %s", async (_, body) => {
    const before = process.memoryUsage().rss;
    const sentence = await sentenceOf(withBefore(body), { megabytes: 32 });
    expect(sentence).toMatch(/^mine\.mjs:5: the policy (took more than 32 MB of memory|threw) before request 0/);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 2 ** 20);
  });

  it.each([
    "return view.f(view)",
    "const deep = () => deep() + 1; return deep();",
    "const a = []; a[0] = a; return a.flat(Infinity);",
  ])("does not overflow the host's stack by %s", async (body) => {
    expect(await sentenceOf(withBefore(body))).toMatch(/^mine\.mjs(:5)?: the policy (threw|broke)/);
  });

  it("changes only its own prototypes", async () => {
    const before = [Object.prototype, Array.prototype, Function.prototype, JSON].map((one) =>
      Object.getOwnPropertyNames(one),
    );
    const text = `
Object.prototype.polluted = "yes";
Array.prototype.map = Array.prototype.push = () => { throw new Error("mine"); };
JSON.parse = JSON.stringify = () => "{}";
Object.defineProperty(Object.prototype, "kept", { get: () => [[0, 1]], set() {} });
Map.prototype.get = Map.prototype.set = Map.prototype.delete = () => ({ before: "mine" });
({}).constructor.constructor("return this")().Float64Array = class {};
${withBefore("view.__proto__.tokensOf = () => 1; view.constructor.constructor('return globalThis')().host = 1; return undefined;")}`;
    const own = await ownOf(text);
    expect(replayed(own).compactions).toEqual([]);
    const after = [Object.prototype, Array.prototype, Function.prototype, JSON].map((one) =>
      Object.getOwnPropertyNames(one),
    );
    expect(after).toEqual(before);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it.each([
    ["a number", "return 7;", "it must be an object, or nothing where nothing is done"],
    [
      "positions beyond the end",
      `return { kept: [[0, 99]], ${NOTHING_ADDED} };`,
      "kept[0] must be a range of positions, [from, to) with to at most 1, behind the one before it",
    ],
    [
      "sizes that are none",
      `return { kept: [], ${NOTHING_ADDED.replace("truncated: []", "truncated: [[0, NaN]]")} };`,
      "truncated[0][1] must be a whole number, 0 or more",
    ],
    [
      "an outcome of its own",
      `return { kept: [], ${NOTHING_ADDED.replace("trim", "magic")} };`,
      "outcome must be one of summary, fallback, trim, clear, failed, blocked, skipped",
    ],
    [
      "a hidden key",
      `return { kept: [], ${NOTHING_ADDED}, added: [{ kind: "summary", category: "__proto__", tokens: 1 }] };`,
      "added[0].category must be one of",
    ],
  ])("is reported if it answers %s", async (_, body, message) => {
    const sentence = await sentenceOf(withBefore(body));
    expect(sentence?.startsWith(`mine.mjs:4: the policy's answer before request 0 is invalid: ${message}`)).toBe(true);
  });

  it("is reported if its answer is not possible in this context", async () => {
    // Request 2 follows a call and its result: only the result is kept.
    const body = `if (view.request === 2) return { kept: [[view.items.length - 1, view.items.length]], ${NOTHING_ADDED} };`;
    expect(await sentenceOf(withBefore(body))).toMatch(
      /^mine\.mjs: the policy's answer before request 2 is not possible: expected the results of call \d+ to go with it\.$/,
    );
  });

  it.each([
    ["nothing", "", "there is no policy in it: its default export must be an object with begin."],
    ["no code", "this is not code", "the policy threw while it was loaded: expecting ';'."],
    [
      "something else",
      "export default { begin: 7 };",
      "there is no policy in it: its default export must be an object with begin.",
    ],
  ])("is reported if its file holds %s", async (_, text, message) => {
    expect((await sentenceOf(text))?.replace(/^mine\.mjs(:1)?: /, "")).toBe(message);
  });

  it.each([
    ["no list", "({})", "settings must be a list"],
    ["no number", '[{ key: "a", type: "number", min: 0, max: "1", default: 0 }]', "settings[0].max must be a number"],
    [
      "a default beyond its range",
      '[{ key: "a", type: "number", min: 0, max: 1, default: -2 }]',
      "settings[0].default must be a number within its range, and a whole one unless its unit is a share, minutes or reads",
    ],
    [
      "the key of an input",
      '[{ key: "inputTruncateTokens", type: "boolean", default: true }]',
      "settings[0].key must be a word of letters and digits, and not one of the inputs' or the pauses'",
    ],
  ])("is reported if its settings are %s", async (_, settings, message) => {
    const own = await ownOf(`export default {\n  settings: () => ${settings},\n  begin: () => ({ before() {} }),\n};`);
    expect(() => own.settings("default", { window: 1000, agent: null })).toThrow(
      `mine.mjs:2: the policy's answer when it was asked for its settings is invalid: ${message}.`,
    );
  });
});
