import { closeSync, existsSync, fstatSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { rootsOf, SETTINGS_VARIABLE } from "../base/agent-roots";
import { isInputError } from "../base/input-error";
import { openRegularFile } from "../base/regular-file";
import { parseSettings, type SettingsText } from "./settings-text";

/** Maximum bytes of a settings file; a larger one is not read. */
const SETTINGS_BYTES = 1 << 20;

/** Maximum number of folders searched above a project's. */
const MAX_FOLDERS = 32;

/** The machine's folders and variables; tests replace them. */
export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home?: string;
  /** Path of the administrator's file; absent for the platform's own. */
  readonly managed?: string | undefined;
}

/** A settings file that exists. */
export interface SettingsFile {
  readonly path: string;
  /** Name for a reader: with `~`, or relative to the project. */
  readonly name: string;
  readonly settings: SettingsText;
}

/**
 * Settings files that apply to a session, highest precedence first: managed, the project's, the user's, the administrator's defaults. Empty for a
 * session outside of the agent's own folders, which may come from another machine, and if reading is turned off.
 * @param path of the session's file
 * @param project folder in which the session worked
 */
export async function settingsFilesOf(
  rule: SettingsFiles,
  { path, project }: { readonly path: string; readonly project: string | undefined },
  around: Environment,
): Promise<readonly SettingsFile[]> {
  const { env, home = homedir() } = around;
  const file = resolve(path);
  const isIn = (root: string) => rule.sessions.some((folder) => file.startsWith(join(root, folder) + sep));
  const root = rootsOf(rule.places, { home, env }).find(isIn);
  return root === undefined ? [] : filesBelow(rule, root, project, around);
}

/** The user's and the administrator's settings files of an agent, without those of a project. */
export async function commonSettingsFiles(rule: SettingsFiles, around: Environment): Promise<readonly SettingsFile[]> {
  const { env, home = homedir() } = around;
  const found = await joined(rootsOf(rule.places, { home, env }), (root) => filesBelow(rule, root, undefined, around));
  return found.filter(({ path }, at) => found.findIndex((one) => one.path === path) === at);
}

/**
 * The user's own settings file for a change: the existing one with the highest precedence, else a new one in the agent's folder. The folder with
 * these recordings goes first, then folders from variables. `undefined` if the agent has no folder here.
 */
export function userSettingsFile(
  rule: SettingsFiles,
  recordings: readonly string[],
  { env, home = homedir() }: Environment,
): string | undefined {
  const roots = (rule.userRoots ?? rule.places.roots).flatMap((root) =>
    rootsOf({ roots: [root] }, { home, env }).toReversed(),
  );
  const holds = (root: string) =>
    rule.userRoots === undefined &&
    rule.sessions.some((folder) => recordings.some((path) => resolve(path).startsWith(join(root, folder) + sep)));
  const folders = [...roots.filter(holds), ...roots.filter((root) => !holds(root))];
  const paths = folders.flatMap((folder) => rule.user.map((name) => join(folder, name)));
  const folder = folders.find((one) => existsSync(one));
  return paths.find((path) => existsSync(path)) ?? (folder && join(folder, rule.user[0] ?? ""));
}

/** Settings files with the text of the user's own file replaced, in the same order. If that file does not exist, it follows the administrator's. */
export async function filesWith(
  rule: SettingsFiles,
  path: string,
  text: string,
  around: Environment,
): Promise<readonly SettingsFile[]> {
  const own = { path, name: path, settings: await parseSettings(text, path) };
  const others = await commonSettingsFiles(rule, around);
  if (others.some((file) => file.path === path)) return others.map((file) => (file.path === path ? own : file));
  const isManaged = (file: SettingsFile) => file.path === (around.managed ?? rule.managed?.[process.platform]);
  return [...others.filter(isManaged), own, ...others.filter((file) => !isManaged(file))];
}

async function filesBelow(
  rule: SettingsFiles,
  root: string,
  project: string | undefined,
  { env, home = homedir(), managed = rule.managed?.[process.platform] }: Environment,
): Promise<readonly SettingsFile[]> {
  if (env[SETTINGS_VARIABLE] === "off") return [];
  const folders = rule.userRoots === undefined ? [root] : rootsOf({ roots: rule.userRoots }, { home, env });
  const user = await joined(
    folders.flatMap((folder) => rule.user.map((name) => join(folder, name))),
    (path) => readFile(path, path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path),
  );
  const byDefault = rule.defaults?.[process.platform];
  return [
    ...(managed === undefined ? [] : await readFile(managed, basename(managed))),
    ...(await projectFiles(rule, project, user)),
    ...user,
    ...(byDefault === undefined ? [] : await readFile(byDefault, byDefault)),
  ];
}

/** Results for every value in one list, in the values' order. */
async function joined<Value, Result>(
  values: readonly Value[],
  of: (value: Value) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  return (await Promise.all(values.map(of))).flat();
}

async function projectFiles(
  { project: names, isSearchedUpwards, trust }: SettingsFiles,
  project: string | undefined,
  user: readonly SettingsFile[],
): Promise<readonly SettingsFile[]> {
  if (project === undefined || !isAbsolute(project)) return [];
  const folders = isSearchedUpwards === true ? upwards(project) : [project];
  const isTrusted = (folder: string) =>
    user.some(({ settings }) => settings.at(trust?.path(folder) ?? []).some(({ value }) => value === trust?.is));
  if (trust !== undefined && !folders.some(isTrusted)) return [];
  const [own] = folders;
  return joined(folders, (folder) =>
    joined(names, (name) => readFile(join(folder, name), folder === own ? name : join(folder, name))),
  );
}

/** A folder and the ones above it, up to its repository; only the folder itself if it is in no repository. */
function upwards(folder: string): readonly string[] {
  const folders = [resolve(folder)];
  for (let at = folders[0] ?? ""; folders.length < MAX_FOLDERS; at = dirname(at)) {
    if (folders.at(-1) !== at) folders.push(at);
    if (existsSync(join(at, ".git"))) return folders;
    if (dirname(at) === at) break;
  }
  return folders.slice(0, 1);
}

/** A settings file in a list; empty if it does not exist. */
async function readFile(path: string, name: string): Promise<readonly SettingsFile[]> {
  try {
    const text = textOf(path);
    if (text === undefined) return [unread(path, name, "it has more than 1 MiB")];
    return [{ path, name, settings: await parseSettings(text, path) }];
  } catch (error) {
    // Most of these files do not exist.
    if (!isInputError(error) || error.code === "not-found") return [];
    return [unread(path, name, error.code === "no-permission" ? "permission denied" : "it is not a regular file")];
  }
}

/** Text of a file; `undefined` if it is too long. */
function textOf(path: string): string | undefined {
  const { fd } = openRegularFile(path);
  try {
    const { size } = fstatSync(fd);
    if (size > SETTINGS_BYTES) return undefined;
    const bytes = Buffer.alloc(size);
    return bytes.toString("utf8", 0, readSync(fd, bytes, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}

function unread(path: string, name: string, problem: string): SettingsFile {
  return { path, name, settings: { at: () => [], problem } };
}
