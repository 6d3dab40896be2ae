import { describe, expect, it } from "vitest";
import { reducibleResultChars, truncateResult } from "@/verify/agents/openclaw/result-budget";
import type { AgentMessage } from "../messages/message";
import { stringChars } from "../messages/string-chars";
import { resultChars } from "./result-budget";
import { MIN_KEEP_CHARS, truncateResultText, truncationMarker } from "./truncate-result";

const text = (value: unknown) => ({ type: "text", text: value });
const result = (...content: readonly unknown[]): AgentMessage => ({ role: "toolResult", toolCallId: "c", content });
const x = (chars: number) => "x".repeat(chars);
/** The texts of a result's blocks. */
const textsOf = (message: AgentMessage) =>
  (message.content as readonly { text?: unknown }[]).map((block) => block.text);

describe("the size of a result", () => {
  it("is the weighted size of its texts", () => {
    expect(resultChars(result(text("abc"), text("中"), text("")))).toBe(7);
    expect(resultChars(result({ type: "toolResult", text: "abcd" }))).toBe(4);
  });

  it("excludes parts that are not text", () => {
    expect(resultChars(result({ type: "image", text: "abc" }, { type: "text" }, text(7), null, "abc"))).toBe(0);
    expect(resultChars({ role: "user", content: [text("abc")] })).toBe(0);
    expect(resultChars({ role: "toolResult", content: "abc" })).toBe(0);
  });
});

/** Chars of the marker for a text of a number of units. */
const noticeOf = (length: number) => stringChars(truncationMarker(length));

describe("truncateResult", () => {
  it("returns a result unchanged if it fits, or if its content is not a list", () => {
    const fits = result(text(x(60)), text(x(40)));
    expect(truncateResult(fits, 100)).toBe(fits);
    expect(truncateResult(fits, 99)).not.toBe(fits);
    const odd = { role: "toolResult", content: x(500) };
    expect(truncateResult(odd, 10)).toBe(odd);
  });

  it("keeps a small text next to a large one whole, and other blocks unchanged", () => {
    const image = { type: "image", data: "AAAA" };
    const cut = truncateResult(result(text(x(100)), image, text(x(10_000)), text("")), 5000);
    const large = truncateResultText(x(10_000), 4900, { minKeepChars: MIN_KEEP_CHARS });
    expect(cut.content).toEqual([text(x(100)), image, text(large), text("")]);
    expect(cut).toMatchObject({ role: "toolResult", toolCallId: "c" });
  });

  it("treats a text as small up to the minimum that is always kept", () => {
    const kept = (size: number) =>
      textsOf(truncateResult(result(text(x(size)), text(x(900))), 700, { minKeepChars: 200 }));
    expect(kept(200)[0]).toBe(x(200));
    expect(kept(201)[0]).not.toBe(x(201));
    // A hundred Chinese characters are as many units, and 400 chars.
    const chinese = "中".repeat(100);
    expect(textsOf(truncateResult(result(text(chinese), text(x(900))), 700, { minKeepChars: 200 }))[0]).not.toBe(
      chinese,
    );
  });

  it("divides the rest by size, with room for each marker", () => {
    const cut = truncateResult(result(text(x(6000)), text(x(3000))), 3000, { minKeepChars: 0 });
    const shared = 3000 - noticeOf(6000) - noticeOf(3000);
    const budgets = [noticeOf(6000) + (shared * 2) / 3, noticeOf(3000) + shared / 3].map(Math.floor);
    expect(textsOf(cut)).toEqual([
      truncateResultText(x(6000), budgets[0] ?? 0, { minKeepChars: 0 }),
      truncateResultText(x(3000), budgets[1] ?? 0, { minKeepChars: 0 }),
    ]);
  });

  it("divides the minimum that is always kept among the texts", () => {
    const long = `${"line of a log\n".repeat(300)}error: it failed`;
    const cut = truncateResult(result(text(long), text(long)), 5000);
    const each = truncateResultText(long, 2500, { minKeepChars: MIN_KEEP_CHARS / 2 });
    expect(textsOf(cut)).toEqual([each, each]);
    expect(each).not.toBe(truncateResultText(long, 2500, { minKeepChars: MIN_KEEP_CHARS }));
  });

  it("cuts small texts too if they leave no room for the large one", () => {
    const cut = (limit: number) =>
      textsOf(truncateResult(result(text(x(150)), text(x(150)), text(x(900))), limit, { minKeepChars: 150 }));
    const least = 300 + noticeOf(900);
    expect(cut(least).slice(0, 2)).toEqual([x(150), x(150)]);
    expect(cut(least - 1)[0]).not.toBe(x(150));
  });

  it("divides the limit among markers if not even they fit", () => {
    const texts = textsOf(truncateResult(result(text(x(500)), text(x(500))), 60));
    expect(texts).toEqual([truncationMarker(500).slice(0, 30), truncationMarker(500).slice(0, 30)]);
    const withEmpty = textsOf(truncateResult(result(text(x(500)), text(""), text(x(500))), 60));
    expect(withEmpty).toEqual([texts[0], "", texts[1]]);
  });

  it("changes the content of a nested result together with its text", () => {
    const nested = { type: "toolResult", text: x(900), content: x(900) };
    const [cut] = truncateResult(result(nested), 300).content as readonly { text: string; content: string }[];
    expect(cut?.content).toBe(cut?.text);
    expect(stringChars(cut?.text ?? "")).toBeLessThanOrEqual(300);
    const listed = { type: "toolResult", text: x(900), content: [1] };
    expect((truncateResult(result(listed), 300).content as readonly unknown[])[0]).toMatchObject({ content: [1] });
  });

  it("uses the caller's marker", () => {
    const [cut] = textsOf(
      truncateResult(result(text(x(900))), 100, { minKeepChars: 0, marker: (left) => `<${left}>` }),
    );
    expect(cut).toBe(`${x(95)}<805>`);
  });
});

