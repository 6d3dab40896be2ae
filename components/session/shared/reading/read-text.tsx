import { useMemo } from "react";
import { JsonView } from "react-json-view-lite";
import { useTranslations } from "use-intl";
import { useCopy } from "@/components/hooks/use-copy";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { getWholeItem } from "@/lib/queries/client/client";
import type { ItemLabel } from "../items/item-label";
import { useSession } from "../state/stores";
import { Changes } from "./changes";
import { NumberedCode } from "./code";
import { Markdown } from "./markdown";
import { readingOf } from "./reading";
import { Command, Output } from "./terminal";
import { Pages, Prose, Questions, Tasks } from "./tool-text";

interface ReadTextProps {
  readonly word: ItemLabel["word"];
  readonly text: string;
  readonly file: string | undefined;
  readonly tool?: string | undefined;
}

/** An item's text in its most readable form. */
export function ReadText({ word, text, file, tool }: ReadTextProps) {
  const reading = useMemo(() => readingOf({ word, file, tool }, text), [word, text, file, tool]);
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
    case "tasks":
      return <Tasks tasks={reading.tasks} note={reading.note} />;
    case "questions":
      return <Questions questions={reading.questions} />;
    case "prose":
      return <Prose head={reading.head} text={reading.text} />;
    case "pages":
      return <Pages pages={reading.pages} text={reading.text} />;
    case "plain":
      return <Output head="" text={reading.text} />;
  }
}

const STYLE = {
  container: "font-mono text-sm break-words text-t1",
  basicChildStyle: "ml-4",
  childFieldsContainer: "",
  label: "mr-1 text-t2",
  clickableLabel: "mr-1 cursor-pointer text-t2",
  nullValue: "text-t3",
  undefinedValue: "text-t3",
  numberValue: "text-t1",
  stringValue: "whitespace-pre-wrap text-t1",
  booleanValue: "text-t1",
  otherValue: "text-t1",
  punctuation: "text-t3",
  expandIcon: "-ml-4 inline-block w-4 cursor-pointer text-t3 before:content-['▸']",
  collapseIcon: "-ml-4 inline-block w-4 cursor-pointer text-t3 before:content-['▾']",
  collapsedContent: "cursor-pointer text-t3 before:content-['…']",
  noQuotesForStringValues: true,
  quotesForFieldNames: false,
  stringifyStringValues: false,
};

/** A JSON value as a collapsible tree. */
export function Json({ value }: { readonly value: object }) {
  const t = useTranslations("session.reading");
  const { data, open } = useMemo(() => {
    const tree = grouped(value);
    return { data: tree, open: openAtFirst(tree) };
  }, [value]);
  return (
    <div className="pl-4">
      <JsonView
        data={data}
        style={{ ...STYLE, ariaLables: { collapseJson: t("fold"), expandJson: t("unfold") } }}
        shouldExpandNode={(_level, node: object) => open.has(node)}
        clickToExpandNode
        aria-label={t("json")}
      />
    </div>
  );
}

/** Lists and objects with more values than this are grouped. */
const MAX_TOGETHER = 100;
/** Maximum number of values shown at first, their maximum depth, and the maximum number of values in an initially open one. */
const OPEN = { values: 300, levels: 3, size: 40 };
/** Deeper values stay collapsed until pressed. */
const MAX_DEPTH = 100;

type Holder = Readonly<Record<string, unknown>>;

/**
 * A JSON value for a tree that is rendered on opening: the values of a long list or object are grouped by index, such as `0 … 99`, so that opening
 * one renders at most one group.
 */
export function grouped(value: object, depth = 0): object {
  if (depth > MAX_DEPTH) return value;
  const inner = (one: unknown): unknown => (typeof one === "object" && one !== null ? grouped(one, depth + 1) : one);
  const keys = Object.keys(value);
  if (keys.length <= MAX_TOGETHER) {
    if (Array.isArray(value)) return value.map(inner);
    return fromEntries(Object.entries(value).map(([key, one]) => [key, inner(one)]));
  }
  return groups(Object.entries(value).map(([key, one]) => [key, inner(one)] as const));
}

type Entry = readonly [key: string, value: unknown];

function groups(entries: readonly Entry[], all = entries.length, each = 1): object {
  if (entries.length <= MAX_TOGETHER) return fromEntries(entries);
  const parts: Entry[] = [];
  for (let at = 0; at < entries.length; at += MAX_TOGETHER) {
    const end = Math.min(all, (at + MAX_TOGETHER) * each);
    parts.push([`${at * each} … ${end - 1}`, fromEntries(entries.slice(at, at + MAX_TOGETHER))]);
  }
  return groups(parts, all, each * MAX_TOGETHER);
}

/** Also for keys that a plain assignment would treat specially, such as `__proto__`. */
function fromEntries(entries: readonly Entry[]): Holder {
  return Object.fromEntries(entries);
}

/** The objects and lists that are open at first: the outer ones, up to a small number of values. */
export function openAtFirst(value: object): ReadonlySet<object> {
  const open = new Set<object>();
  let level: object[] = [value];
  let left = OPEN.values;
  for (let depth = 0; depth < OPEN.levels; depth += 1) {
    const next: object[] = [];
    for (const one of level) {
      const values = Object.values(one);
      if (values.length > OPEN.size || values.length > left) continue;
      left -= values.length;
      open.add(one);
      next.push(...values.filter((inner) => typeof inner === "object" && inner !== null));
    }
    level = next;
  }
  return open;
}

interface CopyTextProps {
  readonly item: number;
  /** The full text, once loaded. */
  readonly text: string | undefined;
}

/** Copies an item's full text as in the file, even if only its beginning is shown. */
export function CopyText({ item, text }: CopyTextProps) {
  const t = useTranslations("session.copy");
  const { id, version } = useSession("id", "version");
  const [copyState, copy] = useCopy();
  const whole = async () => text ?? (await getWholeItem(id, { item, at: version }).catch(() => null))?.text;
  return (
    <Button variant="ghost" onClick={async () => copy(await whole())}>
      <span aria-live="polite">{t(copyState ?? "text")}</span>
    </Button>
  );
}
