import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPENCLAW_PRESETS, type OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import type { SessionEntry } from "@/lib/agents/openclaw/messages/entry";
import type { CutPoint } from "@/verify/support/entry-tree-cut";
import { findCutPoint } from "./cut-point";

/**
 * Sessions written as text: a letter for each entry, followed by its tokens. `u` user, `U` a user message with the mark of `k`, `a` response, `r`
 * result, `b` shell command, `B` one that is excluded from the context, `x` a message of role custom, `S` and `Z` summaries as messages, `o` an
 * unknown role, `n` no message, `c` an extension's message, `k` what the runtime inserts for a prompt, `s` a branch's summary, `C` a compaction,
 * `R` a reset, `l` a label, `m` one that holds a user's message, `i` a user's picture, whatever the number.
 */
function entriesOf(text: string): SessionEntry[] {
  return partsOf(text).map(({ kind, size }) => entryOf(kind, "x".repeat(4 * size)));
}

interface Part {
  readonly kind: string;
  readonly size: number;
}

function partsOf(text: string): Part[] {
  const parts = text.split(" ").filter((part) => part !== "");
  return parts.map((part) => ({ kind: part.slice(0, 1), size: Number(part.slice(1)) }));
}

function entryOf(kind: string, text: string): SessionEntry {
  const message = (fields: object) => ({ type: "message", message: fields });
  switch (kind) {
    case "u":
      return message({ role: "user", content: text });
    case "U":
      return message({ role: "user", content: text, details: { runtimeContextCarrier: true } });
    case "a":
      return message({ role: "assistant", content: [{ type: "text", text }] });
    case "r":
      return message({ role: "toolResult", content: [{ type: "text", text }] });
    case "b":
      return message({ role: "bashExecution", command: text, output: "" });
    case "B":
      return message({ role: "bashExecution", command: text, output: "", excludeFromContext: true });
    case "x":
      return message({ role: "custom", content: text });
    case "S":
      return message({ role: "branchSummary", summary: text });
    case "Z":
      return message({ role: "compactionSummary", summary: text });
    case "o":
      return message({ role: "hologram", content: text });
    case "n":
      return { type: "message", message: null };
    case "c":
      return { type: "custom_message", content: text };
    case "k":
      return { type: "custom_message", content: text, details: { runtimeContextCarrier: true } };
    case "s":
      return { type: "branch_summary", summary: text };
    case "i":
      return message({ role: "user", content: [{ type: "image" }] });
    case "m":
      return { type: "label", message: { role: "user", content: text } };
    case "C":
      return { type: "compaction", summary: text };
    case "R":
      return { type: "reset" };
    default:
      return { type: "label" };
  }
}

/** Treatment of the kinds by each release. Sources: README.md, "Cut point" and openclaw@2026.9.6, agent-core compaction. */
const OF_PI = {
  places: "uiUabBxSZcks",
  turns: "uiUbBcks",
  wholeTurns: "uiU",
  counted: "uiUarbBxSZ",
  sizeless: "on",
  picture: 0,
  joining: "cksRlm",
  fallback: "first",
} as const;
const RULES = {
  "as-documented": OF_PI,
  "release-2026-02": OF_PI,
  "release-2026-05": OF_PI,
  current: {
    places: "uiUabxSZcs",
    turns: "uiUbxSZcs",
    wholeTurns: "uiUbxSZcs",
    counted: "uiUarbxSZcks",
    sizeless: "o",
    picture: 2014,
    joining: "lm",
    fallback: "last",
  },
} as const satisfies Record<OpenClawPreset, Readonly<Record<string, string | number>>>;

