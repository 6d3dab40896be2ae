import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const VERSION = "18";

/** Installs ccusage in a folder, and returns the seconds that its report by day takes over a folder of Claude Code; `undefined` if it cannot be installed. */
export function ccusageSeconds(folder: string, claude: string): number | undefined {
  mkdirSync(folder, { recursive: true });
  const quietly = ["--no-audit", "--no-fund", "--ignore-scripts"];
  const installed = spawnSync("npm", ["install", "--prefix", folder, ...quietly, `ccusage@${VERSION}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (installed.status !== 0) return undefined;
  const program = join(folder, "node_modules", "ccusage", "dist", "index.js");
  const began = performance.now();
  const { status } = spawnSync(process.execPath, [program, "daily", "--json", "--offline"], {
    env: { ...process.env, CLAUDE_CONFIG_DIR: claude, LOG_LEVEL: "0" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`ccusage ended with ${status}`);
  return (performance.now() - began) / 1000;
}
