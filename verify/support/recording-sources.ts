import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { READERS } from "@/lib/agents/registry";
import type { Bytes } from "@/lib/core/base/units";
import { randomNumbers } from "./random";

/** A session file of any format. */
export interface RecordingSource {
  /** Name as `FOLDER/FILE`. */
  readonly name: string;
  readonly bytes: () => Uint8Array;
  /** The format that it is read as; if absent, the content decides. */
  readonly format?: string;
}

// The folder in which the program runs, since a benchmark is bundled elsewhere.
const AGENTS = join(process.cwd(), "lib", "agents");
const RECORDINGS = join(process.cwd(), "..", "shared", "transcripts");
const IS_SESSION = /\.jsonl?$/;

/** The fixtures of these formats, or of all formats. */
export function fixtureSources(
  formats: readonly string[] = READERS.map(({ format }) => format),
): readonly RecordingSource[] {
  return formats.flatMap((format) =>
    sourcesIn(join(AGENTS, format, "fixtures")).map((source) => ({
      ...source,
      name: `${format}/${source.name}`,
      format,
    })),
  );
}

/** All recordings and fixtures of other tools next to the project; none if the folder is absent. */
export function recordingSources(): readonly RecordingSource[] {
  if (!existsSync(RECORDINGS)) return [];
  const folders = readdirSync(RECORDINGS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) =>
    sourcesIn(join(RECORDINGS, name)).map((source) => ({ ...source, name: `${name}/${source.name}` })),
  );
}

function sourcesIn(folder: string): readonly RecordingSource[] {
  return readdirSync(folder)
    .filter((name) => IS_SESSION.test(name))
    .map((name) => ({ name, bytes: () => readFileSync(join(folder, name)) }));
}

/**
 * Some of the sources, selected with a seed: always the same ones.
 * @param mostBytes larger sources are omitted, since they take long; a full check runs them
 */
export function sampledSources(
  sources: readonly RecordingSource[],
  count: number,
  seed: number,
  mostBytes: Bytes = Number.POSITIVE_INFINITY,
): RecordingSource[] {
  const remaining = [...sources];
  const sampled: RecordingSource[] = [];
  const random = randomNumbers(seed);
  while (sampled.length < count && remaining.length > 0) {
    const next = remaining.splice(random(remaining.length), 1);
    sampled.push(...next.filter((source) => source.bytes().length <= mostBytes));
  }
  return sampled;
}
