import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../base/limits";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../testing/files";
import { type ReadOptions, readTranscript } from "./read-transcript";
import { SourceFile } from "./source-file";
import { RecordLoader } from "./texts/record-loader";

const folder = temporaryFolder();
const SESSION = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")];

function read(content: string | Uint8Array, options: ReadOptions = {}) {
  return readTranscript(put(folder, "session.jsonl", content), options).transcript;
}

/** The text of the first item, as read again from the file. */
function firstText(content: string | Uint8Array): string | undefined {
  const path = put(folder, "session.jsonl", content);
  const { transcript, reader } = readTranscript(path);
  const source = transcript.messages[0]?.blocks[0]?.source;
  return SourceFile.use(path, (file) =>
    source === undefined ? undefined : new RecordLoader(file, reader).content(source).text,
  );
}

function refusal(content: string | Uint8Array): string {
  try {
    read(content);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : "";
  }
  return "was read";
}

describe("reading in chunks", () => {
  it("gives the same transcript of every fixture for any chunk size", () => {
    const files = fixtureFiles();
    expect(files.length).toBeGreaterThan(10);
    const whole = new Map(files.map((file) => [file, readTranscript(file)]));
    const chunkBytes = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 5000 }));
    fc.assert(
      fc.property(fc.constantFrom(...files), chunkBytes, (file, size) => {
        expect(readTranscript(file, { chunkBytes: size }).transcript).toEqual(whole.get(file)?.transcript);
      }),
      { numRuns: 120 },
    );
  });

  it("up to an earlier size gives the file's earlier state", () => {
    const path = put(folder, "grown.jsonl", `${SESSION.join("\n")}\n`);
    const before = readTranscript(path);
    appendFileSync(path, `${userLine("Three.", "u2", "a1")}\n`);
    const again = readTranscript(path, { upTo: before.version.bytes });
    expect(again.transcript).toEqual(before.transcript);
    expect(readTranscript(path).transcript.messages).toHaveLength(3);
  });
});

describe("damaged lines", () => {
  it("are counted, and the records after them are read", () => {
    const lines = ["garbage", SESSION[0], "", "[1]", '{"type":"user","mess', SESSION[1]];
    const { damaged, records, requests } = read(lines.join("\r\n"));
    expect(damaged).toEqual([
      { line: 1, bytes: 7, reason: "not JSON" },
      { line: 4, bytes: 3, reason: "not an object" },
      { line: 5, bytes: 20, reason: "cut off" },
    ]);
    expect(records.total).toBe(2);
    expect(requests).toHaveLength(1);
  });

  it("with two records are separated", () => {
    const { damaged, records, messages } = read(SESSION.join(""));
    expect(damaged).toEqual([]);
    expect(records.total).toBe(2);
    expect(messages.map((message) => message.line)).toEqual([1, 1]);
  });

  it("are listed up to a maximum, and counted exactly", () => {
    const wrong = LIMITS.damagedLines + 50;
    const { damaged, problems } = read(`${SESSION[0]}\n${"x\n".repeat(wrong)}${SESSION[1]}\n`);
    expect(damaged).toHaveLength(LIMITS.damagedLines);
    expect(problems.find((problem) => problem.code === "damaged-line")?.count).toBe(wrong);
  });

  it("with invalid UTF-8 are read with U+FFFD", () => {
    const line = Buffer.from(userLine("bad: #", "u1"));
    line[line.indexOf("#")] = 0xff;
    expect(firstText(Buffer.concat([line, Buffer.from(`\n${SESSION[1]}`)]))).toBe("bad: \ufffd");
  });

  it("include lines above the size limit; the rest is read", () => {
    const { damaged, messages } = read([SESSION[0], userLine("x".repeat(5000), "u9", "u1"), SESSION[1]].join("\n"), {
      maxLineBytes: 4096,
      chunkBytes: 700,
    });
    expect(damaged).toHaveLength(1);
    expect(damaged[0]).toMatchObject({ line: 2, reason: "too long" });
    expect(messages).toHaveLength(2);
  });
});

