import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTranslator } from "use-intl/core";

const MESSAGES = fileURLToPath(new URL("../../app/i18n/messages", import.meta.url));

/** The texts of the interface in one language, from its message files. */
export class Words {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The message of a key such as `replay.panel.policy`. */
  of(key: string): string {
    const [file = "", ...path] = key.split(".");
    let value: unknown = JSON.parse(readFileSync(join(this.#folder, `${file}.json`), "utf8"));
    for (const part of path) {
      // A message file is a tree of objects. Anything else leads to the error below.
      value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[part] : undefined;
    }
    if (typeof value !== "string") throw new Error(`no message ${key}`);
    return value;
  }

  /** The message with its parameters replaced by values. */
  filled(key: string, values: Readonly<Record<string, string | number>>): string {
    const locale = this.#folder.endsWith("zh-CN") ? "zh-CN" : "en";
    return createTranslator({ locale, messages: { text: this.of(key) } })("text", values);
  }

  /** The message as a pattern, in which any text matches in place of the parameters. */
  like(key: string): RegExp {
    let text = this.of(key);
    // Plural forms contain braces of their own, so the innermost are replaced first.
    for (let outer = ""; outer !== text; ) {
      outer = text;
      text = text.replace(/\{[^{}]*\}/g, "\0");
    }
    const literal = text.split(/\0+/);
    return new RegExp(literal.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*"));
  }
}

export function wordsOf(locale: string | undefined): Words {
  return new Words(join(MESSAGES, locale?.startsWith("zh") === true ? "zh-CN" : "en"));
}
