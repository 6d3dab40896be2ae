import { useMutation } from "@tanstack/react-query";
import { type ChangeEvent, useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/hooks/use-error-text";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { addProfile } from "@/lib/api/client";
import type { StoredProfile } from "@/lib/api/types";

const EXAMPLE = `{
  "systemPrompt": 4500,
  "tools": [{ "name": "read_file", "schema": {} }],
  "memoryFiles": [{ "path": "AGENTS.md", "content": "…" }],
  "skills": [{ "name": "pdf", "description": "…" }]
}`;

/** Takes a context profile as JSON, pasted or read from a file, and reports what is wrong with it field by field. */
export function NewProfile({ onAdded }: { readonly onAdded: (profile: StoredProfile) => void }) {
  const t = useTranslations("session.overhead");
  const errorText = useErrorText();
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [notJson, setNotJson] = useState(false);
  const field = useId();
  const save = useMutation({
    mutationFn: (profile: unknown) => addProfile(name.trim() || t("untitled"), { profile }),
    onSuccess: (profile) => {
      setName("");
      setText("");
      onAdded(profile);
    },
  });
  const submit = (): void => {
    const profile = parsed(text);
    setNotJson(profile === undefined);
    if (profile !== undefined) save.mutate(profile);
  };
  const load = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0];
    event.target.value = "";
    if (file === undefined) return;
    setText(await file.text());
    setName((before) => before || file.name.replace(/\.json$/i, ""));
  };
  return (
    <form
      className="mt-4 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3 className="font-semibold">{t("new")}</h3>
      <Input
        aria-label={t("name")}
        placeholder={t("name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <label htmlFor={field} className="text-sm text-t2">
        {t("json")}
      </label>
      <textarea
        id={field}
        rows={8}
        spellCheck={false}
        placeholder={EXAMPLE}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="w-full rounded-md border border-line2 bg-bg p-2 font-mono text-xs placeholder:text-t3"
      />
      {(notJson || save.isError) && (
        <p role="alert" className="text-sm text-danger [overflow-wrap:anywhere]">
          {notJson ? t("notJson") : errorText(save.error)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={text.trim() === "" || save.isPending}>
          {t("save")}
        </Button>
        <Button asChild>
          <label className="cursor-pointer focus-within:outline-2">
            {t("load")}
            <input
              type="file"
              accept=".json,application/json"
              className="sr-only"
              onChange={(event) => void load(event)}
            />
          </label>
        </Button>
      </div>
    </form>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // A text that is not JSON gets its error message beside the field.
  }
}
