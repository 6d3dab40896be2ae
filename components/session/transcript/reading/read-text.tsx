import { useMemo } from "react";
import type { ItemLabel } from "../item-label";
import { Changes } from "./changes";
import { Json } from "./json";
import { readingOf } from "./reading";
import { Command, Output } from "./terminal";

interface ReadTextProps {
  readonly word: ItemLabel["word"];
  readonly text: string;
}

/** An item's text in the form in which it is best read. */
export function ReadText({ word, text }: ReadTextProps) {
  const reading = useMemo(() => readingOf(word, text), [word, text]);
  switch (reading.as) {
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
