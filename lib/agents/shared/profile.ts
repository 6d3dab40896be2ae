import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import type { Settings, Source } from "@/lib/core/compaction/policy/settings";
import type { OwnBreakdown } from "@/lib/core/context/own-breakdown";
import type { ResumeRule } from "@/lib/core/context/resume";
import type { WindowEntry } from "@/lib/core/prices/windows";
import type { Vocabulary } from "@/lib/core/tokens/model-tokenizer";
import type { AgentPlaces } from "./places";

/** Summary of an agent for lists: its name, and the facts needed before its profile is loaded. */
export interface AgentSummary {
  readonly id: string;
  readonly label: string;
  /** Two letters for dense tables. */
  readonly mark: string;
  /** The agent's own estimator: docs/interfaces.md, "Ids". */
  readonly estimator: string;
  /** Presets that may follow the estimator's id after an `@`, since their rules count differently; the bare id means the first. */
  readonly estimatorPresets?: readonly string[];
  /** Public vocabulary of each of its estimators that uses one. */
  readonly vocabularies?: Readonly<Record<string, Vocabulary>>;
  /** True if its profile has a policy, whose id is then the agent's. */
  readonly hasPolicy: boolean;
  /** True if its sessions are read. */
  readonly hasReader: boolean;
}

/** A constant with its unit and its source: a document section, or a release and file. */
export interface Constant {
  readonly value: number;
  readonly unit:
    | "tokens"
    | "share"
    | "factor"
    | "bytes"
    | "chars"
    | "pixels"
    | "milliseconds"
    | "minutes"
    | "count"
    | "lines";
  readonly source: Source;
}

/** A constant. */
export function constant(value: number, unit: Constant["unit"], source: Source): Constant {
  return { value, unit, source };
}

/** Facts about the release that wrote a file, for files that do not name the release. */
export interface WrittenFile {
  /** Version of the file's format; `null` if it has none. */
  readonly formatVersion: number | null;
  /** ISO time of its last record; `null` if no record has a time. */
  readonly endedAt: string | null;
}

/** The agent's call for a summary, as a provider's cache sees it. */
interface SummaryCallRule {
  /** True if it begins with the prompt of the previous request, which is then read from the cache while that is warm. `undefined` if unknown. */
  readonly sharesPrefix: (settings: Settings) => boolean | undefined;
  readonly source: Source;
}

/** Facts for an agent's message after a compaction. Sizes are tokens. */
export interface ReportedCompaction {
  readonly preset: string;
  readonly outcome: string;
  readonly tokensBefore: Tokens;
  readonly tokensAfter: Tokens;
  /** Paths of the reattached files. */
  readonly files: readonly string[];
}

/** Browser-side facts about an agent, besides its summary. Its readers and exact rules stay on the server. */
export interface BrowserProfile {
  /** The window if neither the user, nor the file, nor the model table gives one. */
  readonly defaultWindow: Constant;
  /** The same for presets that have a default window of their own. */
  readonly presetWindows?: Readonly<Record<string, Constant>>;
  /** Windows that the agent gives models, if they are not those of the models' providers. */
  readonly modelWindows?: readonly WindowEntry[];
  /** Converts a recorded window to the one that the agent's policy works with (Codex records the effective one). */
  readonly policyWindow?: (recorded: Tokens) => Tokens;
  /** Part of a window that the agent fills and records, if that is not all of it. */
  readonly effectiveWindow?: (window: Tokens) => Tokens;
  /** True if a recorded window is the one that a provider names when it refuses a prompt. */
  readonly refusalsStateWindow?: true;
  /** Locations of the agent's sessions. */
  readonly places: AgentPlaces;
  /** Absent until the agent's policy over columns is written. */
  readonly policy?: Policy;
  /** The preset for a recording by a version of this agent. Agents whose recordings do not name the version decide by the file. */
  readonly presetFor?: (version: string | undefined, file?: WrittenFile) => string;
  /** The agent's own view of its window (`/context`); if absent, ours is shown. */
  readonly breakdown?: OwnBreakdown;
  /** True if the server makes a report of the agent's prompt besides the categories. */
  readonly reportsPrompt?: true;
  /** The agent's own message after a compaction (`/compact`); absent if it prints none, `undefined` if nothing is printed for this one. */
  readonly compactionReport?: (compaction: ReportedCompaction) => string | undefined;
  /** Absent if the agent makes no summaries, or its call for them is unknown. */
  readonly summaryCall?: SummaryCallRule;
  /** Messages that a resume loads from a session's file; absent if the agent cannot resume sessions. */
  readonly resume?: ResumeRule;
  readonly constants: Readonly<Record<string, Constant>>;
}

/** Everything that the browser may load about an agent. */
export type AgentProfile = AgentSummary & BrowserProfile;

/** The default window of an agent's preset; without a preset, the agent's usual one. */
export function defaultWindowOf(profile: BrowserProfile, preset: string | undefined): Constant {
  return (preset === undefined ? undefined : profile.presetWindows?.[preset]) ?? profile.defaultWindow;
}

/** Name of the estimator of an agent's preset. */
export function estimatorOfPreset({ estimator, estimatorPresets = [] }: AgentSummary, preset: string): string {
  return estimatorPresets.indexOf(preset) > 0 ? `${estimator}@${preset}` : estimator;
}
