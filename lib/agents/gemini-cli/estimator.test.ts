import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Block } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { geminiEstimator, geminiMeasures } from "./estimator";
import { nativeContent } from "./read/native";

const json = (value: unknown) => JSON.stringify(value);
const image = (callId?: string) => blockOf("image", "aGVsbG8=", callId === undefined ? {} : { callId });
const result = (text: string, tool: string, callId = "c1", isError = false) =>
  blockOf("tool_result", text, { callId, tool, isError });

/** The record of a response, with the result of its one call. */
const answered = (response: Readonly<Record<string, unknown>>) => ({
  id: "m1",
  type: "gemini",
  content: "Look.",
  toolCalls: [{ id: "c1", name: "read_file", args: {}, status: "success", result: [{ functionResponse: response }] }],
});

/** The recorded result: the record's blocks are the text, the call, and then the result. */
const recordedResult = (text: string, ...more: Block[]) =>
  messageOf("user", "tool", blockOf("tool_result", text, { callId: "c1", part: 2 }), ...more);

/** README.md, "Tokens": a unit up to 127 counts a quarter, any other one and a half. */
function textShare(text: string): number {
  return sumOf(text.split("").map((unit) => (unit <= "\u007f" ? 0.25 : 1.5)));
}

/** Tokens of another agent's block, as Gemini CLI would hold it; not rounded. */
function shareOf({ kind, text, callId, tool, isError }: Block): number {
  const value = text.value ?? "";
  switch (kind) {
    case "image":
      return 3000;
    case "tool_call":
      return json({ functionCall: { id: callId, name: tool, args: argumentsOf(value) } }).length / 4;
    case "tool_result":
      return ((tool ?? "").length + json({ [isError ? "error" : "output"]: value }).length) / 4;
    default:
      return textShare(value);
  }
}

function argumentsOf(text: string): unknown {
  return text.startsWith("{") && text.endsWith("}") ? JSON.parse(text) : { input: text };
}

describe("the token rule", () => {
  it("counts contents and nothing else", () => {
    const { id, text, message } = geminiEstimator;
    expect([id, text("abcde"), text("会话")]).toEqual(["gemini-cli", 1, 3]);
    const parts = [{ text: "ab" }, { text: "cdef" }, { inlineData: { mimeType: "application/pdf", data: "" } }];
    expect(message?.({ role: "user", parts })).toBe(25_801);
    for (const other of [{ role: "user" }, { parts: "text" }, "text", null]) expect(message?.(other)).toBeUndefined();
  });

  it("counts a response and its nested parts separately", () => {
    const message = messageOf("user", "tool", result("x".repeat(41), "read"), image("c1"), image("c1"));
    // (4 of the name, 54 of the JSON) / 4, rounded down together with the images: the fraction belongs to the response.
    expect(geminiEstimator.blocks(message, contentsOf(message), "pi")).toEqual([14, 3000, 3000]);
  });

  it("counts an image without a call separately, even after a result", () => {
    const message = messageOf("user", "tool", result("x".repeat(41), "read"), image());
    expect(nativeContent(message, contentsOf(message), "pi").parts).toHaveLength(2);
    expect(geminiEstimator.blocks(message, contentsOf(message), "pi")).toEqual([14, 3000]);
  });

  it("counts Gemini CLI's own record as written", () => {
    const response = { id: "c1", name: "read_file", response: { output: "abcd", exit: 0 }, parts: [{ text: "ab会" }] };
    const message = recordedResult(json(response.response), blockOf("tool_result", "ab会", { callId: "c1", part: 3 }));
    const contents = contentsOf(message, answered(response));
    // 9 of the name, 26 of the JSON; the nested part is rounded separately: 2 / 4 + 1.5.
    expect(geminiEstimator.blocks(message, contents, "gemini-cli")).toEqual([8, 2]);
    // The same record in another format is not measured as Gemini CLI's own.
    expect(geminiEstimator.blocks(message, contents, "pi")).not.toEqual([8, 2]);
  });

  it("divides the exact size of another agent's message among its blocks", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const exact = message.blocks.map(shareOf);
        const shares = geminiEstimator.blocks(message, contents, format);
        expect(sumOf(shares)).toBe(Math.floor(sumOf(exact)));
        shares.forEach((share, index) => {
          expect(Math.abs(share - (exact[index] ?? 0))).toBeLessThan(2);
        });
      }),
    );
  });
});

