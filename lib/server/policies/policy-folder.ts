import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Bytes } from "@/lib/core/base/units";
import type { OwnSource } from "@/lib/sandbox/own-policy";

/** Names the folder of policies of one's own: `serve --policies` sets it. */
export const POLICIES_VARIABLE = "CONTEXT_REPLAY_POLICIES";

/** A file that is larger is no policy, and so are more files than these. */
const MOST_BYTES: Bytes = 1 << 20;
const MOST_FILES = 50;

/** What a policy's file is called: its name is the id. A test beside it is none. */
const POLICY_FILE = /^([a-zA-Z][\w-]{0,63})\.mjs$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** Where policies of one's own are looked for. */
export function policiesFolder(env: Environment): string {
  if (env[POLICIES_VARIABLE]) return env[POLICIES_VARIABLE];
  const home = env.HOME ?? homedir();
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "context-replay", "policies");
}

/** The policies in that folder as their files are now, in the order of their names. What cannot be read is left out. None of their code is run. */
export function policiesOf(env: Environment): readonly OwnSource[] {
  const folder = policiesFolder(env);
  return namesIn(folder).flatMap((file): OwnSource[] => {
    const id = POLICY_FILE.exec(file)?.[1];
    const text = id === undefined ? undefined : textOf(join(folder, file));
    return id === undefined || text === undefined ? [] : [{ id, file, text }];
  });
}

/** Whether there are any, without reading them. */
export function hasPolicies(env: Environment): boolean {
  return namesIn(policiesFolder(env)).length > 0;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => POLICY_FILE.test(name))
      .sort()
      .slice(0, MOST_FILES);
  } catch {
    return []; // Most people have no such folder.
  }
}

function textOf(path: string): string | undefined {
  try {
    const file = statSync(path);
    return file.isFile() && file.size <= MOST_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined; // It vanished, or we may not read it.
  }
}
