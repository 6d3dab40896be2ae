import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { PROFILES } from "@/lib/agents/registry";
import type { AgentPlaces, StorePlace } from "@/lib/agents/shared/places";
import { matcherOf, nameMatcher } from "./patterns";
import { MAX_DEPTH } from "./sources";

/** A store below a folder, and the agent that writes such stores. */
export interface StoreBelow {
  readonly agent: string;
  readonly path: string;
  readonly store: StorePlace;
}

/** Maximum number of searched folders. */
const MAX_FOLDERS = 50_000;
/** Minimum pause before a folder is searched again, in milliseconds, and as a multiple of the search's duration. */
const PAUSE_MS = 5000;
const PAUSE = 20;

const RULES = Object.entries<{ readonly places: AgentPlaces }>(PROFILES).flatMap(([agent, { places }]) =>
  (places.stores ?? []).map((store) => ({
    agent,
    store,
    // A copied database may have lost its folders, so its own name decides; a folder's own name is not distinctive.
    isFile: nameMatcher(store.file.split("/").at(-1) ?? ""),
    isFolder: store.file.includes("/") ? matcherOf(`**/${store.file}`) : undefined,
  })),
);

/** The stores in a folder and in the folders below it, as deep as session files are found. Only names are read, and links are not followed. */
export async function storesBelow(folder: string): Promise<readonly StoreBelow[]> {
  const found: StoreBelow[] = [];
  let level: readonly string[] = [folder];
  for (let depth = 0, searched = 0; depth <= MAX_DEPTH && level.length > 0 && searched < MAX_FOLDERS; depth++) {
    const inner: string[] = [];
    for (const parent of level.slice(0, MAX_FOLDERS - searched)) {
      searched += 1;
      const entries = await readdir(parent, { withFileTypes: true }).catch(() => []); // It is unreadable.
      for (const entry of entries) {
        const path = join(parent, entry.name);
        if (entry.isDirectory()) inner.push(path);
        else if (!entry.isFile()) continue;
        for (const { agent, store, isFile, isFolder } of RULES) {
          const isStore = entry.isDirectory()
            ? isFolder?.test(path.replaceAll("\\", "/").slice(1))
            : isFile.test(entry.name);
          if (isStore === true) found.push({ agent, path, store });
        }
      }
    }
    level = inner;
  }
  return found;
}

/** Caches `storesBelow` for a while: the list asks for it whenever it is shown. */
export class SearchedFolders {
  readonly #known = new Map<string, { readonly found: Promise<readonly StoreBelow[]>; until: number }>();

  storesBelow(folder: string): Promise<readonly StoreBelow[]> {
    const known = this.#known.get(folder);
    if (known !== undefined && Date.now() < known.until) return known.found;
    const began = Date.now();
    const search = { found: storesBelow(folder), until: Number.POSITIVE_INFINITY };
    this.#known.set(folder, search);
    return search.found.finally(() => {
      const ended = Date.now();
      search.until = ended + Math.max(PAUSE_MS, PAUSE * (ended - began));
    });
  }
}
