import { SUMMARY_PREFIX } from "@/lib/agents/codex/contextual";
import { Random } from "./random";
import type { Call, Outcome, Script, Step, Turn } from "./script";
import { reportedTokens } from "./tokens";
import type { Workspace } from "./workspace";

export interface CodexSetting {
  readonly seed: number;
  readonly version: string;
  readonly model: string;
  readonly provider: string;
  readonly branch: string;
  readonly timezone: string;
  readonly startedAt: number;
  /** Raw window; the file names 95 % of it. */
  readonly window: number;
  readonly instructions: string;
  readonly guide: string;
  /** Tool declarations: sent with every request, in no record. */
  readonly tools: number;
  readonly summary: (asked: readonly string[]) => string;
}

const EFFECTIVE_SHARE = 0.95;
const LIMIT_SHARE = 0.9;
const ITEM_TOKENS = 7;
/** Providers cache prefixes in steps. */
const CACHE_STEP = 128;

/** The session as Codex would have written it: lines of JSON. */
export function codexSession(script: Script, workspace: Workspace, setting: CodexSetting): string {
  const writer = new CodexWriter(workspace, setting);
  for (const [index, turn] of script.turns.entries()) {
    // A rollout has no title of its own: the first line of what was asked first is taken for one.
    writer.turn(index === 0 ? { ...turn, ask: `${script.title}\n\n${turn.ask}` } : turn);
  }
  return writer.text();
}

type Json = Readonly<Record<string, unknown>>;

interface Counts {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_output_tokens: number;
  readonly total_tokens: number;
}

const NO_TOKENS: Counts = {
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
};

class CodexWriter {
  readonly #random: Random;
  readonly #lines: string[] = [];
  readonly #asked: string[] = [];
  /** What is sent anew after a compaction. */
  readonly #initial: Json[] = [];
  readonly #fixed: number;
  #now: number;
  #turnId = "";
  #context: number;
  #cached = 0;
  #total = NO_TOKENS;
  /** Total of the last response, and the estimate of what came after it. */
  #last = 0;
  #after = 0;

