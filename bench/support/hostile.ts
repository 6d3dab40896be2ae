import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

/** Files that nobody should have, and that must be read all the same. */
export interface HostileFile {
  readonly name: string;
  /** What must come of it. */
  readonly about: string;
  /** The file in pieces, so that a large one is never held. */
  readonly parts: () => Iterable<string | Buffer>;
}

/** Set by every script of `HOSTILE_TEXT` that a page lets run. */
export const RAN = "contextReplayRan";

/** Text that does harm where it is taken for anything but text: HTML, Markdown, terminal escapes, bidirectional overrides. */
export const HOSTILE_TEXT = [
  `<script>window.${RAN}=1</script>`,
  `<img src=x onerror="window.${RAN}=1">`,
  `<svg/onload=window.${RAN}=1>`,
  `"><iframe srcdoc="<script>parent.${RAN}=1</script>"></iframe>`,
  `[click](javascript:window.${RAN}=1) ![pixel](http://192.0.2.1/pixel.png)`,
  "\u001b[31mred\u001b[0m \u001b]8;;http://192.0.2.1\u0007link\u001b]8;;\u0007 \u001b[2J",
  "\u202egnp.exe\u202c \u2066\u2069 \u200b",
  "{{constructor.constructor('return process')()}} <%= 7*7 %> #{7*7}",
  "</textarea></title></style><style>*{display:none}</style>",
  "'; drop table sessions; --",
].join("\n");

const AT = Date.UTC(2026, 0, 5, 9);

const time = (step: number): string => new Date(AT + step * 1000).toISOString();

type Json = Readonly<Record<string, unknown>>;

function claude(step: number, type: "user" | "assistant", message: unknown, more: Json = {}): Json {
  return {
    parentUuid: step === 0 ? null : `u-${step - 1}`,
    isSidechain: false,
    userType: "external",
    cwd: "/tmp/project",
    sessionId: "hostile",
    version: "2.1.37",
    gitBranch: "main",
    type,
    message,
    uuid: `u-${step}`,
    timestamp: time(step),
    ...more,
  };
}

function prompt(step: number, text: unknown): Json {
  return claude(step, "user", { role: "user", content: text });
}

function response(
  step: number,
  content: unknown,
  usage: unknown = { input_tokens: 9, cache_read_input_tokens: 20_000 + step, output_tokens: 4 },
): Json {
  const message = { model: "claude-opus-4-6", id: `msg_${step}`, type: "message", role: "assistant", content, usage };
  return claude(step, "assistant", message, { requestId: `req_${step}` });
}

const text = (value: unknown): Json => ({ type: "text", text: value });
const call = (id: string, name: unknown, input: unknown): Json => ({ type: "tool_use", id, name, input });
const result = (id: string, content: unknown): Json => ({ type: "tool_result", tool_use_id: id, content });

function* jsonl(records: Iterable<unknown>): Iterable<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}

/** Every text field of a session holds that text. */
export function hostileClaudeCode(hostile: string): Json[] {
  return [
    { type: "summary", summary: hostile, leafUuid: "u-5" },
    { ...prompt(0, hostile), cwd: hostile, gitBranch: hostile, version: hostile, slug: hostile },
    response(1, [
      { type: "thinking", thinking: hostile, signature: hostile },
      text(hostile),
      call("t-1", hostile, { file_path: hostile, command: hostile }),
    ]),
    claude(2, "user", { role: "user", content: [result("t-1", hostile)] }, { toolUseResult: { stdout: hostile } }),
    response(3, [text(hostile), call("t-2", "Read", { file_path: hostile })]),
    claude(4, "user", {
      role: "user",
      content: [
        result("t-2", [
          text(hostile),
          { type: "image", source: { type: "base64", media_type: hostile, data: hostile } },
        ]),
      ],
    }),
    response(5, [text(hostile)]),
    { ...prompt(6, hostile), type: "system", subtype: "local_command", content: hostile },
    { type: hostile, uuid: "u-7", parentUuid: "u-6", isSidechain: false, timestamp: hostile },
    { type: "custom-title", customTitle: hostile, sessionId: "hostile" },
  ];
}