describe("JSON lengths for the split point", () => {
  const charsOf = (...blocks: Block[]) => {
    const message = messageOf("user", "typed", ...blocks);
    return geminiMeasures(message, contentsOf(message), "pi")["gemini-cli.json"];
  };

  it("divide the content's JSON in proportion to the texts' lengths", () => {
    const whole = '{"role":"user","parts":[{"text":""},{"text":""}]}'.length;
    expect(charsOf(blockOf("text", "x".repeat(3000)), blockOf("text", "x".repeat(1000)))).toEqual([
      3000 + Math.ceil((whole * 3) / 4),
      1000 + Math.floor(whole / 4),
    ]);
  });

  it("give empty texts a share too", () => {
    expect(charsOf(blockOf("text", ""), blockOf("text", ""))).toEqual([25, 24]);
  });

  it("sum to the content's JSON, and equal the cut lengths if nothing is cut", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const measures = geminiMeasures(message, contents, format);
        const { content } = nativeContent(message, contents, format);
        expect(sumOf(measures["gemini-cli.json"])).toBe(json(content).length);
        expect(measures["gemini-cli.cutJson"]).toEqual(measures["gemini-cli.json"]);
        for (const [name, values] of Object.entries(measures)) {
          expect(values).toHaveLength(message.blocks.length);
          const ofAll = name === "gemini-cli.json" || name === "gemini-cli.cutJson";
          message.blocks.forEach(({ kind }, index) => {
            if (!ofAll && kind !== "tool_result") expect(values[index]).toBe(0);
          });
        }
      }),
    );
  });
});

