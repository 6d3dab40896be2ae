import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { PROFILES } from "@/lib/agents/registry";
import type { AgentPlaces, StorePlace } from "@/lib/agents/shared/places";
import { absolute, rootsOf } from "../../base/agent-roots";
import type { ServerConfig } from "../../base/config";
import { digest } from "../../base/digest";
import { nameMatcher } from "./patterns";

/** A database, or a similar store of an agent's sessions. */
export interface FoundStore {
  readonly id: string;
  readonly agent: string;
  readonly label: string;
  readonly path: string;
  /** The agent's own command that writes a session to a file. */
  readonly exportCommand: string | null;
}

/** The existing stores. */
export async function findStores(config: ServerConfig): Promise<readonly FoundStore[]> {
  const found = await Promise.all(
    Object.values(PROFILES).map(async ({ id: agent, label, places }) => {
      const paths = await storesOf(places, config);
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
  for (const folder of config.dirs) {
    for (const store of places.stores ?? []) {
      // The agent may keep it in any of these folders: all of them, or the last alone.
      const names = store.file.split("/");
      for (const [start] of names.entries())
        for (const path of await existing(resolve(folder), names.slice(start))) found.set(path, store);
    }
  }
  return found;
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
