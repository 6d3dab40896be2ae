import { useEffect, useState } from "react";

/**
 * A value once it has not changed for a moment: what is typed, when the typing pauses.
 * @param value an object has to stay the same one while nothing in it changes, or it never settles
 * @param first the value until then
 */
export function useSettled<Value>(value: Value, ms: number, first: Value = value): Value {
  const [settled, setSettled] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
