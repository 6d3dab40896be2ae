import type { Judged } from "@/lib/core/metrics/budget";
import type { MetricUnit } from "@/lib/core/metrics/metric";
import { metricText } from "@/lib/core/metrics/metric-text";
import type { SweptMetrics } from "@/lib/core/metrics/values";
import { printable } from "./printable";

/** The result of a check. */
export interface Checked {
  readonly policy: string;
  readonly judged: readonly Judged[];
  /** The recordings by name, with their metrics. */
  readonly recordings: Readonly<Record<string, SweptMetrics>>;
}

/** A summary in Markdown, as code hosts show it. */
export function checkMarkdown({ policy, judged, recordings }: Checked): string {
  const names = Object.keys(recordings);
  const failed = judged.filter(({ holds }) => !holds).length;
  const verdict = failed === 0 ? "all budgets hold" : `${failed} of ${judged.length} budgets do not hold`;
  const budgets = judged.map(({ budget, value, limit, holds }) => {
    const { unit } = budget.metric;
    return [holds ? "✓" : "✗", `\`${budget.text}\``, metricText(unit, value), metricText(unit, limit)];
  });
  const metrics = [...new Map(judged.map(({ budget }) => [budget.metric.key, budget.metric])).values()];
  const rows = names.map((name) => [
    cell(name),
    ...metrics.map(({ key, unit }) => metricText(unit, recordings[name]?.[key] ?? null)),
  ]);
  return [
    `### ${cell(policy)} over ${names.length} recording${names.length === 1 ? "" : "s"}: ${verdict}`,
    table(["", "budget", "is", "limit"], budgets),
    table(["recording", ...metrics.map(({ key }) => key)], rows),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A user's text as a table cell: without markup and line breaks. */
function cell(text: string): string {
  return printable(text)
    .replace(/[\\`|*_[\]<>&]/g, "\\$&")
    .replace(/\s+/g, " ");
}

/** The result as JUnit XML for continuous integration: one test case per budget. It holds no times, so that equal checks give equal files. */
export function checkJunit({ policy, judged }: Checked): string {
  const failures = judged.filter(({ holds }) => !holds).length;
  const cases = judged.map(({ budget, value, limit, holds }) => {
    const name = `<testcase classname="${xml(policy)}" name="${xml(budget.text)}"`;
    if (holds) return `    ${name}/>`;
    const { key, unit } = budget.metric;
    return `    ${name}><failure message="${xml(`${key} is ${exact(unit, value)}, the limit ${exact(unit, limit)}`)}"/></testcase>`;
  });
  const suite = `<testsuite name="context-replay check" tests="${judged.length}" failures="${failures}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  ${suite}\n${cases.join("\n")}\n  </testsuite>\n</testsuites>\n`;
}

function exact(unit: MetricUnit, value: number | null): string {
  return value === null ? "n/a" : unit === "dollars" ? `$${value}` : String(value);
}

function xml(text: string): string {
  const entities: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };
  return printable(text).replace(/[<>&"]/g, (sign) => entities[sign] ?? "");
}
