import { lstat, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { profileOf } from "@/lib/agents/registry";
import type { Placed } from "@/lib/agents/shared/places";

/** The needed facts of a listed file. */
interface ListedFile {
  readonly kind: string;
  readonly agent: string | null;
  readonly path: string;
  readonly placed: Placed;
}

/** Maximum bytes of a path or a list of projects. */
const MARKER_BYTES = 32 << 10;
const REGISTRY_BYTES = 4 << 20;

/** The entries with their folders' projects, as far as their agents recorded them. */
export async function withProjects<Entry extends ListedFile>(entries: readonly Entry[]): Promise<Entry[]> {
  const projects = new Map<string, Promise<string | undefined>>();
  return Promise.all(
    entries.map(async (entry) => {
      const folder = folderOf(entry);
      if (folder === undefined) return entry;
      const known = projects.get(folder) ?? projectOf(folder, entry.agent);
      projects.set(folder, known);
      const project = await known;
      return project === undefined ? entry : { ...entry, placed: { ...entry.placed, project } };
    }),
  );
}

/** The folder above a file that identifies its project, if the agent may have recorded the project. */
function folderOf({ kind, agent, path, placed }: ListedFile): string | undefined {
  const { projectFolder: name } = placed;
  if (kind !== "agent" || name === undefined || profileOf(agent)?.places.projectNames === undefined) return undefined;
  let folder = dirname(path);
  while (basename(folder) !== name && dirname(folder) !== folder) folder = dirname(folder);
  return basename(folder) === name ? folder : undefined;
}

async function projectOf(folder: string, agent: string | null): Promise<string | undefined> {
  const names = profileOf(agent)?.places.projectNames;
  if (names === undefined) return undefined;
  const marked = (await textOf(join(folder, names.marker), MARKER_BYTES)).trim();
  if (marked !== "") return marked;
  return names.registry.read(await textOf(join(folder, names.registry.file), REGISTRY_BYTES)).get(basename(folder));
}

/** The text of a small file; empty without one. Links are not followed, because they may lead out of the folder. */
async function textOf(path: string, most: number): Promise<string> {
  const info = await lstat(path).catch(() => undefined);
  if (info === undefined || !info.isFile() || info.size > most) return "";
  return readFile(path, "utf8").catch(() => ""); // The file is gone or unreadable.
}
