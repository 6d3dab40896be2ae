import type { AgentReport } from "@/lib/api/contract";
import { countText } from "./count-text";
import { printable } from "./printable";

/**
 * An agent's own report, then what it is told by but does not say: window, guard, session figures, memory index.
 * @param without what stands in its place where there is no report of the prompt
 */
export function reportText(report: AgentReport, view: "list" | "detail", without: () => string): string {
  const own = report.views?.[view].split("\n").map(printable).join("\n") ?? without();
  return [own, "", ...windowLines(report), ...sessionLines(report), memoryLine(report)].join("\n");
}

function windowLines({ window, guard }: AgentReport): readonly string[] {
  const limits = `warns below ${countText(guard.warnBelow)}, blocks below ${countText(guard.blockBelow)}`;
  return [
    `Window: ${countText(window.tokens)} tokens (${printable(window.source)})`,
    `Guard: ${guard.state}; ${limits}`,
  ];
}

function sessionLines({ session }: AgentReport): readonly string[] {
  const { inputTokens, outputTokens, totalTokens, contextTokens, compactionCount } = session;
  const figures = [
    `input ${countText(inputTokens)}`,
    `output ${countText(outputTokens)}`,
    `total ${countText(totalTokens)}`,
    `context ${countText(contextTokens)}`,
    `compactions ${countText(compactionCount)}`,
  ];
  return [`Session: ${figures.join(", ")}`];
}

function memoryLine({ memorySyncs }: AgentReport): string {
  if (memorySyncs.length === 0) return "Memory index: no sync would have fired";
  const places = memorySyncs.map(
    ({ line, bytes, messages }) => `line ${line} (${countText(bytes)} bytes, ${messages} lines pending)`,
  );
  return `Memory index: a sync would have fired at ${places.join(", ")}`;
}
