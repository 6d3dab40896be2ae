import { isObject } from "@/lib/agents/shared/json";
import type { PiPreset } from "../base/presets";
import type { FileDetails } from "../messages/entry";
import type { PiMessage } from "../messages/message";

/**
 * Collects the files that calls read and changed, from the `path` of `read`, `edit` and `write`. Source: README.md, "Range
 * of a compaction".
 */
export class FileTracker {
  readonly #read = new Set<string>();
  readonly #modified = new Set<string>();
  readonly #preset: PiPreset;

  constructor(preset: PiPreset) {
    this.#preset = preset;
  }

  /** Adds the files that an earlier summary lists. */
  details(details: FileDetails | undefined): void {
    for (const file of details?.readFiles ?? []) this.#read.add(file);
    for (const file of details?.modifiedFiles ?? []) this.#modified.add(file);
  }

  /** Adds the calls of a response, and in `current` also calls that a tool made. */
  message(message: PiMessage): void {
    if (message.role === "toolResult" && this.#preset === "current")
      for (const call of message.nestedCalls) this.call(call.name, call.arguments);
    if (message.role !== "assistant") return;
    for (const block of message.content) if (block.type === "toolCall") this.call(block.name, block.arguments);
  }

  call(name: string, args: unknown): void {
    const path = isObject(args) ? args.path : undefined;
    if (typeof path !== "string" || path === "") return;
    if (name === "read") this.#read.add(path);
    else if (name === "edit" || name === "write") this.#modified.add(path);
  }

  /** Both lists in UTF-16 order; a file that was changed is not listed among those that were read. */
  lists(): FileDetails {
    return {
      readFiles: [...this.#read].filter((file) => !this.#modified.has(file)).sort(),
      modifiedFiles: [...this.#modified].sort(),
    };
  }
}
