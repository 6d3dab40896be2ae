import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bytes } from "@/lib/core/base/units";
import { READERS } from "../readers";

/** A session file of any format. */
export interface RecordingSource {
  /** `FOLDER/FILE`. */
  readonly name: string;
  readonly bytes: () => Uint8Array;
  /** The format to read it as; without it the content decides. */
  readonly format?: string;
}

// By the folder of the program: a benchmark is bundled elsewhere.
const AGENTS = join(process.cwd(), "lib", "agents");
const RECORDINGS = join(process.cwd(), "..", "shared", "transcripts");
const IS_SESSION = /\.jsonl?$/;

/** The fixtures of these formats; of all formats without any. */
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

/** Every recording and every fixture of another tool beside the project; none where the folder is absent. */
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
 * Some of the sources, drawn by a seed: the same ones every time.
 * @param mostBytes larger ones are not drawn: what takes long is left to a whole check
 */
export function drawnSources(
  sources: readonly RecordingSource[],
  count: number,
  seed: number,
  mostBytes: Bytes = Number.POSITIVE_INFINITY,
): RecordingSource[] {
  const left = [...sources];
  const drawn: RecordingSource[] = [];
  for (let state = seed; drawn.length < count && left.length > 0; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const next = left.splice(Math.floor((state / 2 ** 32) * left.length), 1);
    drawn.push(...next.filter((source) => source.bytes().length <= mostBytes));
  }
  return drawn;
}
