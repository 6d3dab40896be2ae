import { advisedColumns } from "./advised";
import { MIN_SESSIONS, pairedSaving, type Saving } from "./recommend";

/** A recorded session in a comparison before and after a date. */
export interface DatedSession {
  readonly project: string;
  /** Only sessions with the same models are compared. */
  readonly model: string;
  /** Times of its first and last request, in milliseconds since 1970. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Number of its requests; above 0. */
  readonly requests: number;
  /** Its cost, or another metric for which less is better. */
  readonly value: number;
}

/**
 * Times in milliseconds. An earlier session begins at or after `from` and ends before `at`; a later one begins at or after `at` and ends before
 * `until`.
 */
export interface Period {
  readonly from: number;
  readonly at: number;
  readonly until: number;
}

/** Sessions on one side of the date that have a counterpart of the same project and models on the other side. */
interface Side {
  readonly sessions: number;
  readonly requests: number;
  /** The metric per request. Every project and set of models is weighted by its requests after the date. `null` without a session. */
  readonly perRequest: number | null;
}

/** The change of a metric per request between the sessions before and after a date. Source: docs/method.md, "Predicted and realised". */
export interface Outcome {
  readonly before: Side;
  readonly after: Side;
  /** Number of sessions in the period without a counterpart. */
  readonly unmatched: number;
  /** Number of sessions that begin before the date and end after it. */
  readonly across: number;
  /** Minimum sessions on each side. */
  readonly needed: number;
  /** Saved share of the metric per request, with its 95 % interval; `null` while a side has too few sessions. */
  readonly saving: Saving | null;
}

/**
 * Compares the recorded sessions before and after a date. Projects and models differ in their cost, so sessions are compared only within the same
 * project and models, and each group is weighted by its requests after the date.
 *
 * Example: a project cost $0.10 a request before, and $8 over 100 requests after. Without a change these requests would have cost $10, so 20 % are
 * saved. The interval is that of `pairedSaving`, with the rows of `Group.rows`.
 *
 * The same seed gives the same interval.
 */
export function outcomeOf(sessions: readonly DatedSession[], { from, at, until }: Period, seed: number): Outcome {
  const within = sessions.filter(({ firstAt, lastAt }) => firstAt >= from && lastAt < until);
  const dated = within.filter(({ firstAt, lastAt }) => lastAt < at || firstAt >= at);
  const isAfter = ({ firstAt }: DatedSession) => firstAt >= at;
  const groups = grouped(dated)
    .map((all) => new Group(all, isAfter))
    .filter((group) => group.before.length > 0 && group.after.length > 0);
  const side = (of: (group: Group) => readonly DatedSession[], total: (group: Group) => number): Side => {
    const own = groups.flatMap(of);
    const weight = sumOf(groups, (group) => group.requestsAfter);
    return {
      sessions: own.length,
      requests: sumOf(own, ({ requests }) => requests),
      perRequest: weight === 0 ? null : sumOf(groups, total) / weight,
    };
  };
  const before = side(
    (group) => group.before,
    (group) => group.expected,
  );
  const after = side(
    (group) => group.after,
    (group) => group.actual,
  );
  const hasEnough = before.sessions >= MIN_SESSIONS && after.sessions >= MIN_SESSIONS && (before.perRequest ?? 0) > 0;
  const rows = groups.flatMap((group) => group.rows());
  return {
    before,
    after,
    unmatched: dated.length - before.sessions - after.sessions,
    across: within.length - dated.length,
    needed: MIN_SESSIONS,
    saving: hasEnough ? pairedSaving(advisedColumns(rows), seed) : null,
  };
}

function grouped(sessions: readonly DatedSession[]): readonly (readonly DatedSession[])[] {
  const groups = new Map<string, DatedSession[]>();
  for (const session of sessions) {
    const key = JSON.stringify([session.project, session.model]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [session]);
    else group.push(session);
  }
  return [...groups.values()];
}

/** Sessions of one project and the same models. */
class Group {
  readonly before: readonly DatedSession[];
  readonly after: readonly DatedSession[];
  readonly requestsAfter: number;
  readonly #rate: { readonly before: number; readonly after: number };

  constructor(
    private readonly all: readonly DatedSession[],
    private readonly isAfter: (session: DatedSession) => boolean,
  ) {
    this.before = all.filter((one) => !isAfter(one));
    this.after = all.filter(isAfter);
    this.requestsAfter = requestsOf(this.after);
    this.#rate = { before: rateOf(this.before), after: rateOf(this.after) };
  }

  /** The metric of the requests after the date, had its rate stayed as before the date. */
  get expected(): number {
    return this.requestsAfter * this.#rate.before;
  }

  /** The metric of the requests after the date. */
  get actual(): number {
    return this.requestsAfter * this.#rate.after;
  }

  /**
   * The sessions as rows of a paired comparison: both sums are spread evenly, and each session adds its deviation from the rate of its own side. So
   * a resample shows the spread of both sides, though no session was run twice.
   */
  rows() {
    const [expected, actual] = [this.expected / this.all.length, this.actual / this.all.length];
    const weight = this.requestsAfter / requestsOf(this.before);
    return this.all.map((session) => {
      const { project, value, requests } = session;
      const deviation = (rate: number) => value - rate * requests;
      const [current, swept] = this.isAfter(session)
        ? [expected, actual + deviation(this.#rate.after)]
        : [expected + deviation(this.#rate.before) * weight, actual];
      return { project, current, swept: [swept], crosses: true };
    });
  }
}

function rateOf(sessions: readonly DatedSession[]): number {
  return sumOf(sessions, ({ value }) => value) / requestsOf(sessions);
}

function requestsOf(sessions: readonly DatedSession[]): number {
  return sumOf(sessions, ({ requests }) => requests);
}

function sumOf<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}
