import { sessionLine } from "@/lib/agents/gemini-cli/messages/lines";
import { isResumable, plainText } from "@/lib/agents/gemini-cli/messages/message";
import { isObject, type JsonObject, objectsOf } from "@/lib/agents/shared/json";
import { writtenAs } from "@/lib/core/records/fields";

interface LoadOptions {
  /** True if only counts are requested: no message is kept. */
  readonly metadataOnly?: boolean;
  /** The oldest messages beyond this number are dropped. */
  readonly maxMessages?: number;
}

/**
 * The session that Gemini CLI loads on resume: it replays the lines in order into a list of messages by id. `null` if the file holds no
 * session. Source: README.md, "Sessions".
 */
export function loadConversationRecord(text: string, options: LoadOptions = {}): JsonObject | null {
  const loader = new Loader(options);
  for (const line of text.split(/\r\n|\n|\r/)) {
    const value = parsed(line);
    if (isObject(value)) loader.line(value);
  }
  return loader.record() ?? legacyRecord(text, options);
}

/** The session from a file that is one JSON object: unchanged, with the fields that the list of sessions needs. */
function legacyRecord(text: string, options: LoadOptions): JsonObject | null {
  const value = parsed(text);
  if (!isObject(value) || !value.sessionId) return null;
  const messages = objectsOf(value.messages);
  return {
    ...value,
    ...(options.metadataOnly === true ? { messages: [] } : {}),
    userMessageCount: messages.filter((message) => message.type === "user").length,
    hasResumableContent: messages.some(isResumable),
  };
}

function parsed(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // A line that is not JSON is skipped, as the program does.
    return undefined;
  }
}

/** An entry of the list if only counts are requested. */
interface Counted {
  readonly id: string;
  readonly message: JsonObject;
}

class Loader {
  readonly #options: LoadOptions;
  #metadata: JsonObject = {};
  readonly #messages = new Map<string, JsonObject>();
  /** Replaces the map with `metadataOnly`: an id that occurs twice is counted twice. */
  #counted: Counted[] = [];
  #firstUserText: string | undefined;
  /** True if the conversation has continued since the memory was made from it; absent without a memory. */
  #stale: boolean | undefined;

  constructor(options: LoadOptions) {
    this.#options = options;
  }

  line(record: JsonObject): void {
    const line = sessionLine(record);
    switch (line.kind) {
      case "rewind":
        this.#markStale();
        this.#rewind(line.to);
        return;
      case "message":
        this.#markStale();
        this.#set(line.message);
        return;
      case "update":
        if (line.messages !== undefined) this.#clear();
        for (const message of line.messages ?? []) this.#set(message);
        this.#metadata = { ...this.#metadata, ...line.fields };
        if ("memoryScratchpad" in line.fields) this.#stale = line.fields.memoryScratchpad ? false : undefined;
        return;
      case "metadata":
        for (const message of line.messages) this.#set(message);
        this.#metadata = { ...this.#metadata, ...line.fields };
    }
  }

  record(): JsonObject | undefined {
    const { sessionId, projectHash, startTime, lastUpdated, summary, memoryScratchpad, directories, kind } =
      this.#metadata;
    if (!sessionId || !projectHash) return undefined;
    const list = this.#options.metadataOnly === true ? this.#counted.map(({ message }) => message) : this.#list();
    return {
      sessionId,
      projectHash,
      startTime,
      lastUpdated,
      summary,
      memoryScratchpad,
      directories,
      kind,
      messages: this.#options.metadataOnly === true ? [] : list,
      messageCount: list.length,
      userMessageCount: list.filter((message) => message.type === "user").length,
      memoryScratchpadIsStale: this.#stale,
      firstUserMessage: this.#firstUserText ?? firstUserText(list),
      hasResumableContent: list.some(isResumable),
    };
  }

  #list(): readonly JsonObject[] {
    return [...this.#messages.values()];
  }

  #markStale(): void {
    if (this.#stale !== undefined) this.#stale = true;
  }

  #set(message: JsonObject): void {
    const id = writtenAs(message.id);
    this.#firstUserText ??= firstUserText([message]);
    if (this.#options.metadataOnly === true) {
      this.#counted.push({ id, message });
      return;
    }
    this.#messages.set(id, message);
    const { maxMessages } = this.#options;
    const [oldest] = this.#messages.keys();
    if (maxMessages && this.#messages.size > maxMessages && oldest !== undefined) this.#messages.delete(oldest);
  }

  #clear(): void {
    this.#messages.clear();
    this.#counted = [];
  }

  #rewind(to: string): void {
    const from = this.#counted.findIndex(({ id }) => id === to);
    this.#counted = this.#counted.slice(0, Math.max(0, from));
    const ids = [...this.#messages.keys()];
    for (const id of ids.slice(Math.max(0, ids.indexOf(to)))) this.#messages.delete(id);
  }
}

function firstUserText(messages: readonly JsonObject[]): string | undefined {
  for (const message of messages) {
    if (message.type !== "user" || !isResumable(message)) continue;
    const text = plainText(message.content);
    if (text !== "") return text;
  }
  return undefined;
}
