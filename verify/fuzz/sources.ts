import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { READERS } from "@/lib/agents/registry";
import type { Reader } from "@/lib/core/transcript/reader";

/** A file to change, and its reader. */
export interface FuzzSource {
  readonly name: string;
  readonly reader: Reader;
  readonly bytes: Buffer;
}

/** Every fixture of every reader. */
export function fuzzSources(): readonly FuzzSource[] {
  return READERS.flatMap((reader) => {
    const id = reader.format;
    const folder = join(process.cwd(), "lib", "agents", id, "fixtures");
    return readdirSync(folder)
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => ({ name: `${id}/${name}`, reader, bytes: readFileSync(join(folder, name)) }));
  });
}

const SAMPLES = join(process.cwd(), "public", "samples");

/** Adds the samples to the sources: sessions with enough requests to calibrate estimators on. */
export function withSamples(sources: readonly FuzzSource[]): readonly FuzzSource[] {
  const samples = readdirSync(SAMPLES).flatMap((name) => {
    const reader = sources.find(({ reader: { format } }) => name.startsWith(format))?.reader;
    return reader === undefined ? [] : [{ name, reader, bytes: readFileSync(join(SAMPLES, name)) }];
  });
  return [...sources, ...samples];
}
