import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import { blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { codexEstimator, codexEstimatorOf, codexMeasures } from "./estimator";
import { itemTokens } from "./messages/estimate";
import { userMessage } from "./messages/item";
import { toNative } from "./messages/native";

describe("codex estimator", () => {
  it("counts a text by its bytes", () => {
    expect(codexEstimatorOf("current").id).toBe("codex");
    expect(codexEstimator.text("")).toBe(0);
    expect(codexEstimator.text("abcde")).toBe(2);
    expect(codexEstimator.text("梨梨")).toBe(2);
  });

  it("counts another agent's message as the equivalent Codex item", () => {
    const message = messageOf("user", "typed", blockOf("text", "hello world"));
    expect(codexEstimator.blocks(message, contentsOf(message), "claude-code")).toEqual([22]);
  });

  it("distributes an item's tokens over its blocks, with an exact sum", () => {
    const message = messageOf("user", "typed", blockOf("text", "a".repeat(90)), blockOf("text", "b".repeat(10)));
    const tokens = codexEstimator.blocks(message, contentsOf(message), "claude-code");
    const whole = {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "a".repeat(90) },
        { type: "input_text", text: "b".repeat(10) },
      ],
    };
    expect(sumOf(tokens)).toBe(itemTokens(whole, "as-documented"));
    // In proportion to the bytes of their texts: nine to one.
    expect(Math.abs((tokens[0] ?? 0) - 9 * (tokens[1] ?? 0))).toBeLessThan(10);
    expect(tokens[1]).toBe(Math.round(sumOf(tokens) / 10));
  });

  it("counts every call and every result of a response separately", () => {
    const message = messageOf(
      "assistant",
      "response",
      blockOf("thinking", "hm"),
      blockOf("text", "I look."),
      blockOf("tool_call", '{"path":"a"}', { callId: "c1", tool: "read" }),
      blockOf("tool_call", '{"path":"b"}', { callId: "c2", tool: "read" }),
    );
    expect(toNative(message, contentsOf(message)).map(({ item, blocks }) => [item.type, blocks])).toEqual([
      ["reasoning", [0]],
      ["message", [1]],
      ["function_call", [2]],
      ["function_call", [3]],
    ]);
  });

  it("joins the parts of one result, and separates two results", () => {
    const message = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "one", { callId: "c1" }),
      blockOf("image", "AAAA", { callId: "c1" }),
      blockOf("tool_result", "two", { callId: "c2" }),
    );
    const items = toNative(message, contentsOf(message)).map(({ item }) => item.output);
    expect(items).toEqual([
      [
        { type: "input_text", text: "one" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
      "two",
    ]);
  });

  it("measures a record's hidden reasoning by its encrypted size, under each preset's rule", () => {
    const payload = { type: "reasoning", summary: [], content: null, encrypted_content: "a".repeat(899) };
    const message = messageOf("assistant", "response", blockOf("thinking", ""));
    const contents = [{ text: "", record: { type: "response_item", payload } }];
    expect(codexEstimator.blocks(message, contents, "codex")).toEqual([6]);
    expect(codexEstimatorOf("release-2026-01").blocks(message, contents, "codex")).toEqual([6]);
    const odd = { ...payload, encrypted_content: "a".repeat(903) };
    const oddContents = [{ text: "", record: { type: "response_item", payload: odd } }];
    expect(codexEstimator.blocks(message, oddContents, "codex")).toEqual([6]);
    expect(codexEstimatorOf("release-2026-01").blocks(message, oddContents, "codex")).toEqual([7]);
  });

  it("finds the item of a replacement history that a message was read from", () => {
    const record = {
      type: "compacted",
      payload: { message: "", replacement_history: [userMessage("first"), userMessage("the second one, longer")] },
    };
    const message = messageOf("user", "typed", blockOf("text", "the second one, longer", { part: 1 }));
    const tokens = codexEstimator.blocks(message, [{ text: "the second one, longer", record }], "codex");
    expect(tokens).toEqual([itemTokens(userMessage("the second one, longer"), "as-documented")]);
  });

  it("finds an item that follows items with several blocks or none", () => {
    const two = [
      { type: "input_text", text: "one" },
      { type: "input_text", text: "two" },
    ];
    const call = { type: "custom_tool_call", status: "completed", call_id: "c1", name: "apply_patch", input: "abc" };
    const history = [{ type: "message", role: "user", content: two }, { type: "ghost_snapshot" }, call];
    const record = { type: "compacted", payload: { message: "", replacement_history: history } };
    const part = (at: number) => messageOf("assistant", "response", blockOf("tool_call", "abc", { part: at }));
    const tokens = (at: number) => codexEstimator.blocks(part(at), contentsOf(part(at), record), "codex");
    // Codex writes a custom call with its status; another agent's call has none.
    expect(tokens(2)).toEqual([Math.ceil(JSON.stringify(call).length / 4)]);
    // Blocks missing from the record count as the item that their message would be.
    expect(tokens(3)).toEqual([
      Math.ceil('{"type":"function_call","name":"","arguments":"abc","call_id":""}'.length / 4),
    ]);
  });

  it("does not read another agent's record as a Codex item", () => {
    const payload = { type: "reasoning", summary: [], content: null, encrypted_content: "a".repeat(8000) };
    const message = messageOf("assistant", "response", blockOf("thinking", ""));
    const contents = contentsOf(message, { type: "response_item", payload });
    expect(codexEstimator.blocks(message, contents, "pi")).toEqual([
      Math.ceil('{"type":"reasoning","summary":[],"encrypted_content":null}'.length / 4),
    ]);
    expect(codexEstimator.blocks(message, contents, "codex")).toEqual([(6000 - 650) / 4 - 0.5]);
  });

  it("counts a message without blocks as 0, whatever contents were loaded", () => {
    const empty = messageOf("user", "typed");
    const record = { type: "response_item", payload: userMessage("text") };
    for (const contents of [[], [{ text: "text", record }]]) {
      expect(codexEstimator.blocks(empty, contents, "codex")).toEqual([]);
      expect(codexMeasures(empty, contents, "codex")).toEqual({
        "codex.jsonBytes": [],
        "codex.retained": [],
        "codex.hidden": [],
        "codex.imageBytes": [],
        "codex.unpaired": [],
        "codex.unpaired-release-2026-01": [],
        "codex.unpaired-current": [],
      });
    }
  });
});

