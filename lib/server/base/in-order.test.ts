import { describe, expect, it } from "vitest";
import { together } from "./in-order";

interface Held {
  readonly promise: Promise<string>;
  readonly resolve: (value: string) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers(): Held {
  let [resolve, reject]: [Held["resolve"], Held["reject"]] = [() => {}, () => {}];
  const promise = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve, reject };
}

/** Work that finishes when the test says so. */
function held(inputs: readonly string[]) {
  const begun: string[] = [];
  const done: number[] = [];
  const open = new Map<string, Held>();
  const work = (input: string) => {
    begun.push(input);
    const result = withResolvers();
    open.set(input, result);
    return result.promise;
  };
  const results = together(inputs, work, (count) => done.push(count));
  const step = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (input: string) => {
    open.get(input)?.resolve(input.toUpperCase());
    await step();
  };
  const fail = async (input: string) => {
    open.get(input)?.reject(new Error(input));
    await step();
  };
  return { results, begun, done, end, fail };
}

describe("parallel work with results in input order", () => {
  it("reports each finished input, and returns results in the order of the inputs", async () => {
    const { results, begun, done, end } = held(["a", "b", "c", "d", "e", "f"]);
    expect(begun).toEqual(["a", "b", "c", "d"]);
    await end("d");
    await end("b");
    expect([begun, done]).toEqual([
      ["a", "b", "c", "d", "e", "f"],
      [1, 2],
    ]);
    for (const input of ["e", "f", "c", "a"]) await end(input);
    expect(done).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await results).toEqual(["A", "B", "C", "D", "E", "F"]);
  });

  it("starts no other input after a failure", async () => {
    const { results, begun, done, end, fail } = held(["a", "b", "c", "d", "e", "f"]);
    const failed = expect(results).rejects.toThrow("c");
    await fail("c");
    await end("a");
    await failed;
    expect([begun, done]).toEqual([["a", "b", "c", "d"], [1]]);
  });

  it("resolves at once if there are no inputs", async () => {
    expect(
      await together(
        [],
        () => Promise.resolve(1),
        () => {},
      ),
    ).toEqual([]);
  });
});
