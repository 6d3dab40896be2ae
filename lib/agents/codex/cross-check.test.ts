import { expect, it } from "vitest";
import { metIn } from "../testing/cross-check";
import { agreedRuns, describeCrossCheck } from "../testing/describe-cross-check";
import { drawnSources, fixtureSources, recordingSources } from "../testing/recording-sources";
import { crossCheck } from "./testing/cross-check";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
const own = fixtureSources(["codex"]);
const foreign = drawnSources(
  fixtureSources().filter(({ format }) => format !== "codex"),
  200,
  1,
);
const recordings = drawnSources(recordingSources(), 2, 3);

describeCrossCheck(crossCheck, [
  ["own fixtures", own],
  ["other agents' fixtures", foreign],
  ["recordings", recordings],
]);

it("compactions before a turn leave out what is typed next", async () => {
  const runs = await Promise.all(fixtureSources(["qwen-code"]).map((source) => agreedRuns(crossCheck, source)));
  expect(metIn(runs.flat()).get("compacted before a turn")).toBeGreaterThan(20);
});
