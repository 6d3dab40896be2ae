import { expect, it } from "vitest";
import type { MadeSummary, SummaryEvent } from "@/lib/queries/contract/types";
import { afterEvent, type Sending, STARTED, spreadOf } from "./send-dialog";

const summary: MadeSummary = {
  id: "1",
  madeAt: "2026-01-01T00:00:00Z",
  text: "One.",
  tokens: 3,
  textTokens: 2,
  usage: { input: null, output: null },
  isCut: false,
  score: null,
};
const failure = { code: "cutOff", status: null, seconds: null, detail: null } as const;

it("the dialog shows each answer as it arrives, and keeps the text of one that fails", () => {
  const events: readonly SummaryEvent[] = [
    { type: "text", sample: 0, text: "On" },
    { type: "text", sample: 0, text: "e." },
    { type: "made", sample: 0, summary },
    { type: "text", sample: 1, text: "Half" },
    { type: "failed", host: "h", failure },
  ];
  const states: Sending[] = [{ ...STARTED, samples: 3 }];
  for (const event of events) states.push(afterEvent(states.at(-1) ?? STARTED, event));
  expect(states.map(({ sample, text, isOver }) => [sample, text, isOver])).toEqual([
    [0, "", false],
    [0, "On", false],
    [0, "One.", false],
    [1, "", false],
    [1, "Half", false],
    [1, "Half", true],
  ]);
  expect(states.at(-1)).toMatchObject({ samples: 3, failure: { host: "h", failure } });
  expect(afterEvent(STARTED, { type: "end" }).isOver).toBe(true);
});

it("the dialog shows the range of sizes if the answers differ", () => {
  const sized = (...sizes: number[]) => spreadOf(sizes.map((tokens) => ({ tokens })));
  expect([sized(), sized(5), sized(5, 5), sized(9, 5, 7)]).toEqual([undefined, undefined, undefined, [5, 9]]);
});
