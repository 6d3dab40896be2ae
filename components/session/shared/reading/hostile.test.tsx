import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { describe, expect, it, vi } from "vitest";
import reading from "@/app/i18n/messages/en/session.json";
import { HOSTILE_TEXT } from "@/bench/support/hostile/markup";
import { processorMs } from "@/lib/core/testing/processor-time";
import { runs } from "@/lib/core/testing/runs";
import { sessionColumns } from "../../testing/session-columns";
import { Changes } from "./changes";
import { Code, type Coloured, coloured, colouredEnd } from "./code";
import { diffRows, unified } from "./diff-rows";
import type { FileChange } from "./file-changes";
import { MAX_COLOURED } from "./limits";
import { Markdown } from "./markdown";
import { grouped, Json, openAtFirst, ReadText } from "./read-text";
import { readingOf } from "./reading";
import { Command, Output } from "./terminal";

/** Ten times the slowest text's time on an idle machine. */
const LONG_MS = 1500;

/** Elements and attributes that the renderers create; no text may produce others. */
const ELEMENTS = new Set(
  "p ul ol li blockquote strong em s tr thead tbody th td table div span button code pre hr section header".split(" "),
);
const ATTRIBUTES = new Set(
  "class type aria-expanded aria-label aria-controls role tabindex id data-testid data-layout aria-hidden aria-live".split(
    " ",
  ),
);

/** Pieces that parsers, terminals and browsers interpret, and repeated pieces that slow down matchers. */
const PIECES = [
  ...["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<iframe src=//192.0.2.1>"],
  ...["[a](javascript:alert(1))", "![b](http://192.0.2.1/p.png)", "[c]: http://192.0.2.1", "[c]", "<http://192.0.2.1>"],
  ...[
    "*",
    "**",
    "_",
    "`",
    "```html\n",
    "~~~",
    "~~",
    "> ",
    "- ",
    "1. ",
    "# ",
    "|",
    "|-|-|\n",
    "\n",
    "\n\n",
    "\t",
    "    ",
  ],
  ...["\\", "[", "](", "!", "<", ">", "&lt;", "&#x3c;", "&", "\u0000", "\u202e", "\ud800", "é", "中"],
  ...["\u001b[31m", "\u001b[0m", "\u001b]8;;http://192.0.2.1\u0007", "\u001b[38;2;1;2;3m", "\u001b["],
  ...[
    "*** Begin Patch\n",
    "*** Update File: ",
    "+",
    "-",
    "@@",
    " ",
    "{",
    "}",
    '"',
    ":",
    ",",
    "[]",
    "__proto__",
    "1e999",
  ],
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join("")),
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 8 })), { maxLength: 30 })
    .map((all) => all.join("")),
);

// A difference reads only the session's folder.
vi.mock("../state/stores", async () => {
  const { createStore, storeHook } = await import("@/components/hooks/store");
  const session = { columns: sessionColumns({ categories: [] }), summary: { project: "/srv" } };
  return { useSession: storeHook(() => createStore(session)) };
});

function html(element: React.ReactElement): string {
  return renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={{ session: reading }}>
      {element}
    </IntlProvider>,
  );
}

