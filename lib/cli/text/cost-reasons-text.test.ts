import { expect, it } from "vitest";
import { whatIfNotes } from "./cost-reasons-text";

const ttlsText = (shortUsd: number, longUsd: number) =>
  whatIfNotes({
    whatIf: { beforeBreaks: null, lifetimes: { shortUsd, longUsd, pauses: 0, dearerWritesUsd: 0, warmPausesUsd: 0 } },
  }).join();

it("the text calls neither cache TTL more expensive if both cost the same", () => {
  expect(ttlsText(2, 2.5)).toContain("an hour is $0.5000 more expensive");
  expect(ttlsText(2, 2 + 1e-9)).toContain("for an hour: $2.00; they cost the same");
});
