import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "@/components/ui/select";

interface ChoiceProps {
  readonly className?: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly placeholder?: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

/** A labelled list to choose one value from. */
export function Choice({ label, value, placeholder, options, onChange, className }: ChoiceProps) {
  return (
    // An unset value becomes "", so that the select stays controlled and shows its placeholder.
    <Select value={value ?? ""} onValueChange={onChange}>
      <SelectTrigger aria-label={label} className={className}>
        <SelectValue placeholder={placeholder} />
      </SelectTrigger>
      <SelectContent>
        {options.map(([id, name]) => (
          <SelectItem key={id} value={id}>
            {name}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
