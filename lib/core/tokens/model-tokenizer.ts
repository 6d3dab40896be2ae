/** Tokenizer of an estimator compared with the session's models: the model's own, another model's, or none (a rule of thumb over sizes). */
type TokenizerMatch = "model" | "other-model" | "rule";

/** Public vocabularies that ship with the program. */
export type Vocabulary = "o200k" | "cl100k";

/**
 * Name prefixes of models with a public vocabulary, longest first. Anthropic, Google and Qwen models have other vocabularies.
 * Source: openai/tiktoken, model.py, MODEL_PREFIX_TO_ENCODING (0.12).
 */
const MODEL_VOCABULARIES: readonly (readonly [prefix: string, vocabulary: Vocabulary])[] = [
  ["gpt-3.5-turbo", "cl100k"],
  ["gpt-35-turbo", "cl100k"],
  ["gpt-oss-", "o200k"],
  ["chatgpt-4o", "o200k"],
  ["gpt-4.5", "o200k"],
  ["gpt-4.1", "o200k"],
  ["gpt-4o", "o200k"],
  ["gpt-4", "cl100k"],
  ["gpt-5", "o200k"],
  ["o1", "o200k"],
  ["o3", "o200k"],
  ["o4", "o200k"],
];

/**
 * Compares an estimator's vocabulary with that of a session's models. An exact count by another model's vocabulary is wrong too: cl100k on Claude's
 * text is as far off as a rule of thumb.
 * @param vocabulary of the estimator; `undefined` if it counts by sizes
 * @param models as recorded, with or without a provider
 */
export function tokenizerMatch(vocabulary: Vocabulary | undefined, models: readonly string[]): TokenizerMatch {
  if (vocabulary === undefined) return "rule";
  const isTheModels = models.length > 0 && models.every((model) => vocabularyOfModel(model) === vocabulary);
  return isTheModels ? "model" : "other-model";
}

function vocabularyOfModel(model: string): Vocabulary | undefined {
  return familyOf(model)?.[1];
}

/** Prefix of a model's name that identifies its vocabulary; `undefined` if the vocabulary is not public. */
export function vocabularyPrefix(model: string): string | undefined {
  return familyOf(model)?.[0];
}

function familyOf(model: string): (typeof MODEL_VOCABULARIES)[number] | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return MODEL_VOCABULARIES.find(([prefix]) => name.startsWith(prefix));
}
