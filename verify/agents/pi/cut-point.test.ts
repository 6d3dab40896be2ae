import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PI_PRESETS, type PiPreset } from "@/lib/agents/pi/base/presets";
import { contextMessages, type PiEntry, toEntry } from "@/lib/agents/pi/messages/entry";
import type { CutPoint } from "@/verify/support/entry-tree-cut";
import { cutAmongProjected, findCutPoint } from "./cut-point";
import { sessionContext } from "./projection";

/**
 * Sessions written as text: a letter for each entry, followed by its tokens. `u` user, `a` response, `r` result, `b` shell command, `c` an
 * extension's message, `s` a branch's summary, `C` a compaction, `l` a label, `y` a prompt, `o` an unknown role, `i` a user's picture, whatever
 * the number.
 */
function entriesOf(text: string): PiEntry[] {
  return text
    .split(" ")
    .filter((part) => part !== "")
    .map((part, index) =>
      toEntry({ id: `e${index}`, ...entryOf(part[0] ?? "", "x".repeat(4 * Number(part.slice(1)))) }),
    );
}

function entryOf(kind: string, text: string): object {
  switch (kind) {
    case "u":
      return { type: "message", message: { role: "user", content: text } };
    case "a":
      return { type: "message", message: { role: "assistant", content: [{ type: "text", text }] } };
    case "r":
      return { type: "message", message: { role: "toolResult", content: [{ type: "text", text }] } };
    case "i":
      return { type: "message", message: { role: "user", content: [{ type: "image", data: "" }] } };
    case "y":
      return { type: "message", message: { role: "system", content: text } };
    case "o":
      return { type: "message", message: { role: "hologram", content: text } };
    case "b":
      return { type: "message", message: { role: "bashExecution", command: text, output: "" } };
    case "c":
      return { type: "custom_message", content: text };
    case "s":
      return { type: "branch_summary", summary: text };
    case "C":
      return { type: "compaction", summary: text };
    default:
      return { type: "label" };
  }
}

/**
 * The same rule, defined differently: of all places where a cut is allowed, take the latest whose tail still holds the budget, or, if the entry
 * that reaches the budget is a result, the first place after it; then go back over entries that belong to what follows.
 */
function byDefinition(text: string, start: number, keep: number, preset: PiPreset): CutPoint {
  const kinds = text.split(" ").filter((part) => part !== "");
  const kind = (index: number) => kinds[index]?.[0] ?? "";
  const counted = (index: number) => {
    if (kind(index) === "i") return preset === "current" ? 1200 : 0;
    const isCounted = preset === "current" ? "uarbcsCy" : "uarb";
    return isCounted.includes(kind(index)) ? Number(kinds[index]?.slice(1)) : 0;
  };
  const tail = (from: number) => kinds.reduce((sum, _, index) => sum + (index >= from ? counted(index) : 0), 0);
  const indices = kinds.map((_, index) => index).filter((index) => index >= start);
  const valid = indices.filter((index) => "uiabcs".includes(kind(index)) && visible(index));
  function visible(index: number): boolean {
    return preset === "v0.51.0" || kind(index) !== "s" || counted(index) > 0;
  }
  if (valid.length === 0) return { firstKept: start, turnStart: -1, isSplitTurn: false };
  const reaching = indices.filter((index) => {
    const takesPart = preset === "current" ? counted(index) > 0 : "uiarbyo".includes(kind(index));
    return takesPart && tail(index) >= keep;
  });
  const over = reaching.at(-1);
  const atOrAfter = over === undefined ? undefined : valid.find((index) => index >= over);
  const fallback = preset === "current" && over !== undefined ? valid.at(-1) : valid[0];
  let cut = atOrAfter ?? fallback ?? start;
  const joins = (index: number) =>
    preset === "current"
      ? kind(index) === "l" || (kind(index) === "s" && counted(index) === 0)
      : "lcs".includes(kind(index));
  while (cut > start && joins(cut - 1)) cut -= 1;
  const isTurn = (index: number) => "uibcs".includes(kind(index)) && visible(index);
  const whole = preset === "current" ? isTurn(cut) : "ui".includes(kind(cut));
  const turnStart = whole ? -1 : (indices.filter((index) => index <= cut && isTurn(index)).at(-1) ?? -1);
  return { firstKept: cut, turnStart, isSplitTurn: turnStart >= 0 };
}

const element = fc.tuple(
  fc.constantFrom("u", "a", "r", "b", "c", "s", "C", "l", "y", "o", "i"),
  fc.integer({ min: 0, max: 40 }),
);
const session = fc
  .array(element, { maxLength: 20 })
  .map((parts) => parts.map(([kind, size]) => `${kind}${size}`).join(" "));

