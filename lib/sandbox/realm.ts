import { type QuickJSContext, type QuickJSHandle, type QuickJSRuntime, Scope } from "quickjs-emscripten-core";
import { PolicyError } from "@/lib/core/compaction/policy/policy-error";
import type { Interpreter } from "./interpreter";
import { PRELUDE } from "./prelude";

/** How long a policy may take, and how much memory it may use. */
export interface Limits {
  /** For loading, for every answer beside a replay, and for all answers of one replay together. */
  readonly ms: number;
  readonly megabytes: number;
  /** Is told when the policy begins to work and when it has answered: what does not come back is ended from outside. */
  readonly watch?: { readonly enter: () => void; readonly leave: () => void };
}

/** What the policy is answered when it asks for something outside. */
type Answering = (ask: number, one: number, other: number) => number | string | ArrayBuffer | undefined;

/** The functions of the prelude. */
type Inside = "take" | "settings" | "threshold" | "looksBack" | "paired" | "entry" | "begin" | "before" | "compact";

/** How deep functions may call each other: far less than what the host's own stack bears. */
const STACK_BYTES = 128 * 1024;

/** What happened inside, as QuickJS tells it. */
interface Thrown {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly stack?: unknown;
}

/**
 * An interpreter of its own for one policy, as WebAssembly: what runs inside has the language and nothing else. There is no file, no network, no process, no
 * clock, and no object of the host that it could reach; its memory is a piece of WebAssembly memory of bounded size.
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
  /** Why nothing can be asked any more. */
  #ended: PolicyError | undefined;

  /** @param file the name by which sentences call the policy. Throws `PolicyError` where the source cannot be loaded. */
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
    // The prelude is ours, and a busy machine may take longer for it than a policy may take.
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

  /** Runs the policy's source and hands its exports to the prelude; returns what that tells of them. Throws `PolicyError`. */
  load(source: string): string | undefined {
    const { value } = this.#guarded("while it was loaded", this.#limits.ms, () => {
      const exported = this.#context.evalCode(source, this.#file, { type: "module" });
      if (exported.error !== undefined) return exported;
      return exported.value.consume((handle) => this.#context.callFunction(this.#function("take"), handle, handle));
    });
    return value;
  }

  /**
   * Calls a function of the prelude. Throws `PolicyError` where the policy throws, or takes more than it may.
   * @param when the end of the sentence that says so
   * @param ms the time that is left; by default all that one answer may take
   * @returns what was answered, and the milliseconds that it took
   */
  call(name: Inside, args: readonly (number | string | ArrayBuffer)[], when: string, ms = this.#limits.ms) {
    return this.#guarded(when, ms, () =>
      Scope.withScope((scope) => {
        const handles = args.map((arg) => scope.manage(this.#handleOf(arg)));
        return this.#context.callFunction(this.#function(name), this.#context.undefined, ...handles);
      }),
    );
  }

  /** A sentence about the policy as an error. @param line of its file; 0 where it is not known */
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
      // The interpreter itself gave up, such as at a depth that the host's stack does not bear: what it holds cannot be trusted.
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

  /** Whether nothing can be asked any more. */
  get isEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** Gives the memory back. */
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

/** The first line of the policy's file that a stack names; 0 where it names none. */
function lineOf(stack: string, file: string): number {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? 0 : Number.parseInt(stack.slice(at + file.length + 1), 10) || 0;
}

/** The most of a message that is repeated. */
const MESSAGE_CHARS = 200;

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").slice(0, MESSAGE_CHARS);
}
