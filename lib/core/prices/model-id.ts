/** Spellings of one model, in the order in which they are taken away. Whoever adds one adds a test. Source: docs/prices.md, "Which model". */
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
 * The ids under which a model may stand in a list of prices: as it is written, then without one alias after the other. A closed list and nothing fuzzy: what
 * none of them names is not known.
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

/** The shortest spelling: two names of one model have it in common. */
export function plainModelId(model: string): string {
  return spellingsOf(model).at(-1) ?? model;
}
