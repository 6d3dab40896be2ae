/** A session under the current setting and under every swept one: a figure of which less is better, such as cost. */
export interface AdvisedSession {
  /** Sessions of one project resemble each other. */
  readonly project: string;
  readonly current: number;
  /** By swept setting, in their order. */
  readonly swept: readonly number[];
  /** Whether any of these replays compacts; else no setting makes a difference to it. */
  readonly crosses: boolean;
}

/** Sessions as columns: they are summed up thousands of times, and travel between threads. */
export interface AdvisedColumns {
  /** By session, the number of its project. */
  readonly project: Int32Array;
  readonly current: Float64Array;
  /** By swept setting and session. */
  readonly swept: readonly Float64Array[];
  /** How many sessions reach a trigger. */
  readonly crossing: number;
}

/** @param sessions all with the same settings */
export function advisedColumns(sessions: readonly AdvisedSession[]): AdvisedColumns {
  const numbers = new Map<string, number>();
  const numberOf = (project: string) => numbers.get(project) ?? numbers.set(project, numbers.size).size - 1;
  return {
    project: Int32Array.from(sessions, ({ project }) => numberOf(project)),
    current: Float64Array.from(sessions, ({ current }) => current),
    swept: (sessions[0]?.swept ?? []).map((_, setting) =>
      Float64Array.from(sessions, ({ swept }) => swept[setting] ?? Number.NaN),
    ),
    crossing: sessions.filter(({ crosses }) => crosses).length,
  };
}
