import type { Encoding } from "@/lib/core/tokens/encodings";

/** Model used for the encoding if the model is missing or unknown. */
export const DEFAULT_MODEL = "gpt-4";

/**
 * The name that the program uses to look up an encoding. Any name that contains "gpt-4", also `gpt-4o` and `gpt-4.1`, counts as GPT-4. Source:
 * README.md, "Tokens".
 */
export function normalizedModel(model: string): string {
  const lower = model.toLowerCase();
  if (lower.includes("gpt-4") || lower.includes("gpt4")) return "gpt-4";
  if (lower.includes("gpt-3.5") || lower.includes("gpt35")) return "gpt-3.5-turbo";
  return lower.includes("claude") || lower.includes("glm") ? "gpt-4" : model;
}

/** The program's encoding for a model's text; cl100k if the model is unknown. */
export function encodingOf(model: string): Encoding {
  return knownEncoding(normalizedModel(model)) ?? "cl100k_base";
}

/** The encoding of a normalized name; `undefined` if js-tiktoken has none. */
export function knownEncoding(normalized: string): Encoding | undefined {
  return ENCODINGS.get(normalized);
}

/** Models by encoding, limited to those that a normalized name can match. Source: js-tiktoken 1.0.21, getEncodingNameForModel. */
const MODELS: Readonly<Record<Encoding, readonly string[]>> = {
  gpt2: ["gpt2"],
  p50k_base: [
    ...["code-cushman-001", "code-cushman-002", "code-davinci-001", "code-davinci-002", "cushman-codex"],
    ...["davinci-codex", "davinci-002", "text-davinci-002", "text-davinci-003"],
  ],
  p50k_edit: ["code-davinci-edit-001", "text-davinci-edit-001"],
  r50k_base: [
    ...[
      "ada",
      "babbage",
      "babbage-002",
      "code-search-ada-code-001",
      "code-search-babbage-code-001",
      "curie",
      "davinci",
    ],
    ...["text-ada-001", "text-babbage-001", "text-curie-001", "text-davinci-001", "text-search-ada-doc-001"],
    ...["text-search-babbage-doc-001", "text-search-curie-doc-001", "text-search-davinci-doc-001"],
    ...["text-similarity-ada-001", "text-similarity-babbage-001", "text-similarity-curie-001"],
    "text-similarity-davinci-001",
  ],
  cl100k_base: [
    ...["gpt-4", "gpt-3.5-turbo", "gpt-35-turbo"],
    ...["text-embedding-ada-002", "text-embedding-3-small", "text-embedding-3-large"],
  ],
  o200k_base: [
    ...["o1", "o1-2024-12-17", "o1-mini", "o1-mini-2024-09-12", "o1-preview", "o1-preview-2024-09-12", "o1-pro"],
    ...["o1-pro-2025-03-19", "o3", "o3-2025-04-16", "o3-mini", "o3-mini-2025-01-31", "o4-mini", "o4-mini-2025-04-16"],
    ...["gpt-5", "gpt-5-2025-08-07", "gpt-5-nano", "gpt-5-nano-2025-08-07", "gpt-5-mini", "gpt-5-mini-2025-08-07"],
    "gpt-5-chat-latest",
  ],
};

const ENCODINGS: ReadonlyMap<string, Encoding> = new Map(
  // `Object.entries` loses the type of the keys.
  (Object.entries(MODELS) as [Encoding, readonly string[]][]).flatMap(([encoding, models]) =>
    models.map((model) => [model, encoding] as const),
  ),
);
