import { type ItemText, itemsAnswer } from "@/lib/queries/contract/schemas";

/** The items of an answer as it is sent. */
export function shownItems(json: Uint8Array): ItemText[] {
  return itemsAnswer.parse(JSON.parse(new TextDecoder().decode(json))).items;
}
