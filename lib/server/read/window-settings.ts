import { closeSync, fstatSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, join, resolve, sep } from "node:path";
import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import type { StatedWindow } from "@/lib/core/context/window";
import { rootsOf } from "../base/agent-roots";
import { openOrdinaryFile } from "../base/ordinary-file";

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
 * The window for auto-compaction in an agent's settings files; `undefined` without one. Settings apply only to the machine's own sessions: a file
 * elsewhere may come from another machine. Precedence: managed, those of the project, user.
 */
export function windowOfSettings(
  rule: SettingsFiles,
  { path, project, model }: Session,
  { env, home = homedir(), managed = rule.managed[process.platform] }: Surroundings,
): StatedWindow | undefined {
  const file = resolve(path);
  const root = rootsOf(rule.places, { home, env }).find((one) => file.startsWith(join(one, rule.sessions) + sep));
  if (root === undefined) return undefined;
  const user = join(root, rule.user);
  const files = [
    ...(managed === undefined ? [] : [{ path: managed, name: basename(managed) }]),
    ...(project === undefined || !isAbsolute(project)
      ? []
      : rule.project.map((name) => ({ path: join(project, name), name }))),
    { path: user, name: user.startsWith(home + sep) ? `~${user.slice(home.length)}` : user },
  ];
  const stated = rule.window(
    files.map((one) => settingsText(one.path)),
    model,
  );
  return stated && { tokens: stated.tokens, from: files[stated.file]?.name ?? "" };
}

/** Text of a settings file; empty if there is no readable one. */
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
