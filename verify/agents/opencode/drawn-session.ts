import { draws } from "@/verify/support/draws";

const PICTURE = { type: "file", mime: "image/png", url: `data:image/png;base64,${"A".repeat(300)}` };

/** A session of many turns, calls and outputs, some with pictures, generated from a seed. */
export function drawnSession(seed: number): Uint8Array {
  const draw = draws(seed);
  const text = (chars: number) => 'word "词语"\n'.repeat(Math.ceil(chars / 10)).slice(0, chars);
  const messages: unknown[] = [];
  const info = (role: string) => {
    const at = messages.length + 1;
    return { role, id: `msg_${String(at).padStart(4, "0")}`, sessionID: "ses_1", time: { created: at * 1000 } };
  };
  for (let turn = 0; turn < 30; turn++) {
    messages.push({ info: info("user"), parts: [{ type: "text", text: text(10 + draw(2500)) }] });
    for (let step = draw(4); step >= 0; step--) {
      const calls = step === 0 ? 0 : draw(4);
      const parts = Array.from({ length: calls }, (_, index) => {
        const failed = draw(5) === 0;
        const output = text(draw(6) === 0 ? draw(60_000) : draw(3000));
        const pictures = draw(5) === 0 ? [PICTURE, PICTURE] : [];
        const result = failed
          ? { status: "error", error: output }
          : { status: "completed", output, attachments: pictures };
        const tool = ["read", "bash", "skill"][draw(3)];
        return {
          type: "tool",
          callID: `c${messages.length}-${index}`,
          tool,
          state: { ...result, input: { path: "a" } },
        };
      });
      messages.push({ info: info("assistant"), parts: [{ type: "text", text: text(draw(800)) }, ...parts] });
    }
  }
  return new TextEncoder().encode(JSON.stringify({ info: { id: "ses_1" }, messages }));
}