/** Expects that only our own elements and attributes were rendered. */
function expectHarmless(markup: string): void {
  const foreign: string[] = [];
  for (const [, name = "", attributes = ""] of markup.matchAll(/<([a-z][^\s/>]*)((?:[^>"]|"[^"]*")*)>/gi)) {
    if (!ELEMENTS.has(name)) foreign.push(name);
    // Quoted text is an attribute's value, whatever it looks like.
    for (const [, attribute = ""] of attributes.replace(/"[^"]*"/g, '""').matchAll(/([a-z-]+)=/gi)) {
      if (!ATTRIBUTES.has(attribute)) foreign.push(attribute);
    }
  }
  expect(foreign).toEqual([]);
}

const RENDERERS = {
  markdown: (one: string) => <Markdown text={one} />,
  code: (one: string) => <Code text={one} language="typescript" />,
  output: (one: string) => <Output head="" text={one} />,
  command: (one: string) => <Command command={one} folder={one} />,
  json: (one: string) => <Json value={{ [one]: one, list: [one, { [one]: null }] }} />,
  changes: (one: string) => <Changes changes={changesOf(one)} />,
} as const;

/** Text that is repeated up to the size limit of each form. */
const PUMPS = [
  ...["*a*", "[a](b)", "![b](c)", "`a`", "|a|b|\n|-|-|\n", "|a|b|\n", "- a\n", "<b>", "<http://a.b>", "> a\n\n"],
  ...["\u001b[31mx", "1,", "{", '"', "a\n", "_", "\n", "a b ", "`"],
];

/** Maximum number of elements rendered at once. With the longest of them the page is busy for less than a tenth of a second. */
const MAX_ELEMENTS = 4500;

/** A text as an edit, as a written file, and as a patch. */
function changesOf(one: string): readonly FileChange[] {
  const half = one.length >> 1;
  const calls = [
    JSON.stringify({ file_path: one, old_string: one.slice(0, half), new_string: one.slice(half) }),
    JSON.stringify({ file_path: "a.ts", content: one }),
    `*** Begin Patch\n*** Update File: ${one}\n@@\n${one}\n*** End Patch`,
  ];
  return calls.flatMap((call) => {
    const read = readingOf({ word: "call" }, call);
    return read.as === "changes" ? read.changes : [];
  });
}

/**
 * Number of texts for each form; Markdown, differences, terminals and JSON together get ten thousand. Forms with a parser get most of them; JSON and
 * differences render every text many times, which takes ten times as long.
 */
const TRIED: Readonly<Record<keyof typeof RENDERERS, number>> = {
  markdown: 4400,
  changes: 600,
  output: 4400,
  json: 600,
  code: 400,
  command: 400,
};

function textOf(parts: Coloured): string {
  return parts
    .map((part) =>
      part.type === "text" ? part.value : part.type === "element" ? textOf(part.children as Coloured) : "",
    )
    .join("");
}

describe("hostile texts of a file", () => {
  for (const name of Object.keys(RENDERERS) as (keyof typeof RENDERERS)[]) {
    it(`are rendered as plain text by ${name}, in limited time`, () => {
      const slow: string[] = [];
      const render = RENDERERS[name];
      expectHarmless(html(render(HOSTILE_TEXT)));
      fc.assert(
        fc.property(text, (one) => {
          const before = processorMs();
          const markup = html(render(one));
          if (processorMs() - before > LONG_MS) slow.push(one);
          expectHarmless(markup);
        }),
        { numRuns: runs(TRIED[name]) },
      );
      expect(slow).toEqual([]);
    });
  }

  it("are rendered in parts of limited size, whatever their content and length", () => {
    for (const piece of PUMPS) {
      const of = (chars: number) => piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars);
      const lines = (chars: number, to: string) => of(chars).replace(/[^\n]{10}/g, (part) => `${part}${to}\n`);
      const file = `*** Update File: a\n-${piece.trim()} b c d\n+${piece.trim()} d c b\n`;
      const texts = [
        ["assistant", of(40_000)],
        ["assistant", `\`\`\`ts\n${of(19_000)}\n\`\`\`\n`.repeat(2)],
        ["result", of(200_000)],
        ["result", JSON.stringify(Array.from({ length: Math.floor(190_000 / (piece.length * 2 + 8)) }, () => piece))],
        ["result", Array.from({ length: 900 }, (_, at) => `${at + 1}→${of(16).replaceAll("\n", " ")}`).join("\n")],
        ["call", JSON.stringify({ file_path: "a.ts", content: of(60_000) })],
        ["call", JSON.stringify({ path: "a", old_string: lines(30_000, "x"), new_string: lines(30_000, "y z") })],
        ["call", `*** Begin Patch\n${file.repeat(190_000 / (file.length + 1))}`],
      ] as const;
      for (const [word, one] of texts) {
        const elements = html(<ReadText word={word} text={one} file="a.ts" />).match(/<[a-z]/g)?.length ?? 0;
        expect(elements, `${word} ${one.slice(0, 60)}`).toBeLessThan(MAX_ELEMENTS);
      }
    }
  });

  it("are coloured up to a maximum length, and only up to the first line too long for code", () => {
    const line = `${"x".repeat(MAX_COLOURED.line - 2)}\n`;
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a\n", "\n", line, `x${line}`, "b"), { maxLength: 60 }), (parts) => {
        const one = parts.join("");
        const end = colouredEnd(one);
        expect(end).toBeLessThanOrEqual(MAX_COLOURED.chars);
        const found = coloured(one, "typescript");
        if (found !== undefined) expect(textOf(found.parts) + found.rest).toBe(one);
        const next = one.slice(end).split("\n", 1)[0] ?? "";
        if (end < one.length) {
          expect(next.length + 1 > MAX_COLOURED.line || end + next.length + 1 > MAX_COLOURED.chars).toBe(true);
        }
      }),
    );
  });

  it("are shown in groups if they contain a long list or object, with few groups open", () => {
    const list = Array.from({ length: 12_345 }, (_, at) => ({ at }));
    const tree = grouped(list);
    const most = (value: object): number => {
      const values = Object.values(value);
      return Math.max(values.length, ...values.map((one) => (typeof one === "object" && one !== null ? most(one) : 0)));
    };
    expect(most(tree)).toBe(100);
    expect(Object.keys(tree)).toEqual(["0 … 9999", "10000 … 12344"]);
    expect(tree).toMatchObject({ "10000 … 12344": { "12300 … 12344": { "12344": { at: 12_344 } } } });
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [at, Array.from({ length: 40 }, () => [0])]));
    const open = [...openAtFirst(wide)].reduce((sum, one) => sum + Object.keys(one).length, 0);
    expect(open).toBeLessThanOrEqual(300);
    expect(grouped(JSON.parse('{"__proto__": [1]}'))).toEqual(JSON.parse('{"__proto__": [1]}'));
  });

  it("are split and compared without losing a line", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        for (const word of ["call", "result", "assistant"] as const) readingOf({ word }, one);
        const edit = readingOf({ word: "call" }, JSON.stringify({ path: one, old_string: one, new_string: other }));
        if (edit.as !== "changes") return;
        const lines = edit.changes.flatMap((change) => change.lines);
        const shown = unified(diffRows(lines)).map(
          ({ sign, pieces }) => sign + pieces.map((piece) => piece.text).join(""),
        );
        expect(shown.toSorted()).toEqual(lines.map((line) => line.sign + line.text).toSorted());
      }),
      { numRuns: runs(400) },
    );
  });

  it("are rendered in limited time, even if a pattern is repeated many times", () => {
    const render = (one: string, as: keyof typeof RENDERERS): number => {
      const before = processorMs();
      html(RENDERERS[as](one));
      return processorMs() - before;
    };
    const slow: string[] = [];
    for (const piece of [...PIECES, "[a](", "![", "_a __a ", "*a **a ", "<a ", "a@a.", "[a][", "`a``"]) {
      const long = piece.repeat(Math.ceil(10_000 / piece.length));
      for (const as of ["markdown", "code", "output"] as const) {
        if (render(long, as) > LONG_MS) slow.push(`${as} ${JSON.stringify(piece)}`);
      }
    }
    expect(slow).toEqual([]);
  });
});
