import { match } from "@formatjs/intl-localematcher";

/** The languages of the interface, each by its own name. The first one is the default. */
export const LOCALES = { en: "English", "zh-CN": "简体中文" } as const;

export type AppLocale = keyof typeof LOCALES;

const DEFAULT_LOCALE: AppLocale = "en";
export const LOCALE_COOKIE = "locale";

function isLocale(value: string | undefined): value is AppLocale {
  return value !== undefined && Object.hasOwn(LOCALES, value);
}

/** The languages of an `Accept-Language` header, best first. Entries that are not language tags are skipped. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(",")
    .map((entry, order) => {
      const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return { tag, order, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => quality > 0 && isLanguageTag(tag))
    .sort((a, b) => b.quality - a.quality || a.order - b.order)
    .map(({ tag }) => tag);
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false; // `*`, or a malformed header: the next entry decides.
  }
}

/** The selected language, else the best match among those that the browser accepts, else English. */
export function pickLocale(cookie: string | undefined, acceptLanguage: string | null): AppLocale {
  if (isLocale(cookie)) return cookie;
  const best = match(acceptedLanguages(acceptLanguage ?? ""), Object.keys(LOCALES), DEFAULT_LOCALE);
  return isLocale(best) ? best : DEFAULT_LOCALE;
}
