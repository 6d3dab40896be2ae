import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { replayResult } from "@/lib/queries/contract/replay";
import { ENGLISH, samplePath } from "./support/files";
import { expect, test } from "./support/fixtures";

const PROGRAM = fileURLToPath(new URL("../bin/context-replay.mjs", import.meta.url));
const run = promisify(execFile);

/** Output of `replay --json` for the sample under the policy. */
async function printed(...args: readonly string[]) {
  const { stdout } = await run(
    process.execPath,
    [PROGRAM, "replay", samplePath(ENGLISH), "--policy", "rent-to-buy", ...args, "--json"],
    { cwd: fileURLToPath(new URL("..", import.meta.url)) },
  );
  return replayResult.parse(JSON.parse(stdout));
}

test("the timeline marks the hindsight optimum with the command line's regret, at today's prices", async ({
  page,
  session,
  words,
}) => {
  const best = page.getByTestId("hindsight-marks");
  const note = page.getByTestId("hindsight-note");
  const regret = session.resultCell("regret", "simulated");
  const percent = (share: number | null) => `${((share ?? Number.NaN) * 100).toFixed(1)} %`;

  await session.open(ENGLISH, "?policy=rent-to-buy");
  const first = await printed();
  await expect(session.result("compactions").getByRole("cell").nth(1)).toHaveText(String(first.compactions.length));
  await expect(regret).toHaveText(percent(first.totals.regret));
  await expect(note).toContainText(percent(first.totals.regret));
  await note.getByRole("button").click();
  const requests = page.getByRole("dialog").getByRole("button");
  await expect(requests).not.toHaveCount(0);
  await expect(best.locator("[data-hindsight-mark]")).toHaveCount(await requests.count());
  await requests.first().click();
  await expect(requests.first()).toHaveAttribute("aria-current", "true");

  // Another model has other price ratios: the policy's defaults follow, on the page as on the command line.
  await session.follow(ENGLISH, "?policy=rent-to-buy&on=claude-opus-5-5");
  const other = await printed("--on", "claude-opus-5-5");
  expect(other.settings.outputPrice).not.toBe(first.settings.outputPrice);
  await expect(session.slider("outputPrice")).toHaveValue(String(other.settings.outputPrice));
  await expect(regret).toHaveText(percent(other.totals.regret));

  await session.choosePolicy(words.of("replay.policy.none"));
  await expect(best).toHaveCount(0);
  await expect(note).toHaveCount(0);
  await expect(regret).toHaveText(words.of("common.value.na"));
});
