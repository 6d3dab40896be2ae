import { basename, dirname, join } from "node:path";
import { profileOf } from "@/lib/agents/registry";
import type { SourceProblem } from "@/lib/queries/contract/schemas";
import { type CatalogEntry, fileEntry, fileId } from "./entries";
import type { Changes } from "./folder-watch";
import { isInside, type SourceRoot } from "./sources";
import { below, type FoundFile, lookAgain, type WalkedFolder } from "./walk";

/** A folder below one of the sources. */
interface Place {
  readonly source: SourceRoot;
  readonly folder: WalkedFolder;
}

/** Walked folders, by their real paths. Several sources may share one; the first of them owns its files. */
export type Places = Map<string, Place[]>;

export function addPlace(places: Places, place: Place): void {
  places.set(place.folder.path, [...(places.get(place.folder.path) ?? []), place]);
}

/** Known folders, and the listener of new ones. */
interface Known {
  readonly places: Places;
  readonly roots: readonly string[];
  readonly entries: ReadonlyMap<string, CatalogEntry>;
  readonly onFolder: (place: Place) => void;
}

/** Changes in walked folders. */
export interface Changed {
  /** Existing files, changed or not, by id. */
  readonly found: Map<string, CatalogEntry>;
  readonly gone: Set<string>;
  /** Unreadable paths of every re-checked part of a source. */
  readonly parts: { readonly source: SourceRoot; readonly part: string; readonly problems: readonly SourceProblem[] }[];
}

/** Checks only the changed names. */
export async function lookAtChanges(changes: Changes, known: Known): Promise<Changed> {
  const changed: Changed = { found: new Map(), gone: new Set(), parts: [] };
  for (const [path, names] of changes) {
    // A checked folder may contain others, which are not checked twice.
    for (const place of [...(known.places.get(path) ?? [])]) {
      for (const name of withListed(place, names, known)) await lookAt(place, name, known, changed);
    }
  }
  return changed;
}

async function lookAt({ source, folder }: Place, name: string, known: Known, changed: Changed): Promise<void> {
  const { entries, places, roots } = known;
  const existing = new Set<string>();
  const wasFolder = places.has(join(folder.path, name));
  const problems = await lookAgain(
    source,
    roots,
    { folder, name },
    {
      onFolder: (inner) => {
        if (!places.get(inner.path)?.some((place) => place.source === source))
          addPlace(places, { source, folder: inner });
        known.onFolder({ source, folder: inner });
      },
      onFound: async (files) => {
        for (const entry of files.map((file) => entryOf(source, file, known, changed))) {
          changed.found.set(entry.id, entry);
          existing.add(entry.id);
        }
      },
    },
  );
  const part = below(folder.relative, name);
  changed.parts.push({ source, part, problems });
  const id = fileId(source, part);
  if (entries.has(id) && !existing.has(id)) changed.gone.add(id);
  if (!wasFolder) return;
  for (const entry of entries.values()) {
    if (entry.source !== source.id || existing.has(entry.id)) continue;
    if (isInside(join(folder.path, name), entry.path)) changed.gone.add(entry.id);
  }
}

/** The entry of a file. If another source or name has listed the file, that entry is updated. */
function entryOf(source: SourceRoot, file: FoundFile, { entries }: Known, { found }: Changed): CatalogEntry {
  const entry = fileEntry(source, file);
  if (entries.has(entry.id)) return entry;
  const listed = [...found.values(), ...entries.values()].find(({ path }) => path === file.path);
  return listed === undefined ? entry : { ...listed, version: entry.version, inode: file.inode };
}

/** The names, and the names in the agent's session index if that is among them. */
function withListed({ source, folder }: Place, names: ReadonlySet<string>, { entries }: Known): ReadonlySet<string> {
  const list = source.kind === "agent" ? profileOf(source.agent)?.places.index?.file : undefined;
  if (list === undefined || !names.has(list)) return names;
  const listed = [...entries.values()].filter(({ path }) => dirname(path) === folder.path);
  return new Set([...names, ...listed.map(({ path }) => basename(path))]);
}
