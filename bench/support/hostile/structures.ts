import { type Json, prompt, response, text } from "./records";

/** Sessions whose records are well-formed, but have odd times, kinds and links. */

export function* oddTimes(): Iterable<Json> {
  const times: readonly unknown[] = [
    "yesterday",
    "",
    "0000-00-00T00:00:00Z",
    "2026-13-45T99:99:99Z",
    "+275760-09-13T00:00:00.001Z",
    "1970-01-01",
    1767603600000,
    -1,
    null,
    {},
    "2026-01-05T09:00:00.123456789Z",
    "9999-12-31T23:59:59Z",
    "2026-01-05T09:00:00+14:00",
  ];
  yield prompt(0, "When was that?");
  for (const [index, timestamp] of times.entries()) yield { ...response(index + 1, [text("answer")]), timestamp };
  yield response(times.length + 1, [text("after")]);
}

export function* unknownRecords(): Iterable<Json> {
  yield prompt(0, "Records of a later version.");
  for (let index = 0; index < 2000; index++)
    yield { type: `kind-${index}`, uuid: `k-${index}`, parentUuid: "u-0", isSidechain: false, body: { index } };
  yield { uuid: "no-type", parentUuid: "u-0", isSidechain: false };
  yield {};
  yield response(1, [{ type: "hologram", text: "a block of a kind that does not exist yet" }, text("answer")]);
}

/** Parent links that lead in circles, to the record itself and nowhere. */
export function* brokenTree(): Iterable<Json> {
  yield { ...prompt(0, "Who hangs on whom?"), parentUuid: "u-9" };
  for (let step = 1; step < 10; step++) yield response(step, [text("in a circle")]);
  yield { ...response(10, [text("its own parent")]), parentUuid: "u-10" };
  yield { ...response(11, [text("nobody's child")]), parentUuid: "nowhere" };
  for (let index = 0; index < 3000; index++)
    yield { ...response(12 + index, [text("one of many")]), parentUuid: "u-11" };
}

export function manyBlocks(count: number): Json[] {
  const blocks = Array.from({ length: count }, (_, index) => text(`block ${index}`));
  return [
    prompt(0, "One record of many blocks."),
    response(1, blocks),
    prompt(2, blocks),
    response(3, [text("after")]),
  ];
}
