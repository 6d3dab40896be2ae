import compile from "icu-minify/compile";
import type { AppLocale } from "./locales";
import { type AppMessages, MESSAGES } from "./messages";

type Tree = { readonly [key: string]: string | Tree };
type Compiled = { readonly [key: string]: unknown };

const kept = new Map<AppLocale, AppMessages>();

/**
 * The messages of a language, taken apart once in the server. Pages get them like this, so that they need nothing that parses messages:
 * `next.config.mjs` puts the part of use-intl that only fills them in into the place of the whole.
 */
export function compiledMessages(locale: AppLocale): AppMessages {
  const known = kept.get(locale);
  if (known !== undefined) return known;
  // As JSON, since the compiler's objects have no prototype, which nobody may send to a page. use-intl types a message by its text, whatever its form.
  const compiled = JSON.parse(JSON.stringify(compileAll(MESSAGES[locale]))) as AppMessages;
  kept.set(locale, compiled);
  return compiled;
}

function compileAll(tree: Tree): Compiled {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, typeof value === "string" ? compile(value) : compileAll(value)]),
  );
}
