import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Usage } from "@/lib/core/transcript/model";
import { type Beat, type Part, storyOf } from "./story";

type Json = Readonly<Record<string, unknown>>;

/** The agents whose format a sample can be retold in. */
export type RetoldAgent = keyof typeof TELLERS;

/** The time between two repetitions. */
const PAUSE_MS = 60_000;

/**
 * Writes a session of at least that many bytes in an agent's format: one conversation that repeats a recording, every entry with an id of its
 * own and a later time. Holds the texts of one repetition.
 */
export async function writeRetold(
  agent: RetoldAgent,
  source: string,
  target: string,
  bytes: number,
): Promise<{ bytes: number; copies: number }> {
  const story = storyOf(source);
  const [first, last] = [story[0]?.at ?? 0, story.at(-1)?.at ?? 0];
  const teller = new TELLERS[agent]();
  const out = createWriteStream(target);
  let written = 0;
  let copies = 0;
  const write = async (records: readonly Json[]) => {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    written += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, "drain");
  };
  await write(teller.beginning(time(first)));
  do {
    const shift = (last - first + PAUSE_MS) * copies;
    for (const beat of story) await write(teller.tell({ ...beat, at: beat.at + shift }, copies));
    copies += 1;
  } while (written < bytes);
  out.end();
  await finished(out);
  return { bytes: written, copies };
}

interface Teller {
  beginning(at: string): readonly Json[];
  /**
   * @param copy the number of the repetition, which makes its call ids differ from the others'
   */
  tell(beat: Beat, copy: number): readonly Json[];
}

function time(at: number): string {
  return new Date(at).toISOString();
}

function callId(part: Part, copy: number): string {
  return `${part.callId}.${copy}`;
}

function argumentsOf(text: string): unknown {
  return JSON.parse(text); // A call's arguments, which our own reader gives as JSON.
}

/** pi's tree of entries. */
class PiTeller implements Teller {
  protected last: string | null = null;
  #entries = 0;

  beginning(at: string): readonly Json[] {
    return [{ type: "session", version: 3, id: "retold", timestamp: at, cwd: "/work/retold" }];
  }

