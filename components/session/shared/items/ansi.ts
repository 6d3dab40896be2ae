/** A stretch of text in one style. */
export interface AnsiSpan {
  readonly text: string;
  /** One of the eight terminal colours, in the order of ECMA-48; absent for the surrounding text's colour. */
  readonly colour?: number;
  readonly bold?: boolean;
  readonly dim?: boolean;
}

interface Style {
  colour?: number;
  bold?: boolean;
  dim?: boolean;
}

// No library: compressed, this module is 0.6 kB, `anser` 2.5 kB and `fancy-ansi` 3.4 kB of every session page's first load. `ansi-sequence-parser`
// (0.9 kB) reads colours only and mistakes the text after a cursor move, up to the next "m", for a part of the sequence.
// Control sequences (CSI), operating system commands (OSC, up to BEL or ST), and other two-character escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are control characters
const ESCAPE = /\u001b(?:\[([0-9;:?]*)[ -/]*([@-~])|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the remaining C0 controls are invisible
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** The text without escape sequences and control characters, for one line of a list. */
export function stripAnsi(text: string): string {
  return text.replace(ESCAPE, "").replace(/\r\n?/g, "\n").replace(CONTROL, "");
}

/** The text as styled spans: the colours and weights of SGR sequences are kept, all other terminal sequences are dropped. */
export function ansiSpans(text: string): readonly AnsiSpan[] {
  if (!text.includes("\u001b")) return [{ text: stripAnsi(text) }];
  const spans: AnsiSpan[] = [];
  let style: Style = {};
  let from = 0;
  const push = (to: number): void => {
    const part = stripAnsi(text.slice(from, to));
    if (part !== "") spans.push({ text: part, ...style });
  };
  for (const match of text.matchAll(ESCAPE)) {
    push(match.index);
    from = match.index + match[0].length;
    if (match[2] === "m") style = styled(style, match[1] ?? "");
  }
  push(text.length);
  return spans;
}

function styled(before: Style, parameters: string): Style {
  let style = { ...before };
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 22) style = withoutWeight(style);
    else if (code === 39) style = withoutColour(style);
    else if (code >= 30 && code <= 37) style.colour = code - 30;
    else if (code >= 90 && code <= 97) style.colour = code - 90;
    // 256 colours and true colour are skipped, together with their operands.
    else if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2;
  }
  return style;
}

function withoutColour({ bold, dim }: Style): Style {
  return { ...(bold === undefined ? {} : { bold }), ...(dim === undefined ? {} : { dim }) };
}

function withoutWeight({ colour }: Style): Style {
  return colour === undefined ? {} : { colour };
}