/** The same of a Codex rollout. */
export function hostileCodex(hostile: string): Json[] {
  const item = (step: number, payload: Json): Json => ({ timestamp: time(step), type: "response_item", payload });
  const message = (role: string, kind: string): Json => ({
    type: "message",
    role,
    content: [{ type: kind, text: hostile }],
  });
  const usage = {
    input_tokens: 20_000,
    cached_input_tokens: 128,
    output_tokens: 20,
    reasoning_output_tokens: 3,
    total_tokens: 20_020,
  };
  return [
    {
      timestamp: time(0),
      type: "session_meta",
      payload: {
        id: hostile,
        cwd: hostile,
        originator: hostile,
        cli_version: hostile,
        source: "cli",
        base_instructions: { text: hostile },
        git: { branch: hostile },
      },
    },
    { timestamp: time(1), type: "turn_context", payload: { cwd: hostile, model: hostile, summary: "auto" } },
    item(2, message("user", "input_text")),
    item(3, {
      type: "reasoning",
      summary: [{ type: "summary_text", text: hostile }],
      content: null,
      encrypted_content: hostile,
    }),
    item(4, message("assistant", "output_text")),
    item(5, { type: "function_call", name: hostile, arguments: hostile, call_id: "c-1" }),
    item(6, { type: "function_call_output", call_id: "c-1", output: hostile }),
    {
      timestamp: time(7),
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 },
      },
    },
    { timestamp: time(8), type: "event_msg", payload: { type: hostile, message: hostile } },
    { timestamp: time(9), type: "compacted", payload: { message: hostile } },
  ];
}

/** Values of every type but the right one. */
const WRONG: readonly unknown[] = [null, true, 0, -1, 1.5, "", "text", [], [[]], {}, { type: 1 }];

const FIELDS =
  "type message uuid parentUuid isSidechain timestamp sessionId version requestId cwd compactMetadata subtype content attachment data toolUseResult".split(
    " ",
  );
const MESSAGE_FIELDS = ["id", "model", "role", "content", "usage", "stop_reason"];
const USAGE_FIELDS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
];

function* wrongTypes(): Iterable<Json> {
  yield prompt(0, "The fields of the next records have other types than they should.");
  let step = 1;
  for (const value of WRONG) {
    for (const field of FIELDS) yield { ...response(step++, [text("answer")]), [field]: value };
    for (const field of MESSAGE_FIELDS) {
      const message = {
        id: `m-${step}`,
        model: "claude-opus-4-6",
        role: "assistant",
        content: [text("answer")],
        [field]: value,
      };
      yield claude(step++, "assistant", message);
    }
    for (const field of USAGE_FIELDS)
      yield response(step++, [text("answer")], { input_tokens: 5, output_tokens: 5, [field]: value });
    for (const field of ["type", "text", "id", "name", "input", "tool_use_id", "content", "source"]) {
      const block = { type: "tool_use", id: `t-${step}`, name: "Read", input: {}, [field]: value };
      yield response(step++, [block, { type: "tool_result", tool_use_id: `t-${step}`, content: "", [field]: value }]);
    }
  }
  yield prompt(step, "That was all.");
}

/** As `wrongTypes`, of a rollout. */
function* wrongCodexTypes(): Iterable<Json> {
  yield* hostileCodex("plain");
  let step = 10;
  for (const value of WRONG) {
    for (const type of ["session_meta", "turn_context", "compacted", "event_msg", "response_item"]) {
      yield { timestamp: time(step++), type, payload: value };
    }
    for (const field of [
      "type",
      "role",
      "content",
      "summary",
      "encrypted_content",
      "name",
      "arguments",
      "call_id",
      "output",
      "info",
    ]) {
      for (const type of ["message", "reasoning", "function_call", "function_call_output"]) {
        yield { timestamp: time(step++), type: "response_item", payload: { type, role: "user", [field]: value } };
      }
      yield { timestamp: value, type: "event_msg", payload: { type: "token_count", [field]: value } };
    }
    yield {
      timestamp: time(step++),
      type: "event_msg",
      payload: {
        type: "token_count",
        info: { total_token_usage: value, last_token_usage: value, model_context_window: value },
      },
    };
    yield { timestamp: time(step++), type: "compacted", payload: { message: value, replacement_history: value } };
    yield { timestamp: time(step++), type: "event_msg", payload: { type: "thread_rolled_back", num_turns: value } };
  }
}

