import { makeLarge } from "./support/large";

/** `npm run bench make-large -- FILE OUT MB`: writes a large recording: a given one repeated, with new ids and times. */
export async function main(args: readonly string[]): Promise<void> {
  const [source, target, megabytes] = args;
  const bytes = Number(megabytes) * 1e6;
  if (source === undefined || target === undefined || !(bytes > 0)) {
    console.error("usage: npm run bench make-large -- FILE OUT MB");
    process.exitCode = 2;
    return;
  }
  const made = await makeLarge(source, target, bytes);
  console.log(`${target}: ${(made.bytes / 1e6).toFixed(1)} MB, ${made.copies} times ${source}`);
}
