import { readdir, readFile, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import { PROFILES } from "@/lib/agents/registry";
import type { AgentPlaces, StorePlace } from "@/lib/agents/shared/places";
import { absolute, rootsOf } from "../../base/agent-roots";
import type { ServerConfig } from "../../base/config";
import { digest } from "../../base/digest";
import { nameMatcher } from "./patterns";
import { SearchedFolders } from "./stores-below";

/** A database, or a similar store of an agent's sessions. */
export interface FoundStore {
  readonly id: string;
  readonly agent: string;
  readonly label: string;
  readonly path: string;
  /** The agent's own command that writes a session to a file. */
  readonly exportCommand: string | null;
}

/** The existing stores. @param searched caches the stores found below the folders of the command line */
export async function findStores(
  config: ServerConfig,
  searched = new SearchedFolders(),
): Promise<readonly FoundStore[]> {
  const below = await Promise.all(config.dirs.map((dir) => searched.storesBelow(resolve(dir))));
  const found = await Promise.all(
    Object.values(PROFILES).map(async ({ id: agent, label, places }) => {
      const paths = await storesOf(places, config);
      for (const one of below.flat())
        if (one.agent === agent && (await exists(one.path))) paths.set(one.path, one.store);
      return [...paths].map(([path, { exportCommand = null }]) => {
        return { id: digest(`store\0${agent}\0${path}`), agent, label, path, exportCommand };
      });
    }),
  );
  return found.flat();
}

async function storesOf(places: AgentPlaces, config: ServerConfig): Promise<Map<string, StorePlace>> {
  const found = new Map<string, StorePlace>();
  for (const root of rootsOf(places, config)) {
    for (const store of places.stores ?? []) {
      const named = store.variable === undefined ? "" : (config.env[store.variable] ?? "").trim();
      const paths = await existing(root, store.file.split("/"));
      // An absolute path replaces the root.
      if (named !== "") paths.push(...(await existing(absolute(resolve(root, named), config.home), [])));
      for (const path of paths) found.set(path, store);
    }
  }
  for (const path of await listedStores(places, config)) found.set(path, { file: path });
  return found;
}

/** The existing stores in the folders of an agent's own list; none if the list is missing or odd. */
async function listedStores({ storesListedIn: list, ...places }: AgentPlaces, config: ServerConfig): Promise<string[]> {
  if (list === undefined) return [];
  const folders = rootsOf(places, config).map(async (root) => {
    const text = await readFile(join(root, ...list.file.split("/")), "utf8").catch(() => "[]"); // The file is missing.
    try {
      return list.read(text).filter(isAbsolute);
    } catch {
      return []; // The file is being written, or is not a list.
    }
  });
  const found = (await Promise.all(folders)).flat().map((folder) => existing(folder, [list.name]));
  return (await Promise.all(found)).flat();
}

/** The paths below a folder that exist and match, name by name. */
async function existing(folder: string, names: readonly string[]): Promise<string[]> {
  const [name, ...rest] = names;
  if (name === undefined) return (await exists(folder)) ? [folder] : [];
  const matching = name.includes("*") ? await matchingNames(folder, nameMatcher(name)) : [name];
  return (await Promise.all(matching.map((each) => existing(join(folder, each), rest)))).flat();
}

async function exists(path: string): Promise<boolean> {
  // An unreadable path counts as missing.
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function matchingNames(folder: string, name: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => []); // It does not exist.
  return names.filter((each) => name.test(each));
}
