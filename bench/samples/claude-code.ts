import { Random } from "./random";
import type { Call, Outcome, Script, Step, Turn } from "./script";
import { reportedTokens } from "./tokens";
import type { Workspace } from "./workspace";

export interface ClaudeCodeSetting {
  readonly seed: number;
  readonly version: string;
  readonly model: string;
  readonly branch: string;
  readonly slug?: string;
  readonly startedAt: number;
  /** System prompt, tools and memory files: sent with every request, in no record. */
  readonly overhead: number;
  /** Subagents' own records stand in this file, as older versions wrote them; else copies in progress records. */
  readonly inlineSidechains: boolean;
  readonly hook: string;
  readonly summary: (asked: readonly string[], touched: readonly string[]) => string;
  /** Turn after which the writing process died within a line. */
  readonly damagedAfterTurn?: number;
}

/** Where the product compacts by itself: window less output reserve less buffer, as reported for 200,000. */
const AUTO_COMPACT = 167_000;
/** What is put back after a compaction and stands in no record: files read last, lists, reminders. */
const REATTACHED = 14_500;
/** Of the overhead, the part that every session shares and the cache still holds after a compaction. */
const SHARED_PREFIX = 15_800;
const CACHE_MS = 5 * 60_000;
const BLOCK_TOKENS = 9;

/** The session as Claude Code would have written it: lines of JSON. */
export function claudeCodeSession(script: Script, workspace: Workspace, setting: ClaudeCodeSetting): string {
  const writer = new ClaudeCodeWriter(workspace, setting);
  for (const [index, turn] of script.turns.entries()) {
    writer.turn(turn);
    if (index === setting.damagedAfterTurn) writer.damagedLine();
  }
  writer.title(script.title);
  return writer.text();
}

type Json = Readonly<Record<string, unknown>>;

class ClaudeCodeWriter {
  readonly #random: Random;
  readonly #lines: string[] = [];
  readonly #session: string;
  readonly #asked: string[] = [];
  readonly #touched = new Set<string>();
  #now: number;
  #parent: string | null = null;
  /** Tokens that the next request sends. */
  #context: number;
  /** Tokens of the last request, which the provider's cache holds, and when that was. */
  #cached = 0;
  #cachedAt = Number.NEGATIVE_INFINITY;
  /** Context of the last response, its output included. */
  #used = 0;

  constructor(
    private readonly workspace: Workspace,
    private readonly setting: ClaudeCodeSetting,
  ) {
    this.#random = new Random(setting.seed);
    this.#session = this.#random.uuid();
    this.#now = setting.startedAt;
    this.#context = setting.overhead;
  }

  text(): string {
    return `${this.#lines.join("\n")}\n`;
  }

