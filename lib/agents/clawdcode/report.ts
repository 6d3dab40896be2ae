import type { ReportedCompaction } from "@/lib/agents/shared/profile";
import { type ClawdcodePreset, clawdcodePreset } from "./base/presets";

interface ReportedResult {
  readonly success: boolean;
  readonly preTokens: number;
  readonly postTokens: number;
  readonly filesIncluded: readonly string[];
  readonly error?: string | undefined;
}

/** Answer of `/compact` to a simulated compaction; `undefined` if nothing was summarised. */
export function reportOfReplay(compaction: ReportedCompaction): string | undefined {
  const { outcome, tokensBefore, tokensAfter, files } = compaction;
  if (outcome !== "summary" && outcome !== "fallback") return undefined;
  const preset = clawdcodePreset(compaction.preset);
  return compactReport(
    {
      // The program reports its own summary, made instead of the model's, as a success.
      success: outcome !== "fallback" || preset === "current",
      preTokens: tokensBefore,
      postTokens: tokensAfter,
      filesIncluded: [...files],
      error: "the summary call failed",
    },
    preset,
  );
}

/** Answer of `/compact`. With a size before of 0, which `current` may have, it shows NaN or -Infinity, as the program does. */
export function compactReport(result: ReportedResult, preset: ClawdcodePreset): string {
  return preset === "current" ? currentReport(result) : documentedReport(result);
}

function documentedReport({ success, preTokens, postTokens, filesIncluded, error }: ReportedResult): string {
  if (!success) return `⚠️ 压缩使用降级策略\n\n${error}\n\n已保留最近 30% 的消息。`;
  const saved = ((1 - postTokens / preTokens) * 100).toFixed(1);
  const files = filesIncluded.join(", ") || "无";
  return `✅ 压缩完成！\n\nToken 变化: ${preTokens} → ${postTokens} (-${saved}%)\n包含文件: ${files}`;
}

function currentReport({ success, preTokens, postTokens, filesIncluded, error }: ReportedResult): string {
  if (!success) return `compaction failed: ${error || "unknown"}`;
  const saved = preTokens - postTokens;
  const shown = (tokens: number) => tokens.toLocaleString("en-US");
  return `## Context compacted

| metric | value |
|--------|-------|
| before | ${shown(preTokens)} tokens |
| after | ${shown(postTokens)} tokens |
| saved | ${shown(saved)} tokens (${Math.round((saved / preTokens) * 100)}%) |
| files | ${filesIncluded.length} |

conversation continues normally.`;
}
