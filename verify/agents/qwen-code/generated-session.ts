/**
 * A session in Qwen Code's format, generated from a seed: prompts (some after a pause), answers, parallel calls, some without a result, results of all
 * sizes, errors, media.
 */
export function generatedSession(seed: number): Uint8Array {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const lines: string[] = [];
  let parent: string | null = null;
  let time = Date.UTC(2026, 0, 1);
  const write = (type: string, rest: Readonly<Record<string, unknown>>) => {
    const uuid = `r${lines.length}`;
    time += 1000 + below(9000);
    const base = { uuid, parentUuid: parent, sessionId: `s${seed}`, timestamp: new Date(time).toISOString(), type };
    lines.push(JSON.stringify({ ...base, cwd: "/w", version: "0.24.4", ...rest }));
    parent = uuid;
  };
  const text = (most: number) =>
    SYLLABLES.slice(below(40))
      .repeat(1 + below(20))
      .slice(0, 1 + below(most));
  /** Rarely an output above the program's limit, in few lines or in many. */
  const output = () =>
    below(12) === 0 ? `${text(90)}${below(2) === 0 ? "\n" : " "}`.repeat(900 + below(900)) : text(1200);
  let call = 0;
  for (let turn = 0; turn < 12; turn++) {
    const prompt: unknown[] = [{ text: text(200) }];
    if (below(6) === 0) prompt.push(IMAGE);
    // Before some prompts there is a pause in which results grow old.
    if (below(3) === 0) time += 90_000;
    write("user", { message: { role: "user", parts: prompt } });
    for (let round = below(5); round > 0; round--) {
      const calls = Array.from({ length: 1 + below(3) }, () => {
        call += 1;
        const name = TOOLS[below(TOOLS.length)] ?? "glob";
        return { id: `c${call}`, name, args: argsOf(name, `/w/f${below(6)}.ts`, text(300)) };
      });
      const texts = below(2) === 0 ? [{ text: text(100) }] : [];
      const thought = below(2) === 0 ? [{ text: text(80), thought: true }] : [];
      const parts = [...thought, ...texts, ...calls.map((functionCall) => ({ functionCall }))];
      write("assistant", { model: "m", message: { role: "model", parts } });
      for (const { id, name } of calls) {
        // Some calls stay without a result, as after an abort.
        if (below(15) === 0) continue;
        const own = below(5) === 0 ? { parts: HELD[below(HELD.length)] } : {};
        const isShownAlone = own.parts !== undefined && below(3) === 0;
        const response = below(9) === 0 ? { error: text(60) } : { output: isShownAlone ? "" : output() };
        const beside = below(10) === 0 ? [IMAGE] : [];
        write("tool_result", {
          message: { role: "user", parts: [{ functionResponse: { id, name, response, ...own } }, ...beside] },
        });
      }
    }
    write("assistant", { model: "m", message: { role: "model", parts: [{ text: text(300) }] } });
  }
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}

const SYLLABLES = 'lo rem ip sum 语 do lor sit amet, \n con sec te tur 言 a di pi scing "elit" ';
const IMAGE = { inlineData: { mimeType: "image/png", data: "aGVsbG8=" } };
const DOCUMENT = { inlineData: { mimeType: "application/pdf", data: "aGVsbG8=" } };
/** Other content of a result in addition to its text. */
const HELD = [[IMAGE], [IMAGE, IMAGE], [DOCUMENT], [IMAGE, DOCUMENT]];
const TOOLS = ["read_file", "run_shell_command", "edit", "write_file", "grep_search", "todo_write"] as const;

function argsOf(name: string, path: string, text: string): Readonly<Record<string, unknown>> {
  if (name === "run_shell_command") return { command: text };
  if (name === "write_file") return { file_path: path, content: text };
  return name === "read_file" || name === "edit" ? { file_path: path, old_string: text } : { pattern: text };
}

/** A small random generator of numbers from 0 to 1, the same on every machine (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
