import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { replay } from "@/lib/core/compaction/replay";
import { drawColumns } from "@/lib/core/testing/draw";
import { METER, metered } from "./metered";
import { ownPolicy } from "./own-policy";
import { restated } from "./testing/policies";

const WASM = readFileSync(createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
const code = () => new Uint8Array(WASM).buffer;
const LIMITS = { ms: 5000, megabytes: 128 };
const RECORDING = countedBySize(drawColumns("u10 a20 | c5 r900 | a5 u10 a20"), "bytes-4");
const CHOICE = { window: 1000, counting: "estimate" } as const;

const withBefore = (body: string) => `export default { begin: () => ({ before(view) { ${body} } }) };`;

async function replayed(text: string, wasm?: ArrayBuffer) {
  const policy = await ownPolicy({ id: "mine", file: "mine.mjs", text }, LIMITS, wasm);
  const specs = policy.settings(policy.presets[0] ?? "", { window: CHOICE.window, agent: null });
  return replay(RECORDING, policy, Object.fromEntries(specs.map((spec) => [spec.key, spec.default])), CHOICE);
}

describe("the interpreter with a meter", () => {
  it.each([
    ["looks for what is not there", "[].indexOf.call({ length: 1e15 }, 1);"],
    ["fills what is not there", "[].lastIndexOf.call({ length: 1e15 }, 1);"],
    ["multiplies for ever", "let n = 3n; for (let i = 0; i < 40; i++) n = n * n;"],
  ])("a policy that %s is stopped with one sentence, and the next one runs", async (_, body) => {
    await expect(replayed(withBefore(body), code())).rejects.toThrow(
      /^mine\.mjs(:\d+)?: the policy (did too much within one built-in function before request 0, and was stopped|took|threw)/,
    );
    await expect(replayed(withBefore(""), code())).resolves.toBeDefined();
  });

  it("gives the same results as the one without", async () => {
    const text = restated("@/lib/core/compaction/policies/custom", "customPolicy");
    expect(await replayed(text, code())).toEqual(await replayed(text));
  });
});

describe("a program with a meter", () => {
  it("is valid, and stops at zero", async () => {
    // (module (global (mut i32) (i32.const 0)) (func (export "f") (loop (br 0))))
    const program = Uint8Array.from([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 6, 6, 1, 0x7f, 1, 0x41, 0, 0x0b],
      ...[7, 5, 1, 1, 0x66, 0, 0, 10, 9, 1, 7, 0, 0x03, 0x40, 0x0c, 0, 0x0b, 0x0b],
    ]);
    const { instance } = await WebAssembly.instantiate(metered(program));
    const { f, [METER]: meter } = instance.exports;
    if (typeof f !== "function" || !(meter instanceof WebAssembly.Global)) throw new Error("what was exported");
    meter.value = 1000;
    expect(() => f()).toThrow(WebAssembly.RuntimeError);
    expect(meter.value).toBe(0);
  });

  it("is rejected if it has unsupported instructions", () => {
    const vector = Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 6, 1, 0, 7, 1, 0, 10, 6, 1, 4, 0, 0xfd, 0, 0x0b]);
    expect(() => metered(vector)).toThrow("an instruction that is not read here: 253");
  });
});
