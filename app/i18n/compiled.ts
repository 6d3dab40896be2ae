import compile from "icu-minify/compile";
import type { AppLocale } from "./locales";
import { type AppMessages, MESSAGES } from "./messages";

type Tree = { readonly [key: string]: string | Tree };
type Compiled = { readonly [key: string]: unknown };

const kept = new Map<AppLocale, AppMessages>();

/** The messages of a language, parsed once in the server: pages get them parsed (`next.config.mjs` leaves use-intl's parser out). */
export function compiledMessages(locale: AppLocale): AppMessages {
  const known = kept.get(locale);
  if (known !== undefined) return known;
  // As JSON, since the compiler's objects have no prototype, and props of a page must have one. use-intl types a message as
  // text, even when it is compiled.
  const compiled = JSON.parse(JSON.stringify(compileAll(MESSAGES[locale]))) as AppMessages;
  kept.set(locale, compiled);
  return compiled;
}

function compileAll(tree: Tree): Compiled {
  return Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [key, typeof value === "string" ? compile(value) : compileAll(value)]),
  );
}
