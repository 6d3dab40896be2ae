import { readFileSync } from "node:fs";
import { basename, extname } from "node:path";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { CliError, EXIT } from "../process/exit";
import { programRoot } from "../process/root";
import { splitPreset } from "./arguments";

/** The policies of somebody's own that the arguments name, by the paths of their files. */
const given = new Map<string, OwnSource>();
let threads: TaskRunner | undefined;

/** The policies of somebody's own that the arguments named so far. */
export function givenPolicies(): readonly OwnSource[] {
  return [...given.values()];
}

/** A policy as `ID[@PRESET]`; the path of a file, which ends in .mjs or .js, stands for the policy in it. Throws `CliError` where it cannot be read. */
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
    throw new CliError(EXIT.badArguments, `${file}: the name of a policy's file is its id: letters, digits, - and _.`);
  }
  const source = { id: freeId(name), file, text: textOf(path) };
  given.set(path, source);
  return source;
}

/** The name itself, or with a number behind it: two files of one name are compared when a policy was changed. */
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

/** Threads for questions that may name such a policy; `undefined` where the arguments name none. */
export async function policyThreads(): Promise<TaskRunner | undefined> {
  if (given.size === 0) return undefined;
  const { PoolRunner } = await import("@/lib/server/threads/pool");
  threads ??= new PoolRunner(programRoot(), { policies: givenPolicies, threads: 1 });
  return threads;
}

/** Ends the threads, and forgets what the arguments named. */
export async function endPolicyThreads(): Promise<void> {
  given.clear();
  await threads?.close();
  threads = undefined;
}
