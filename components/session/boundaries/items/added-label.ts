import { useTranslations } from "use-intl";
import type { SyntheticItem } from "@/lib/core/compaction/policy";

/** Names what a compaction added, in the reader's language. A name without a message is shown as the policy gives it. */
export function useAddedLabel(): (item: Pick<SyntheticItem, "name" | "label" | "count">) => string {
  const t = useTranslations("session.boundary.addedItem");
  // The names come from policies, so the compiler cannot know them; `has` checks them.
  return ({ name, label, count = 0 }) => (t.has(name as never) ? t(name as never, { count } as never) : label);
}
