import { objectField, textField } from "@/lib/core/transcript/fields";
import type { Envelope } from "../../entry-tree/schema";

/** The results that an `openclaw.cache-ttl` entry lists as pruned whenever the history is sent (2026.9.6); none where any of them is odd. */
export function prunedResults({ data }: Envelope): readonly { readonly key: string; readonly mode: string }[] {
  const listed = Array.isArray(data?.prunedToolResults) ? data.prunedToolResults : [];
  const pruned = listed.flatMap((entry: unknown) => {
    const key = textField(objectField(entry)?.key);
    const mode = textField(objectField(entry)?.mode);
    return key === undefined || mode === undefined ? [] : [{ key, mode }];
  });
  return pruned.length === listed.length ? pruned : [];
}
