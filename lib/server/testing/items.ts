import { type ItemText, itemsAnswer } from "@/lib/queries/contract/schemas";

/** Parses the items of an encoded answer. */
export function shownItems(json: Uint8Array): ItemText[] {
  return itemsAnswer.parse(JSON.parse(new TextDecoder().decode(json))).items;
}
