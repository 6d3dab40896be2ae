import type { Encoding } from "@/lib/core/tokens/encodings";

const FILL_IN_THE_MIDDLE = ["<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>"];

const SPECIAL: Readonly<Record<Encoding, readonly string[]>> = {
  gpt2: ["<|endoftext|>"],
  r50k_base: ["<|endoftext|>"],
  p50k_base: ["<|endoftext|>"],
  p50k_edit: ["<|endoftext|>", ...FILL_IN_THE_MIDDLE],
  cl100k_base: ["<|endoftext|>", ...FILL_IN_THE_MIDDLE, "<|endofprompt|>"],
  o200k_base: ["<|endoftext|>", "<|endofprompt|>"],
};

/**
 * The first special token in a text: the program's own count throws on it, while ours counts it as ordinary text. Source: README.md, "Tokens";
 * js-tiktoken 1.0.21, `encode` with its default arguments.
 */
function specialTokenIn(text: string, encoding: Encoding): string | undefined {
  let first: { readonly at: number; readonly token: string } | undefined;
  for (const token of SPECIAL[encoding]) {
    const at = text.indexOf(token);
    if (at >= 0 && (first === undefined || at < first.at)) first = { at, token };
  }
  return first?.token;
}

/** A counter that rejects special tokens, as the program does. */
export function rejectingSpecialTokens(encoding: Encoding, count: (text: string) => number): (text: string) => number {
  return (text) => {
    const token = specialTokenIn(text, encoding);
    if (token !== undefined) throw new Error(`The text contains a special token that is not allowed: ${token}`);
    return count(text);
  };
}
