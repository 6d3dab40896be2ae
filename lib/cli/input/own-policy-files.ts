import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { CliError, EXIT } from "../process/exit";
import { programRoot } from "../process/root";
import { splitPreset } from "./arguments";

/** The user's own policies in the arguments, by path. */
const given = new Map<string, OwnSource>();
let threads: TaskRunner | undefined;

/** The user's own policies in the arguments so far. */
export function givenPolicies(): readonly OwnSource[] {
  return [...given.values()];
}

/** A policy as `ID[@PRESET]`; a path ending in .mjs or .js names the policy in that file. Throws `CliError` if the file cannot be read. */
export function policyOption(text: string): string {
  const { id: path, preset } = splitPreset(text);
  if (!/\.m?js$/.test(path)) return text;
  const { id } = given.get(path) ?? readPolicy(path);
  return preset === undefined ? id : `${id}@${preset}`;
}

function readPolicy(path: string): OwnSource {
  const file = basename(path);
  const name = basename(path, extname(path));
  if (!/^[a-zA-Z][\w-]{0,63}$/.test(name)) {
    throw new CliError(
      EXIT.badArguments,
      `${file}: a policy's file name is its id: use only letters, digits, - and _.`,
    );
  }
  const source = { id: freeId(name), file, text: textOf(path) };
  given.set(path, source);
  return source;
}

/** The name, with a number if it is taken: users compare two versions of a policy in files of the same name. */
function freeId(name: string): string {
  const isTaken = (id: string) => givenPolicies().some((one) => one.id === id);
  for (let number = 1; ; number++) {
    const id = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(id)) return id;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new CliError(EXIT.unreadable, `${path} cannot be read.`);
  }
}

/** Threads for queries that may name such a policy; `undefined` if the arguments name none. */
export async function policyThreads(): Promise<TaskRunner | undefined> {
  if (given.size === 0) return undefined;
  const { PoolRunner } = await import("@/lib/server/threads/pool");
  threads ??= new PoolRunner(programRoot(), { policies: givenPolicies, threads: 1 });
  return threads;
}

/** Ends the threads and clears the policies. */
export async function endPolicyThreads(): Promise<void> {
  given.clear();
  await threads?.close();
  threads = undefined;
}
