import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy";
import type { Settings, Source } from "@/lib/core/compaction/settings";
import type { OwnBreakdown } from "@/lib/core/context/own-breakdown";
import type { ResumeRule } from "@/lib/core/context/resume";
import type { Vocabulary } from "@/lib/core/tokens/model-tokenizer";
import type { AgentPlaces } from "./places";

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

/** What a file tells of the release that wrote it, where it does not name that. */
export interface WrittenFile {
  /** Version of the file's format; null where it has none. */
  readonly formatVersion: number | null;
  /** ISO time of its last record; null where no record has a time. */
  readonly endedAt: string | null;
}

/** The agent's call for a summary, as a provider's cache sees it. */
export interface SummaryCallRule {
  /** Whether it begins with what was sent before it: then that is read where it is warm. `undefined` where nobody knows. */
  readonly sharesPrefix: (settings: Settings) => boolean | undefined;
  readonly source: Source;
}

/** What the browser may know of an agent. Its readers and exact rules stay on the server. */
export interface AgentProfile {
  readonly id: string;
  readonly label: string;
  /** Two letters for dense tables. */
  readonly mark: string;
  /** The agent's own estimator: docs/interfaces.md, "Ids". */
  readonly estimator: string;
  /** Presets whose rules count differently, as they may follow its id behind an `@`; the first is the one of the bare id. */
  readonly estimatorPresets?: readonly string[];
  /** Its estimators that count by a public vocabulary, and which that is. */
  readonly vocabularies?: Readonly<Record<string, Vocabulary>>;
  /** Window where neither the user, nor the file, nor the model table says one. */
  readonly defaultWindow: Constant;
  /** The same of presets that have one of their own. */
  readonly presetWindows?: Readonly<Record<string, Constant>>;
  /** The window that the agent's policy works with, from the one the file records (Codex records the effective one). */
  readonly policyWindow?: (recorded: Tokens) => Tokens;
  /** Where the agent leaves its sessions. */
  readonly places: AgentPlaces;
  /** Absent until the agent's columnar policy is written. */
  readonly policy?: Policy;
  /** Preset for a recording of this agent's version; the file is for agents whose recordings do not say it. */
  readonly presetFor?: (version: string | undefined, file?: WrittenFile) => string;
  /** The agent's own view of its window (`/context`); absent where it has none: ours is shown then. */
  readonly breakdown?: OwnBreakdown;
  /** Whether it has a report of its prompt beside the categories, which the server makes. */
  readonly reportsPrompt?: true;
  /** Absent where the agent makes no summaries, or nothing is known of how it asks for them. */
  readonly summaryCall?: SummaryCallRule;
  /** Whether most of its recorded output is the count with which a stream began: what it cost is then a lower bound. */
  readonly outputIsLowerBound?: true;
  /** What a resume loads from a session's file; absent where the agent resumes none. */
  readonly resume?: ResumeRule;
  readonly constants: Readonly<Record<string, Constant>>;
}

/** The window of an agent's preset where nothing else says one; without a preset the agent's usual one. */
export function defaultWindowOf(profile: AgentProfile, preset: string | undefined): Constant {
  return (preset === undefined ? undefined : profile.presetWindows?.[preset]) ?? profile.defaultWindow;
}

/** Name of the estimator by which an agent's preset counts. */
export function estimatorOfPreset({ estimator, estimatorPresets = [] }: AgentProfile, preset: string): string {
  return estimatorPresets.indexOf(preset) > 0 ? `${estimator}@${preset}` : estimator;
}