  tell(beat: Beat, copy: number): readonly Json[] {
    if (beat.kind === "compaction") return [this.#compaction(beat.summary, beat.at)];
    if (beat.kind === "response") return [this.#response(beat.parts, beat.usage, beat.at, copy)];
    const texts = beat.parts.filter(({ kind }) => kind === "text");
    const results = beat.parts.filter(({ kind }) => kind === "tool_result");
    return [
      ...results.map((part) => this.#result(part, beat.at, copy)),
      ...(texts.length === 0 ? [] : [this.#user(texts, beat.at)]),
    ];
  }

  protected entry(type: string, at: number, content: Json): Json {
    this.#entries += 1;
    const id = this.#entries.toString(16).padStart(8, "0");
    const entry = { type, id, parentId: this.last, timestamp: time(at), ...content };
    this.last = id;
    return entry;
  }

  #user(parts: readonly Part[], at: number): Json {
    const content = parts.map(({ text }) => ({ type: "text", text }));
    return this.entry("message", at, { message: { role: "user", content, timestamp: at } });
  }

  #result(part: Part, at: number, copy: number): Json {
    const content = [{ type: "text", text: part.text }];
    const { tool: toolName, isError } = part;
    const message = { role: "toolResult", toolCallId: callId(part, copy), toolName, content, isError, timestamp: at };
    return this.entry("message", at, { message });
  }

  #response(parts: readonly Part[], usage: Usage, at: number, copy: number): Json {
    const content = parts.map((part) => {
      if (part.kind === "thinking") return { type: "thinking", thinking: part.text };
      if (part.kind !== "tool_call") return { type: "text", text: part.text };
      return { type: "toolCall", id: callId(part, copy), name: part.tool, arguments: argumentsOf(part.text) };
    });
    const { input, output = 0, cacheRead = 0, cacheWrite = 0 } = usage;
    const sent = { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite };
    const names = { api: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-6" };
    const message = { role: "assistant", content, ...names, usage: sent, stopReason: "stop", timestamp: at };
    return this.entry("message", at, { message });
  }

  #compaction(summary: string, at: number): Json {
    return this.entry("compaction", at, { summary, firstKeptEntryId: this.last, tokensBefore: 150_000 });
  }
}

/** The same tree with the marks of OpenClaw's files. */
class OpenClawTeller extends PiTeller {
  override beginning(at: string): readonly Json[] {
    const data = { timestamp: Date.parse(at), provider: "anthropic", modelId: "claude-opus-4-6" };
    return [...super.beginning(at), this.entry("custom", Date.parse(at), { customType: "openclaw.cache-ttl", data })];
  }
}

/** Qwen Code's chain of records. */
class QwenTeller implements Teller {
  #last: string | null = null;
  #records = 0;

  beginning(): readonly Json[] {
    return [];
  }

  tell(beat: Beat, copy: number): readonly Json[] {
    if (beat.kind === "compaction") return [this.#compression(beat.summary, beat.at)];
    if (beat.kind === "response") {
      const { input, output = 0, cacheRead = 0, cacheWrite = 0 } = beat.usage;
      const usageMetadata = {
        promptTokenCount: input + cacheRead + cacheWrite,
        candidatesTokenCount: output,
        cachedContentTokenCount: cacheRead,
        totalTokenCount: input + cacheRead + cacheWrite + output,
      };
      const message = { role: "model", parts: partsOf(beat.parts, copy) };
      return [this.#record("assistant", beat.at, { model: "coder-model", message, usageMetadata })];
    }
    const type = beat.from === "tool" ? "tool_result" : "user";
    return [this.#record(type, beat.at, { message: { role: "user", parts: partsOf(beat.parts, copy) } })];
  }

  #record(type: string, at: number, content: Json): Json {
    this.#records += 1;
    const uuid = `${this.#records.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const place = { cwd: "/work/retold", version: "0.12.0", gitBranch: "main" };
    const record = {
      uuid,
      parentUuid: this.#last,
      sessionId: "retold",
      timestamp: time(at),
      type,
      ...place,
      ...content,
    };
    this.#last = uuid;
    return record;
  }

  #compression(summary: string, at: number): Json {
    const compressedHistory = [
      { role: "user", parts: [{ text: `<state_snapshot>\n${summary}\n</state_snapshot>` }] },
      { role: "model", parts: [{ text: "Got it. Thanks for the additional context!" }] },
    ];
    const info = { originalTokenCount: 150_000, newTokenCount: 20_000, compressionStatus: 1 };
    return this.#record("system", at, { subtype: "chat_compression", systemPayload: { info, compressedHistory } });
  }
}

/** Contents in the format of the Gemini API, which both Gemini CLI and Qwen Code write. */
function partsOf(parts: readonly Part[], copy: number): readonly Json[] {
  return parts.map((part) => {
    const { kind, text, tool: name } = part;
    const id = callId(part, copy);
    if (kind === "thinking") return { text, thought: true };
    if (kind === "tool_call") return { functionCall: { id, name, args: argumentsOf(text) } };
    if (kind === "tool_result") return { functionResponse: { id, name, response: { output: text } } };
    return { text };
  });
}

/** Gemini CLI's log, which holds a response as it arrived and once more with the results of its calls. */
class GeminiTeller implements Teller {
  #messages = 0;
  /** The response that still waits for results. */
  #open: Json | undefined;

  beginning(at: string): readonly Json[] {
    return [{ sessionId: "retold", projectHash: "9b1d", startTime: at, lastUpdated: at, kind: "main" }];
  }

  tell(beat: Beat, copy: number): readonly Json[] {
    const timestamp = time(beat.at);
    if (beat.kind === "compaction") {
      const summary = `<state_snapshot>\n${beat.summary}\n</state_snapshot>`;
      const messages = [
        { id: this.#id(), timestamp, type: "user", content: [{ text: summary }] },
        { id: this.#id(), timestamp, type: "gemini", content: "Got it. Thanks for the additional context!" },
      ];
      return [{ $set: { lastUpdated: timestamp, messages } }];
    }
    if (beat.kind === "response") {
      this.#open = this.#response(beat.parts, beat.usage, timestamp, copy);
      return [this.#open];
    }
    const texts = beat.parts.filter(({ kind }) => kind === "text");
    const content = partsOf(texts, copy);
    return [
      ...this.#answered(beat.parts, copy),
      ...(texts.length === 0 ? [] : [{ id: this.#id(), timestamp, type: "user", content }]),
      { $set: { lastUpdated: timestamp } },
    ];
  }

  #id(): string {
    this.#messages += 1;
    return `${this.#messages.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
  }

  #response(parts: readonly Part[], usage: Usage, timestamp: string, copy: number): Json {
    const { input: fresh, output = 0, cacheRead: cached = 0, cacheWrite = 0 } = usage;
    const input = fresh + cached + cacheWrite;
    const textsOf = (kind: Part["kind"]) => parts.flatMap((part) => (part.kind === kind ? [part.text] : []));
    const calls = parts.filter(({ kind }) => kind === "tool_call");
    return {
      id: this.#id(),
      timestamp,
      type: "gemini",
      content: textsOf("text").join("\n"),
      thoughts: textsOf("thinking").map((description) => ({ subject: "Thinking", description, timestamp })),
      tokens: { input, output, cached, thoughts: 0, tool: 0, total: input + output },
      model: "gemini-3-pro",
      ...(calls.length === 0 ? {} : { toolCalls: calls.map((part) => this.#call(part, copy)) }),
    };
  }

  #call(part: Part, copy: number): Json {
    return { id: callId(part, copy), name: part.tool, args: argumentsOf(part.text) };
  }

  /** The response with the results of its calls. */
  #answered(parts: readonly Part[], copy: number): readonly Json[] {
    const results = new Map(parts.map((part) => [callId(part, copy), part]));
    const calls = Array.isArray(this.#open?.toolCalls) ? (this.#open.toolCalls as readonly Json[]) : []; // Written by `#response`.
    const toolCalls = calls.map((call) => {
      const part = results.get(String(call.id));
      return part === undefined ? call : { ...call, result: partsOf([part], copy), status: "success" };
    });
    if (this.#open === undefined || toolCalls.every((call, index) => call === calls[index])) return [];
    this.#open = { ...this.#open, toolCalls };
    return [this.#open];
  }
}

const TELLERS = {
  pi: PiTeller,
  openclaw: OpenClawTeller,
  "qwen-code": QwenTeller,
  "gemini-cli": GeminiTeller,
} as const;

/** All agents in whose format a sample can be retold. */
export const RETOLD_AGENTS = Object.keys(TELLERS) as readonly RetoldAgent[]; // Its own keys.
