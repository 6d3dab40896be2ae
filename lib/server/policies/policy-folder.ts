import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Bytes } from "@/lib/core/base/units";
import type { OwnSource } from "@/lib/sandbox/own-policy";

/** Names the folder of the user's policies: `serve --policies` sets it. */
export const POLICIES_VARIABLE = "CONTEXT_REPLAY_POLICIES";

/** Maximum bytes of a policy file, and maximum files. */
const MAX_BYTES: Bytes = 1 << 20;
const MAX_FILES = 50;

/** File name of a policy: its name is the id. A test next to it is not a policy. */
const POLICY_FILE = /^([a-zA-Z][\w-]{0,63})\.mjs$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Folder of the user's policies. */
export function policiesFolder(env: Environment): string {
  if (env[POLICIES_VARIABLE]) return env[POLICIES_VARIABLE];
  const home = env.HOME ?? homedir();
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "context-replay", "policies");
}

/** The current policies of that folder, by name. Unreadable files are skipped. None of their code is run. */
export function policiesOf(env: Environment): readonly OwnSource[] {
  const folder = policiesFolder(env);
  return namesIn(folder).flatMap((file): OwnSource[] => {
    const id = POLICY_FILE.exec(file)?.[1];
    const text = id === undefined ? undefined : textOf(join(folder, file));
    return id === undefined || text === undefined ? [] : [{ id, file, text }];
  });
}

/** True if there are any, without reading them. */
export function hasPolicies(env: Environment): boolean {
  return namesIn(policiesFolder(env)).length > 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => POLICY_FILE.test(name))
      .sort()
      .slice(0, MAX_FILES);
  } catch {
    return []; // Most users have no such folder.
  }
}

function textOf(path: string): string | undefined {
  try {
    const file = statSync(path);
    return file.isFile() && file.size <= MAX_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined; // The file vanished, or is unreadable.
  }
}
