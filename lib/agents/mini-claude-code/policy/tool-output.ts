import type { Chars } from "@/lib/core/base/units";
import { TOOL_OUTPUT_CHARS } from "../base/constants";
import type { MiniPreset } from "../base/presets";

/**
 * A tool's output within the limit: its first UTF-16 units, which may split a surrogate pair, and a hint about the missing part. Source: README.md,
 * "Truncated outputs".
 */
export function truncateOutput(
  tool: string,
  output: string,
  preset: MiniPreset,
  limit: Chars = TOOL_OUTPUT_CHARS,
): string {
  if (output.length <= limit) return output;
  return `${output.slice(0, limit)}${omittedHint(tool, output.length, preset, limit)}`;
}

/** The hint after a cut output. */
export function omittedHint(tool: string, chars: number, preset: MiniPreset, limit: Chars = TOOL_OUTPUT_CHARS): string {
  const current = preset === "current";
  const between = current ? "\n             " : " ";
  const advice = current
    ? "如需完整内容，请用 offset/limit 参数分段调用"
    : "如需查看更多内容，请使用分段参数（offset/limit）重新调用";
  return `
<system_hint type="tool_output_omitted" tool="${tool}" reason="too_long"${between}actual_chars="${chars}" max_chars="${limit}">
  工具输出过长，已自动截断。${advice}。
</system_hint>`;
}
