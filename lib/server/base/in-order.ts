/** Number of inputs in parallel. */
const AT_ONCE = 4;

/** Yields results in the order of the inputs, and works a few inputs ahead; a failure is returned as its error. If the consumer stops, no further input starts. */
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
 * All results, in the order of the inputs. A finished input makes room for the next, so a slow one blocks none. After a failure no further input
 * starts, and the result is that failure.
 * @param onDone is called after each with the number of finished inputs
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
  const worker = async () => {
    // The workers share the iterator: each takes the next input from it.
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
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