  turn(turn: Turn): void {
    this.#wait(turn.after * 60_000);
    const before = { parent: this.#parent, context: this.#context };
    this.#asked.push(turn.ask);
    if (turn.queued) this.#queue(turn.ask);
    this.#ask(turn);
    const started = this.#now;
    for (const step of turn.steps) this.#step(step);
    this.#turnEnd(started);
    if (!turn.takenBack) return;
    this.#asked.pop();
    this.#parent = before.parent;
    this.#context = before.context;
  }

  /** A line that the process did not finish before it was killed. */
  damagedLine(): void {
    const whole = JSON.stringify(
      this.#progress({
        type: "bash_progress",
        output: "node_modules/.vite/vitest/results.json",
        elapsedTimeSeconds: 4,
      }),
    );
    this.#lines.push(whole.slice(0, Math.floor(whole.length * 0.7)));
  }

  title(title: string): void {
    this.#lines.push(JSON.stringify({ type: "summary", summary: title, leafUuid: this.#parent }));
  }

  #ask({ ask, picture }: Turn): void {
    const uuid = this.#random.uuid();
    this.#line({
      type: "file-history-snapshot",
      messageId: uuid,
      snapshot: { messageId: uuid, trackedFileBackups: {}, timestamp: this.#time() },
      isSnapshotUpdate: false,
    });
    const source = { type: "base64", media_type: "image/png", data: picture?.data };
    const content =
      picture === undefined
        ? ask
        : [
            { type: "text", text: ask },
            { type: "image", source },
          ];
    this.#context += reportedTokens(ask) + (picture?.tokens ?? 0) + BLOCK_TOKENS;
    this.#record({ type: "user", message: { role: "user", content } }, uuid);
    this.#wait(this.#random.int(1200, 4000));
  }

  #step(step: Step): void {
    if (this.#used >= AUTO_COMPACT) this.#compact();
    const calls = step.calls.map((one) => ({
      one,
      id: `toolu_01${this.#random.token(22)}`,
      outcome: one.run(this.workspace, this.#random),
    }));
    const blocks: Json[] = [];
    if (step.think !== undefined)
      blocks.push({ type: "thinking", thinking: step.think, signature: this.#random.base64(364) });
    if (step.say !== undefined) blocks.push({ type: "text", text: step.say });
    for (const { one, id, outcome } of calls)
      blocks.push({ type: "tool_use", id, name: one.tool, input: outcome.input });
    const uuids = this.#respond(blocks, calls.length > 0);
    const callUuids = uuids.slice(-calls.length);
    for (const [index, { one, id, outcome }] of calls.entries())
      this.#result(one, id, outcome, callUuids[index] ?? this.#parent);
    this.#wait(this.#random.int(300, 1500));
  }

  /** One response: a record a block, all with the same id and usage. */
  #respond(blocks: readonly Json[], calls: boolean): string[] {
    const id = `msg_01${this.#random.token(22)}`;
    const requestId = `req_011C${this.#random.token(20)}`;
    const output = blocks.reduce((sum, block) => sum + outputTokens(block) + BLOCK_TOKENS, 0);
    const usage = this.#usage();
    this.#used = this.#context + output;
    const uuids = blocks.map((block, index) => {
      this.#wait(this.#random.int(600, 2600));
      const last = index === blocks.length - 1;
      const message = {
        model: this.setting.model,
        id,
        type: "message",
        role: "assistant",
        content: [block],
        stop_reason: last ? (calls ? "tool_use" : "end_turn") : null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: last ? output : Math.min(output, 1 + index * 3), service_tier: "standard" },
      };
      return this.#record({ type: "assistant", message, requestId });
    });
    this.#cached = this.#context;
    this.#cachedAt = this.#now;
    this.#context += output;
    return uuids;
  }

  #usage(): Json {
    const warm = this.#now - this.#cachedAt < CACHE_MS;
    const fresh = this.#random.pick([3, 4, 6, 8, 10]);
    const read = Math.min(this.#context - fresh, warm ? this.#cached : this.#cachedAt > 0 ? SHARED_PREFIX : 0);
    const write = this.#context - fresh - read;
    return {
      input_tokens: fresh,
      cache_creation_input_tokens: write,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: write, ephemeral_1h_input_tokens: 0 },
    };
  }

  #result(one: Call, id: string, outcome: Outcome, callUuid: string | null): void {
    if (one.tool === "Bash" && one.seconds >= 8) this.#progressRecords(one, callUuid, id);
    const subagent = outcome.subagent === undefined ? undefined : this.#subagent(outcome.subagent, id, callUuid);
    this.#wait(one.seconds * 1000 * (0.7 + this.#random.next() * 0.6));
    const file = outcome.input.file_path;
    if (typeof file === "string") this.#touched.add(file);
    this.#context += reportedTokens(outcome.text) + BLOCK_TOKENS;
    const structured = subagent ?? outcome.structured;
    const failed = outcome.isError === undefined ? {} : { is_error: outcome.isError };
    const content = subagent === undefined ? outcome.text : [{ type: "text", text: outcome.text }];
    this.#parent = callUuid;
    this.#record({
      type: "user",
      message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content, ...failed }] },
      ...(structured === undefined ? {} : { toolUseResult: structured }),
      sourceToolAssistantUUID: callUuid,
    });
  }

  /** While a command runs, and when a hook looks at it. */
  #progressRecords(one: Call, parent: string | null, toolUseID: string): void {
    this.#line({
      ...this.#progress(
        {
          type: "hook_progress",
          hookEvent: "PreToolUse",
          hookName: `PreToolUse:${one.tool}`,
          command: this.setting.hook,
        },
        parent,
      ),
      toolUseID,
    });
    for (let seconds = 3; seconds < Math.min(one.seconds, 12); seconds += 3) {
      const data = {
        type: "bash_progress",
        output: "",
        fullOutput: "",
        elapsedTimeSeconds: seconds,
        totalLines: seconds * 4,
      };
      this.#line({ ...this.#progress(data, parent), toolUseID });
    }
  }

  #progress(data: Json, parent: string | null = this.#parent): Json {
    return {
      ...this.#common(),
      parentUuid: parent,
      type: "progress",
      data,
      uuid: this.#random.uuid(),
      timestamp: this.#time(),
    };
  }

  /** The subagent's own context: in records of its own, or as copies in progress records. Gives the structured result. */
  #subagent(steps: readonly Step[], toolUseID: string, parent: string | null): Json {
    const agentId = this.#random.hex(7);
    let sent = 9_400;
    let last: string | null = null;
    let uses = 0;
    for (const step of steps) {
      const usage = {
        input_tokens: 4,
        cache_creation_input_tokens: 1_900,
        cache_read_input_tokens: sent,
        output_tokens: this.#random.int(80, 420),
      };
      const calls = step.calls.map((one) => ({
        type: "tool_use",
        id: `toolu_01${this.#random.token(22)}`,
        name: one.tool,
        outcome: one.run(this.workspace, this.#random),
      }));
      const content: Json[] = step.say === undefined ? [] : [{ type: "text", text: step.say }];
      for (const { outcome, ...block } of calls) content.push({ ...block, input: outcome.input });
      const message = {
        model: "claude-haiku-4-5-20251001",
        id: `msg_01${this.#random.token(22)}`,
        type: "message",
        role: "assistant",
        content,
        stop_reason: null,
        stop_sequence: null,
        usage,
      };
      last = this.#sideRecord(
        { type: "assistant", message, requestId: `req_011C${this.#random.token(20)}` },
        agentId,
        last,
        toolUseID,
        parent,
      );
      for (const { id, outcome } of calls) {
        const result = { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: outcome.text }] };
        last = this.#sideRecord({ type: "user", message: result }, agentId, last, toolUseID, parent);
        sent += reportedTokens(outcome.text);
        uses += 1;
      }
    }
    return { status: "completed", agentId, totalDurationMs: 68_000, totalTokens: sent, totalToolUseCount: uses };
  }

  #sideRecord(record: Json, agentId: string, last: string | null, toolUseID: string, parent: string | null): string {
    this.#wait(this.#random.int(900, 3200));
    const uuid = this.#random.uuid();
    const timestamp = this.#time();
    if (this.setting.inlineSidechains) {
      this.#line({ ...this.#common(), parentUuid: last, isSidechain: true, agentId, ...record, uuid, timestamp });
    } else {
      const message = { ...record, uuid, timestamp };
      this.#line({
        ...this.#progress({ type: "agent_progress", agentId, message, normalizedMessages: [] }, parent),
        toolUseID,
        parentToolUseID: toolUseID,
      });
    }
    return uuid;
  }

  /** The boundary and the summary; what was before is left out of the next request. */
  #compact(): void {
    this.#wait(this.#random.int(24_000, 61_000));
    const boundary = this.#random.uuid();
    this.#line({
      ...this.#common(),
      parentUuid: null,
      logicalParentUuid: this.#parent,
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      isMeta: false,
      timestamp: this.#time(),
      uuid: boundary,
      level: "info",
      compactMetadata: { trigger: "auto", preTokens: this.#used },
    });
    this.#parent = boundary;
    const summary = this.setting.summary(this.#asked, [...this.#touched]);
    this.#record({
      type: "user",
      message: { role: "user", content: summary },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
    });
    this.#context = this.setting.overhead + reportedTokens(summary) + REATTACHED;
    this.#cached = SHARED_PREFIX;
    this.#used = 0;
  }

  #turnEnd(started: number): void {
    this.#wait(120);
    const hook = {
      hookCount: 1,
      hookInfos: [{ command: this.setting.hook }],
      hookErrors: [],
      preventedContinuation: false,
      stopReason: "",
      hasOutput: false,
      level: "suggestion",
    };
    this.#record({ type: "system", subtype: "stop_hook_summary", ...hook });
    this.#record({ type: "system", subtype: "turn_duration", durationMs: this.#now - started, isMeta: false });
  }

  #queue(content: string): void {
    const sessionId = this.#session;
    this.#line({ type: "queue-operation", operation: "enqueue", timestamp: this.#time(), sessionId, content });
    this.#wait(9000);
    this.#line({ type: "queue-operation", operation: "dequeue", timestamp: this.#time(), sessionId });
  }

  /** A record of the tree: it hangs on the last one, and the next one hangs on it. */
  #record(record: Json, uuid = this.#random.uuid()): string {
    this.#line({ parentUuid: this.#parent, ...this.#common(), ...record, uuid, timestamp: this.#time() });
    this.#parent = uuid;
    return uuid;
  }

  #common(): Json {
    const { version, branch, slug } = this.setting;
    return {
      isSidechain: false,
      userType: "external",
      cwd: this.workspace.root,
      sessionId: this.#session,
      version,
      gitBranch: branch,
      ...(slug === undefined ? {} : { slug }),
    };
  }

  #line(record: Json): void {
    this.#lines.push(JSON.stringify(record));
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }

  #wait(ms: number): void {
    this.#now += Math.round(ms);
  }
}

function outputTokens(block: Json): number {
  if (typeof block.thinking === "string") return reportedTokens(block.thinking);
  if (typeof block.text === "string") return reportedTokens(block.text);
  return reportedTokens(JSON.stringify(block.input)) + 12;
}
