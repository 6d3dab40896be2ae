import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { startProgress } from "./progress";

/** A terminal that keeps everything written to it; tests may add other output to the same list. */
function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = Object.assign(new PassThrough(), { isTTY });
  stream.on("data", (chunk) => written.push(String(chunk)));
  return { stream, written };
}

it("the progress line is cleared for other output, and drawn again below it", async () => {
  const { stream, written } = terminal(true);
  const progress = await startProgress("reading", 3, stream);
  progress.step();
  await progress.apart(() => written.push("RESULT\n"));
  progress.step(2);
  progress.end();
  const at = written.indexOf("RESULT\n");
  const before = written.slice(0, at).join("");
  expect(before).toContain("reading [");
  // Line wrapping is on again, and the bar's line is cleared.
  expect(before.lastIndexOf("\u001b[?7h")).toBeGreaterThan(before.lastIndexOf("\u001b[?7l"));
  expect(before.lastIndexOf("\u001b[2K")).toBeGreaterThan(before.lastIndexOf("reading ["));
  expect(written.slice(at).join("")).toContain("] 1/3");
});

it("no progress line is drawn without a terminal, or for a single step", async () => {
  for (const [isTTY, steps] of [
    [false, 9],
    [true, 1],
  ] as const) {
    const { stream, written } = terminal(isTTY);
    const progress = await startProgress("reading", steps, stream);
    progress.step();
    expect(await progress.apart(async () => "done")).toBe("done");
    progress.end();
    expect(written).toEqual([]);
  }
});
