"use client";

import { useMemo } from "react";
import { useLocale } from "use-intl";
import { createFormat, type Format } from "./format";

/** The number and time formats of the reader's language. */
export function useFormat(): Format {
  const locale = useLocale();
  return useMemo(() => createFormat(locale), [locale]);
}
