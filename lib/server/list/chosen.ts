import type { Facet } from "@/lib/core/base/facet-keys";
import { type DayPart, type Days, daysOf, together as joined } from "./days";
import { type Groups, groupsBy, type SummedPart, type SummedRows, summed, together, withParts } from "./groups";
import type { IndexColumns, Places } from "./index/index-columns";

/** True if the conditions on days hold for a day; `null` for none known. */
export type DayTest = (day: string | null) => boolean;

/** Sessions in groups, with the summed rows. */
interface SummedGroups {
  readonly groups: Groups;
  readonly rows: SummedRows;
}

/** Selected sessions, with their summed rows: if days are selected, their requests of these days. */
export class Chosen {
  readonly #days: Days;
  readonly #isChosen: readonly boolean[];
  #whole: { readonly rows: SummedRows; readonly of: Uint32Array | undefined } | undefined;

  /**
   * @param places sessions with a matching day
   * @param timeZone a known name
   */
  constructor(
    private readonly columns: IndexColumns,
    readonly places: Places,
    readonly timeZone: string,
    private readonly test: DayTest | undefined,
  ) {
    this.#days = daysOf(columns, timeZone);
    this.#isChosen = this.#days.values.map((day) => test?.(day) ?? true);
  }

  all(): SummedGroups {
    const { rows, of } = this.#rows();
    return { groups: together(this.places, of), rows };
  }

  /** The sessions by a facet's values. By days, a session is on each day of its requests. */
  by(facet: Facet): SummedGroups {
    if (facet === "day") return this.#byDay();
    const { rows, of } = this.#rows();
    return { groups: groupsBy(this.columns, this.places, facet, of), rows };
  }

  /** The summed row of every session: all of it, or the requests of its selected days. */
  #rows() {
    this.#whole ??= this.test === undefined ? { rows: summed(this.columns), of: undefined } : this.#ofChosenDays();
    return this.#whole;
  }

  #ofChosenDays() {
    const parts: SummedPart[] = [];
    const of = this.places.slice();
    for (const [at, place] of this.places.entries()) {
      const several = this.#days.parts.get(place) ?? [];
      const [first, ...others] = this.#chosenOf(several);
      if (first === undefined || others.length + 1 === several.length) continue;
      of[at] = this.columns.ids.length + parts.length;
      parts.push({ place, sum: others.reduce((sum, other) => joined(sum, other.sum), first.sum), isFirst: true });
    }
    return { rows: withParts(this.columns, parts), of };
  }

  #byDay(): SummedGroups {
    const { only, parts: severalOf, values } = this.#days;
    const parts: SummedPart[] = [];
    const more = this.places.reduce((sum, place) => sum + Math.max(0, (severalOf.get(place)?.length ?? 1) - 1), 0);
    const [places, groups, rows] = [0, 1, 2].map(() => new Uint32Array(this.places.length + more));
    let count = 0;
    const add = (place: number, day: number, row: number) => {
      if (places !== undefined) places[count] = place;
      if (groups !== undefined) groups[count] = day;
      if (rows !== undefined) rows[count] = row;
      count += 1;
    };
    for (const place of this.places) {
      const several = severalOf.get(place);
      if (several === undefined) add(place, only[place] ?? 0, place);
      else
        for (const [next, { day, sum }] of this.#chosenOf(several).entries())
          add(place, day, this.columns.ids.length + parts.push({ place, sum, isFirst: next === 0 }) - 1);
    }
    const cut = (column: Uint32Array | undefined) => column?.subarray(0, count) ?? new Uint32Array(0);
    return {
      groups: { values, places: cut(places), groups: cut(groups), rows: cut(rows) },
      rows: withParts(this.columns, parts),
    };
  }

  #chosenOf(several: readonly DayPart[]): readonly DayPart[] {
    return several.filter(({ day }) => this.#isChosen[day]);
  }
}