/** Usage that no integer holds. JSON.stringify would not write these: the line is put together by hand. */
function* hugeNumbers(): Iterable<string> {
  yield `${JSON.stringify(prompt(0, "How large is large?"))}\n`;
  const numbers = ["1e999", "-1e999", "9007199254740993", "1e308", "-5", "0.1", "1e-400", "99999999999999999999999999"];
  for (const [index, number] of numbers.entries()) {
    const line = JSON.stringify(response(index + 1, [text("answer")], { input_tokens: 7_777_777, output_tokens: 4 }));
    yield `${line.replace("7777777", number)}\n`;
  }
  yield `${JSON.stringify(response(numbers.length + 1, [text("a plain one")]))}\n`;
}

/** So many levels within the content of a record that is otherwise in order. */
function* deep(levels: number): Iterable<string> {
  yield `${JSON.stringify(prompt(0, "How deep is deep?"))}\n`;
  const outside = JSON.stringify(
    response(1, [text("before"), call("t-1", "Read", { file_path: "a", nested: "HERE" })]),
  );
  const [head = "", tail = ""] = outside.split('"HERE"');
  yield head;
  yield "[".repeat(levels);
  yield "]".repeat(levels);
  yield `${tail}\n`;
  yield `${JSON.stringify(response(2, [text("after")]))}\n`;
}

function* longLine(bytes: number): Iterable<string> {
  const line = JSON.stringify(response(1, [text("FILL")]));
  const [head = "", tail = ""] = line.split("FILL");
  yield `${JSON.stringify(prompt(0, "One line is very long."))}\n`;
  yield head;
  const piece = "0123456789abcdef".repeat(65_536);
  for (let at = 0; at < bytes; at += piece.length) yield piece.slice(0, bytes - at);
  yield `${tail}\n`;
  yield `${JSON.stringify(response(2, [text("after")]))}\n`;
}

function* damaged(count: number): Iterable<string> {
  yield `${JSON.stringify(prompt(0, "Most lines are damaged."))}\n`;
  const whole = JSON.stringify(response(1, [text("a line that was cut")]));
  const kinds = [whole.slice(0, 90), "not json", "[1,2,3]", "42", whole.slice(40), '{"type":', "\u0000\u0000"];
  for (let index = 0; index < count; index++) yield `${kinds[index % kinds.length] ?? ""}\n`;
  yield `${JSON.stringify(response(2, [text("after")]))}\n`;
}

const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then"];

/** Keys that objects already have, as fields, ids, tools and types. Put together as text: a literal would set the prototype. */
function* inheritedKeys(): Iterable<string> {
  yield `${JSON.stringify(prompt(0, "Keys that objects already have."))}\n`;
  for (const [index, name] of NAMES.entries()) {
    const step = index * 2 + 1;
    const line = JSON.stringify(response(step, [call(name, name, { file_path: name })]));
    yield `{"${name}":{"polluted":true,"type":"user"},"message":{"${name}":{"polluted":true}},${line.slice(1)}\n`;
    yield `${JSON.stringify(claude(step + 1, "user", { role: "user", content: [result(name, name)] }))}\n`;
    yield `{"type":"${name}","uuid":"${name}","parentUuid":"u-${step}","isSidechain":false,"${name}":1}\n`;
  }
  yield `${JSON.stringify(response(NAMES.length * 2 + 1, [text("after")]))}\n`;
}

/** Halves of pairs, written as escapes and as bytes that are no UTF-8. */
function* brokenText(): Iterable<string | Buffer> {
  yield `${JSON.stringify(prompt(0, "NUL \u0000 and lone halves follow."))}\n`;
  yield `${JSON.stringify(response(1, [text("PLACE")])).replace("PLACE", "\\ud800 and \\udfff and \\ud83d")}\n`;
  const [head = "", tail = ""] = JSON.stringify(response(2, [text("PLACE")])).split("PLACE");
  yield Buffer.concat([
    Buffer.from(head),
    Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from(`${tail}\n`),
  ]);
  yield `${JSON.stringify(response(3, [call("t-1", "a\u0000b", { file_path: "\u0000" })]))}\n`;
  yield `${JSON.stringify(claude(4, "user", { role: "user", content: [result("t-1", "\u0000".repeat(1000))] }))}\n`;
}

function* oddTimes(): Iterable<Json> {
  const times: readonly unknown[] = [
    "yesterday",
    "",
    "0000-00-00T00:00:00Z",
    "2026-13-45T99:99:99Z",
    "+275760-09-13T00:00:00.001Z",
    "1970-01-01",
    1767603600000,
    -1,
    null,
    {},
    "2026-01-05T09:00:00.123456789Z",
    "9999-12-31T23:59:59Z",
    "2026-01-05T09:00:00+14:00",
  ];
  yield prompt(0, "When was that?");
  for (const [index, timestamp] of times.entries()) yield { ...response(index + 1, [text("answer")]), timestamp };
  yield response(times.length + 1, [text("after")]);
}

