import { vi } from "vitest";

/** The standard output of commands. */
export async function printed(...runs: readonly (() => Promise<unknown>)[]): Promise<string> {
  let text = "";
  const output = vi.spyOn(process.stdout, "write").mockImplementation((chunk, ...more) => {
    text += String(chunk);
    for (const one of more) if (typeof one === "function") one();
    return true;
  });
  try {
    for (const run of runs) await run();
  } finally {
    output.mockRestore();
  }
  return text;
}
