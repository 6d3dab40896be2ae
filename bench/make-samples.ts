import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SAMPLES } from "./samples/samples";

/** Writes the bundled sample sessions. They come out the same on every machine; a test compares. */
export function main(): void {
  const folder = join(process.cwd(), "public", "samples");
  mkdirSync(folder, { recursive: true });
  for (const { file, build } of SAMPLES) {
    const text = build();
    writeFileSync(join(folder, file), text);
    console.log(`${file}  ${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB`);
  }
}
