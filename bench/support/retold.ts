import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import type { Usage } from "@/lib/core/transcript/model";
import { eventsOf, type Part, type RecordedEvent } from "./events";

type Json = Readonly<Record<string, unknown>>;

/** The agents whose format a sample can be retold in. */
export type RetoldAgent = keyof typeof WRITERS;

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
  const events = eventsOf(source);
  const [first, last] = [events[0]?.at ?? 0, events.at(-1)?.at ?? 0];
  const writer = new WRITERS[agent]();
  const out = createWriteStream(target);
  let written = 0;
  let copies = 0;
  const write = async (records: readonly Json[]) => {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    written += Buffer.byteLength(text);
    if (!out.write(text)) await once(out, "drain");
  };
  await write(writer.beginning(time(first)));
  do {
    const shift = (last - first + PAUSE_MS) * copies;
    for (const event of events) await write(writer.recordsOf({ ...event, at: event.at + shift }, copies));
    copies += 1;
  } while (written < bytes);
  out.end();
  await finished(out);
  return { bytes: written, copies };
}

interface FormatWriter {
  beginning(at: string): readonly Json[];
  /**
   * @param copy the number of the repetition, which makes its call ids differ from the others'
   */
  recordsOf(event: RecordedEvent, copy: number): readonly Json[];
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
class PiWriter implements FormatWriter {
  protected last: string | null = null;
  #entries = 0;

  beginning(at: string): readonly Json[] {
    return [{ type: "session", version: 3, id: "retold", timestamp: at, cwd: "/work/retold" }];
  }

  recordsOf(event: RecordedEvent, copy: number): readonly Json[] {
    if (event.kind === "compaction") return [this.#compaction(event.summary, event.at)];
    if (event.kind === "response") return [this.#response(event.parts, event.usage, event.at, copy)];
    const texts = event.parts.filter(({ kind }) => kind === "text");
    const results = event.parts.filter(({ kind }) => kind === "tool_result");
    return [
      ...results.map((part) => this.#result(part, event.at, copy)),
      ...(texts.length === 0 ? [] : [this.#user(texts, event.at)]),
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

/** pi's tree with the marks of OpenClaw's files. */
class OpenClawWriter extends PiWriter {
  override beginning(at: string): readonly Json[] {
    const data = { timestamp: Date.parse(at), provider: "anthropic", modelId: "claude-opus-4-6" };
    return [...super.beginning(at), this.entry("custom", Date.parse(at), { customType: "openclaw.cache-ttl", data })];
  }
}

/** Qwen Code's chain of records. */
class QwenWriter implements FormatWriter {
  #last: string | null = null;
  #records = 0;

  beginning(): readonly Json[] {
    return [];
  }

  recordsOf(event: RecordedEvent, copy: number): readonly Json[] {
    if (event.kind === "compaction") return [this.#compression(event.summary, event.at)];
    if (event.kind === "response") {
      const { input, output = 0, cacheRead = 0, cacheWrite = 0 } = event.usage;
      const usageMetadata = {
        promptTokenCount: input + cacheRead + cacheWrite,
        candidatesTokenCount: output,
        cachedContentTokenCount: cacheRead,
        totalTokenCount: input + cacheRead + cacheWrite + output,
      };
      const message = { role: "model", parts: partsOf(event.parts, copy) };
      return [this.#record("assistant", event.at, { model: "coder-model", message, usageMetadata })];
    }
    const type = event.from === "tool" ? "tool_result" : "user";
    return [this.#record(type, event.at, { message: { role: "user", parts: partsOf(event.parts, copy) } })];
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
class GeminiWriter implements FormatWriter {
  #messages = 0;
  /** The response that still waits for results. */
  #open: Json | undefined;

  beginning(at: string): readonly Json[] {
    return [{ sessionId: "retold", projectHash: "9b1d", startTime: at, lastUpdated: at, kind: "main" }];
  }

  recordsOf(event: RecordedEvent, copy: number): readonly Json[] {
    const timestamp = time(event.at);
    if (event.kind === "compaction") {
      const summary = `<state_snapshot>\n${event.summary}\n</state_snapshot>`;
      const messages = [
        { id: this.#id(), timestamp, type: "user", content: [{ text: summary }] },
        { id: this.#id(), timestamp, type: "gemini", content: "Got it. Thanks for the additional context!" },
      ];
      return [{ $set: { lastUpdated: timestamp, messages } }];
    }
    if (event.kind === "response") {
      this.#open = this.#response(event.parts, event.usage, timestamp, copy);
      return [this.#open];
    }
    const texts = event.parts.filter(({ kind }) => kind === "text");
    const content = partsOf(texts, copy);
    return [
      ...this.#answered(event.parts, copy),
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

const WRITERS = {
  pi: PiWriter,
  openclaw: OpenClawWriter,
  "qwen-code": QwenWriter,
  "gemini-cli": GeminiWriter,
} as const;

/** All agents in whose format a sample can be retold. */
export const RETOLD_AGENTS = Object.keys(WRITERS) as readonly RetoldAgent[]; // Its own keys.
