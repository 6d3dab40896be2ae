"use client";

import { useTranslations } from "use-intl";

/** The message of what a compaction added, and the number in its name: policies name what they add in English. */
export function addedLabelKey(label: string): { readonly key: string; readonly n: string } {
  const n = /\d+/.exec(label)?.[0] ?? "";
  const words = label.replace(/\d+/, "n").toLowerCase();
  return { key: words.replaceAll(/[^a-z]+/g, "-").replaceAll(/^-|-$/g, ""), n };
}

/** Names what a compaction added in the reader's language; a name that no message file has is shown as the policy gives it. */
export function useAddedLabel(): (label: string) => string {
  const t = useTranslations("session.boundary.addedItem");
  return (label) => {
    const { key, n } = addedLabelKey(label);
    // The key is built from data, so the compiler cannot know it; `has` is the check.
    return t.has(key as never) ? t(key as never, { n } as never) : label;
  };
}
