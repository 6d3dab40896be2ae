import { type QuickJSContext, type QuickJSHandle, type QuickJSRuntime, Scope } from "quickjs-emscripten-core";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import type { Interpreter } from "./interpreter";
import { PRELUDE } from "./prelude";

/** Maximum time and memory of a policy. */
export interface Limits {
  /** For loading, for every answer outside a replay, and for all answers of one replay together. */
  readonly ms: number;
  readonly megabytes: number;
  /** Is called when the policy starts and when it has answered: the parent thread ends a policy that never returns. */
  readonly watch?: { readonly enter: () => void; readonly leave: () => void };
}

/** The host's answer to a policy's request. */
type Answering = (ask: number, one: number, other: number) => number | string | ArrayBuffer | undefined;

/** The functions of the prelude. */
type Inside = "take" | "settings" | "threshold" | "looksBack" | "paired" | "entry" | "begin" | "before" | "compact";

/** Maximum call depth: far less than the host's own stack allows. */
const STACK_BYTES = 128 * 1024;

/** An error inside, as QuickJS reports it. */
interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

/**
 * A separate WebAssembly interpreter for one policy: the code inside has only the language. There is no file, no network, no process, no clock, and
 * no reachable object of the host; its memory has a bounded size.
 */
export class Realm {
  readonly #interpreter: Interpreter;
  readonly #file: string;
  readonly #limits: Limits;
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #inside: QuickJSHandle;
  readonly #functions = new Map<Inside, QuickJSHandle>();
  #until = 0;
  /** Reason for which it cannot be called again. */
  #ended: PolicyError | undefined;

  /** @param file the policy's name in messages. Throws `PolicyError` if the source cannot be loaded. */
  constructor(interpreter: Interpreter, file: string, answer: Answering, limits: Limits) {
    this.#interpreter = interpreter;
    this.#file = file;
    this.#limits = limits;
    interpreter.refill();
    const runtime = interpreter.quickjs.newRuntime();
    runtime.setMaxStackSize(STACK_BYTES);
    runtime.setInterruptHandler(() => {
      interpreter.refill();
      return performance.now() > this.#until;
    });
    runtime.setModuleLoader(
      (name) => ({ error: new Error(`a policy is one file, and ${name} is another one`) }),
      (_from, name) => name,
    );
    this.#runtime = runtime;
    const context = runtime.newContext();
    this.#context = context;
    // The prelude is ours, and a busy machine may need more time for it than a policy's limit.
    this.#until = Number.POSITIVE_INFINITY;
    const host = context.newFunction("host", (ask, one, other) => {
      const given = answer(context.getNumber(ask), numberOf(context, one), numberOf(context, other));
      return this.#handleOf(given);
    });
    const make = context.unwrapResult(context.evalCode(PRELUDE, "context-replay"));
    this.#inside = context.unwrapResult(context.callFunction(make, context.undefined, host));
    make.dispose();
    host.dispose();
  }

