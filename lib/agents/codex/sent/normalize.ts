import { assertDefined } from "@/lib/core/base/assert";
import { entryOf } from "@/lib/core/records/fields";
import type { CodexPreset } from "../base/presets";
import { type ContentItem, callIdOf, contentItems, type ResponseItem, stringField } from "../messages/item";

/** The history as it is sent: every call has an answer, and every answer has its call. Source: README.md, "History". */

interface Modalities {
  readonly images: boolean;
  readonly audio: boolean;
}

const EVERYTHING: Modalities = { images: true, audio: true };
const NO_IMAGES = "image content omitted because you do not support image input";
const NO_AUDIO = "audio content omitted because you do not support audio input";
/** Namespace of the ids that `current` gives to generated outputs. */
const OUTPUT_NAMESPACE = "90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4";

/** Kinds of calls for which a preset generates an answer, with the kind of the answer and the prefix of its id. */
const ANSWERS: Readonly<Record<string, { output: string; prefix: string; presets: readonly CodexPreset[] }>> = {
  function_call: {
    output: "function_call_output",
    prefix: "fco",
    presets: ["as-documented", "release-2026-01", "current"],
  },
  custom_tool_call: { output: "custom_tool_call_output", prefix: "ctco", presets: ["release-2026-01", "current"] },
  local_shell_call: { output: "function_call_output", prefix: "fco", presets: ["release-2026-01", "current"] },
  tool_search_call: { output: "tool_search_output", prefix: "tso", presets: ["current"] },
};

/** The prompt made from a history. */
export function forPrompt(
  items: readonly ResponseItem[],
  preset: CodexPreset,
  modalities: Modalities = EVERYTHING,
): readonly ResponseItem[] {
  const answered = withoutOrphans(withOutputs(items, preset), preset);
  return preset === "current"
    ? answered.map((item) => withoutMedia(item, modalities))
    : answered.filter((item) => item.type !== "ghost_snapshot");
}

/** Changes by pairing: removed outputs, and outputs generated for calls without one. */
interface Pairing {
  readonly removed: ReadonlySet<ResponseItem>;
  readonly added: ReadonlyMap<ResponseItem, ResponseItem>;
}

/** The pairing of a history. Some readers of other formats do not read calls, so outputs are removed only in Codex's own files. */
export function pairing(items: readonly ResponseItem[], preset: CodexPreset, format: string): Pairing {
  const prompt = forPrompt(items, preset);
  const own = new Set(items);
  const kept = new Set(prompt);
  const added = prompt.flatMap((item, index) => {
    const call = prompt[index - 1];
    return own.has(item) || call === undefined ? [] : [[call, item] as const];
  });
  const removed = format === "codex" ? items.filter((item) => !kept.has(item) && item.type !== "ghost_snapshot") : [];
  return { removed: new Set(removed), added: new Map(added) };
}

/** Adds an output right after every call that has none. The document looks for outputs only after the call. */
function withOutputs(items: readonly ResponseItem[], preset: CodexPreset): readonly ResponseItem[] {
  const lastOutput = new Map<string, number>();
  items.forEach((item, index) => {
    lastOutput.set(`${item.type}:${callIdOf(item)}`, index);
  });
  return items.flatMap((item, index) => {
    const rule = entryOf(ANSWERS, item.type);
    const callId = stringField(item, "call_id");
    if (rule === undefined || callId === undefined || !rule.presets.includes(preset)) return [item];
    const output = lastOutput.get(`${rule.output}:${callId}`) ?? -1;
    const found = preset === "as-documented" ? output > index : output >= 0;
    return found ? [item] : [item, madeUpOutput(item, rule, callId, preset)];
  });
}

function madeUpOutput(
  call: ResponseItem,
  rule: { output: string; prefix: string },
  callId: string,
  preset: CodexPreset,
): ResponseItem {
  const callItemId = preset === "current" ? stringField(call, "id") : undefined;
  const id =
    callItemId === undefined ? {} : { id: `${rule.prefix}_${uuid5(OUTPUT_NAMESPACE, `${rule.prefix}:${callItemId}`)}` };
  return rule.output === "tool_search_output"
    ? { type: rule.output, ...id, call_id: callId, status: "completed", execution: "client", tools: [] }
    : { type: rule.output, ...id, call_id: callId, output: "aborted" };
}

