import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { useSession } from "../shared/state/stores";

/** Size and time of a turn, next to its prompt. */
export function TurnFacts({ item }: { readonly item: number }) {
  const t = useTranslations("session.transcript");
  const format = useFormat();
  const { columns, recording } = useSession("columns", "recording");
  const isStart = ((columns.flags[item] ?? 0) & FLAG.TURN_START) !== 0;
  const facts = useMemo(
    () => (isStart ? rangeFacts(columns, recording.tokens, item, turnEnd(columns, item)) : undefined),
    [isStart, columns, recording.tokens, item],
  );
  if (facts === undefined) return null;
  const at = columns.at[item] ?? Number.NaN;
  const parts = [
    Number.isNaN(at) ? "" : format.time(at),
    facts.calls > 0 ? t("calls", { count: facts.calls }) : "",
    facts.took >= 1000 ? format.duration(facts.took) : "",
    t("tokens", { tokens: format.count(facts.tokens) }),
  ];
  return <span className="text-sm text-t3">{parts.filter((part) => part !== "").join(" · ")}</span>;
}

/** The item after a turn's last one. */
function turnEnd({ turn, length }: SessionColumns, item: number): number {
  let end = item + 1;
  while (end < length && turn[end] === turn[item]) end += 1;
  return end;
}

/** Sums over some items in a row. */
interface RangeFacts {
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  /** Time between the first and the last of them, in ms; NaN if not recorded. */
  readonly took: number;
  /** Number of calls of every tool, most called first. */
  readonly tools: readonly (readonly [tool: string, calls: number])[];
}

export function rangeFacts(columns: SessionColumns, tokens: Int32Array, from: number, to: number): RangeFacts {
  const tools = new Map<string, number>();
  let calls = 0;
  let failed = 0;
  let sum = 0;
  for (let item = from; item < to; item += 1) {
    sum += tokens[item] ?? 0;
    if (columns.kind[item] === KIND.tool_call) {
      const tool = columns.tables.tools[columns.tool[item] ?? -1] ?? "";
      tools.set(tool, (tools.get(tool) ?? 0) + 1);
      calls += 1;
    }
    if (columns.kind[item] === KIND.tool_result && ((columns.flags[item] ?? 0) & FLAG.ERROR) !== 0) failed += 1;
  }
  const took = (columns.at[to - 1] ?? Number.NaN) - (columns.at[from] ?? Number.NaN);
  return { calls, failed, tokens: sum, took, tools: [...tools].sort((a, b) => b[1] - a[1]) };
}
