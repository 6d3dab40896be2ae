import type { ItemIndex } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy";
import { ASSISTANT, IMAGE, RESULT } from "./history";
import { PART } from "./measures";
import { clearableChars, partBits, rowsWithin } from "./parts";
import { isPutBack } from "./pictures";

/** What is cleared after a pause. */
export interface AgedParts {
  /** Results whose output is cleared, together with everything within them. */
  readonly outputs: readonly ItemIndex[];
  /** Results that stay, but lose the media within them. */
  readonly holders: readonly ItemIndex[];
  /** Media that stand alone. The item of restored pictures occurs once for every picture in it. */
  readonly media: readonly ItemIndex[];
}

/**
 * Clears all but the newest of each kind: results of tools whose results may be cleared, other results that hold media, and media that stand
 * alone. Results that report an error count among the newest but are never cleared.
 * @param end position after the history
 * @param putBack how many pictures the item of restored pictures holds
 */
export function agedParts(view: ContextView, end: number, keep: number, putBack: number): AgedParts {
  const { columns } = view;
  const outputs: ItemIndex[] = [];
  const holders: ItemIndex[] = [];
  const media: ItemIndex[] = [];
  for (let position = 0; position < end; position++) {
    const item = view.items.at(position);
    if (isPutBack(view.synthetic(item))) for (let count = 0; count < putBack; count++) media.push(item);
    if (item >= columns.length) continue;
    const bits = partBits(columns, item);
    if ((bits & PART.WITHIN) !== 0) continue;
    if (columns.kind[item] === IMAGE) {
      if (columns.role[item] !== ASSISTANT && view.items.isWhole(item)) media.push(item);
    } else if (columns.kind[item] === RESULT) {
      const holdsMedia = hasMedia(view, item);
      if ((bits & PART.CLEARABLE) === 0) {
        if (holdsMedia) holders.push(item);
      } else if (holdsMedia || (view.items.isWhole(item) && clearableChars(columns, item) > 0)) outputs.push(item);
    }
  }
  const goes = (item: ItemIndex) => (partBits(columns, item) & PART.ERROR) === 0;
  return {
    outputs: outputs.slice(0, -keep).filter(goes),
    holders: holders.slice(0, -keep).filter(goes),
    media: media.slice(0, -keep),
  };
}

function hasMedia({ columns, items }: ContextView, result: ItemIndex): boolean {
  return rowsWithin(columns, result).some((row) => columns.kind[row] === IMAGE && items.isWhole(row));
}