/** Drops outputs without a call. Ids are compared as a set: one call is enough for every output with its id. */
function withoutOrphans(items: readonly ResponseItem[], preset: CodexPreset): readonly ResponseItem[] {
  const calls = new Set(items.map((item) => `${item.type}:${stringField(item, "call_id")}`));
  const has = (kind: string, callId: string | undefined) => calls.has(`${kind}:${callId}`);
  return items.filter((item) => {
    const callId = stringField(item, "call_id");
    switch (item.type) {
      case "function_call_output":
        return has("function_call", callId) || (preset !== "as-documented" && has("local_shell_call", callId));
      case "custom_tool_call_output":
        return preset === "as-documented" || has("custom_tool_call", callId);
      case "tool_search_output":
        if (preset !== "current" || item.execution === "server" || callId === undefined) return true;
        return has("tool_search_call", callId);
      default:
        return true;
    }
  });
}

/** Replaces images and audio that the model cannot take with a text saying so. */
function withoutMedia(item: ResponseItem, { images, audio }: Modalities): ResponseItem {
  if (images && audio) return item;
  const strip = (entry: ContentItem): ContentItem => {
    if (entry.type === "input_image" && !images) return { type: "input_text", text: NO_IMAGES };
    return entry.type === "input_audio" && !audio ? { type: "input_text", text: NO_AUDIO } : entry;
  };
  if (item.type === "message") return { ...item, content: contentItems(item.content).map(strip) };
  const isOutput = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  return isOutput && Array.isArray(item.output) ? { ...item, output: contentItems(item.output).map(strip) } : item;
}

/** Version 5 UUID (RFC 9562 §5.5): the SHA-1 of a namespace and a name. Written here because Web Crypto's digest is asynchronous. */
function uuid5(namespace: string, name: string): string {
  const prefix = Uint8Array.from(namespace.replaceAll("-", "").match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const digest = sha1(Uint8Array.from([...prefix, ...new TextEncoder().encode(name)])).slice(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** SHA-1 (FIPS 180-4 §6.1). It hashes names, not secrets. */
function sha1(message: Uint8Array): Uint8Array {
  const state = Uint32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0);
  const padded = paddedMessage(message);
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(state, new DataView(padded.buffer, at, 64));
  const digest = new DataView(new ArrayBuffer(20));
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

/** The message, a 1 bit, zeros, and the length in bits, padded to a multiple of 64 bytes. */
function paddedMessage(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, message.length * 8);
  return padded;
}

const ROUND_CONSTANTS = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6] as const;

function addBlock(state: Uint32Array, block: DataView): void {
  const words = new Uint32Array(80);
  for (let t = 0; t < 80; t++) words[t] = t < 16 ? block.getUint32(t * 4) : rotate(mixed(words, t), 1);
  let [a, b, c, d, e] = [word(state, 0), word(state, 1), word(state, 2), word(state, 3), word(state, 4)];
  for (let t = 0; t < 80; t++) {
    const round = Math.floor(t / 20);
    const next = (rotate(a, 5) + choose(round, b, c, d) + e + (ROUND_CONSTANTS[round] ?? 0) + word(words, t)) >>> 0;
    [a, b, c, d, e] = [next, a, rotate(b, 30), c, d];
  }
  [a, b, c, d, e].forEach((value, index) => {
    state[index] = word(state, index) + value;
  });
}

function mixed(words: Uint32Array, t: number): number {
  return word(words, t - 3) ^ word(words, t - 8) ^ word(words, t - 14) ^ word(words, t - 16);
}

function choose(round: number, b: number, c: number, d: number): number {
  if (round === 0) return (b & c) | (~b & d);
  return round === 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}

function rotate(value: number, bits: number): number {
  return ((value << bits) | (value >>> (32 - bits))) >>> 0;
}

function word(words: Uint32Array, index: number): number {
  return assertDefined(words[index], `word ${index}`);
}
