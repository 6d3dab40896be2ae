import { useMemo } from "react";
import { JsonView } from "react-json-view-lite";
import { useTranslations } from "use-intl";
import { grouped, openAtFirst } from "./json-tree";

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

/** A value of JSON as a tree that folds. */
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
