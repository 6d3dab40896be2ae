import { join, sep } from "node:path";
import { configFrom } from "@/lib/server/base/config";
import { CliError, EXIT, type ExitCode } from "../process/exit";
import { programRoot } from "../process/root";
import { applyChange, undoApplied } from "./apply-change";
import { withJsonValue } from "./edit-json";
import type { Part } from "./parts";
import { proposeChange } from "./settings-change";

interface InstallOptions {
  /** Writes without asking for confirmation. */
  readonly yes?: boolean;
  readonly undo?: boolean;
}

/**
 * `install PART`: writes the status line into Claude Code's user settings, or the server of the Model Context Protocol into its list of servers, as
 * `claude mcp add --scope user` does; `undo` restores the file.
 */
export async function install(part: Part, { yes, undo }: InstallOptions): Promise<ExitCode> {
  const by = `install ${part}`;
  const program = process.argv[1] ?? "";
  const { path, name, keys, value } = entryOf(part, program);
  if (undo === true) return undoApplied(path, by);
  if (program.split(sep).includes("_npx"))
    throw new CliError(
      EXIT.badArguments,
      "npx keeps this program for a time only: install it first (npm install --global context-replay).",
    );
  const change = proposeChange(path, by, (text) => withJsonValue(text, name, [...keys], value));
  await applyChange(change, yes === undefined ? {} : { yes });
  return EXIT.done;
}

/** Entry of a settings file that starts a part. Source: code.claude.com/docs/en/statusline, code.claude.com/docs/en/mcp. */
interface Entry {
  readonly path: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly value: object;
}

function entryOf(part: Part, program: string): Entry {
  const { home, env } = configFrom(process.env);
  // The variable may name several folders, but Claude Code itself uses only one.
  const named = (env.CLAUDE_CONFIG_DIR ?? "").split(",")[0]?.trim() ?? "";
  if (part === "statusline") {
    return {
      path: join(named === "" ? join(home, ".claude") : named, "settings.json"),
      name: "settings.json",
      keys: ["statusLine"],
      // The program itself: starting it through the command takes 8 ms more.
      value: { type: "command", command: `node ${JSON.stringify(join(programRoot(), "dist", "statusline.cjs"))}` },
    };
  }
  return {
    path: join(named === "" ? home : named, ".claude.json"),
    name: ".claude.json",
    keys: ["mcpServers", "context-replay"],
    value: { type: "stdio", command: "node", args: [program, "mcp"], env: {} },
  };
}
