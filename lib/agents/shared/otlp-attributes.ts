/** Names in OpenTelemetry traces that only this program writes: facts for which the conventions for generative AI have no attribute. */
export const OWN_ATTRIBUTES = {
  /** On a request outside of the context: its kind, the request point of a further pass, and the boundary that a summary call made. */
  extraKind: "context_replay.request.kind",
  extraPoint: "context_replay.request.point",
  extraBoundary: "context_replay.request.boundary",
  furtherPass: "context_replay.request.further_pass",
  /** True on a request that another session paid for. */
  inherited: "context_replay.request.inherited",
  /** True if the recorded output is only its beginning. */
  partialOutput: "context_replay.usage.partial_output",
  cacheWrite1h: "context_replay.usage.cache_creation_1h.input_tokens",
  webSearches: "context_replay.usage.web_searches",
  ownCost: "context_replay.usage.cost_usd",
  /** On an event of this name: the kind, trigger and sizes of a change of history before the span's request. */
  boundary: "context_replay.boundary",
  boundaryKind: "context_replay.boundary.kind",
  trigger: "context_replay.boundary.trigger",
  tokensBefore: "context_replay.boundary.tokens_before",
  tokensAfter: "context_replay.boundary.tokens_after",
} as const;
