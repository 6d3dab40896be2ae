import type English from "@/app/i18n/glossary/en.json";
import type { AppLocale } from "@/app/i18n/locales";

/** The terms that the page explains, in one sentence each and some more. */
type Glossary = Readonly<Record<keyof typeof English, { readonly short: string; readonly more: string }>>;

export type TermId = keyof Glossary;

/** The glossary of a language. It is no part of the messages, which every page loads: a term is explained when somebody asks. */
export const GLOSSARIES: Readonly<Record<AppLocale, () => Promise<Glossary>>> = {
  en: async () => (await import("@/app/i18n/glossary/en.json")).default,
  "zh-CN": async () => (await import("@/app/i18n/glossary/zh-CN.json")).default,
};
