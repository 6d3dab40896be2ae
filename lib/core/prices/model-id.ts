/**
 * Thinking modes: `-thinking`, Copilot's `-thought`, or the effort; a name has at most both. `-max` and `-fast` are other models, or have other
 * prices.
 */
const THINKING: readonly [RegExp, string] = [
  /-(?:thinking|thought|none|minimal|low|medium|high|xhigh)$(?<=^(?:claude|gpt|gemini|o\d).*)/,
  "",
];

/**
 * Rules that simplify one spelling of a model's id, in the order in which they apply. A rule matches a gateway's exact prefix or suffix, never a part
 * of a name. Each rule has a test. Source: docs/prices.md, "Matching a model's name".
 */
const SPELLING_RULES: readonly (readonly [RegExp, string])[] = [
  // The window of a million tokens: Claude Code's `[1m]`, which follows even a Bedrock version, and Copilot's `-1m`.
  [/\[1m\]$/i, ""],
  [/-1m$(?<=claude-.+-1m)/, ""],
  // The gateway or host: `anthropic/…`, `models/…`, ARNs. Application profiles and provisioned models have names of their own.
  [/^(?!arn:.*:(?:application-inference-profile|provisioned-model)\/).*\//, ""],
  [/^anthropic--/, ""],
  // Databricks' endpoints and model services.
  [/^(?:databricks-|system\.ai\.)(?=claude-)/, ""],
  [/^(?:anthropic|openai|azure|bedrock|google|google-vertex):/, ""],
  // Bedrock: `us.anthropic.…-v1:0`.
  [
    /^(?:(?:us|us-gov|eu|apac|au|ca|jp|sa|me|global)\.)?(?:anthropic|minimax|moonshot|moonshotai|openai|qwen|zai)\.(.+?)(?:-(?:v\d+(?::\d+)?|\d+:\d+)(?::\d+k)?)?$/,
    "$1",
  ],
  // Vertex: `…@20250929`, `…-v2@20241022`.
  [/(?:-v\d)?@(\d{8})$/, "-$1"],
  [/@(?:default|latest)$/, ""],
  // OpenRouter's variants with the same price: other ways of choosing the host, and Claude's thinking mode.
  [/:(?:nitro|floor|exacto|beta)$/, ""],
  [/:thinking$(?<=claude-.+)/, ""],
  THINKING,
  THINKING,
  [/-latest$/, ""],
  [/-preview-customtools$/, "-preview"],
  [/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, ""],
  [/^(gemini-.+)-00\d$/, "$1"],
  // Versions of Claude: `claude-opus-41`, `claude-sonnet-4.5`, and version and kind in the other order.
  [/^claude-(opus|sonnet|haiku)-4([1-8])$/, "claude-$1-4-$2"],
  [/^(claude-(?:[a-z]+-)?\d+)\.(\d+)/, "$1-$2"],
  [/^claude-(opus|sonnet|haiku)-3(-[57])?$/, "claude-3$2-$1"],
  [/^claude-([4-9])(-\d{1,2})?-(opus|sonnet|haiku|fable|mythos)$/, "claude-$3-$1$2"],
  [/^(claude-(?:sonnet|opus)-4)-0$/, "$1"],
];

/** True for OpenRouter's variants of models that cost nothing. A free variant may have another window than the model. */
export function isFreeVariant(model: string): boolean {
  const slash = model.indexOf("/");
  return model.endsWith(":free") && slash >= 0 && slash + 1 < model.length - ":free".length;
}

/**
 * Ids under which a price list may have a model: the name as written, then the name after each rule in turn, then both of the name in lower case. The
 * list of rules is closed, with no fuzzy matching: a model with none of these ids has no known price.
 */
export function spellingsOf(model: string): readonly string[] {
  const small = model.toLowerCase();
  const spellings = simplified(model);
  return small === model ? spellings : [...new Set([...spellings, ...simplified(small)])];
}

/** The name, and the name after each rule in turn. */
function simplified(model: string): readonly string[] {
  const spellings = [model];
  let spelling = model;
  for (const [written, plain] of SPELLING_RULES) {
    const next = spelling.replace(written, plain);
    if (next !== spelling) spellings.push(next);
    spelling = next;
  }
  return spellings;
}

/** Plainest spelling, which all names of one model share. */
export function plainModelId(model: string): string {
  return spellingsOf(model).at(-1) ?? model;
}
