import { randomNumbers } from "@/verify/support/random";

const PICTURE = { type: "file", mime: "image/png", url: `data:image/png;base64,${"A".repeat(300)}` };

/** A session of many turns, calls and outputs, some with pictures, generated from a seed. */
export function generatedSession(seed: number): Uint8Array {
  const random = randomNumbers(seed);
  const text = (chars: number) => 'word "词语"\n'.repeat(Math.ceil(chars / 10)).slice(0, chars);
  const messages: unknown[] = [];
  const info = (role: string) => {
    const at = messages.length + 1;
    return { role, id: `msg_${String(at).padStart(4, "0")}`, sessionID: "ses_1", time: { created: at * 1000 } };
  };
  for (let turn = 0; turn < 30; turn++) {
    messages.push({ info: info("user"), parts: [{ type: "text", text: text(10 + random(2500)) }] });
    for (let step = random(4); step >= 0; step--) {
      const calls = step === 0 ? 0 : random(4);
      const parts = Array.from({ length: calls }, (_, index) => {
        const failed = random(5) === 0;
        const output = text(random(6) === 0 ? random(60_000) : random(3000));
        const pictures = random(5) === 0 ? [PICTURE, PICTURE] : [];
        const result = failed
          ? { status: "error", error: output }
          : { status: "completed", output, attachments: pictures };
        const tool = ["read", "bash", "skill"][random(3)];
        return {
          type: "tool",
          callID: `c${messages.length}-${index}`,
          tool,
          state: { ...result, input: { path: "a" } },
        };
      });
      messages.push({ info: info("assistant"), parts: [{ type: "text", text: text(random(800)) }, ...parts] });
    }
  }
  return new TextEncoder().encode(JSON.stringify({ info: { id: "ses_1" }, messages }));
}
