import { useLocale } from "use-intl";
import { createFormat, type Format } from "./format";

/** One per language: a format holds several Intl objects, and making one takes longer than a thousand uses. */
const formats = new Map<string, Format>();

/** The number and time formats of the user's language. */
export function useFormat(): Format {
  const locale = useLocale();
  const format = formats.get(locale) ?? createFormat(locale);
  formats.set(locale, format);
  return format;
}
