import { describe, expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import { expectedRows, WITHOUT_RECORDINGS } from "@/verify/support/expected";
import { readSession } from "../testing/sessions";

/** Metrics beside every replay of a recording. A page opens a few recordings only: see e2e/recordings.spec.ts. */
describe.each(["claude-code", "codex", "gemini-cli", "opencode", "pi"])("recordings of %s", (format) => {
  const rows = expectedRows(format);
  if (rows.length === 0) it.skip(WITHOUT_RECORDINGS);

  it.for(rows)("$file: peak and compactions equal those of an independent reading", ({ path, expected }) => {
    const { session, columns } = readSession(path);
    const { compactions } = recordedReplay(countedBySize(columns, "bytes-4"), session.contextWindow.tokens);
    if (Array.isArray(expected.compactions)) expect(compactions).toHaveLength(expected.compactions.length);
    const { peakContext } = expected;
    if (isPeak(peakContext)) expect(session.peakContext?.tokens).toBe(peakContext.tokens);
  });
});

function isPeak(value: unknown): value is { readonly tokens: number } {
  return typeof value === "object" && value !== null && "tokens" in value && typeof value.tokens === "number";
}
