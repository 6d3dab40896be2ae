import { promptTitle } from "@/lib/agents/shared/title";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Usage } from "@/lib/core/transcript/model";
import type { History } from "./history";
import type { Change, CopyKind, Node } from "./nodes";

/** Writes the messages and the changes between them, and returns the title that the typed texts give. */
export function writeTrajectory(builder: TranscriptBuilder, history: History): string | undefined {
  const messages = new Map<number, readonly number[]>();
  let title: string | undefined;
  for (const step of history.steps) {
    if (step.kind === "change") {
      writeChange(builder, step.change, messages);
      continue;
    }
    const node = history.nodes[step.place];
    if (node === undefined) continue;
    messages.set(step.place, writeNode(builder, node, step.copy));
    title = promptTitle(title, node.title);
  }
  return title;
}

/** Writes the contents that are not empty, and returns the indices of their messages. */
function writeNode(builder: TranscriptBuilder, node: Node, copy: CopyKind | undefined): readonly number[] {
  if (node.type === "gemini" && copy === undefined) writeRequest(builder, node);
  const written: number[] = [];
  for (const { role, origin, initialContext, blocks } of node.contents) {
    if (blocks.length === 0) continue;
    const message = builder.message({
      role,
      // A restored prompt was typed only once.
      origin: copy === "restored" && origin === "typed" ? "context" : origin,
      line: node.line,
      at: node.at,
      blocks,
      recordedOnly: copy === "compression",
      ...(initialContext ? { initialContext } : {}),
      ...(node.notResumed ? { notResumed: true } : {}),
    });
    written.push(message);
  }
  return written;
}

/** Writes a point for every response. Failed or continued turns write zeros, which means that nothing was recorded. */
function writeRequest(builder: TranscriptBuilder, node: Node): void {
  if (node.model !== undefined) builder.model(node.model);
  const used = node.usage !== undefined && sent(node.usage) > 0 ? node.usage : undefined;
  if (node.usage !== undefined && used === undefined) builder.problem("pseudo-usage", node.line);
  builder.request({ line: node.line, at: node.at, model: node.model, usage: used });
  if (node.toolPrompt === undefined || used === undefined) return;
  builder.extraRequest({
    kind: "pass",
    point: builder.requestCount - 1,
    line: node.line,
    at: node.at,
    model: node.model,
    usage: { input: node.toolPrompt },
  });
}

function sent(usage: Usage): number {
  return usage.input + (usage.cacheRead ?? 0);
}

function writeChange(
  builder: TranscriptBuilder,
  change: Change,
  messages: ReadonlyMap<number, readonly number[]>,
): void {
  const kept = change.kept.flatMap((place) => messages.get(place) ?? []);
  builder.boundary({
    kind: change.kind,
    line: change.line,
    ...(change.kind === "compaction" ? { summaryLine: change.line } : {}),
    kept: [...kept].sort((a, b) => a - b),
    clearedCalls: change.clearedCalls,
  });
}
