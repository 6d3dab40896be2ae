import { utf8Length } from "@/lib/core/base/characters";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import type { CodexPreset } from "../base/presets";

/** Codex counts four bytes as one token. The source of the rules in this file is README.md, "Estimates". */
export const BYTES_PER_TOKEN = 4;

/** Bytes that the server adds to reasoning before it encrypts it. */
const REASONING_OVERHEAD: Bytes = 650;

/** Tokens of a text: ceil(UTF-8 bytes / 4), in every preset. */
export function textTokens(text: string): Tokens {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
}

/** Tokens of a number of bytes. The document rounds down, the program up. Source: README.md, "Presets". */
export function tokensFromBytes(bytes: Bytes, preset: CodexPreset): Tokens {
  return preset === "as-documented" ? Math.floor(bytes / BYTES_PER_TOKEN) : Math.ceil(bytes / BYTES_PER_TOKEN);
}

export function bytesForTokens(tokens: Tokens): Bytes {
  return tokens * BYTES_PER_TOKEN;
}

/** Bytes of the reasoning behind encrypted content: three quarters of its length (base64), minus what the server adds. */
export function reasoningBytes(encryptedLength: Bytes): Bytes {
  return Math.max(0, Math.floor((encryptedLength * 3) / 4) - REASONING_OVERHEAD);
}

/** Length of the shortest encrypted content for this many bytes of reasoning. */
export function encryptedLength(bytes: Bytes): Bytes {
  return Math.ceil(((bytes + REASONING_OVERHEAD) * 4) / 3);
}

/** Bytes counted for the encrypted content of a tool output or of mail between agents; `current` only. */
export function encryptedOutputBytes(encryptedLength: Bytes): Bytes {
  return Math.ceil((encryptedLength * 9) / 16);
}
