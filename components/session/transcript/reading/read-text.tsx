import { useMemo } from "react";
import { cn } from "@/components/ui/cn";
import type { ItemLabel } from "../item-label";
import { Changes } from "./changes";
import { NumberedCode } from "./code";
import { Json } from "./json";
import { Markdown } from "./markdown";
import { readingOf } from "./reading";
import { Command, Output } from "./terminal";

export { CopyText } from "./copy-text";

interface ReadTextProps {
  readonly word: ItemLabel["word"];
  readonly text: string;
  readonly file: string | undefined;
}

/** An item's text in the form in which it is best read. */
export function ReadText({ word, text, file }: ReadTextProps) {
  const reading = useMemo(() => readingOf(word, text, file), [word, text, file]);
  switch (reading.as) {
    case "markdown":
      return (
        <div className={cn(word === "thinking" && "border-l-2 border-line2 pl-3 text-t2 italic")}>
          <Markdown text={reading.text} />
        </div>
      );
    case "code":
      return <NumberedCode text={reading.text} language={reading.language} numbers={reading.numbers} />;
    case "changes":
      return <Changes changes={reading.changes} />;
    case "command":
      return <Command command={reading.command} folder={reading.folder} />;
    case "terminal":
      return <Output head={reading.head} text={reading.text} />;
    case "json":
      return <Json value={reading.value} />;
    case "plain":
      return <Output head="" text={reading.text} />;
  }
}
