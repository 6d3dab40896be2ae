import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { isInRange, type SettingSpec, type SettingValue } from "@/lib/core/compaction/settings/settings";
import { NumberField } from "./number-field";
import { usePolicyWords } from "./use-words";

interface OptionalNumberSettingProps {
  readonly id: string;
  readonly spec: Extract<SettingSpec, { type: "optional-number" }>;
  readonly head: ReactNode;
  readonly value: SettingValue;
  readonly changed: boolean;
  readonly onChange: (value: number | null) => void;
}

/** A number that may be unset. An empty field leaves the policy's own rule in force. */
export function OptionalNumberSetting({ id, spec, head, value, changed, onChange }: OptionalNumberSettingProps) {
  const t = useTranslations("replay.panel");
  const words = usePolicyWords();
  return (
    <div className="flex min-h-7 items-center gap-2">
      {head}
      <NumberField
        id={id}
        value={typeof value === "number" ? value : null}
        placeholder={t("unset")}
        changed={changed}
        parse={(text) => parseOptional(spec, text)}
        onValue={onChange}
      />
      <span className="w-16 shrink-0 text-sm text-t2">{words.unit(spec.unit)}</span>
    </div>
  );
}

/** The number that was typed; `null` for an empty field, `undefined` where it is not a number or out of range. */
function parseOptional(spec: OptionalNumberSettingProps["spec"], text: string): number | null | undefined {
  if (text.trim() === "") return null;
  const typed = Number(text.replaceAll(/[\s,_]/g, ""));
  return isInRange(spec, typed) ? typed : undefined;
}
