import { type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { Choice } from "@/components/ui/choice";
import { Input } from "@/components/ui/input";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { ITEM_WORDS } from "@/lib/core/columns/item-filter";
import { useSession, useView, useViewActions } from "../shared/state/stores";

const ANY = "any";

/** Filters of the searched items. */
export function Conditions() {
  const t = useTranslations("session");
  const { columns } = useSession("columns");
  const { pin, findFilter: filter } = useView("pin", "findFilter");
  const { setFindFilter: setFilter } = useViewActions();
  const { tools } = columns.tables;
  const any = [ANY, t("find.any")] as const;
  const request = pin ?? columns.requests.length - 1;
  return (
    <>
      <Condition name={t("find.kind")}>
        {(id) => (
          <Choice
            id={id}
            value={filter.kind ?? ANY}
            options={[any, ...ITEM_WORDS.map((word) => [word, t(`item.${word}`)] as const)]}
            onChange={(kind) => setFilter({ kind: kind === ANY ? null : kind })}
          />
        )}
      </Condition>
      {tools.length > 0 && (
        <Condition name={t("find.tool")}>
          {(id) => (
            <Choice
              id={id}
              value={toolKey(filter.tool)}
              options={[any, ...tools.toSorted().map((tool) => [toolKey(tool), tool] as const)]}
              onChange={(key) => setFilter({ tool: tools.find((tool) => toolKey(tool) === key) ?? null })}
            />
          )}
        </Condition>
      )}
      <Condition name={t("find.file")}>
        {(id) => (
          <Input
            id={id}
            value={filter.file ?? ""}
            placeholder={t("find.fileHint")}
            onChange={({ target }) => setFilter({ file: target.value === "" ? null : target.value })}
          />
        )}
      </Condition>
      <ToggleGroup
        label={t("find.context", { request })}
        value={filter.context ?? ANY}
        options={[any, ["in", t("find.in")], ["out", t("find.out")]]}
        onChange={(context) => setFilter({ context: context === ANY ? null : context })}
        className="justify-self-start"
      />
      <p className="text-sm text-t3">{t("find.context", { request })}</p>
    </>
  );
}

/** A tool's value in the list, distinct from the list's other values. */
function toolKey(tool: string | null): string {
  return tool === null ? ANY : `tool ${tool}`;
}

interface ConditionProps {
  readonly name: string;
  readonly children: (id: string) => ReactNode;
}

function Condition({ name, children }: ConditionProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[4rem_1fr] items-center gap-2">
      <label htmlFor={id} className="text-sm text-t2">
        {name}
      </label>
      {children(id)}
    </div>
  );
}
