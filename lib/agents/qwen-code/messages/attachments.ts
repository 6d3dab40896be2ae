import { objectOf, textOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";

const FILE_TOOLS = new Set(["read_file", "write_file", "edit", "replace"]);
export const BRIDGE = "tool_call";

/** The path that a file tool was called with, directly or through the bridge; empty for any other tool. */
export function filePathOf(call: Readonly<Record<string, unknown>>): string {
  const args = objectOf(call.args);
  const viaBridge = call.name === BRIDGE;
  const name = viaBridge ? textOf(args.name).toLowerCase() : textOf(call.name);
  return FILE_TOOLS.has(name) ? textOf((viaBridge ? objectOf(args.arguments) : args).file_path) : "";
}

/** Length of the fence around a file: longer than any run of backticks in it. */
export function fenceLength(content: string): Chars {
  return (content.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length + 1), 3);
}