describe("reducibleResultChars", () => {
  const user: AgentMessage = { role: "user", content: [text(x(9000))] };
  /** A number of results with so many chars each. */
  const results = (count: number, size: number) => Array.from({ length: count }, () => result(text(x(size))));
  const shortened = (size: number, to: number) =>
    resultChars(truncateResult(result(text(x(size))), to, { minKeepChars: 0 }));

  it("sums the excess of each result over its limit", () => {
    const history = [user, ...results(2, 5000), ...results(1, 300)];
    expect(reducibleResultChars(history, 100_000, 1000)).toBe(2 * (5000 - shortened(5000, 1000)));
    expect(reducibleResultChars(history, 100_000, 5000)).toBe(0);
    expect(reducibleResultChars([user], 100, 10)).toBe(0);
    // From the window: 0.3 of 1,000 tokens are 1,200 chars.
    expect(reducibleResultChars(results(1, 5000), 1000)).toBe(5000 - shortened(5000, 1200));
  });

  it("keeps the end of a result that reports an outcome", () => {
    const log = `${"line of a log\n".repeat(200)}error: it failed`;
    const cut = resultChars(truncateResult(result(text(log)), 1000, { minKeepChars: 0 }));
    expect(cut).not.toBe(resultChars(truncateResult(result(text(log)), 1000)));
    expect(reducibleResultChars([result(text(log))], 100_000, 1000)).toBe(log.length - cut);
  });

  it("sums the excess over the common limit, oldest results first", () => {
    // Four times the limit of one result: 4,000.
    expect(reducibleResultChars(results(4, 1000), 100, 1000)).toBe(0);
    const least = noticeOf(1);
    const first = 900 - shortened(900, least);
    const second = 900 - shortened(900, 900 - (1400 - first));
    expect(first).toBeLessThan(1400);
    expect(reducibleResultChars([user, ...results(6, 900)], 100, 1000)).toBe(first + second);
    // Half of the window in chars, where that is more: 6,000.
    expect(reducibleResultChars(results(6, 1000), 3000, 1000)).toBe(0);
    expect(reducibleResultChars(results(7, 900), 3000, 1000)).toBe(900 - shortened(900, 600));
  });

  it("is the excess of a single result, whatever the common limit", () => {
    expect(reducibleResultChars([result(text(x(8))), result(text(""))], 1, 2)).toBe(8 - shortened(8, 2));
    expect(reducibleResultChars([result(text(""))], 1, 1)).toBe(0);
  });

  it("counts cleared results if truncation is not enough", () => {
    // A limit of 10 for each leaves 1,000, of which 40 may stay: 96 are cleared.
    expect(reducibleResultChars(results(100, 60), 1, 10)).toBe(100 * 60 - 40);
    // 60 results of 100, of which 400 may stay. Each is truncated to its marker, and then the oldest are cleared.
    expect(reducibleResultChars(results(60, 100), 1, 100)).toBe(60 * 100 - 400);
  });

  /** Chinese texts, which never fill a budget to the last char: so the sums show which marker was written. */
  const chinese = (units: number) => "中".repeat(units);
  const cutTo = (units: number, to: number, marker: (left: number) => string) =>
    units * 4 - stringChars(truncateResultText(chinese(units), to, { minKeepChars: 0, marker }));
  const SHORT = (left: number) => `[... ${left} chars truncated; narrow args]`;

  it("uses the long marker if every result with text has room for it", () => {
    const history = [...Array.from({ length: 6 }, () => result(text(chinese(225)))), ...results(100, 0)];
    const first = cutTo(225, noticeOf(1), truncationMarker);
    const second = cutTo(225, 900 - (1398 - first), truncationMarker);
    expect(reducibleResultChars(history, 2001, 1000)).toBe(first + second);
    expect(first + second).toBeGreaterThan(1398);
  });

  it("uses a shorter marker without such room", () => {
    // Ten of 100 chars, of which 400 may be kept: nine are cut to the marker, the tenth to the rest.
    const history = Array.from({ length: 10 }, () => result(text(chinese(25))));
    const least = SHORT(1).length;
    const each = cutTo(25, least, SHORT);
    const last = cutTo(25, 100 - (600 - 9 * each), SHORT);
    expect(reducibleResultChars(history, 1, 100)).toBe(9 * each + last);
    expect(9 * each + last).toBeGreaterThan(600);
  });

  it("keeps as much of a cleared result's note as fits into its texts", () => {
    // Twenty of twice 50 chars, of which 400 may stay; twenty markers would be more.
    const history = Array.from({ length: 20 }, () => result(text(x(50)), text(x(50))));
    expect(reducibleResultChars(history, 1, 100)).toBe(20 * 100 - 400);
  });

  it("clears nested results and keeps images", () => {
    const nested = { type: "toolResult", text: x(60), content: x(60) };
    const image = { type: "image", data: "A" };
    expect(reducibleResultChars([result(nested, image), ...results(99, 60)], 1, 10)).toBe(100 * 60 - 40);
  });
});
