import { describe, expect, it } from "vitest";
import { commandLine } from "../testing/program";

const { run } = commandLine();

describe("count", () => {
  it.each([
    ["bytes-4", "会话", "2\n"],
    ["chars-4", "会话", "1\n"],
    ["bytes-4", "abc\n", "1\n"],
    ["bytes-4", "", "0\n"],
    ["o200k", "hello world", "2\n"],
    ["cl100k", "<|endoftext|>", "7\n"],
  ])("counts %s of %j as %s tokens", async (estimator, input, out) => {
    expect(await run(["count", "--estimator", estimator], input)).toEqual({ code: 0, out, err: "" });
  });

  it("counts messages in the rule's own format", async () => {
    const item = { type: "message", role: "user", content: [{ type: "input_text", text: "hello" }] };
    const codex = await run(
      ["count", "--estimator", "codex", "--jsonl"],
      `${JSON.stringify({ message: item })}\n"four"\n`,
    );
    expect(codex.out).toBe(`{"tokens": ${Math.ceil(JSON.stringify(item).length / 4)}}\n{"tokens": 1}\n`);
    const message = {
      role: "user",
      content: [
        { type: "text", text: "12345" },
        { type: "image", source: { data: "AAAA" } },
      ],
    };
    const claude = await run(["count", "--estimator", "claude-code", "--jsonl"], JSON.stringify({ message }));
    expect(claude.out).toBe('{"tokens": 1602}\n');
    const none = await run(["count", "--estimator", "o200k", "--jsonl"], '{"message": {}}');
    expect(none).toMatchObject({ code: 3, out: "" });
  });

  it("counts each line of JSON strings", async () => {
    const lines = '"abc"\n"a\\nb\\nc"\r\n\n"会话"';
    const { out } = await run(["count", "--estimator", "bytes-4", "--jsonl"], lines);
    expect(out).toBe('{"tokens": 1}\n{"tokens": 2}\n{"tokens": 2}\n');
  });

  it("names an unreadable line", async () => {
    const { code, err } = await run(["count", "--estimator", "bytes-4", "--jsonl"], '"a"\n{"b":\n');
    expect([code, err]).toEqual([3, "context-replay: line 2 of standard input is not JSON.\n"]);
    const deep = await run(
      ["count", "--estimator", "pi", "--jsonl"],
      `{"message":${"[".repeat(5000)}${"]".repeat(5000)}}\n`,
    );
    expect(deep.err).toBe("context-replay: line 1 of standard input is nested in more than 1,000 levels.\n");
    expect(deep.code).toBe(3);
  });
});
