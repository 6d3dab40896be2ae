"use client";

import { useTranslations } from "use-intl";
import type { SyntheticItem } from "@/lib/core/compaction/policy";

/** Names what a compaction added in the reader's language; a name that no message has is shown as the policy gives it. */
export function useAddedLabel(): (item: Pick<SyntheticItem, "name" | "label" | "count">) => string {
  const t = useTranslations("session.boundary.addedItem");
  // Policies bring the names, so the compiler cannot know them; `has` is the check.
  return ({ name, label, count = 0 }) => (t.has(name as never) ? t(name as never, { count } as never) : label);
}