/** The rule as a search: the first place that is not before the last entry whose tail holds the budget. */
function byDefinition(parts: readonly Part[], start: number, keep: number, preset: OpenClawPreset): CutPoint {
  const rule = RULES[preset];
  const is = (kinds: string, index: number) => kinds.includes(parts[index]?.kind ?? "?");
  const indices = parts.map((_, index) => index).filter((index) => index >= start);
  const sizes = parts.map(({ kind, size }, index) =>
    kind === "i" ? rule.picture : is(rule.counted, index) ? size : 0,
  );
  const tail = (from: number) => sizes.slice(from).reduce((sum, size) => sum + size, 0);
  const reaching = indices.filter((index) => is(rule.counted + rule.sizeless, index) && tail(index) >= keep);
  const places = indices.filter((index) => is(rule.places, index));
  const atOrAfter = places.filter((index) => index >= (reaching.at(-1) ?? start));
  const place = atOrAfter[0] ?? (rule.fallback === "first" ? places[0] : places.at(-1));
  if (place === undefined) return { firstKept: start, turnStart: -1, isSplitTurn: false };
  const joined = indices.filter((from) => indices.every((at) => at < from || at >= place || is(rule.joining, at)));
  const firstKept = Math.min(...joined);
  const turns = indices.filter((index) => index <= firstKept && is(rule.turns, index));
  const turnStart = is(rule.wholeTurns, firstKept) ? -1 : (turns.at(-1) ?? -1);
  return { firstKept, turnStart, isSplitTurn: turnStart >= 0 };
}

const kind = fc.oneof(fc.constantFrom("u", "a", "r", "l"), fc.constantFrom(..."UimbBxSZonckCsR"));
const session = fc
  .array(fc.tuple(kind, fc.nat(40)), { maxLength: 20 })
  .map((parts) => parts.map(([one, size]) => `${one}${size}`).join(" "));

describe.each(OPENCLAW_PRESETS)("%s", (preset) => {
  it("cuts at the defined position", () => {
    const property = fc.property(session, fc.nat(6), fc.nat(22), fc.nat(200), (text, from, to, keep) => {
      const parts = partsOf(text);
      const start = Math.min(from, parts.length);
      const end = Math.min(Math.max(to, start), parts.length);
      const cut = findCutPoint(entriesOf(text), start, end, keep, preset);
      expect(cut).toEqual(byDefinition(parts.slice(0, end), start, keep, preset));
    });
    fc.assert(property, { numRuns: 2000 });
  });
});

describe("a cut point", () => {
  const cut = (text: string, keep: number, preset: OpenClawPreset, start = 0) => {
    const entries = entriesOf(text);
    const { firstKept, turnStart } = findCutPoint(entries, start, entries.length, keep, preset);
    return [firstKept, turnStart];
  };

  it("reaches the budget at equality", () => {
    for (const preset of OPENCLAW_PRESETS) {
      expect(cut("u9 a9 u9 a9", 18, preset)).toEqual([2, -1]);
      expect(cut("u9 a9 u9 a9", 19, preset)).toEqual([1, 0]);
      expect(cut("u9 a9 u9 a9", 99, preset)).toEqual([0, -1]);
    }
  });

  it("keeps the call of a result that reaches the budget, while the older release kept all", () => {
    expect(cut("u9 a9 u9 a9 r99", 50, "current")).toEqual([3, 2]);
    expect(cut("u9 a9 u9 a9 r99", 50, "as-documented")).toEqual([0, -1]);
  });

  it("counts an extension's message, while the older release moved it with the next one", () => {
    expect(cut("u9 a9 c99 u9", 50, "current")).toEqual([2, -1]);
    expect(cut("u9 a9 c99 u9", 10, "as-documented")).toEqual([1, 0]);
    expect(cut("u9 a9 c99 u9", 9, "as-documented")).toEqual([2, 2]);
  });

  it("counts a message of size 0 for a budget of 0, and ignores an entry without a message", () => {
    expect(cut("u5 a0 l0", 0, "current")).toEqual([1, 0]);
    expect(cut("u5 a0 c9", 0, "as-documented")).toEqual([1, 0]);
    expect(cut("u5 a0 c9", 0, "current")).toEqual([2, -1]);
  });

  it("does not depend on entries before the range", () => {
    expect(cut("u9 l0 l0 a9 a9", 9, "current", 2)).toEqual([4, -1]);
    expect(cut("u9 l0 l0 a9 a9", 12, "current", 2)).toEqual([2, -1]);
    expect(cut("u9 r9 r9", 9, "current", 1)).toEqual([1, -1]);
  });
});
