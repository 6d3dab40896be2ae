import { expect, it } from "vitest";
import { differenceOf, expandGolden } from "@/verify/golden";
import { describeGoldenCases, goldenFile, goldenFiles, sha256 } from "@/verify/support/golden-cases";
import { conformance, contextReplies } from "./conformance";

describeGoldenCases("openclaw", conformance);

const reports = goldenFiles("openclaw").filter((name) => name.endsWith("systemPromptReport.json"));

it.each(reports)("the adapter answers `/context` like the program: %s", (name) => {
  let replies = 0;
  for (const golden of goldenFile("openclaw", name).cases) {
    const expected = "contextReplies" in golden ? expandGolden(golden.contextReplies) : {};
    const commands = Object.keys(expected as object); // The file holds an object here.
    const got = contextReplies(expandGolden(golden.input), commands);
    expect(differenceOf(got, expected, golden.id, sha256)).toBeUndefined();
    replies += commands.length;
  }
  expect(replies).toBeGreaterThan(50);
});
