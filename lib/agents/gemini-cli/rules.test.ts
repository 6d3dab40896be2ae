import { describe, expect, it } from "vitest";
import { loadConversationRecord } from "@/verify/agents/gemini-cli/conversation-record";
import { findSplitPoint } from "@/verify/agents/gemini-cli/split-point";
import { randomNumbers } from "@/verify/support/random";
import { partsTokens, textTokens } from "./messages/tokens";
import { shellPreview } from "./sent/masking";
import { truncatedOutput } from "./sent/truncate-output";

describe("findSplitPoint", () => {
  it("finds the first user content without a response after the given fraction", () => {
    const random = randomNumbers(7);
    for (let round = 0; round < 300; round++) {
      const contents = Array.from({ length: random(14) }, () => {
        const kind = random(4);
        const text = { text: "x".repeat(random(200)) };
        if (kind === 0) return { role: "user", parts: [text, { functionResponse: { response: {} } }] };
        if (kind === 1) return { role: "model", parts: [text, { functionCall: { name: "a" } }] };
        return { role: kind === 2 ? "user" : "model", parts: [text] };
      });
      const fraction = (1 + random(98)) / 100;
      const chars = contents.map((content) => JSON.stringify(content).length);
      const sum = (to: number) => chars.slice(0, to).reduce((total, value) => total + value, 0);
      const cuts = contents.flatMap(({ role, parts }, index) =>
        role === "user" && !parts.some((part) => "functionResponse" in part) ? [index] : [],
      );
      const end = contents.at(-1);
      const answered = end?.role === "model" && !end.parts.some((part) => "functionCall" in part);
      const expected =
        cuts.find((index) => sum(index) >= sum(chars.length) * fraction) ??
        (answered ? contents.length : (cuts.at(-1) ?? 0));
      expect(findSplitPoint(contents, fraction)).toBe(expected);
    }
  });
});

describe("partsTokens", () => {
  it("equals the sum of units added one at a time", () => {
    const random = randomNumbers(11);
    const letters = ["a", " ", "\u007f", "\u0080", "词", "😀", "\ud800"];
    for (let round = 0; round < 200; round++) {
      const text = Array.from({ length: random(60) }, () => letters[random(letters.length)]).join("");
      let sum = 0;
      for (const unit of text.split("")) sum += unit.charCodeAt(0) <= 127 ? 0.25 : 1.5;
      expect(partsTokens([{ text }])).toBe(Math.floor(sum));
    }
  });

  it("rounds parts nested in a response separately, four levels deep and no deeper", () => {
    const nest = (depth: number): Record<string, unknown> =>
      depth === 0 ? { text: "abcdef" } : { functionResponse: { name: "", parts: [nest(depth - 1)] } };
    expect([0, 1, 2, 3, 4].map((depth) => partsTokens([nest(depth)]))).toEqual([1, 1, 1, 1, 0]);
  });
});

describe("tokens of parts", () => {
  const response = (value: unknown) => ({ functionResponse: { name: "abcd", response: value } });

  it.each([
    ["a text up to the limit counts by the kind of its units", [{ text: "中".repeat(100_000) }], 150_000],
    ["a longer text counts a quarter for every unit", [{ text: "中".repeat(100_001) }], 25_000],
    ["an image", [{ inlineData: { mimeType: "image/png", data: "AAAA" } }], 3000],
    ["a linked image", [{ fileData: { mimeType: "image/jpeg", fileUri: "x" } }], 3000],
    ["a document", [{ inlineData: { mimeType: "application/pdf", data: "AAAA" } }], 25_800],
    ["other media count by their JSON", [{ inlineData: { mimeType: "audio/wav", data: "AAAA" } }], 13],
    ["a call counts by its JSON", [{ functionCall: { name: "a", args: {} } }], 9],
    ["a response that is a text", [response("12345678")], 3],
    ["a response that is an object", [response({ output: "1" })], 4],
    ["a missing response", [response(undefined)], 1],
    ["a response that is null", [response(null)], 1],
    ["nothing", [], 0],
  ])("%s", (_what, parts, tokens) => {
    expect(partsTokens(parts)).toBe(tokens);
  });

  it("add up before they are rounded once", () => {
    expect(partsTokens([{ text: "ab" }, { text: "ab" }])).toBe(1);
    expect(partsTokens([{ text: "ab" }, { text: "a" }])).toBe(0);
    expect(textTokens("abc中")).toBe(2);
  });
});

