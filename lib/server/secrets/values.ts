/** Decides whether a value is a secret, code, or a placeholder. */

/** Marks of examples: `YOUR_API_KEY`, `sk-xxxxxxxx`, `AKIA…EXAMPLE`, `****`. */
const EXAMPLE =
  /x{6}|X{6}|\*{3}|\.{3}|…|•{3}|●{3}|-{6}|_{4}|EXAMPLE(?:KEY)?$|(?:^|[^A-Za-z])your(?![a-z])|your[-_]?(?:api|token|key|secret|pass)|YOUR_|placeholder|PLACEHOLDER|change[-_]?me(?![a-z])|CHANGE_?ME|redacted|REDACTED|\[masked\]/;

/** True for a token that is only a placeholder. */
export function isExample(value: string): boolean {
  return EXAMPLE.test(value);
}

const PLACEHOLDER_WORD =
  /(?:^|[^a-z])(?:example|sample|dummy|fake|your|my|some|the|insert|replace|todo|fixme|test)(?![a-z])/i;

/** Names and types that replace a value in code or documentation. */
const WORDS = new Set(
  `password passwd passphrase pass pwd secret secrets token tokens key keys string number boolean bool bytes none null nil undefined true false yes no on off required optional
  value text any unknown never object env prompt default void test auto inherit basic bearer hidden invalid missing wrong incorrect expired empty unset forgotten reset changed
  plain plaintext encrypted hashed protected disabled enabled user username login account email name id type str int float char varchar bearer_token api_key apikey include omit same-origin`.split(
    /\s+/,
  ),
);

/** References to a value elsewhere: `$NAME`, `${…}`, `$(…)`, `%NAME%`, `<name>`, `{{ … }}`, `#{…}`, `@NAME@`, `!Ref …`, `[masked]`. */
const REFERENCE =
  /^(?:\$[A-Za-z_]\w*$|\$[{(]|\$\$?[a-z]+:|%\w+%$|%[({]|%[sdvr]$|<[^<>]*>?$|\{|\[|#\{|@\w+@$|!(?:Ref|Sub|GetAtt|ImportValue|vault)\b|&|\*\w+$|op:\/\/|vault:|arn:|secretsmanager|ssm:|env[:.(])/;

/** True for a reference or a word, not a value. */
export function isReference(value: string): boolean {
  return (
    REFERENCE.test(value) ||
    WORDS.has(value.toLowerCase()) ||
    isExample(value) ||
    isRepeated(value) ||
    isTemplate(value) ||
    (PLACEHOLDER_WORD.test(value) && isWordy(value))
  );
}

/** A template with little besides its parameters: `${home}/.config`. */
function isTemplate(value: string): boolean {
  const rest = value.replace(/\$?\{[^{}]{0,200}\}/g, "");
  return rest !== value && (rest.length < 6 || isWordy(rest));
}

/** One character over and over. */
function isRepeated(value: string): boolean {
  return value.length > 3 && /^(.)\1*$/.test(value);
}

/** An expression of a program: a name, a chain of names, a call, an index. */
const CODE =
  /^(?:[A-Za-z_$][\w$]*(?:\?|!)?(?:\.[A-Za-z_$][\w$]*(?:\?|!)?)*(?:\(|\[|$)|[\d.,:_-]+[a-z]{0,2}$|(?:new|await|typeof|function|lambda|async|return|this|self|process|os|config|settings|ctx|req|res|import|require)\b|(?:0x)?[\da-f]{1,8}$)|=>|\|\||&&|::|->/;

export function isCode(value: string): boolean {
  return CODE.test(value) && isWordy(value);
}

/** Parts of a name: `getUserToken2` has four. */
const PARTS = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/** Minimum mean length of a name's parts, in letters and digits; in random text it is two. */
const WORD_LENGTH = 3;

/** True if it is made of words, as names and sentences are. */
export function isWordy(value: string): boolean {
  const words = value.split(/[-_.:/ ]/);
  // A name with numbers: `gemini-2.5-pro`
  if (words.length > 1 && words.every((word) => /^(?:[A-Za-z]*|\d{1,8})$/.test(word))) return true;
  if (/[bcdfghjklmnpqrstvwxz]{5}/i.test(value)) return false;
  const parts = value.match(PARTS) ?? [];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return parts.length === 0 || length / parts.length >= WORD_LENGTH;
}

/** Characters of tokens and keys. */
const TOKEN = /^[\w+/=.~:!@#$%^*|-]+$/;

/** True if it looks random: mixed letters and digits, with no words. */
export function isRandom(value: string, least: number): boolean {
  if (value.length < least || !TOKEN.test(value)) return false;
  const isMixed = /\d/.test(value) ? /[A-Za-z]/.test(value) : /[a-z]/.test(value) && /[A-Z]/.test(value);
  return isMixed && !isWordy(value);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** A part of a text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A value in a text, without the quotes around it. */
export interface Value extends TextRange {
  readonly value: string;
  readonly isQuoted: boolean;
  /** Characters right after a bare value. */
  readonly next: string;
}

/** Maximum characters of a value. */
const MAX_VALUE_CHARS = 2000;
const QUOTE = /[rbfuL@$]{0,2}(\\{0,4})(["'`])/y;
/** Characters of bare values: in a program or a settings file, and in a shell, which takes everything up to a space. */
export const BARE = /[^\s"'`,;<>{}()[\]|&\\]{1,2000}/y;
export const SHELL = /(?:[^\s"'`\\|]|\\[^\s\\nrt"']){1,2000}/y;

/** The value at a position. */
export function valueAt(text: string, at: number, bare: RegExp): Value | undefined {
  QUOTE.lastIndex = at;
  const quote = QUOTE.exec(text);
  if (quote !== null) return quotedValue(text, QUOTE.lastIndex, quote[1] ?? "", quote[2] ?? "");
  bare.lastIndex = at;
  const value = bare.exec(text)?.[0].replace(/[;,.)\]}]{1,3}$/, "");
  if (value === undefined || value === "") return undefined;
  const to = at + value.length;
  return { value, from: at, to, isQuoted: false, next: text.charAt(to) };
}

/** A value after an opening quote, up to the same one, the end of the line, or the end of the text. */
function quotedValue(text: string, from: number, backslashes: string, mark: string): Value | undefined {
  let to = from;
  const end = Math.min(text.length, from + MAX_VALUE_CHARS);
  for (; to < end; to++) {
    const char = text.charAt(to);
    if (char === "\n") break;
    if (char === mark) break;
    if (char === "\\") {
      if (backslashes !== "" && text.startsWith(backslashes + mark, to)) break;
      if (backslashes === "" && to + 1 < end && text.charAt(to + 1) !== "\n") to++;
    }
  }
  if (to === from) return undefined;
  return { value: text.slice(from, to), from, to, isQuoted: true, next: text.charAt(to) };
}
