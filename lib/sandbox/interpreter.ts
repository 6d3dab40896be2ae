import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";
import { METER, metered } from "./metered";

/** A page of WebAssembly memory, and the interpreter's initial pages. */
const PAGE = 65_536;
const FIRST_PAGES = 256;

/**
 * Maximum loop iterations of the interpreter between two checks of the clock, if no other thread can end it: built-in functions do not check. Sorting
 * a million numbers takes a tenth of this.
 */
const TURNS = 2 ** 28;

/** An interpreter, and its meter between two checks of the clock. */
export interface Interpreter {
  readonly quickjs: QuickJSWASMModule;
  /** Resets the meter to its maximum. */
  readonly refill: () => void;
  /** True if the meter ran out, which stopped the interpreter. */
  readonly isSpent: () => boolean;
}

/**
 * An interpreter with separate memory. QuickJS does not count its memory in WebAssembly, so the memory itself has the limit: all allocations beyond
 * it fail.
 * @param wasm the interpreter's code, which is then metered; by default it is read from the package, and the caller can end its thread
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
  // Emscripten's hook for a compiled program; the package's types lack it.
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
