import { useLocale } from "use-intl";
import { createFormat, type Format } from "./format";

/** One per language: a format holds a handful of Intl objects, and making one costs more than a thousand uses. */
const formats = new Map<string, Format>();

/** The number and time formats of the reader's language. */
export function useFormat(): Format {
  const locale = useLocale();
  const format = formats.get(locale) ?? createFormat(locale);
  formats.set(locale, format);
  return format;
}
