import { callSize, summaryItem } from "@/lib/core/compaction/retention";
import { givesNoSummary } from "@/lib/core/compaction/settings/common-settings";
import { numberSetting } from "@/lib/core/compaction/settings/settings";
import { listing, mentionsOf } from "./files";
import type { Release } from "./release";
import { automaticSummaryTokens, promptTokens } from "./sizes";

const AUTOMATIC = { name: "automaticSummary", label: "automatic summary" } as const;

/**
 * Release 1.8.0. Where it compacts by itself, after a turn that was too large, it has only the messages' texts and makes the summary without a
 * model. It also does so where a model's answer failed or was empty. It lists only source files.
 */
export const current: Release = (settings) => {
  const isByItself = settings.rule === "session";
  const looksAt = isByItself ? "texts" : "texts and calls";
  const [retain, maxFiles] = [numberSetting(settings, "retain"), numberSetting(settings, "maxFiles")];
  return (view) => {
    const fails = !isByItself && givesNoSummary(settings.failSummary, view.summaryCalls);
    const isAutomatic = isByItself || fails;
    const summaryTokens = isAutomatic ? automaticSummaryTokens(view) : numberSetting(settings, "summaryTokens");
    const summary = { ...summaryItem(summaryTokens), ...(isAutomatic ? AUTOMATIC : {}) };
    return {
      item: listing(summary, view.columns, mentionsOf(view, looksAt), maxFiles, "source files"),
      outcome: fails ? "fallback" : "summary",
      retain,
      // What the program writes without a model costs no output.
      summaryTokens: isByItself ? 0 : summaryTokens,
      summaryCallTokens: isByItself ? 0 : callSize(promptTokens(view)),
    };
  };
};
