/**
 * Rules that turn one spelling of a model's id into a shorter one, in the order in which they apply. Whoever adds one adds a test. Source:
 * docs/prices.md, "Which model".
 */
const ALIASES: readonly (readonly [RegExp, string])[] = [
  // The provider, or where it runs: `anthropic/…`, `models/…`; Bedrock's `us.anthropic.…-v1:0` and Vertex's `…@20250929`.
  [/^.*\//, ""],
  [/^(?:[a-z]{2,6}(?:-gov)?\.)?anthropic\.(.*?)(?:-v\d+(?::\d+)?)?$/, "$1"],
  [/@(\d{8})$/, "-$1"],
  [/@(?:default|latest)$/, ""],
  [/\[1m\]$/, ""],
  [/-latest$/, ""],
  [/-preview-customtools$/, "-preview"],
  [/-\d{8}$/, ""],
  [/^(claude-(?:sonnet|opus)-4)-0$/, "$1"],
];

/**
 * The ids under which a price list may have a model: the name as written, then the name after each alias in turn. The list is closed, with no fuzzy
 * matching: a model that none of these ids names has no known price.
 */
export function spellingsOf(model: string): readonly string[] {
  const spellings = [model];
  let spelling = model;
  for (const [alias, without] of ALIASES) {
    const next = spelling.replace(alias, without);
    if (next !== spelling) spellings.push(next);
    spelling = next;
  }
  return spellings;
}

/** The shortest spelling, which all names of one model share. */
export function plainModelId(model: string): string {
  return spellingsOf(model).at(-1) ?? model;
}
