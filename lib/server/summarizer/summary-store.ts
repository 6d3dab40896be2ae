import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readJson, writeJson } from "../store/json-file";

const stored = z.object({
  madeAt: z.string(),
  host: z.string(),
  model: z.string(),
  text: z.string(),
  isCut: z.boolean(),
  input: z.int().nullable(),
  output: z.int().nullable(),
});

export function summariesFolder({ dataDir }: { readonly dataDir: string }): string {
  return join(dataDir, "summaries");
}

/** A stored answer, with its origin. */
export type StoredSummary = z.infer<typeof stored>;

/**
 * The summaries that an endpoint made, in the data folder: a folder for each prompt, by the digest of endpoint and body, and in it a file for each
 * answer. Answers cost money, so none is ever overwritten; all of them may be deleted at any time.
 */
export class SummaryStore {
  constructor(private readonly folder: string) {}

  /** Stores an answer and returns its name. */
  async add(digest: string, summary: StoredSummary): Promise<string> {
    const id = `${summary.madeAt.replace(/[^0-9]/g, "")}-${randomUUID().slice(0, 8)}`;
    await writeJson(join(this.folder, digest, `${id}.json`), summary);
    return id;
  }

  /** Stored summaries of a prompt, oldest first. A damaged file counts as missing. */
  async of(digest: string): Promise<readonly (StoredSummary & { readonly id: string })[]> {
    const folder = join(this.folder, digest);
    const names = await readdir(folder).catch((): readonly string[] => []);
    const read = names
      .filter((name) => NAME.test(name))
      .sort()
      .map(async (name) => ({
        id: name.replace(/\.json$/, ""),
        found: stored.safeParse(await readJson(join(folder, name))),
      }));
    return (await Promise.all(read)).flatMap(({ id, found }) => (found.success ? [{ ...found.data, id }] : []));
  }
}

const NAME = /^\d+-[0-9a-f]{8}\.json$/;