describe("one JSON value that is too large for memory", () => {
  const sentence =
    "InputError: session.jsonl is one JSON value of more than 256 MiB, the most that is read in one piece. As a file with one record a line it may be larger.";
  /** A beginning, followed by many bytes that no reader has to read. */
  const large = (beginning: string) => {
    const path = put(folder, "session.jsonl", beginning);
    truncateSync(path, LIMITS.documentBytes + 1);
    return path;
  };
  const outcome = (path: string, options: ReadOptions = {}) => {
    try {
      readTranscript(path, options);
      return "was read";
    } catch (error) {
      return String(error);
    }
  };

  it("is refused when its beginning is recognised", () => {
    expect(outcome(large('{\n  "sessionId": "s",\n  "projectHash": "p",\n  "messages": [\n'))).toBe(sentence);
    expect(outcome(large('[\n  {\n    "role": "user",\n'))).toBe(sentence);
  });

  it("is refused if it is one line", () => {
    const path = put(folder, "session.jsonl", JSON.stringify({ sessionId: "s", messages: "x".repeat(5000) }));
    expect(outcome(path, { maxLineBytes: 4096 })).toBe(sentence);
  });

  it("is not assumed if the first of many lines is truncated", () => {
    const path = large(`{"type":"user","mess\n${SESSION.join("\n")}\n`);
    expect(readTranscript(path, { sniffRecords: 2, maxLineBytes: 4096 }).transcript.messages).toHaveLength(2);
  });
});

