import type { Breakdown } from "@/lib/api/contract";
import { breakdownOfSession } from "@/lib/server/questions";
import { write } from "./output";
import { printable } from "./printable";
import { withSession } from "./session-file";

export interface BreakdownOptions {
  readonly at?: number | "last";
  readonly window?: number;
  readonly threshold?: number;
  readonly estimator?: string;
  readonly json?: boolean;
}

/** `breakdown FILE`: what filled the window at a request. */
export async function breakdown(file: string, { json, at = "last", ...choice }: BreakdownOptions): Promise<void> {
  const result = await withSession(file, (session) => breakdownOfSession(session, { ...choice, at }));
  await write(json ? `${JSON.stringify(result)}\n` : readable(result));
}

function readable({ request, window, categories }: Breakdown): string {
  const rows = categories.flatMap(({ id, tokens, share, kind, parts = [] }) => [
    row(id, tokens, `${(share * 100).toFixed(1)} %  ${kind}`),
    ...parts.map((part) => row(`  ${part.id}`, part.tokens, "")),
  ]);
  return `request ${request}, window ${window.tokens} (${window.source})\n${rows.join("")}`;
}

function row(label: string, tokens: number, rest: string): string {
  return `${printable(`${label.padEnd(22)}${String(tokens).padStart(9)}  ${rest}`).trimEnd()}\n`;
}
