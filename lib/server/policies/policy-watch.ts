import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import type { OwnSource } from "@/lib/sandbox/own-policy";

/** Maximum time and memory of a user's policy for one replay. */
export const OWN_LIMITS = { ms: 10_000, megabytes: 256 } as const;

/** Grace time: the interpreter checks the clock between its steps, and a few built-in functions are one long step. */
const GRACE_MS = 2000;
/** Interval between checks of the policy's counter. */
const CHECK_MS = 250;

/**
 * Watches a policy in another thread. The signal ends the thread if the policy never returns, which the interpreter cannot detect.
 * @param ms time limit of the interpreter
 */
export class PolicyWatch {
  readonly memory = new SharedArrayBuffer(4);
  readonly #state = new Int32Array(this.memory);
  readonly #ending = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(ms: number) {
    let [seen, since] = [0, performance.now()];
    const look = () => {
      const state = Atomics.load(this.#state, 0);
      if (state !== seen || state % 2 === 0) [seen, since] = [state, performance.now()];
      else if (performance.now() - since > ms + GRACE_MS) this.#ending.abort();
    };
    this.#timer = setInterval(look, CHECK_MS);
    this.#timer.unref();
  }

  /** Ends the policy's task. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** The error for policies whose thread was ended. */
export function neverReturned(sources: readonly OwnSource[], ms: number): PolicyError {
  const files = sources.map(({ file }) => file).join(" or ");
  return new PolicyError(
    `${files}: the policy took longer than ${ms / 1000} s within one built-in function, and was stopped.`,
  );
}
