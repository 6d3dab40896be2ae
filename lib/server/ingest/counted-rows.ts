import { LRUCache } from "lru-cache";
import { sameItems } from "@/lib/core/columns/delta";
import type { OpenTranscript } from "../threads/open-transcripts";
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
   * The numbers of every row.
   * @param key what is counted of which file
   * @param newRule makes what counts, where it cannot be gone on with
   * @param count counts the rows that are not known
   */
  of(
    key: string,
    open: OpenTranscript,
    newRule: () => Rule,
    count: (rule: Rule, known: KnownRows) => KnownRows["numbers"],
  ): KnownRows["numbers"] {
    const kept = this.#kept.get(key);
    const goesOn = kept !== undefined && open.reading !== undefined && kept.open.reading === open.reading;
    const rule = goesOn ? kept.rule : newRule();
    const known = goesOn ? { rows: sameItems(kept.open.columns, open.columns), numbers: kept.numbers } : NOTHING;
    const numbers = count(rule, known);
    if (open.reading !== undefined) this.#kept.set(key, { open, rule, numbers });
    return numbers;
  }
}
