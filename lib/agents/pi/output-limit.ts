import type { Bytes } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import { OUTPUT_BYTES, OUTPUT_LINES } from "./constants";

/** Names under which agents run a shell: of its output the end is kept, of any other the beginning. */
const SHELLS = new Set(["bash", "shell", "local_shell", "exec_command", "powershell", "run_shell_command"]);

/**
 * UTF-8 bytes of a tool's output that pi's limits let through: whole lines, at most 2,000 of them and 50 KB. A single line
 * that is longer is cut within where its end is kept, and left out where its beginning is. The line that says what is missing
 * is not counted. Source: release 0.51.0, core/tools/truncate.
 */
export function keptOutputBytes(text: string, tool: string | undefined): Bytes {
  const bytes = utf8Length(text);
  if (bytes <= OUTPUT_BYTES && text.length < OUTPUT_LINES) return bytes;
  const lines = text.split("\n");
  if (bytes <= OUTPUT_BYTES && lines.length <= OUTPUT_LINES) return bytes;
  const keepsEnd = SHELLS.has(tool?.toLowerCase() ?? "");
  let kept = 0;
  for (const [index, line] of (keepsEnd ? lines.reverse() : lines).entries()) {
    const size = utf8Length(line) + (index === 0 ? 0 : 1);
    if (index >= OUTPUT_LINES) break;
    if (kept + size > OUTPUT_BYTES) return index === 0 && keepsEnd ? OUTPUT_BYTES : kept;
    kept += size;
  }
  return kept;
}