describe("an image's share of its message's tokens", () => {
  const HEAD = "data:image/png;base64,";
  const current = (...blocks: Parameters<typeof contentsOf>[0]["blocks"]) => {
    const message = messageOf("user", "typed", ...blocks);
    return codexEstimatorOf("current").blocks(message, contentsOf(message), "pi");
  };
  // As long as an image counts: its URL without the payload, and 7,373 bytes.
  const text = blockOf("text", "x".repeat(HEAD.length + 7373));

  it("is a fixed size in the newest preset, however long its encoding is", () => {
    const json =
      '{"type":"message","role":"user","content":[{"type":"input_text","text":""},{"type":"input_image","image_url":""}]}';
    const whole = Math.ceil((json.length + 2 * (HEAD.length + 7373)) / 4);
    for (const image of ["A".repeat(40_000), `${HEAD}${"A".repeat(100)}`]) {
      expect(current(text, blockOf("image", image))).toEqual([Math.ceil(whole / 2), Math.floor(whole / 2)]);
    }
  });

  it("is the size of its URL if the image is a link or the preset is an older one", () => {
    const [words = 0, link = 0] = current(text, blockOf("image", `https://example.com/${"a".repeat(80)}`));
    expect(link).toBeLessThan(words / 50);
    const message = messageOf("user", "typed", text, blockOf("image", `${HEAD}${"A".repeat(4 * 7395)}`));
    const [before = 0, encoded = 0] = codexEstimator.blocks(message, contentsOf(message), "pi");
    expect(encoded / before).toBeCloseTo(4, 1);
  });

  it("is the size of the placeholder text that replaces a masked image", () => {
    const masked = "[REDACTED_IMAGE_URL len=928902]";
    const message = messageOf("user", "typed", blockOf("text", "x".repeat(masked.length)), blockOf("image", masked));
    const payload = {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "x".repeat(masked.length) },
        { type: "input_image", image_url: masked },
      ],
    };
    const contents = contentsOf(message, { type: "response_item", payload });
    const [words = 0, image = 0] = codexEstimatorOf("current").blocks(message, contents, "codex");
    expect(words - image).toBeLessThanOrEqual(1);
    expect(words + image).toBe(Math.ceil(JSON.stringify(payload).length / 4));
    expect(codexMeasures(message, contents, "codex")["codex.imageBytes"]).toEqual([0, masked.length]);
  });
});

