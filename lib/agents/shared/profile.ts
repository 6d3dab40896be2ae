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
  /** Which public vocabulary each of its estimators counts with, for those that use one. */
  readonly vocabularies?: Readonly<Record<string, Vocabulary>>;
  /** True if its profile has a policy, whose id is then the agent's. */
  readonly hasPolicy: boolean;
}

/** A constant with its unit and where it comes from: a document section, or a release and file. */
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

/** What a file tells about the release that wrote it, where it does not name the release. */
export interface WrittenFile {
  /** Version of the file's format; `null` where it has none. */
  readonly formatVersion: number | null;
  /** ISO time of its last record; `null` where no record has a time. */
  readonly endedAt: string | null;
}

/** The agent's call for a summary, as a provider's cache sees it. */
interface SummaryCallRule {
  /** True if it begins with what was sent before it, which is then read from the cache while that is warm. `undefined` where nobody knows. */
  readonly sharesPrefix: (settings: Settings) => boolean | undefined;
  readonly source: Source;
}

/** What the browser may know about an agent, besides its summary. Its readers and exact rules stay on the server. */
export interface BrowserProfile {
  /** The window where neither the user, nor the file, nor the model table gives one. */
  readonly defaultWindow: Constant;
  /** The same for presets that have a default window of their own. */
  readonly presetWindows?: Readonly<Record<string, Constant>>;
  /** Windows that the agent gives models, where they are not those of the models' providers. */
  readonly modelWindows?: readonly WindowEntry[];
  /** Gives the window that the agent's policy works with from the one that the file records (Codex records the effective one). */
  readonly policyWindow?: (recorded: Tokens) => Tokens;
  /** Gives the part of a window that the agent fills and records, where that is not all of it. */
  readonly effectiveWindow?: (window: Tokens) => Tokens;
  /** True if a window that its files record is the one that a provider names when it refuses a prompt. */
  readonly refusalsStateWindow?: true;
  /** Where the agent leaves its sessions. */
  readonly places: AgentPlaces;
  /** Absent until the agent's policy over columns is written. */
  readonly policy?: Policy;
  /** The preset for a recording by a version of this agent. Agents whose recordings do not name the version decide by the file. */
  readonly presetFor?: (version: string | undefined, file?: WrittenFile) => string;
  /** The agent's own view of its window (`/context`); where it is absent, ours is shown. */
  readonly breakdown?: OwnBreakdown;
  /** True if the server makes a report of the agent's prompt besides the categories. */
  readonly reportsPrompt?: true;
  /** Absent where the agent makes no summaries, or where nobody knows how it asks for them. */
  readonly summaryCall?: SummaryCallRule;
  /** What a resume loads from a session's file; absent where the agent cannot resume sessions. */
  readonly resume?: ResumeRule;
  readonly constants: Readonly<Record<string, Constant>>;
}

/** Everything that the browser may know about an agent. */
export type AgentProfile = AgentSummary & BrowserProfile;

/** The default window of an agent's preset; without a preset, the agent's usual one. */
export function defaultWindowOf(profile: BrowserProfile, preset: string | undefined): Constant {
  return (preset === undefined ? undefined : profile.presetWindows?.[preset]) ?? profile.defaultWindow;
}

/** Name of the estimator that an agent's preset counts with. */
export function estimatorOfPreset({ estimator, estimatorPresets = [] }: AgentSummary, preset: string): string {
  return estimatorPresets.indexOf(preset) > 0 ? `${estimator}@${preset}` : estimator;
}
