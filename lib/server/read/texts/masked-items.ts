import type { ItemText } from "@/lib/queries/contract/schemas";
import type { MaskedText } from "../../secrets/mask-secrets";

/** An item whose text has its likely secrets masked. */
export interface MaskedItem extends ItemText, Pick<MaskedText, "masks"> {}

/** Items with their likely secrets masked. The rules are loaded on first use. */
export async function maskedItems(items: readonly ItemText[]): Promise<readonly MaskedItem[]> {
  const { maskedText } = await import("../../secrets/mask-secrets");
  const masked: MaskedItem[] = [];
  for (const item of items) masked.push({ ...item, ...(await maskedText(item.text)) });
  return masked;
}