  constructor(
    private readonly workspace: Workspace,
    private readonly setting: CodexSetting,
  ) {
    this.#random = new Random(setting.seed);
    this.#now = setting.startedAt;
    this.#fixed = setting.tools + reportedTokens(setting.instructions);
    this.#context = this.#fixed;
    this.#begin();
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  turn(turn: Turn): void {
    this.#wait(turn.after * 60_000);
    this.#turnId = this.#random.uuid();
    this.#event({
      type: "task_started",
      turn_id: this.#turnId,
      model_context_window: this.#effective,
      collaboration_mode_kind: "default",
    });
    this.#turnContext();
    this.#compactIfFull();
    this.#asked.push(turn.ask);
    this.#message("user", turn.ask);
    this.#event({ type: "user_message", message: turn.ask, images: [], local_images: [], text_elements: [] });
    let said = "";
    for (const [index, step] of turn.steps.entries()) {
      this.#step(step);
      said = step.say ?? said;
      if (index < turn.steps.length - 1) this.#compactIfFull();
    }
    this.#event({ type: "task_complete", turn_id: this.#turnId, last_agent_message: said });
  }

  get #effective(): number {
    return Math.floor(this.setting.window * EFFECTIVE_SHARE);
  }

  #begin(): void {
    const { setting, workspace } = this;
    const id = this.#random.uuid();
    this.#line("session_meta", {
      id,
      timestamp: this.#time(),
      cwd: workspace.root,
      originator: "codex-tui",
      cli_version: setting.version,
      source: "cli",
      thread_source: "user",
      model_provider: setting.provider,
      base_instructions: { text: setting.instructions },
      git: {
        commit_hash: this.#random.hex(40),
        branch: setting.branch,
        repository_url: `https://git.example/${workspace.root.split("/").at(-1)}.git`,
      },
    });
    const date = new Date(setting.startedAt).toISOString().slice(0, 10);
    this.#initialMessage(
      "developer",
      "<permissions instructions>\nFiles below the working folder may be written. Network access is off. Ask before a command needs more.\n</permissions instructions>",
    );
    this.#initialMessage(
      "user",
      `# AGENTS.md instructions for ${workspace.root}\n\n<INSTRUCTIONS>\n${setting.guide}\n</INSTRUCTIONS>`,
    );
    this.#initialMessage(
      "user",
      `<environment_context>\n  <cwd>${workspace.root}</cwd>\n  <shell>zsh</shell>\n  <current_date>${date}</current_date>\n  <timezone>${setting.timezone}</timezone>\n</environment_context>`,
    );
  }

  #initialMessage(role: string, text: string): void {
    this.#initial.push(this.#message(role, text));
  }

  #turnContext(): void {
    const { setting, workspace } = this;
    this.#line("turn_context", {
      turn_id: this.#turnId,
      cwd: workspace.root,
      current_date: this.#time().slice(0, 10),
      timezone: setting.timezone,
      approval_policy: "on-request",
      sandbox_policy: {
        type: "workspace-write",
        network_access: false,
        exclude_tmpdir_env_var: false,
        exclude_slash_tmp: false,
      },
      model: setting.model,
      personality: "pragmatic",
      effort: "high",
      summary: "auto",
      truncation_policy: { mode: "tokens", limit: 10_000 },
    });
  }

  #message(role: string, text: string): Json {
    const kind = role === "assistant" ? "output_text" : "input_text";
    const item = { type: "message", role, content: [{ type: kind, text }] };
    this.#item(item);
    if (role !== "assistant") this.#enters(text);
    return item;
  }

  #step(step: Step): void {
    this.#wait(this.#random.int(1500, 6000));
    const sent = this.#context;
    const reasoned = this.#reason(step);
    let output = reasoned;
    if (step.say !== undefined) {
      this.#event({
        type: "agent_message",
        message: step.say,
        phase: step.calls.length > 0 ? "commentary" : "final_answer",
      });
      this.#message("assistant", step.say);
      output += reportedTokens(step.say) + ITEM_TOKENS;
    }
    const calls = step.calls.map((one) => ({
      one,
      id: `call_${this.#random.token(24)}`,
      outcome: one.run(this.workspace, this.#random),
    }));
    for (const { one, id, outcome } of calls) output += this.#call(one, id, outcome);
    this.#context += output;
    this.#after = 0;
    for (const { one, id, outcome } of calls) this.#output(one, id, outcome);
    this.#count(sent, output, reasoned);
  }

  #reason(step: Step): number {
    if (step.think === undefined && this.#random.chance(0.35)) return 0;
    const tokens = this.#random.int(60, 900) + (step.think === undefined ? 0 : reportedTokens(step.think));
    const summary = step.think === undefined ? [] : [{ type: "summary_text", text: step.think }];
    if (step.think !== undefined) this.#event({ type: "agent_reasoning", text: step.think });
    this.#item({
      type: "reasoning",
      summary,
      content: null,
      encrypted_content: `gAAAAAB${this.#random.base64(Math.round(tokens * 5.3) + 860)}`,
    });
    return tokens;
  }

  #call(one: Call, id: string, outcome: Outcome): number {
    const patch = outcome.input.patch;
    const text = typeof patch === "string" ? patch : JSON.stringify(outcome.input);
    if (typeof patch === "string")
      this.#item({ type: "custom_tool_call", status: "completed", call_id: id, name: one.tool, input: patch });
    else this.#item({ type: "function_call", name: one.tool, arguments: text, call_id: id });
    return reportedTokens(text) + ITEM_TOKENS;
  }

  #output(one: Call, id: string, { input, text }: Outcome): void {
    this.#wait(one.seconds * 1000 * (0.8 + this.#random.next() * 0.4));
    const custom = typeof input.patch === "string";
    if (custom)
      this.#event({
        type: "patch_apply_end",
        call_id: id,
        turn_id: this.#turnId,
        stdout: "Success.",
        stderr: "",
        success: true,
        changes: {},
        status: "completed",
      });
    this.#item({ type: custom ? "custom_tool_call_output" : "function_call_output", call_id: id, output: text });
    this.#enters(text);
  }

  /** Something that the model did not write enters the context. */
  #enters(text: string): void {
    this.#context += reportedTokens(text) + ITEM_TOKENS;
    this.#after += Math.ceil(Buffer.byteLength(text) / 4);
  }

  #count(sent: number, output: number, reasoned: number): void {
    const cached = Math.floor(Math.min(sent, this.#cached) / CACHE_STEP) * CACHE_STEP;
    const last: Counts = {
      input_tokens: sent,
      cached_input_tokens: cached,
      output_tokens: output,
      reasoning_output_tokens: reasoned,
      total_tokens: sent + output,
    };
    this.#cached = sent;
    this.#last = sent + output;
    this.#total = added(this.#total, last);
    this.#tokenCount(last);
  }

  #tokenCount(last: Counts): void {
    const used = Math.min(99, Math.round(this.#total.total_tokens / 90_000));
    this.#event({
      type: "token_count",
      info: { total_token_usage: this.#total, last_token_usage: last, model_context_window: this.#effective },
      rate_limits: {
        limit_id: "codex",
        limit_name: null,
        primary: {
          used_percent: used,
          window_minutes: 300,
          resets_at: Math.floor(this.setting.startedAt / 1000) + 18_000,
        },
        secondary: null,
        credits: null,
        plan_type: "team",
      },
    });
  }

  /** Before a turn, and within one while tool outputs wait: at nine tenths of the window the history is replaced. */
  #compactIfFull(): void {
    if (this.#last + this.#after < Math.floor(this.setting.window * LIMIT_SHARE)) return;
    this.#wait(this.#random.int(14_000, 32_000));
    const summary = `${SUMMARY_PREFIX}\n${this.setting.summary(this.#asked)}`;
    const asked = this.#asked.map((text) => userMessage(text));
    const history = [...this.#initial, ...asked, userMessage(summary)];
    this.#line("compacted", { message: summary, replacement_history: history });
    const tokens = history.reduce((sum, item) => sum + reportedTokens(JSON.stringify(item)), this.#fixed);
    this.#context = tokens;
    this.#cached = this.#fixed;
    this.#last = tokens;
    this.#after = 0;
    // Not a request: the client's own estimate of the new history.
    this.#tokenCount({ ...NO_TOKENS, total_tokens: Math.ceil(Buffer.byteLength(JSON.stringify(history)) / 4) });
    this.#event({ type: "context_compacted" });
  }

  #item(item: Json): void {
    this.#line("response_item", item);
  }

  #event(event: Json): void {
    this.#line("event_msg", event);
  }

  #line(type: string, payload: Json): void {
    this.#lines.push(JSON.stringify({ timestamp: this.#time(), type, payload }));
    this.#wait(this.#random.int(1, 60));
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }

  #wait(ms: number): void {
    this.#now += Math.round(ms);
  }
}

function userMessage(text: string): Json {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

function added(a: Counts, b: Counts): Counts {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_output_tokens: a.reasoning_output_tokens + b.reasoning_output_tokens,
    total_tokens: a.total_tokens + b.total_tokens,
  };
}
