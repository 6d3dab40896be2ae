import { call, claude, prompt, response, result, text } from "./records";

/** Files whose bytes and lines are odd: no JSON writer would produce them. */

/** Usage that no integer can hold. JSON.stringify cannot write these numbers, so the line is assembled by hand. */
export function* hugeNumbers(): Iterable<string> {
  yield `${JSON.stringify(prompt(0, "How large is large?"))}\n`;
  const numbers = ["1e999", "-1e999", "9007199254740993", "1e308", "-5", "0.1", "1e-400", "99999999999999999999999999"];
  for (const [index, number] of numbers.entries()) {
    const line = JSON.stringify(response(index + 1, [text("answer")], { input_tokens: 7_777_777, output_tokens: 4 }));
    yield `${line.replace("7777777", number)}\n`;
  }
  yield `${JSON.stringify(response(numbers.length + 1, [text("a plain one")]))}\n`;
}

/** An otherwise valid record with this depth of nesting. */
export function* deep(levels: number): Iterable<string> {
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

export function* longLine(bytes: number): Iterable<string> {
  const line = JSON.stringify(response(1, [text("FILL")]));
  const [head = "", tail = ""] = line.split("FILL");
  yield `${JSON.stringify(prompt(0, "One line is very long."))}\n`;
  yield head;
  const piece = "0123456789abcdef".repeat(65_536);
  for (let at = 0; at < bytes; at += piece.length) yield piece.slice(0, bytes - at);
  yield `${tail}\n`;
  yield `${JSON.stringify(response(2, [text("after")]))}\n`;
}

export function* damaged(count: number): Iterable<string> {
  yield `${JSON.stringify(prompt(0, "Most lines are damaged."))}\n`;
  const whole = JSON.stringify(response(1, [text("a line that was cut")]));
  const kinds = [whole.slice(0, 90), "not json", "[1,2,3]", "42", whole.slice(40), '{"type":', "\u0000\u0000"];
  for (let index = 0; index < count; index++) yield `${kinds[index % kinds.length] ?? ""}\n`;
  yield `${JSON.stringify(response(2, [text("after")]))}\n`;
}

const NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then"];

/** Keys that objects already have, used as fields, ids, tools and types. Assembled as text, because a literal would set the prototype. */
export function* inheritedKeys(): Iterable<string> {
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

/** Halves of surrogate pairs, written as escapes and as bytes that are not UTF-8. */
export function* brokenText(): Iterable<string | Buffer> {
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

export function binary(bytes: number): Buffer {
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
export function windowsFile(records: readonly unknown[]): string {
  return `\ufeff${records.map((record) => JSON.stringify(record)).join("\r\n")}`;
}
