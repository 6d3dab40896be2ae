import type { Bytes, Tokens } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import type { CodexPreset } from "./presets";

/** Codex's token arithmetic: bytes over four. Source: systems/codex.md §2; core/src/truncate.rs of 31d1e4934. */
export const BYTES_PER_TOKEN = 4;

/** Overhead that the server adds to reasoning before encrypting it, in bytes. Source: systems/codex.md §2. */
const REASONING_OVERHEAD: Bytes = 650;

/** Tokens of a text: ceil(UTF-8 bytes / 4), in every preset. */
export function textTokens(text: string): Tokens {
  return Math.ceil(utf8Length(text) / BYTES_PER_TOKEN);
}

/** Tokens of a number of bytes. The document prints a floor, the program rounds up (systems/codex.md §11, 1). */
export function tokensFromBytes(bytes: Bytes, preset: CodexPreset): Tokens {
  return preset === "as-documented" ? Math.floor(bytes / BYTES_PER_TOKEN) : Math.ceil(bytes / BYTES_PER_TOKEN);
}

export function bytesForTokens(tokens: Tokens): Bytes {
  return tokens * BYTES_PER_TOKEN;
}

/** Bytes of reasoning behind encrypted content of a length: three quarters of it (base64) less the server's overhead. */
export function reasoningBytes(encryptedLength: Bytes): Bytes {
  return Math.max(0, Math.floor((encryptedLength * 3) / 4) - REASONING_OVERHEAD);
}

/** The shortest encrypted content behind which there are so many bytes. */
export function encryptedLength(bytes: Bytes): Bytes {
  return Math.ceil(((bytes + REASONING_OVERHEAD) * 4) / 3);
}

/** Bytes counted for encrypted content of a tool output or of mail between agents; `current` only. */
export function encryptedOutputBytes(encryptedLength: Bytes): Bytes {
  return Math.ceil((encryptedLength * 9) / 16);
}
