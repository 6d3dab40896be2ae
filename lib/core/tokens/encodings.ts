/** Byte-pair vocabularies by name. Their tables are megabytes, so the host supplies the counters. */
export type Encoding = "gpt2" | "r50k_base" | "p50k_base" | "p50k_edit" | "cl100k_base" | "o200k_base";

/** Returns the token counter of an encoding. It counts special tokens as ordinary text. */
export type CounterFor = (encoding: Encoding) => (text: string) => number;
