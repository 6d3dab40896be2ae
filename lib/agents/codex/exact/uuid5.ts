import { assertDefined } from "@/lib/core/base/assert";

/** Version 5 UUID (RFC 9562 §5.5): the SHA-1 of a namespace and a name. Written here because Web Crypto's digest is asynchronous. */
export function uuid5(namespace: string, name: string): string {
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
