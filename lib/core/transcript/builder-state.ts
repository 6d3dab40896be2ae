import type { Milliseconds } from "../base/units";
import type { Damage, Problem } from "../records/problem";
import { MessageList } from "./message-list";
import type { Boundary, ExtraRequest, OverheadEntry, ParentSession, RequestPoint, StartedSubagent } from "./model";
import type { KnownFacts } from "./session-facts";

/** State of a builder. Opaque to all other code. */
export interface BuilderState {
  /** Number of records, in all and by type. */
  records: number;
  readonly byType: Map<string, number>;
  readonly unknown: Map<string, number>;
  readonly damaged: Damage[];
  readonly problems: Map<string, Problem>;
  readonly models: Set<string>;
  readonly overhead: OverheadEntry[];
  readonly messages: MessageList;
  readonly requests: RequestPoint[];
  readonly boundaries: Boundary[];
  readonly facts: KnownFacts;
  sidechains: number;
  readonly extraRequests: ExtraRequest[];
  /** Subagent to which the whole file belongs. */
  agentId: string | undefined;
  readonly parents: Map<string, ParentSession>;
  readonly subagents: Map<string, StartedSubagent>;
  /** Subagents whose own records are in the file. */
  readonly inFile: Set<string>;
  /** Earliest and latest time of a record; NaN until a record has a time. */
  startedAt: Milliseconds;
  endedAt: Milliseconds;
}

/** State of an empty builder. */
export function emptyState(): BuilderState {
  return {
    records: 0,
    byType: new Map(),
    unknown: new Map(),
    damaged: [],
    problems: new Map(),
    models: new Set(),
    overhead: [],
    messages: new MessageList(),
    requests: [],
    boundaries: [],
    facts: {},
    sidechains: 0,
    extraRequests: [],
    agentId: undefined,
    parents: new Map(),
    subagents: new Map(),
    inFile: new Set(),
    startedAt: Number.NaN,
    endedAt: Number.NaN,
  };
}

/** Copies a state, so that the copy stays unchanged while the other grows. Copies the lists, but not their entries. */
export function copyOfState(state: BuilderState): BuilderState {
  return {
    ...state,
    byType: new Map(state.byType),
    unknown: new Map(state.unknown),
    damaged: [...state.damaged],
    problems: new Map(state.problems),
    models: new Set(state.models),
    overhead: [...state.overhead],
    messages: state.messages.copy(),
    requests: [...state.requests],
    boundaries: [...state.boundaries],
    facts: { ...state.facts },
    extraRequests: [...state.extraRequests],
    parents: new Map(state.parents),
    subagents: new Map(state.subagents),
    inFile: new Set(state.inFile),
  };
}
