import type { Random } from "./random";
import type { Workspace } from "./workspace";

/** The script of a sample session, in the words of neither agent: what is asked, said, called and answered. */
export interface Script {
  readonly title: string;
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly ask: string;
  /** Minutes since the turn before. */
  readonly after: number;
  readonly steps: readonly Step[];
  /** A picture that goes with the question, as base64 PNG. */
  readonly picture?: { readonly data: string; readonly tokens: number };
  /** The person went back: this turn and what it led to are left behind, the next one starts where it started. */
  readonly takenBack?: boolean;
  /** Waited in the queue while the agent was working. */
  readonly queued?: boolean;
}

/** One request and its answer. */
export interface Step {
  readonly think?: string;
  readonly say?: string;
  readonly calls: readonly Call[];
}

/** A tool call; `run` gives its result when the script gets there, because earlier calls change the workspace. */
export interface Call {
  readonly tool: string;
  readonly seconds: number;
  readonly run: (workspace: Workspace, random: Random) => Outcome;
}

export interface Outcome {
  readonly input: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The structured copy that Claude Code writes beside the result. */
  readonly structured?: unknown;
  readonly isError?: boolean;
  /** Work of a subagent, for tools that start one. */
  readonly subagent?: readonly Step[];
}

export function turn(after: number, ask: string, steps: readonly Step[], more: Partial<Turn> = {}): Turn {
  return { ask, after, steps, ...more };
}

/** A step that says something and calls tools. */
export function step(say: string, ...calls: readonly Call[]): Step {
  return say === "" ? { calls } : { say, calls };
}

/** A step that starts with a thought. */
export function thought(think: string, say: string, ...calls: readonly Call[]): Step {
  return { think, ...step(say, ...calls) };
}