describe("codex measures", () => {
  it("state a text's length in JSON, and the compactions that keep the message", () => {
    const typed = messageOf("user", "typed", blockOf("text", 'a\n"梨"'));
    expect(codexMeasures(typed, contentsOf(typed), "pi")).toEqual({
      "codex.jsonBytes": [10],
      "codex.retained": [7],
      "codex.hidden": [0],
      "codex.imageBytes": [0],
      "codex.unpaired": [0],
      "codex.unpaired-release-2026-01": [0],
      "codex.unpaired-current": [0],
    });
    const reminder = messageOf("user", "context", blockOf("text", "reminder"));
    expect(codexMeasures(reminder, contentsOf(reminder), "pi")["codex.retained"]).toEqual([0]);
  });

  it("recognise the marker of an aborted turn, which local compaction keeps", () => {
    const text = "<turn_aborted>\nThe user interrupted.\n</turn_aborted>";
    const message = messageOf("user", "context", blockOf("text", text));
    const record = { type: "response_item", payload: userMessage(text) };
    expect(codexMeasures(message, [{ text, record }], "codex")["codex.retained"]).toEqual([1]);
    // In other agents' files it is a text like any other.
    expect(codexMeasures(message, [{ text, record }], "pi")["codex.retained"]).toEqual([0]);
  });

  it("recognise another agent's mail, which remote compaction keeps unless it is a final answer", () => {
    const retained = (item: Readonly<Record<string, unknown>>, text: string) => {
      const message = messageOf("user", "context", blockOf("text", text));
      const payload = { ...item, content: [{ type: "input_text", text }] };
      const contents = contentsOf(message, { type: "response_item", payload });
      return codexMeasures(message, contents, "codex")["codex.retained"];
    };
    const mail = { type: "agent_message", author: "a", recipient: "b" };
    expect(retained(mail, "Where is it?")).toEqual([2]);
    expect(retained(mail, "Message Type: FINAL_ANSWER\nHere.")).toEqual([0]);
    expect(retained({ type: "message", role: "developer" }, "Where is it?")).toEqual([0]);
  });

  it("mark no summary as kept, even one that looks typed", () => {
    const message = messageOf("user", "summary", blockOf("text", "What was done."));
    const record = { type: "compacted", payload: { message: "What was done." } };
    expect(codexMeasures(message, contentsOf(message, record), "codex")["codex.retained"]).toEqual([0]);
  });

  it("recognise reasoning whose text is only in the file in encrypted form", () => {
    const encrypted = (item: Readonly<Record<string, unknown>>, format = "codex") => {
      const message = messageOf("assistant", "response", blockOf("thinking", ""));
      const contents = contentsOf(message, { type: "response_item", payload: item });
      return codexMeasures(message, contents, format)["codex.hidden"];
    };
    const reasoning = { type: "reasoning", summary: [], encrypted_content: "a".repeat(900) };
    expect(encrypted(reasoning)).toEqual([(900 * 3) / 4 - 650]);
    expect(encrypted({ ...reasoning, encrypted_content: null })).toEqual([0]);
    expect(encrypted({ type: "compaction", encrypted_content: "a".repeat(900) })).toEqual([0]);
    // Another agent's thinking is readable.
    expect(encrypted(reasoning, "pi")).toEqual([0]);
  });

  it("count an image's bytes by the URL that would be sent", () => {
    const bytes = (image: string) => {
      const message = messageOf("user", "typed", blockOf("image", image), blockOf("text", "AAAA"));
      return codexMeasures(message, contentsOf(message), "pi")["codex.jsonBytes"];
    };
    expect(bytes("AAAA")).toEqual(["data:image/png;base64,AAAA".length, 4]);
    expect(bytes("https://example.com/a.png")).toEqual([25, 4]);
  });

  it("cover all blocks of all items", () => {
    const results = ["one", "two", "three"].map((text, at) => blockOf("tool_result", text, { callId: `c${at >> 1}` }));
    const message = messageOf("user", "tool", ...results);
    expect(toNative(message, contentsOf(message)).map(({ blocks }) => blocks)).toEqual([[0, 1], [2]]);
    expect(codexMeasures(message, contentsOf(message), "pi")).toEqual({
      "codex.jsonBytes": [3, 3, 5],
      "codex.retained": [0, 0, 0],
      "codex.hidden": [0, 0, 0],
      "codex.imageBytes": [0, 0, 0],
      "codex.unpaired": [0, 0, 0],
      "codex.unpaired-release-2026-01": [0, 0, 0],
      "codex.unpaired-current": [0, 0, 0],
    });
  });

  it("count the generated output of a call with two blocks once", () => {
    const parts = ['{"path":', '"a.ts"}'].map((text) => blockOf("tool_call", text, { callId: "c1", tool: "Read" }));
    const message = messageOf("assistant", "response", ...parts);
    expect(toNative(message, contentsOf(message))).toEqual([
      {
        item: { type: "function_call", name: "Read", arguments: '{"path":"a.ts"}', call_id: "c1" },
        blocks: [0, 1],
      },
    ]);
    const [first = 0, second] = codexMeasures(message, contentsOf(message), "kimi-cli")["codex.unpaired-current"];
    expect(first).toBeGreaterThan(0);
    expect(second).toBe(0);
  });

  it("count the bytes of any text's JSON form", () => {
    const written = (character: string) => {
      const code = character.codePointAt(0) ?? 0;
      if ('"\\\b\f\n\r\t'.includes(character)) return 2;
      if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6;
      return new TextEncoder().encode(character).length;
    };
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom(...'"\\\n\u0001会😀\ud800'), fc.string({ minLength: 1, maxLength: 1 })),
        }),
        (text) => {
          const message = messageOf("user", "typed", blockOf("text", text));
          expect(codexMeasures(message, contentsOf(message), "pi")["codex.jsonBytes"]).toEqual([
            sumOf(Array.from(text, written)),
          ]);
        },
      ),
    );
  });
});