function* unknownRecords(): Iterable<Json> {
  yield prompt(0, "Records of a later version.");
  for (let index = 0; index < 2000; index++)
    yield { type: `kind-${index}`, uuid: `k-${index}`, parentUuid: "u-0", isSidechain: false, body: { index } };
  yield { uuid: "no-type", parentUuid: "u-0", isSidechain: false };
  yield {};
  yield response(1, [{ type: "hologram", text: "a block of a kind that does not exist yet" }, text("answer")]);
}

/** Parents that lead in circles, to themselves and to nowhere. */
function* brokenTree(): Iterable<Json> {
  yield { ...prompt(0, "Who hangs on whom?"), parentUuid: "u-9" };
  for (let step = 1; step < 10; step++) yield response(step, [text("in a circle")]);
  yield { ...response(10, [text("its own parent")]), parentUuid: "u-10" };
  yield { ...response(11, [text("nobody's child")]), parentUuid: "nowhere" };
  for (let index = 0; index < 3000; index++)
    yield { ...response(12 + index, [text("one of many")]), parentUuid: "u-11" };
}

function manyBlocks(count: number): Json[] {
  const blocks = Array.from({ length: count }, (_, index) => text(`block ${index}`));
  return [
    prompt(0, "One record of many blocks."),
    response(1, blocks),
    prompt(2, blocks),
    response(3, [text("after")]),
  ];
}

function binary(bytes: number): Buffer {
  const content = Buffer.alloc(bytes);
  let state = 0x2545f491;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    content[at] = state >>> 16;
  }
  content.set([0x7f, 0x45, 0x4c, 0x46]);
  return content;
}

/** Byte order mark and CR LF, without a final line end. */
function windowsFile(records: readonly unknown[]): string {
  return `\ufeff${records.map((record) => JSON.stringify(record)).join("\r\n")}`;
}

/** All of them. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  file("empty.jsonl", "no bytes at all", () => []),
  file("blank.jsonl", "line ends only", () => ["\n\r\n\n   \n"]),
  file("binary.jsonl", "3 MB that are no text", () => [binary(3_000_000)]),
  file("long-line.jsonl", "one line of 50 MB", () => longLine(50_000_000)),
  file("damaged-lines.jsonl", "100,000 lines that are no records", () => damaged(100_000)),
  file("deep.jsonl", "200,000 levels within a record", () => deep(200_000)),
  file("inherited-keys.jsonl", "__proto__, constructor and their like as keys, ids, tools", inheritedKeys),
  file("markup.jsonl", "HTML, Markdown, escapes and overrides in every text field", () =>
    jsonl(hostileClaudeCode(HOSTILE_TEXT)),
  ),
  file("rollout-markup.jsonl", "the same in a Codex rollout", () => jsonl(hostileCodex(HOSTILE_TEXT))),
  file("broken-text.jsonl", "NUL, lone surrogates, bytes that are no UTF-8", brokenText),
  file("windows.jsonl", "byte order mark, CR LF, no final line end", () => [windowsFile(hostileClaudeCode("plain"))]),
  file("huge-numbers.jsonl", "1e999, 2^53+1, negative and fractional tokens", hugeNumbers),
  file("wrong-types.jsonl", "every field with a value of every wrong type", () => jsonl(wrongTypes())),
  file("rollout-wrong-types.jsonl", "the same in a Codex rollout", () => jsonl(wrongCodexTypes())),
  file("many-blocks.jsonl", "records of 100,000 content blocks", () => jsonl(manyBlocks(100_000))),
  file("unknown-records.jsonl", "2,000 kinds of records that nobody knows", () => jsonl(unknownRecords())),
  file("odd-times.jsonl", "times that are none", () => jsonl(oddTimes())),
  file("broken-tree.jsonl", "parents in circles, and 3,000 children of one", () => jsonl(brokenTree())),
];

function file(name: string, about: string, parts: HostileFile["parts"]): HostileFile {
  return { name, about, parts };
}

/** Writes one of them. */
export async function writeHostile({ parts }: HostileFile, path: string): Promise<void> {
  const out = createWriteStream(path);
  for (const part of parts()) if (!out.write(part)) await once(out, "drain");
  out.end();
  await finished(out);
}
