import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";
import { METER, metered } from "./metered";

/** A page of WebAssembly memory, and how many of them the interpreter begins with. */
const PAGE = 65_536;
const FIRST_PAGES = 256;

/**
 * How many turns of loops the interpreter may take from one look at the clock to the next, where nobody can end it from outside: within one built-in function
 * it does not look. Sorting a million numbers takes a tenth of this.
 */
const TURNS = 2 ** 28;

/** An interpreter, and the meter of what it does between two looks at the clock. */
export interface Interpreter {
  readonly quickjs: QuickJSWASMModule;
  /** Allows it as many turns as it may take. */
  readonly refill: () => void;
  /** Whether it has used them up, and so has been stopped. */
  readonly isSpent: () => boolean;
}

/**
 * An interpreter with memory of its own. QuickJS does not count what it takes in WebAssembly, so the memory itself has the limit: beyond it nothing can be
 * allocated, whatever runs inside.
 * @param wasm the interpreter's code, which is then metered; by default it is read from the package, and whoever runs it can end its thread
 */
export async function newInterpreter(megabytes: number, wasm?: ArrayBuffer): Promise<Interpreter> {
  const { default: variant } = await import("@jitl/quickjs-wasmfile-release-sync");
  const maximum = Math.max(FIRST_PAGES, Math.floor((megabytes * 2 ** 20) / PAGE));
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
  if (wasm === undefined) {
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
    return { quickjs, refill: () => undefined, isSpent: () => false };
  }
  const module = await WebAssembly.compile(metered(new Uint8Array(wasm)));
  let meter: WebAssembly.Global | undefined;
  // Emscripten's own way to hand over a program that is compiled already; the types of the package do not name it.
  const instantiateWasm = (imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) => {
    const instance = new WebAssembly.Instance(module, imports);
    const exported = instance.exports[METER];
    if (exported instanceof WebAssembly.Global) meter = exported;
    done(instance);
  };
  const emscriptenModule: object = { instantiateWasm };
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory, emscriptenModule }));
  return {
    quickjs,
    refill: () => {
      if (meter !== undefined) meter.value = TURNS;
    },
    isSpent: () => meter?.value === 0,
  };
}
