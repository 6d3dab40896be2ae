import { LRUCache } from "lru-cache";
import { sameItems } from "@/lib/core/columns/delta";
import type { OpenTranscript } from "../open-transcripts";
import type { KnownRows } from "./count-items";

/** What was counted of a file when it was last looked at. */
interface Counted<Rule> {
  readonly open: OpenTranscript;
  readonly rule: Rule;
  readonly numbers: KnownRows["numbers"];
}

/** How many columns of growing files are kept. */
const KEPT = 16;
const NOTHING: KnownRows = { rows: 0, numbers: {} };

/** Numbers of the items of files that are being written to: when a file has grown, only items that were not there before are counted. */
export class CountedRows<Rule> {
  readonly #kept = new LRUCache<string, Counted<Rule>>({ max: KEPT });

  /**
   * What counts, and the rows that are known.
   * @param key what is counted of which file
   * @param newRule makes what counts, where it cannot be gone on with
   */
  begin(key: string, open: OpenTranscript, newRule: () => Rule): { readonly rule: Rule; readonly known: KnownRows } {
    const kept = this.#kept.get(key);
    const goesOn = kept !== undefined && open.reading !== undefined && kept.open.reading === open.reading;
    if (!goesOn) return { rule: newRule(), known: NOTHING };
    return { rule: kept.rule, known: { rows: sameItems(kept.open.columns, open.columns), numbers: kept.numbers } };
  }

  /** Keeps the numbers of every row, where the file may grow. */
  keep(key: string, open: OpenTranscript, rule: Rule, numbers: KnownRows["numbers"]): void {
    if (open.reading !== undefined) this.#kept.set(key, { open, rule, numbers });
  }
}