describe("measures of a result", () => {
  const measured = (...blocks: Block[]) => {
    const message = messageOf("user", "tool", ...blocks);
    return geminiMeasures(message, contentsOf(message), "pi");
  };
  /** Measures of the first block. */
  const firstOf = (...blocks: Block[]) => {
    const measures = Object.entries(measured(...blocks));
    return Object.fromEntries(measures.map(([name, values]) => [name.replace("gemini-cli.", ""), values[0] ?? -1]));
  };
  const partSize = (tool: string, output: string) => Math.floor((tool.length + json({ output }).length) / 4);

  /** README.md, "Truncated outputs", at 40,000 units. */
  const cutText = (output: string, path: string) =>
    [
      `Output too large. Showing first 8,000 and last 32,000 characters. For full output see: ${path}`,
      output.slice(0, 8000),
      "",
      `... [${(output.length - 40_000).toLocaleString("en-US")} characters omitted] ...`,
      "",
      output.slice(-32_000),
    ].join("\n");
  /** README.md, "Masking", a tool other than the shell, an output of more than 500 units. */
  const maskedText = (output: string, path: string) => {
    const shown = JSON.stringify({ output }, null, 2);
    const preview = `${shown.slice(0, 250)}\n... [TRUNCATED] ...\n${shown.slice(-250)}`;
    return `<tool_output_masked>\n${preview}\n\nOutput too large. Full output available at: ${path}\n</tool_output_masked>`;
  };
  /** A replay does not know the paths; their lengths are between these two. */
  const [short, long] = ["/".repeat(50), "/".repeat(110)];

  it("give the sizes of a short result's part and text", () => {
    const measures = firstOf(result("x".repeat(4000), "read_file"));
    const tokens = partSize("read_file", "x".repeat(4000));
    expect(tokens).toBe(1005);
    expect(measures).toMatchObject({ tokens, text: 1000, cut: tokens, cutText: 1000 });
  });

  it("give the sizes of part and text after the output is cut", () => {
    const output = "x".repeat(50_000);
    const {
      json: whole = 0,
      tokens = 0,
      text,
      cut = 0,
      cutText: after = 0,
      cutJson = 0,
    } = firstOf(result(output, "read_file"));
    expect([tokens, text]).toEqual([partSize("read_file", output), 12_500]);
    expect(after).toBeGreaterThanOrEqual(Math.floor(cutText(output, short).length / 4));
    expect(after).toBeLessThanOrEqual(Math.floor(cutText(output, long).length / 4));
    // 9 of the name, 13 around the text, and 5 line breaks, each of which takes two units in JSON.
    expect(Math.abs(cut - after - 27 / 4)).toBeLessThan(1);
    const savedChars = whole - cutJson;
    expect(Math.floor((9 + json({ output }).length - savedChars) / 4)).toBe(cut);
  });

  it("give the masked sizes of a whole and of a cut output", () => {
    const output = "x".repeat(50_000);
    const { masked, cutMasked } = firstOf(result(output, "read_file"));
    expect(masked).toBeGreaterThanOrEqual(partSize("read_file", maskedText(output, short)));
    expect(masked).toBeLessThanOrEqual(partSize("read_file", maskedText(output, long)));
    expect(cutMasked).toBeGreaterThanOrEqual(partSize("read_file", maskedText(cutText(output, short), short)));
    expect(cutMasked).toBeLessThanOrEqual(partSize("read_file", maskedText(cutText(output, long), long)));
  });

  it("recognise outputs that are never masked", () => {
    const output = "x".repeat(4000);
    const tokens = partSize("ask_user", output);
    expect(firstOf(result(output, "ask_user"))).toMatchObject({ tokens, masked: 0, cutMasked: 0 });
    expect(firstOf(result(`<tool_output_masked>${output}`, "read_file"))).toMatchObject({ masked: 0, cutMasked: 0 });
  });

  it("use an error's JSON as its text", () => {
    // '{', ' "error": "abc"' and '}' on three lines; the part has the name and '{"error":"abc"}'.
    expect(firstOf(result("abc", "read_file", "c1", true))).toMatchObject({ text: 5, tokens: 6 });
  });

  it("include its nested parts, which count as 0 themselves", () => {
    const measures = measured(result("x".repeat(4000), "read_file"), image("c1"), result("abcd", "glob", "c2"));
    expect(measures["gemini-cli.tokens"]).toEqual([4005, 0, 5]);
    expect(measures["gemini-cli.text"]).toEqual([1000, 0, 1]);
    // Nested parts are kept when the output is masked.
    expect(measures["gemini-cli.masked"][0]).toBeGreaterThan(3000);
    expect(measures["gemini-cli.masked"][1]).toBe(0);
  });

  it("are 0 if the result answers no call", () => {
    const message = recordedResult("");
    const measures = geminiMeasures(
      message,
      contentsOf(message, answered({ id: "c1", name: "read_file" })),
      "gemini-cli",
    );
    const { "gemini-cli.json": chars, "gemini-cli.cutJson": cutJson, ...ofResult } = measures;
    expect(chars).toEqual([
      json({ role: "user", parts: [{ functionResponse: { id: "c1", name: "read_file" } }] }).length,
    ]);
    expect(cutJson).toEqual(chars);
    expect(Object.values(ofResult)).toEqual(Object.values(ofResult).map(() => [0]));
  });

  it("are never negative, even if a cut saves more than the block's share of the JSON", () => {
    // A line break takes two units in JSON. Distribution by length gives half of its own units to the other result.
    const lines = result("\n".repeat(200_000), "read_file");
    const [json = 0, cutJson] = ["gemini-cli.json", "gemini-cli.cutJson"].map(
      (name) => Object(measured(lines, result("x".repeat(1_000_000), "glob", "c2")))[name][0],
    );
    expect(json).toBeLessThan(2 * (200_000 - 40_000));
    expect(cutJson).toBe(0);
  });
});
