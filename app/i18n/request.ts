import { cookies, headers } from "next/headers";
import { createTranslator } from "use-intl/core";
import { compiledMessages } from "./compiled";
import { type AppLocale, LOCALE_COOKIE, pickLocale } from "./locales";

/** The language of the request: from the cookie of the language switch, else from `Accept-Language`. */
export async function requestLocale(): Promise<AppLocale> {
  const [jar, sent] = await Promise.all([cookies(), headers()]);
  return pickLocale(jar.get(LOCALE_COOKIE)?.value, sent.get("accept-language"));
}

/** The translator for server components. */
export async function requestTranslator() {
  const locale = await requestLocale();
  return createTranslator({ locale, messages: compiledMessages(locale) });
}