describe("truncatedOutput", () => {
  it("keeps a fifth at the head and the rest at the tail, and states the size of the removed part", () => {
    const content = Array.from({ length: 5000 }, (_, index) => String.fromCharCode(33 + (index % 90))).join("");
    for (const max of [1, 4, 5, 999, 4999]) {
      const lines = truncatedOutput(content, "/f", max).split("\n");
      const [notice = "", head = "", , omitted = "", , tail = ""] = lines;
      expect(head).toBe(content.slice(0, Math.floor(max * 0.2)));
      expect(head.length + tail.length).toBe(max);
      expect(content.endsWith(tail)).toBe(true);
      expect(omitted).toBe(`... [${(5000 - max).toLocaleString("en-US")} characters omitted] ...`);
      expect(notice).toContain(head.length.toLocaleString("en-US"));
    }
    expect(truncatedOutput(content, "/f", 5000)).toBe(content);
  });
});

describe("shellPreview", () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");

  it("shows a short output whole, and only the ends of a long one", () => {
    expect(shellPreview({ output: numbered(20) })).toBe(numbered(20));
    expect(shellPreview({ output: numbered(23) })).toContain("line 9\n\n... [3 lines omitted] ...\n\nline 13");
  });

  it("cuts only the `Output:` section", () => {
    const shown = shellPreview({ output: `head\nOutput: ${numbered(30)}\nError: ${numbered(30)}\nExit Code: 2` });
    expect(shown.startsWith("head\nOutput: line 0\n")).toBe(true);
    expect(shown).toContain("... [10 lines omitted] ...");
    expect(shown).toContain(`Error: ${numbered(30)}\nExit Code: 2`);
  });

  it("states how the command ended if the output does not", () => {
    expect(shellPreview({ stdout: "x", exit_code: 3, error: "no" })).toBe("x\n[Exit Code: 3]\n[Error: no]");
    expect(shellPreview({ output: "Exit Code: 3", exitCode: 3 })).toBe("Exit Code: 3");
    expect(shellPreview({ output: { a: 1 }, exitCode: 0 })).toBe('{"a":1}');
  });
});

describe("loadConversationRecord", () => {
  const head = '{"sessionId":"s","projectHash":"h"}';
  const load = (lines: readonly unknown[], options = {}) =>
    loadConversationRecord([head, ...lines.map((line) => JSON.stringify(line))].join("\n"), options);
  const user = (id: string, content: unknown) => ({ id, type: "user", content });

  it("keeps the position of a rewritten message", () => {
    const record = load([user("1", "a"), user("2", "b"), user("1", "c")]);
    expect(record?.messages).toEqual([user("1", "c"), user("2", "b")]);
  });

  it("counts a repeated id twice if only counts are requested", () => {
    const lines = [user("1", "a"), user("2", "b"), user("1", "c")];
    expect(load(lines, { metadataOnly: true })).toMatchObject({ messages: [], messageCount: 3, userMessageCount: 3 });
    expect(load(lines, { maxMessages: 1 })?.messages).toEqual([user("1", "c")]);
  });

  it("reports memory that is older than the conversation", () => {
    const memory = { $set: { memoryScratchpad: { version: 1 } } };
    expect(load([memory])?.memoryScratchpadIsStale).toBe(false);
    expect(load([memory, user("1", "a")])?.memoryScratchpadIsStale).toBe(true);
    expect(load([memory, { $rewindTo: "x" }])?.memoryScratchpadIsStale).toBe(true);
    expect(
      load([memory, user("1", "a"), { $set: { memoryScratchpad: null } }])?.memoryScratchpadIsStale,
    ).toBeUndefined();
  });

  it("cannot resume from a command, question mark or context alone", () => {
    for (const text of ["/help", "  ?", "<session_context>x", "<hook_context>x", " "]) {
      expect(load([user("1", text)])).toMatchObject({ hasResumableContent: false, firstUserMessage: undefined });
    }
    expect(load([user("1", [{ inlineData: {} }]), user("2", "b")])).toMatchObject({ firstUserMessage: "b" });
  });

  it("returns null if no record names a session", () => {
    expect(loadConversationRecord("")).toBeNull();
    expect(loadConversationRecord('{"id":"1","type":"user"}\n')).toBeNull();
  });
});
