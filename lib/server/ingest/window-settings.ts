import { closeSync, fstatSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve, sep } from "node:path";
import type { SettingsFiles } from "@/lib/agents/server-half";
import type { Tokens } from "@/lib/core/base/units";
import { rootsOf } from "../catalog/files/agent-roots";
import { openOrdinaryFile } from "./ordinary-file";

/** Maximum bytes of a settings file; a larger one is not read. */
const SETTINGS_BYTES = 1 << 20;

interface Session {
  /** The session's file. */
  readonly path: string;
  /** The project's folder, as the session or Claude Code states it. */
  readonly project: string | undefined;
  readonly model: string | undefined;
}

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  readonly managed?: string | undefined;
}

/**
 * The window for auto-compaction that an agent's settings files give a session; `undefined` where they give none. Settings hold only for the machine's
 * own sessions: a file that lies elsewhere may come from another machine. Precedence: managed, those of the project, user.
 */
export function windowOfSettings(
  rule: SettingsFiles,
  { path, project, model }: Session,
  { env, home = homedir(), managed = rule.managed[process.platform] }: Surroundings,
): Tokens | undefined {
  const file = resolve(path);
  const root = rootsOf(rule.places, { home, env }).find((one) => file.startsWith(join(one, rule.sessions) + sep));
  if (root === undefined) return undefined;
  const files = [
    ...(managed === undefined ? [] : [managed]),
    ...(project === undefined || !isAbsolute(project) ? [] : rule.project.map((name) => join(project, name))),
    join(root, rule.user),
  ];
  return rule.window(
    files.map((name) => settingsText(name)),
    model,
  );
}

/** Text of a settings file; empty where there is none that can be read. */
function settingsText(path: string): string {
  try {
    const { fd } = openOrdinaryFile(path);
    try {
      const { size } = fstatSync(fd);
      if (size > SETTINGS_BYTES) return "";
      const bytes = Buffer.alloc(size);
      return bytes.toString("utf8", 0, readSync(fd, bytes, 0, size, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    return ""; // Most of these files do not exist.
  }
}
