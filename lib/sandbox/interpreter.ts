import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/** A page of WebAssembly memory, and how many of them the interpreter begins with. */
const PAGE = 65_536;
const FIRST_PAGES = 256;

/**
 * An interpreter with memory of its own. QuickJS does not count what it takes in WebAssembly, so the memory itself has the limit: beyond it nothing can be
 * allocated, whatever runs inside.
 * @param wasm the interpreter's code; by default it is read from the package
 */
export async function newInterpreter(megabytes: number, wasm?: ArrayBuffer): Promise<QuickJSWASMModule> {
  const { default: variant } = await import("@jitl/quickjs-wasmfile-release-sync");
  const maximum = Math.max(FIRST_PAGES, Math.floor((megabytes * 2 ** 20) / PAGE));
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory, ...(wasm && { wasmBinary: wasm }) }));
}
