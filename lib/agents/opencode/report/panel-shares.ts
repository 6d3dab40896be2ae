import type { Chars, Tokens } from "@/lib/core/base/units";
import { CHARS_PER_TOKEN } from "../base/constants";

/** The context panel's arithmetic over sizes. It runs in the browser too. Source: README.md, "Context panel". */

export const PANEL_KEYS = ["system", "user", "assistant", "tool"] as const;
export type PanelKey = (typeof PANEL_KEYS)[number] | "other";

/** Characters counted for each argument of a call. */
export const ARGUMENT_CHARS: Chars = 16;

/** Tokens of the input for each row. Estimates that are too large are scaled down; the rows sum to the input. */
export function panelShares(
  chars: Readonly<Record<(typeof PANEL_KEYS)[number], Chars>>,
  input: Tokens,
): Readonly<Record<PanelKey, Tokens>> {
  const estimates = PANEL_KEYS.map((key) => Math.ceil(chars[key] / CHARS_PER_TOKEN));
  const sum = estimates.reduce((total, tokens) => total + tokens, 0);
  const scale = sum <= input ? 1 : input / sum;
  const [system = 0, user = 0, assistant = 0, tool = 0] = estimates.map((estimate) => Math.floor(estimate * scale));
  return { system, user, assistant, tool, other: input - system - user - assistant - tool };
}
