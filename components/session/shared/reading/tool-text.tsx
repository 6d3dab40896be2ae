import { Circle, CircleCheck, CircleDot, CircleSlash, type LucideIcon } from "lucide-react";
import { useTranslations } from "use-intl";
import { Chip } from "@/components/ui/chip";
import { cn } from "@/components/ui/cn";
import { Markdown, ShownLink } from "./markdown";
import type { FoundPage, Question, Task } from "./tool-readings";

const STATE_ICONS: Readonly<Record<Task["state"], LucideIcon>> = {
  done: CircleCheck,
  active: CircleDot,
  open: Circle,
  cancelled: CircleSlash,
};

interface TasksProps {
  readonly tasks: readonly Task[];
  readonly note: string;
}

/** A list of tasks with the state of each. */
export function Tasks({ tasks, note }: TasksProps) {
  const t = useTranslations("session.reading");
  return (
    <div className="flex flex-col gap-1">
      {note !== "" && <Markdown text={note} />}
      <ul className="flex flex-col gap-0.5">
        {tasks.map(({ text, state }, index) => {
          const Icon = STATE_ICONS[state];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no identity beyond their place
            <li key={index} className="flex gap-2">
              <Icon
                aria-hidden
                className={cn("mt-0.5 size-3.5 shrink-0", state === "active" ? "text-accent" : "text-t3")}
              />
              <span className="sr-only">{t(`task.${state}`)}</span>
              <span
                className={cn(
                  state === "active" && "font-medium",
                  state === "done" && "text-t3",
                  state === "cancelled" && "text-t3 line-through",
                )}
              >
                {text}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Questions to the user and the answers to choose from. */
export function Questions({ questions }: { readonly questions: readonly Question[] }) {
  return questions.map(({ text, options }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: questions have no identity beyond their place
    <div key={index} className="mb-2 max-w-[80ch]">
      <p className="font-medium">{text}</p>
      <ul className="mt-1 flex flex-col gap-0.5 pl-4">
        {options.map(({ label, description }) => (
          <li key={label} className="list-disc">
            {label}
            {description !== "" && <span className="text-t2"> · {description}</span>}
          </li>
        ))}
      </ul>
    </div>
  ));
}

interface ProseProps {
  readonly head: readonly string[];
  readonly text: string;
}

/** A text in Markdown, below short facts about it. */
export function Prose({ head, text }: ProseProps) {
  return (
    <div className="flex flex-col gap-1 border-l-2 border-line2 pl-3">
      {head.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {head.map((fact) => (
            <Chip key={fact} className="h-auto max-w-full break-all whitespace-normal">
              {fact}
            </Chip>
          ))}
        </p>
      )}
      <Markdown text={text} />
    </div>
  );
}

interface PagesProps {
  readonly pages: readonly FoundPage[];
  readonly text: string;
}

/** The pages that a web search found, and the text about them. */
export function Pages({ pages, text }: PagesProps) {
  return (
    <div className="flex flex-col gap-2">
      <ol className="flex max-w-[80ch] list-decimal flex-col gap-0.5 pl-6">
        {pages.map(({ title, address }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a search may find a page twice
          <li key={index}>
            <ShownLink address={address}>{title}</ShownLink>
          </li>
        ))}
      </ol>
      {text !== "" && <Markdown text={text} />}
    </div>
  );
}
