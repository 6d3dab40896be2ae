/** How many inputs are worked on ahead of the one whose result comes next. */
const AHEAD = 4;

/**
 * The results in the order of the inputs, with a few worked on ahead; a failure comes as its error. When the consumer stops, no further input is
 * begun.
 */
export async function* inOrder<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
): AsyncGenerator<Out | Error> {
  const running: Promise<Out | Error>[] = [];
  const start = (input: In) => running.push(work(input).catch(asError));
  inputs.slice(0, AHEAD).forEach(start);
  for (let next = AHEAD; running.length > 0; next++) {
    const result = await running.shift();
    const input = inputs[next];
    if (input !== undefined) start(input);
    if (result !== undefined) yield result;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