  /** Runs the policy's source and passes its exports to the prelude; returns the prelude's description of them. Throws `PolicyError`. */
  load(source: string): string | undefined {
    const { value } = this.#guarded("while it was loaded", this.#limits.ms, () => {
      const exported = this.#context.evalCode(source, this.#file, { type: "module" });
      if (exported.error !== undefined) return exported;
      return exported.value.consume((handle) => this.#context.callFunction(this.#function("take"), handle, handle));
    });
    return value;
  }

  /**
   * Calls a function of the prelude. Throws `PolicyError` if the policy throws, or exceeds its limits.
   * @param when the end of the error message
   * @param ms the remaining time; default: the limit of one answer
   * @returns the answer, and its milliseconds
   */
  call(name: Inside, args: readonly (number | string | ArrayBuffer)[], when: string, ms = this.#limits.ms) {
    return this.#guarded(when, ms, () =>
      Scope.withScope((scope) => {
        const handles = args.map((arg) => scope.manage(this.#handleOf(arg)));
        return this.#context.callFunction(this.#function(name), this.#context.undefined, ...handles);
      }),
    );
  }

  /** An error with a sentence about the policy. @param line of its file; 0 if unknown */
  failure(line: number, sentence: string): PolicyError {
    return new PolicyError(`${this.#file}${line > 0 ? `:${line}` : ""}: ${sentence}`);
  }

  #function(name: Inside): QuickJSHandle {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    const found = this.#context.getProp(this.#inside, name);
    this.#functions.set(name, found);
    return found;
  }

  #handleOf(value: number | string | ArrayBuffer | undefined): QuickJSHandle {
    if (typeof value === "number") return this.#context.newNumber(value);
    if (typeof value === "string") return this.#context.newString(value);
    return value === undefined ? this.#context.undefined : this.#context.newArrayBuffer(value);
  }

  #guarded(when: string, ms: number, work: () => ReturnType<QuickJSContext["callFunction"]>) {
    if (this.#ended !== undefined) throw this.#ended;
    const began = performance.now();
    this.#until = began + ms;
    this.#interpreter.refill();
    this.#limits.watch?.enter();
    try {
      const result = work();
      if (result.error !== undefined)
        throw this.#thrown(
          result.error.consume((error) => this.#context.dump(error)),
          when,
        );
      const value = result.value.consume((handle) =>
        this.#context.typeof(handle) === "string" ? this.#context.getString(handle) : undefined,
      );
      return { value, ms: performance.now() - began };
    } catch (error) {
      if (error instanceof PolicyError) throw error;
      if (this.#interpreter.isSpent())
        throw this.#end(
          this.failure(0, `the policy did too much within one built-in function ${when}, and was stopped.`),
        );
      // The interpreter itself failed, such as at a depth that exceeds the host's stack: its state cannot be trusted.
      throw this.#end(this.failure(0, `the policy broke the interpreter ${when}, and was stopped.`));
    } finally {
      this.#limits.watch?.leave();
    }
  }

  #thrown(thrown: Thrown | undefined, when: string): PolicyError {
    const isError = typeof thrown === "object" && thrown !== null;
    const name = isError ? String(thrown.name) : "";
    const message = oneLine(isError ? String(thrown.message) : String(thrown));
    const line = lineOf(isError ? String(thrown.stack) : "", this.#file);
    if (name === "InternalError" && message === "interrupted") {
      const seconds = this.#limits.ms / 1000;
      return this.#end(this.failure(line, `the policy took longer than ${seconds} s ${when}, and was stopped.`));
    }
    if (name === "InternalError" && message === "out of memory") {
      const { megabytes } = this.#limits;
      return this.#end(this.failure(line, `the policy took more than ${megabytes} MB of memory ${when}.`));
    }
    return this.failure(line, `the policy threw ${when}: ${message}${/[.!?。！？]$/u.test(message) ? "" : "."}`);
  }

  #end(error: PolicyError): PolicyError {
    this.#ended = error;
    return error;
  }

  /** True if it cannot be called again. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Releases the memory. */
  dispose(): void {
    if (this.#ended !== undefined) return;
    this.#ended = this.failure(0, "the policy was replaced.");
    this.#interpreter.refill();
    for (const handle of [...this.#functions.values(), this.#inside]) handle.dispose();
    this.#context.dispose();
    this.#runtime.dispose();
  }
}

function numberOf(context: QuickJSContext, handle: QuickJSHandle | undefined): number {
  return handle === undefined ? -1 : context.getNumber(handle);
}

/** The first line of the policy's file in a stack; 0 without one. */
function lineOf(stack: string, file: string): number {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? 0 : Number.parseInt(stack.slice(at + file.length + 1), 10) || 0;
}

/** Maximum characters repeated from a message. */
const MESSAGE_CHARS = 200;

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, MESSAGE_CHARS);
}