describe.each(PI_PRESETS)("%s", (preset) => {
  it("cuts at the defined position", () => {
    const property = fc.property(session, fc.nat(6), fc.nat(22), fc.nat(200), (text, from, to, keep) => {
      const entries = entriesOf(text);
      const start = Math.min(from, entries.length);
      const end = Math.min(Math.max(to, start), entries.length);
      const expected = byDefinition(text.split(" ").slice(0, end).join(" "), start, keep, preset);
      expect(findCutPoint(entries, start, end, keep, preset)).toEqual(expected);
    });
    fc.assert(property, { numRuns: 2000 });
  });

  it("never cuts before a result, and keeps at least the budget or the last possible message", () => {
    const property = fc.property(session, fc.nat(200), (text, keep) => {
      const entries = entriesOf(text);
      const { firstKept, turnStart, isSplitTurn } = findCutPoint(entries, 0, entries.length, keep, preset);
      const first = entries[firstKept];
      if (/[uaib]/.test(text)) expect(first?.type === "message" && first.message.role === "toolResult").toBe(false);
      expect(isSplitTurn).toBe(turnStart >= 0);
      expect(turnStart).toBeLessThanOrEqual(firstKept);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});

describe("a cut point in different releases", () => {
  const cut = (text: string, keep: number, preset: PiPreset) => {
    const entries = entriesOf(text);
    return findCutPoint(entries, 0, entries.length, keep, preset).firstKept;
  };

  it("keeps results above the budget with their call, while 0.51 kept everything", () => {
    expect(cut("u10 a5 r500", 100, "current")).toBe(1);
    expect(cut("u10 a5 r500", 100, "v0.51.0")).toBe(0);
  });

  it("counts an extension's message, while 0.51 moved it with the next one", () => {
    expect(cut("u100 a100 c100 u10", 60, "current")).toBe(2);
    expect(cut("u100 a100 c100 u10", 60, "v0.51.0")).toBe(1);
    expect(cut("u100 a100 c100 u10", 5, "current")).toBe(3);
    expect(cut("u100 a100 c100 u10", 5, "v0.51.0")).toBe(2);
  });
});

it("an entry of size 0 reaches a budget of 0 only in 0.51", () => {
  const cut = (preset: PiPreset) => findCutPoint(entriesOf("u5 a0"), 0, 2, 0, preset).firstKept;
  expect(cut("v0.51.0")).toBe(1);
  expect(cut("current")).toBe(0);
});

it("a cut never moves before an older compaction without messages", () => {
  const projected = entriesOf("u5 l0 C5 l0 a5").map((entry) => ({
    entry,
    messages: entry.type === "compaction" ? [] : contextMessages(entry),
  }));
  expect(cutAmongProjected(projected, 0, 5, 5).firstKept).toBe(3);
});

describe("a failed attempt that recovery removed", () => {
  const attempt = (extra: object[]) => {
    const messages = [
      { type: "message", message: { role: "user", content: "x".repeat(400) } },
      { type: "message", message: { role: "assistant", content: [{ type: "text", text: "done" }] } },
      { type: "message", message: { role: "user", content: "x".repeat(800) } },
      {
        type: "message",
        message: { role: "assistant", content: [{ type: "text", text: "too lo" }], stopReason: "error" },
      },
      ...extra,
    ];
    const entries = messages.map((entry, index) =>
      toEntry({ ...entry, id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}` }),
    );
    const projected = sessionContext(entries, "current").entries;
    return cutAmongProjected(projected, 0, projected.length, 100).firstKept;
  };
  const omission = { type: "context_edit", targetId: "e3", replacement: null };

  it("moves the cut to after the input of the attempt", () => {
    expect(attempt([omission])).toBe(3);
    expect(attempt([omission, { type: "label" }])).toBe(3);
  });

  it("moves the cut even from the first entry, but never if everything fits the budget", () => {
    const messages = [
      { type: "message", message: { role: "user", content: "x".repeat(400) } },
      { type: "message", message: { role: "assistant", content: [], stopReason: "error" } },
      { type: "context_edit", targetId: "e1", replacement: null },
    ];
    const entries = messages.map((entry, index) =>
      toEntry({ ...entry, id: `e${index}`, parentId: index === 0 ? null : `e${index - 1}` }),
    );
    const projected = sessionContext(entries, "current").entries;
    expect(cutAmongProjected(projected, 0, 3, 100).firstKept).toBe(1);
    expect(cutAmongProjected(projected, 0, 3, 101).firstKept).toBe(0);
  });

  it.each([
    ["nothing is removed", []],
    ["something is still visible", [omission, { type: "message", message: { role: "user", content: "x" } }]],
    ["another entry is replaced", [omission, { type: "context_edit", targetId: "e2", replacement: { content: "y" } }]],
  ])("does not move the cut if %s", (_name, extra) => {
    expect(attempt(extra)).toBeLessThan(3);
  });
});
