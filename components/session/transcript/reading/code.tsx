import { useMemo } from "react";
import { type Coloured, coloured } from "./languages";

/** The colours of the parts of code, in our palette. */
const COLOURS: Readonly<Record<string, string>> = {
  "hljs-comment": "text-t3 italic",
  "hljs-quote": "text-t3 italic",
  "hljs-keyword": "text-[color-mix(in_srgb,var(--c-skills)_70%,var(--t1))]",
  "hljs-literal": "text-[color-mix(in_srgb,var(--c-skills)_70%,var(--t1))]",
  "hljs-built_in": "text-[color-mix(in_srgb,var(--c-skills)_70%,var(--t1))]",
  "hljs-type": "text-[color-mix(in_srgb,var(--policy-e)_70%,var(--t1))]",
  "hljs-string": "text-[color-mix(in_srgb,var(--c-builtin)_60%,var(--t1))]",
  "hljs-regexp": "text-[color-mix(in_srgb,var(--c-builtin)_60%,var(--t1))]",
  "hljs-number": "text-[color-mix(in_srgb,var(--c-mcp)_45%,var(--t1))]",
  "hljs-title": "text-[color-mix(in_srgb,var(--c-assistant)_65%,var(--t1))]",
  "hljs-attr": "text-[color-mix(in_srgb,var(--c-assistant)_65%,var(--t1))]",
  "hljs-name": "text-[color-mix(in_srgb,var(--c-assistant)_65%,var(--t1))]",
  "hljs-meta": "text-t2",
  "hljs-section": "font-semibold",
  "hljs-addition": "text-[color-mix(in_srgb,var(--c-builtin)_60%,var(--t1))]",
  "hljs-deletion": "text-danger",
};

interface CodeProps {
  readonly text: string;
  /** A name or a file ending. */
  readonly language: string;
}

/** Code, coloured where its language is known. */
export function Code({ text, language }: CodeProps) {
  return (
    <pre className="overflow-x-auto rounded-md border border-line bg-panel px-3 py-2 font-mono text-sm">
      <CodeText text={text} language={language} />
    </pre>
  );
}

/** Lines of a file beside their numbers. */
export function NumberedCode({ text, language, numbers }: CodeProps & { readonly numbers: readonly string[] }) {
  return (
    <div className="flex rounded-md border border-line bg-panel py-1 font-mono text-sm">
      <pre aria-hidden className="sticky left-0 border-r border-line bg-panel px-2 text-right text-t3 select-none">
        {numbers.join("\n")}
      </pre>
      <pre className="grow px-2 text-t1">
        <CodeText text={text} language={language} />
      </pre>
    </div>
  );
}

/** The coloured parts alone. */
function CodeText({ text, language }: CodeProps) {
  const found = useMemo(() => coloured(text, language), [text, language]);
  if (found === undefined) return text;
  return (
    <>
      <Parts parts={found.parts} />
      {found.rest}
    </>
  );
}

function Parts({ parts }: { readonly parts: Coloured }) {
  return parts.map((part, index) => {
    if (part.type === "text") return part.value;
    if (part.type !== "element") return null;
    const names = part.properties.className;
    const className = Array.isArray(names) ? names.map((name) => COLOURS[String(name)] ?? "").join(" ") : "";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of code have no identity beyond their place
      <span key={index} className={className.trim() === "" ? undefined : className}>
        {/* The highlighter makes elements and texts only. */}
        <Parts parts={part.children as Coloured} />
      </span>
    );
  });
}
