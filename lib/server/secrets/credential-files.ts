import { isReference, isWordy, SHELL, type TextRange, valueAt } from "./values";

/** `.netrc`; `.pgpass`; a wallet's phrase; registries of Docker; files with one key; keys in JSON; hashes of `htpasswd` are found by their format. */
const NETRC =
  /\b(?:machine[ \t]{1,20}\S{1,200}|default)\s{1,40}login\s{1,20}\S{1,200}\s{1,40}(?:account\s{1,20}\S{1,200}\s{1,40})?password\s{1,20}(\S{1,500})|\bmachine\s{1,20}\S{1,200}\s{1,40}password\s{1,20}(\S{1,500})|^\s{0,20}login[ \t]{1,8}\S{1,100}[ \t]{1,8}password[ \t]{1,8}(\S{1,500})/gm;
const PGPASS =
  /^[ \t\d→|+>-]{0,20}(?:[\w*-]{1,100}\.){0,10}[\w*-]{1,100}:(?:\d{3,5}|\*):(?!\d{1,6}:)[\w*-]{1,63}:[\w*.@-]{1,63}:([^\s:]{4,200})[ \t]{0,4}$/gm;
const DOCKER =
  /["'](?:auth|identitytoken|registrytoken|_auth|_password)\\{0,4}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,4}["']([A-Za-z0-9+/_=.-]{8,4096})|\b_(?:auth|password)[ \t]{0,4}=[ \t]{0,4}["']?([A-Za-z0-9+/=]{8,1000})/g;
const KUBERNETES =
  /\b(?:client-key-data|token-data|id-token|refresh-token|access-token|client-secret|token|password)[ \t]{0,4}:[ \t]{1,4}["']?([A-Za-z0-9+/=._-]{16,8192})/g;
const WALLET =
  /\b(?:mnemonic|seed[ _]phrase|recovery[ _]phrase|secret[ _]phrase)\b[^\n]{0,40}?[\s:="'`]((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![a-z])/gi;
const UNSEAL = /\b(?:Unseal|Recovery)[ \t]Key[ \t]\d{1,2}:[ \t]{1,4}(\S{20,100})/g;
/** A user and a password of Oracle; the user and the password of a Windows share. */
const ORACLE = /(?:\bsqlplus[ \t]{1,4}(?:-\w{1,4}[ \t]{1,4}){0,3}["']?|\bthin:)[\w$]{1,60}\/([^\s@"'/]{3,100})@/g;
const SHARE = /\bnet[ \t]use\b[^\n]{0,200}\/user:\S{1,80}[ \t]{1,4}(\S{3,100})/g;
/** A file that holds only one key, printed after its name. */
const KEY_FILE =
  /(?:\.key|\.vault_pass\w{0,10}|\.erlang\.cookie)["']?[ \t]{0,4}\r?\n[ \t]{0,8}(?:\d{1,6}[→:|\t][ \t]{0,4})?([\w+/=-]{16,128})[ \t]{0,4}$/gm;
const KEY_TYPE = /["']kty\\{0,4}["']/g;
const KEY_PARTS = /["'](?:d|p|q|dp|dq|qi|k)\\{0,4}["'][ \t]{0,4}:[ \t]{0,4}\\{0,4}["']([A-Za-z0-9_-]{16,2000})/g;

export function* credentialFiles(text: string): Iterable<TextRange | undefined> {
  for (const form of [NETRC, PGPASS, DOCKER, KUBERNETES, WALLET, UNSEAL, ORACLE, SHARE, KEY_FILE]) {
    for (const match of text.matchAll(form)) {
      const secret = match.slice(1).find((group) => group !== undefined) ?? "";
      const from = match.index + match[0].lastIndexOf(secret);
      const isPlain = [KUBERNETES, DOCKER, KEY_FILE].includes(form) && /^[a-z_.-]+$/i.test(secret) && isWordy(secret);
      if (!isPlain && !isReference(secret)) yield { from, to: from + secret.length };
    }
  }
  yield* secretsOfKubernetes(text);
  let done = 0;
  for (const { index } of text.matchAll(KEY_TYPE)) {
    const from = Math.max(done, index - JSON_KEY);
    done = index + JSON_KEY;
    for (const match of text.slice(from, index + JSON_KEY).matchAll(KEY_PARTS)) {
      const secret = match[1] ?? "";
      const at = from + match.index + match[0].lastIndexOf(secret);
      yield { from: at, to: at + secret.length };
    }
  }
}

/** Maximum distance between a JSON Web Key's type and its parts. */
const JSON_KEY = 4000;

/** A Kubernetes `Secret`: the values of its `data` and `stringData`, under any key. */
const SECRET_KIND = /\bkind\\{0,4}["']?[ \t]{0,4}:[ \t]{0,4}\\{0,4}["']?(?:Sealed)?Secret\b/g;
const DATA = /\b(?:data|stringData)\\{0,4}["']?[ \t]{0,4}:[ \t]{0,4}(?:\{|\r?\n|\\n)/g;
const FIELD = /[\w.-]{1,253}\\{0,4}["']?[ \t]{0,4}:[ \t]{0,4}/y;
/** Maximum distance between a secret's kind and its data. */
const MANIFEST = 8000;
const NOT_DATA = /^(?:apiVersion|kind|metadata|type|immutable|name|namespace|labels|annotations|data|stringData)\b/;

function* secretsOfKubernetes(text: string): Iterable<TextRange | undefined> {
  let done = 0;
  for (const { index } of text.matchAll(SECRET_KIND)) {
    const from = Math.max(done, index - MANIFEST);
    const part = text.slice(from, index + MANIFEST);
    for (const match of part.matchAll(DATA)) yield* fieldsFrom(part, match.index + match[0].length, from);
    done = index + MANIFEST;
  }
}

/** The values of consecutive fields, up to the first one that is not data. */
function* fieldsFrom(part: string, begin: number, offset: number): Iterable<TextRange> {
  let at = begin;
  for (;;) {
    const gap =
      /^(?:[\s+>|,→"']|\d{1,6}(?=[ \t→|:])|-(?!--)|\\n|\\"){0,60}/.exec(part.slice(at, at + 200))?.[0].length ?? 0;
    at += gap;
    if (NOT_DATA.test(part.slice(at, at + 20))) return;
    FIELD.lastIndex = at;
    if (!FIELD.test(part)) return;
    const value = valueAt(part, FIELD.lastIndex, SHELL);
    if (value === undefined) return;
    if (!isReference(value.value)) yield { from: offset + value.from, to: offset + value.to };
    at = value.to;
  }
}
