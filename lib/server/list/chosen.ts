import { type Facet, isPlaceFacet, type PlaceFacet } from "@/lib/core/base/facet-keys";
import { type DayPart, type Days, daysOf, together as joined } from "./days";
import { type Groups, groupsBy, type SummedPart, type SummedRows, summed, together, withParts } from "./groups";
import type { IndexColumns, Places } from "./index/index-columns";
import { NO_METRICS, type Summed } from "./index/own-metrics";

/** True if the conditions on days hold for a day; `null` for none known. */
export type DayTest = (day: string | null) => boolean;

/** Sessions in groups, with the summed rows. */
interface SummedGroups {
  readonly groups: Groups;
  readonly rows: SummedRows;
}

/** The summed row of every selected session, and the parts among the rows; `of` is absent if every row is a whole session. */
interface WholeRows {
  readonly rows: SummedRows;
  readonly of: Uint32Array | undefined;
  readonly parts: readonly SummedPart[];
}

/** Selected sessions, with their summed rows: if days are selected, their requests of these days. */
export class Chosen {
  readonly #days: Days;
  readonly #isChosen: readonly boolean[];
  #whole: WholeRows | undefined;

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

  /** The sessions by a facet's values. By days and places, a session is in the group of each of its requests' days or places. */
  by(facet: Facet): SummedGroups {
    if (facet === "day") return this.#byDay();
    if (isPlaceFacet(facet)) return this.#byPlace(facet);
    const { rows, of } = this.#rows();
    return { groups: groupsBy(this.columns, this.places, facet, of), rows };
  }

  /** The summed row of every session: all of it, or the requests of its selected days. */
  #rows(): WholeRows {
    this.#whole ??=
      this.test === undefined ? { rows: summed(this.columns), of: undefined, parts: [] } : this.#ofChosenDays();
    return this.#whole;
  }

  #ofChosenDays(): WholeRows {
    const parts: SummedPart[] = [];
    const of = this.places.slice();
    for (const [at, place] of this.places.entries()) {
      const several = this.#days.parts.get(place) ?? [];
      const [first, ...others] = this.#chosenOf(several);
      if (first === undefined || others.length + 1 === several.length) continue;
      of[at] = this.columns.ids.length + parts.length;
      parts.push({ place, sum: others.reduce((sum, other) => joined(sum, other.sum), first.sum), isFirst: true });
    }
    return { rows: withParts(this.columns, parts), of, parts };
  }

  #byDay(): SummedGroups {
    const { only, parts: severalOf, values } = this.#days;
    const grouped = new GroupedParts(this.columns, values);
    for (const place of this.places) {
      const several = severalOf.get(place);
      if (several === undefined) grouped.whole(place, only[place] ?? 0);
      else
        grouped.inParts(
          place,
          this.#chosenOf(several).map(({ day, sum }) => [day, sum] as const),
        );
    }
    return grouped.finish();
  }

  /** The sessions by the places of their requests: a session is in the group of each. */
  #byPlace(facet: PlaceFacet): SummedGroups {
    const { codes, values } = this.columns.text(facet);
    const several = this.columns.number("place_count");
    const { of, parts } = this.#rows();
    const grouped = new GroupedParts(this.columns, values, parts);
    const groupOf = new Map(values.map((value, group) => [value, group]));
    for (const [at, place] of this.places.entries()) {
      if (!((several[place] ?? 0) > 1)) {
        grouped.whole(place, codes[place] ?? 0, of?.[at]);
        continue;
      }
      const where = this.columns.requestPlaces(place).map((one) => one[facet]);
      const sums = new Map<number, Summed>();
      for (const part of this.columns.parts(place)) {
        if (this.test !== undefined && !this.#isChosen[this.#days.dayOf(part.quarter)]) continue;
        const value = where[part.place] ?? null;
        const group = groupOf.get(value) ?? grouped.group(value);
        groupOf.set(value, group);
        sums.set(group, joined(sums.get(group) ?? NO_METRICS, part));
      }
      grouped.inParts(place, sums);
    }
    return grouped.finish();
  }

  #chosenOf(several: readonly DayPart[]): readonly DayPart[] {
    return several.filter(({ day }) => this.#isChosen[day]);
  }
}

/** Collects sessions and parts of sessions in groups. */
class GroupedParts {
  readonly #columns: IndexColumns;
  readonly #values: (string | null)[];
  readonly #parts: SummedPart[];
  readonly #places: number[] = [];
  readonly #groups: number[] = [];
  readonly #rows: number[] = [];

  /** @param parts earlier parts, to which rows of whole sessions may refer */
  constructor(columns: IndexColumns, values: readonly (string | null)[], parts: readonly SummedPart[] = []) {
    this.#columns = columns;
    this.#values = [...values];
    this.#parts = [...parts];
  }

  /** Adds a group and returns its number. */
  group(value: string | null): number {
    return this.#values.push(value) - 1;
  }

  /** Adds a session to one group. */
  whole(place: number, group: number, row = place): void {
    this.#places.push(place);
    this.#groups.push(group);
    this.#rows.push(row);
  }

  /** Adds a session's parts, each to its group. */
  inParts(place: number, sums: Iterable<readonly [group: number, sum: Summed]>): void {
    let isFirst = true;
    for (const [group, sum] of sums) {
      this.whole(place, group, this.#columns.ids.length + this.#parts.push({ place, sum, isFirst }) - 1);
      isFirst = false;
    }
  }

  finish(): SummedGroups {
    const [places, groups, rows] = [this.#places, this.#groups, this.#rows].map((list) => Uint32Array.from(list));
    const none = new Uint32Array(0);
    return {
      groups: { values: this.#values, places: places ?? none, groups: groups ?? none, rows: rows ?? none },
      rows: withParts(this.#columns, this.#parts),
    };
  }
}
