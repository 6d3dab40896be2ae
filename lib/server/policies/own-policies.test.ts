import { afterAll, expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { drawTranscript } from "@/lib/core/testing/draw";
import { summarise } from "@/lib/queries/boundaries/summarise";
import type { OwnSource } from "@/lib/sandbox/own-policy";
import { builtProgram } from "../testing/bundles";
import { PoolRunner } from "../threads/pool";
import type { SweepTask } from "../threads/tasks";

const policyOf = (id: string, body: string): OwnSource => ({
  id,
  file: `${id}.mjs`,
  text: `export default {\n  begin: () => ({\n    before(view) {\n      ${body}\n    },\n  }),\n};\n`,
});

const SOURCES = [
  policyOf("stuck", "[].indexOf.call({ length: 1e15 }, 1);"),
  policyOf("loops", "for (;;);"),
  policyOf("hoards", "const all = []; for (;;) all.push(new Array(1e5).fill(1));"),
  policyOf("quiet", "return undefined;"),
];

const poolOf = (threads: number) => new PoolRunner(builtProgram(), { threads, policies: () => SOURCES, policyMs: 300 });
const [pool, both] = [poolOf(1), poolOf(2)];
afterAll(() => Promise.all([pool.close(), both.close()]));

const transcript = drawTranscript("u10 a20 | c5 r900 | a5 u10 a20");
const { columns, tokens } = countedBySize(columnsFromTranscript(transcript), "bytes-4");
const recording = recordingOf(summarise(transcript, "drawn"), { columns, tokens });

function sweepOf(policy: string, by = pool): Promise<{ readonly rows: readonly string[] }> {
  const vary = [{ key: "inputTruncateTokens", from: 100, to: 200, step: 100 }];
  const task: SweepTask = {
    plan: { policy, vary },
    file: "drawn",
    recording,
    prices: {},
    costTerms: {},
    from: 0,
    to: 2,
  };
  return by.run("sweep", task);
}

it("a user policy that loops or takes too much memory is stopped, and its thread runs the next task", async () => {
  const quiet = async () => expect((await sweepOf("quiet")).rows.length).toBe(2);
  await quiet();
  await expect(sweepOf("loops")).rejects.toMatchObject({
    name: "PolicyError",
    message: expect.stringMatching(/^loops\.mjs:[34]: /),
  });
  await quiet();
  await expect(sweepOf("hoards")).rejects.toMatchObject({
    name: "PolicyError",
    message: expect.stringMatching(/^hoards\.mjs:[34]: .*(256 MB|0\.3 s)/),
  });
  await quiet();
  await expect(sweepOf("nobody's")).rejects.toMatchObject({ name: "ChoiceError" });
});

it("a thread is ended if its policy never returns, while the other thread answers", async () => {
  let isBack = false;
  const stuck = sweepOf("stuck", both).finally(() => {
    isBack = true;
  });
  expect((await sweepOf("quiet", both)).rows.length).toBe(2);
  expect(isBack).toBe(false);
  const sentence = "stuck.mjs: the policy took longer than 0.3 s within one built-in function, and was stopped.";
  await expect(stuck).rejects.toMatchObject({ name: "PolicyError", message: sentence });
  // Both threads are available again.
  const answers = await Promise.all([sweepOf("quiet", both), sweepOf("quiet", both)]);
  expect(answers.map(({ rows }) => rows.length)).toEqual([2, 2]);
});
