import { createHash } from "node:crypto";
import { PROFILES, profileOf } from "@/lib/agents/registry";

/** Agents that name a project's folder by a digest of its path. Any project that a session names may have this digest. */
const DIGESTED = Object.values(PROFILES)
  .filter(({ id }) => profileOf(id)?.places.projectNames?.digest === "sha256")
  .map(({ id }) => id);

/** Maps folder names back to projects, by sessions that name their project. */
export class Projects {
  readonly #projects = new Map<string, string>();
  readonly #seen = new Set<string>();

  /** The project of an agent's folder, if a session names it. */
  of(agent: string | null, folder: string): string | undefined {
    return this.#projects.get(folderKey(agent, folder));
  }

  /** Records a session's project. Returns the folders that it resolves, as `folderKey` writes them. */
  add(agent: string | null, project: string): string[] {
    const seen = `${agent}\n${project}`;
    if (this.#seen.has(seen)) return [];
    this.#seen.add(seen);
    const folder = profileOf(agent)?.places.projectFolder?.(project);
    const keys = [
      ...DIGESTED.map((digested) => folderKey(digested, sha256(project))),
      ...(folder === undefined ? [] : [folderKey(agent, folder)]),
    ];
    for (const key of keys) this.#projects.set(key, project);
    return keys;
  }
}

export function folderKey(agent: string | null, folder: string): string {
  return `${agent}\n${folder}`;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