describe("hostile files", () => {
  it("reads one line of 50 MB", () => {
    const text = "long ".repeat(10_000_000);
    const { messages } = read(`${userLine(text, "u1")}\n${SESSION[1]}\n`);
    expect(messages[0]?.blocks[0]?.text).toEqual({ chars: text.length, bytes: text.length });
  });

  it("reads keys that are special in JavaScript, such as __proto__", () => {
    const line = userLine("One.", "u1").replace(
      '"type":"user"',
      '"__proto__":{"polluted":1},"constructor":2,"type":"user"',
    );
    expect(read([line, SESSION[1]].join("\n")).messages).toHaveLength(2);
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("continues after a block of zero bytes from a crash", () => {
    const { messages, damaged } = read(`${SESSION[0]}\n${"\0".repeat(4096)}\n${SESSION[1]}\n`);
    expect(messages).toHaveLength(2);
    expect(damaged).toHaveLength(1);
  });

  it("gives the same with a byte order mark, CR LF, blank lines or no final line end", () => {
    const plain = read(`${SESSION.join("\n")}\n`);
    const texts = (content: string) => read(content).messages.map((message) => message.blocks[0]?.text);
    const expected = plain.messages.map((message) => message.blocks[0]?.text);
    for (const content of [
      `\ufeff${SESSION.join("\n")}\n`,
      `${SESSION.join("\r\n")}\r\n`,
      `\n \n${SESSION.join("\n\n\t\n")}\n\n`,
      SESSION.join("\n"),
      `${SESSION.join("\n")}\r`,
    ]) {
      expect(texts(content)).toEqual(expected);
      expect(read(content).damaged).toEqual([]);
    }
  });

  it("keeps lone surrogates escaped, and measures each as three bytes", () => {
    const line = userLine("#", "u1").replace('"#"', '"\\ud83d and \\ude00"');
    const content = [line, SESSION[1]].join("\n");
    expect(read(content).messages[0]?.blocks[0]?.text).toMatchObject({ chars: 7, bytes: 11 });
    expect(firstText(content)).toBe("\ud83d and \ude00");
  });

  it("reads an escaped zero byte, and counts a raw one within a record as damage", () => {
    const escaped = userLine("#", "u1").replace("#", "a\\u0000b");
    const raw = userLine("#", "u3").replace("#", "a\u0000b");
    const content = [escaped, raw, SESSION[1]].join("\n");
    expect(firstText(content)).toBe("a\0b");
    expect(read(content).damaged).toEqual([{ line: 2, bytes: raw.length, reason: "not JSON" }]);
  });

  it("reports a problem if the file shrinks during reading", () => {
    const path = put(folder, "shrinking.jsonl", `${SESSION.join("\n")}\n`);
    const problems = SourceFile.use(path, (file) => {
      truncateSync(path, SESSION[0]?.length);
      return [...file.chunks()].length;
    });
    expect(problems).toBe(1);
  });
});

describe("deeply nested JSON", () => {
  const nested = (levels: number) => `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;

  it.each([5000, 1_000_000])("counts as one damaged line, and the other lines are read: %i levels", (levels) => {
    const { damaged, messages } = read(
      [SESSION[0], `{"type":"user","message":${nested(levels)}}`, SESSION[1]].join("\n"),
    );
    expect(damaged).toEqual([{ line: 2, bytes: expect.any(Number), reason: "too deep" }]);
    expect(messages).toHaveLength(2);
  });

  it.each([
    [
      "codex",
      '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":#}}',
    ],
    [
      "qwen-code",
      '{"uuid":"u","type":"user","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","parts":[{"functionResponse":{"response":#}}]}}',
    ],
  ])("counts as one damaged line of a %s file", (format, record) => {
    const [file = ""] = fixtureFiles().filter((path) => path.includes(`/${format}/fixtures/com`));
    const before = readTranscript(file).transcript;
    const content = readFileSync(file, "utf8");
    const after = read(`${content.trimEnd()}\n${record.replace("#", nested(5000))}\n`);
    expect(after.damaged.slice(before.damaged.length).map(({ reason }) => reason)).toEqual(["too deep"]);
    expect(after.records).toEqual(before.records);
  });

  it.each([5000, 1_000_000])("is refused in one sentence if it is the whole file: %i levels", (levels) => {
    const sentence = "InputError: session.jsonl is one JSON value that is nested in more than 1,000 levels.";
    expect(refusal(`{\n"messages": ${nested(levels)}}\n`)).toBe(sentence);
    expect(refusal(`[${nested(levels)}]`)).toBe(sentence);
    expect(refusal(`{"log": {"entries": [${nested(levels)}]}}`)).toBe(sentence);
  });
});

describe("a file that is not a session", () => {
  it.each([
    ["an empty one", "", "session.jsonl is empty."],
    ["blank lines", "\n \n\n", "session.jsonl holds nothing but blank lines."],
    ["a line of text", "hello\n", "session.jsonl is not a transcript: its one line is not a JSON object."],
    ["lines of text", "a\nb\n", "session.jsonl is not a transcript: none of its 2 lines is a JSON object."],
    ["a binary one", Buffer.from([0, 1, 2, 3, 255, 10, 0]), "session.jsonl is a binary file, not a transcript."],
    [
      "an unknown database",
      "SQLite format 3\0\u0010\0CREATE TABLE cats (id)\0CREATE TABLE dogs (id)",
      "session.jsonl is a SQLite database (tables: cats, dogs), not a transcript.",
    ],
    [
      "a known database",
      "SQLite format 3\0\u0010\0CREATE TABLE conversations_v2 (key)",
      "session.jsonl is a Kiro database; it is not read yet.",
    ],
    [
      "a chat history of Aider",
      "\n# aider chat started at 2026-06-09 14:01:00\n\n#### hi\n",
      "session.jsonl is an Aider chat history; it is not read yet.",
    ],
    [
      "lines of another program",
      '{"role":"user","content":"Hi.","timestamp":"2026-06-09T14:01:00","pinned":true}\n',
      "session.jsonl is a gptme conversation; it is not read yet.",
    ],
    [
      "another program's records in an agent's form",
      '{"timestamp":"2026-03-02T10:00:00Z","type":"session_meta","payload":{"id":"s","model_provider":"trae"}}\n',
      "session.jsonl is a TRAE session; it is not read yet.",
    ],
  ])("is refused in one sentence: %s", (_what, content, sentence) => {
    expect(refusal(content)).toBe(`InputError: ${sentence}`);
  });

  it("is described by its keys, but by none of its values", () => {
    const line = JSON.stringify({ id: "secret-value", "odd\nkey": 1, password: "hunter2" });
    const sentence = refusal(`${line}\n${line}\n`);
    expect(sentence).toContain("2 JSON records seen, first keys: id, odd?key, password.");
    expect(sentence).not.toMatch(/secret-value|hunter2/);
  });

  it.each([
    ["absent", `${folder}/absent.jsonl`, "absent.jsonl: there is no such file."],
    ["a folder", folder, "is a folder, not a file."],
    ["a device", "/dev/null", "null is a device, not a file."],
  ])("is refused: %s", (_what, path, sentence) => {
    expect(() => readTranscript(path)).toThrow(sentence);
  });
});
