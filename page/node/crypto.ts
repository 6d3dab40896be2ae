import { textHash } from "@/lib/core/base/texts";

/** `node:crypto` for distinguishing texts: 106 bits, not meant to resist deliberate collisions. */
export function createHash() {
  let whole = "";
  const hash = {
    update(text: string) {
      whole += text;
      return hash;
    },
    digest: (): string => `${whole.length} ${textHash(whole)} ${textHash(`1${whole}`)}`,
  };
  return hash;
}
