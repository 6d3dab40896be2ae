/** A session's metric (such as cost, where less is better) under the current setting and under every swept one. */
export interface AdvisedSession {
  /** Sessions of one project resemble each other. */
  readonly project: string;
  readonly current: number;
  /** The metric under each swept setting, in sweep order. */
  readonly swept: readonly number[];
  /** True if any of these replays compacts; otherwise no setting changes anything for the session. */
  readonly crosses: boolean;
}

/** Sessions as columns, because they are summed thousands of times and sent between threads. */
export interface AdvisedColumns {
  /** Project number of each session. */
  readonly project: Int32Array;
  readonly current: Float64Array;
  /** The metric of each session, one array per swept setting. */
  readonly swept: readonly Float64Array[];
  /** Number of sessions that reach a trigger. */
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
