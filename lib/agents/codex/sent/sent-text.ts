import { numberSetting, type Settings } from "@/lib/core/compaction/settings/settings";
import { utf8Length } from "@/lib/core/tokens/characters";
import { entryPolicy, marker, removedTokens, truncateText } from "./truncate";

/** The one tool whose result Codex does not truncate. */
const TOOL_SEARCH = "tool_search";
const BYTES_PER_TOKEN = 4;

/**
 * How Codex shortens texts: outputs are cut as they enter, and kept messages are cut to the rest of their budget. Source: README.md, "Cut texts"
 * and "Local compaction".
 */
export function sentTexts(_preset: string, settings: Settings) {
  const entry = entryPolicy({ mode: "tokens", limit: numberSetting(settings, "toolOutputTokens") });
  return {
    entered: (text: string, tool: string | undefined) => (tool === TOOL_SEARCH ? text : truncateText(text, entry)),
    /** @param left share of its size that stays: the budget follows from it to about a token, since only sizes are known */
    truncated: (text: string, _tool: string | undefined, left: number) => {
      const bytes = utf8Length(text);
      const kept = Math.max(
        0,
        bytes * left - utf8Length(marker({ mode: "tokens", limit: 0 }, removedTokens(bytes, 0))),
      );
      return truncateText(text, { mode: "tokens", limit: Math.round(kept / BYTES_PER_TOKEN) });
    },
  };
}
