import { toolKind } from "@/lib/agents/shared/tool-kinds";
import { textOf } from "../items/preview";

type Args = Readonly<Record<string, unknown>>;

/** An entry of an agent's list of tasks. */
export interface Task {
  readonly text: string;
  readonly state: "done" | "active" | "open" | "cancelled";
}

/** A question to the user, with the answers to choose from. */
export interface Question {
  readonly text: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
}

export interface FoundPage {
  readonly title: string;
  readonly address: string;
}

/** The readable form of a call or a result of a known kind of tool. */
export type ToolReading =
  | { readonly as: "tasks"; readonly tasks: readonly Task[]; readonly note: string }
  | { readonly as: "questions"; readonly questions: readonly Question[] }
  /** A text for a person or for another agent; `head` are short facts about it. */
  | { readonly as: "prose"; readonly head: readonly string[]; readonly text: string }
  | { readonly as: "pages"; readonly pages: readonly FoundPage[]; readonly text: string };

const STATES: Readonly<Record<string, Task["state"]>> = {
  completed: "done",
  done: "done",
  in_progress: "active",
  cancelled: "cancelled",
};

/**
 * Calls of tools for tasks, questions, plans, subagents and the web, known by their arguments; `undefined` for all others. Source: calls as recorded by
 * Claude Code 2.1 (`TodoWrite`, `AskUserQuestion`, `ExitPlanMode`, `Task`, `WebFetch`), Codex 0.142.5 (`update_plan`) and opencode (`todowrite`), and the
 * declarations of Gemini CLI 0.9 and Qwen Code (`todo_write`, `exit_plan_mode`).
 */
export function toolCallReading(args: Args): ToolReading | undefined {
  const tasks = listOf(args.todos ?? args.plan, taskOf);
  if (tasks !== undefined) return { as: "tasks", tasks, note: textOf(args, "explanation") ?? "" };
  const questions = listOf(args.questions, questionOf);
  if (questions !== undefined) return { as: "questions", questions };
  const plan = textOf(args, "plan");
  if (plan !== undefined) return { as: "prose", head: [], text: plan };
  const prompt = textOf(args, "prompt");
  const about = ["subagent_type", "agent_type", "description", "url"].flatMap((name) => textOf(args, name) ?? []);
  return prompt === undefined || about.length === 0 ? undefined : { as: "prose", head: about, text: prompt };
}

/** The beginning of a web search's result. Source: `WebSearch` of Claude Code 2.1 as recorded. */
const SEARCHED = /^Web search results for query: .*\n+Links: (?=\[)/;

/** Results of tools that answer in prose; `undefined` for all others. */
export function toolResultReading(tool: string | undefined, text: string): ToolReading | undefined {
  const kind = tool === undefined ? "other" : toolKind(tool);
  if (kind === "web") return foundPages(text) ?? { as: "prose", head: [], text };
  return kind === "subagent" || kind === "plan" ? { as: "prose", head: [], text } : undefined;
}

function foundPages(text: string): ToolReading | undefined {
  const head = SEARCHED.exec(text)?.[0];
  if (head === undefined) return undefined;
  // JSON holds no line break, so the list ends with its line.
  const end = text.indexOf("\n", head.length);
  const list = text.slice(head.length, end < 0 ? text.length : end);
  try {
    const pages = listOf(JSON.parse(list), pageOf);
    return pages && { as: "pages", pages, text: end < 0 ? "" : text.slice(end).trim() };
  } catch {
    return undefined; // the list is cut off
  }
}

/** A list whose entries all have the shape; `undefined` for anything else. */
function listOf<Entry>(value: unknown, entryOf: (entry: Args) => Entry | undefined): readonly Entry[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const entries = value.map((one) => (typeof one === "object" && one !== null ? entryOf(one) : undefined));
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function taskOf(task: Args): Task | undefined {
  const text = textOf(task, "content", "step", "description", "title");
  const status = textOf(task, "status");
  return text === undefined || status === undefined ? undefined : { text, state: STATES[status] ?? "open" };
}

function questionOf(question: Args): Question | undefined {
  const text = textOf(question, "question");
  const options = listOf(question.options, (option) => {
    const label = textOf(option, "label");
    return label === undefined ? undefined : { label, description: textOf(option, "description") ?? "" };
  });
  return text === undefined ? undefined : { text, options: options ?? [] };
}

function pageOf(page: Args): FoundPage | undefined {
  const address = textOf(page, "url");
  return address === undefined ? undefined : { title: textOf(page, "title") ?? address, address };
}
