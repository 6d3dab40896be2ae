import type { SyntheticItem } from "@/lib/core/compaction/policy";
import { callSize, summaryItem } from "@/lib/core/compaction/retention";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/settings/common-settings";
import { numberSetting } from "@/lib/core/compaction/settings/settings";
import { listing, mentionsOf } from "./files";
import type { Release } from "./release";
import { EMPTY_SUMMARY_TOKENS, FAILURE_MESSAGE_TOKENS, promptTokens } from "./sizes";

/** What the document puts in place of a failed summary. */
const NOTE: SyntheticItem = {
  ...summaryItem(FAILURE_MESSAGE_TOKENS),
  kind: "note",
  name: "failureNote",
  label: "note that compaction failed",
};

/** The document's rules: a model makes every summary, even an empty one. Where the call fails, a note takes its place, and more messages stay. */
export const asDocumented: Release = (settings) => {
  const [retain, fallbackRetain] = [numberSetting(settings, "retain"), numberSetting(settings, "fallbackRetain")];
  const maxFiles = numberSetting(settings, "maxFiles");
  const { failSummary } = settings;
  const summaryTokens = summaryIsEmpty(failSummary) ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
  return (view) => {
    const summaryCallTokens = callSize(promptTokens(view));
    if (summaryFails(failSummary, view.summaryCalls)) {
      return { item: NOTE, outcome: "fallback", retain: fallbackRetain, summaryTokens: 0, summaryCallTokens };
    }
    const item = listing(
      summaryItem(summaryTokens),
      view.columns,
      mentionsOf(view, "texts and calls"),
      maxFiles,
      "all",
    );
    return { item, outcome: "summary", retain, summaryTokens, summaryCallTokens };
  };
};
