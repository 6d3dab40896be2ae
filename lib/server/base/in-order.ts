/** How many inputs are worked on at once. */
const AT_ONCE = 4;

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
  inputs.slice(0, AT_ONCE).forEach(start);
  for (let next = AT_ONCE; running.length > 0; next++) {
    const result = await running.shift();
    const input = inputs[next];
    if (input !== undefined) start(input);
    if (result !== undefined) yield result;
  }
}

/**
 * All results, in the order of the inputs. Whichever is done makes room for the next, so a long one holds up none. Where one fails no further one is begun, and
 * the failure is that of all.
 * @param onDone is told after each how many are done
 */
export async function together<In, Out>(
  inputs: readonly In[],
  work: (input: In) => Promise<Out>,
  onDone: (done: number) => void,
  atOnce = AT_ONCE,
): Promise<readonly Out[]> {
  const results: Out[] = [];
  const waiting = inputs.entries();
  let done = 0;
  let isFailed = false;
  const lane = async () => {
    // The lanes share the iterator: each takes the next input from it.
    for (const [at, input] of waiting) {
      if (isFailed) return;
      try {
        results[at] = await work(input);
      } catch (error) {
        isFailed = true;
        throw error;
      }
      onDone(++done);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
