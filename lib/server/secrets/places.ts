import { credentialFiles } from "./credential-files";
import type { Finding } from "./finding";
import { type ExpectedValue, expectedValueOf, SERVICES } from "./names";
import {
  BARE,
  isCode,
  isExample,
  isRandom,
  isReference,
  isUuid,
  isWordy,
  SHELL,
  type TextRange,
  type Value,
  valueAt,
} from "./values";

/**
 * Secrets without a format of their own, by the text around them: assignments, headers, options of commands, addresses, cookies, and files that hold
 * only credentials. Repetitions have limits, so that they take time in proportion to the text.
 */

/** Rules, each with the ranges of a text that it finds. */
const RULES: Readonly<Record<string, (text: string) => Iterable<TextRange | undefined>>> = {
  jsonWebToken: jsonWebTokens,
  authorization: authorizations,
  address: addresses,
  commandLine: commandLines,
  cookie: cookies,
  credentialFile: credentialFiles,
  assignment: assignments,
};

/** Names of these rules, as `rule` of a mask. */
export const PLACE_RULES: readonly string[] = Object.keys(RULES);

export function byPlace(text: string): readonly Finding[] {
  return Object.entries(RULES).flatMap(([rule, find]) =>
    [...find(text)].flatMap((found) => (found === undefined || found.from >= found.to ? [] : [{ rule, ...found }])),
  );
}

/** A name, an assignment sign, and the start of the value. */
const ASSIGNMENT =
  /(?<![\w.](?<!\\[nrt]))(?<!\w-)([A-Za-z_][\w.-]{1,79})(?:\\{0,4}["'`])?\]?[ \t]{0,8}(?:(?::=|\+=|\?=|=>|[:=]|：)[ \t]{0,8}(?:[|>][-+]?\r?\n[ \t]{1,20})?|(?<=["'`]),[ \t]{0,20}(?=\\{0,4}["'`]))/g;
const BEFORE_NAME = 32;
/** Within a longer value, no further one is searched, or the time would be quadratic. */
const LONG = 500;

function* assignments(text: string): Iterable<TextRange | undefined> {
  let doneTo = 0;
  for (const { index, 0: whole, 1: name = "" } of text.matchAll(ASSIGNMENT)) {
    const before = text.slice(Math.max(0, index - BEFORE_NAME), index);
    // An argument after a quoted name, as in `define("KEY", "…")`, but not a list of words.
    if (index < doneTo || (whole.trimEnd().endsWith(",") && !/\(\s*\\{0,4}["'`]$/.test(before))) continue;
    const expected = expectedValueOf(name, before);
    if (expected === undefined) continue;
    yield* phrases(text, index + whole.length, name);
    const isVariable = /^[A-Z][A-Z\d_]+$/.test(name.replace(/^[nrt](?=[A-Z])/, "")) && whole.endsWith("=");
    const value = valueAt(text, index + whole.length, isVariable ? SHELL : BARE);
    if (value === undefined) continue;
    if (value.to - value.from > LONG) doneTo = value.to;
    const isLine = /:[ \t]*$/.test(whole) && isWholeLine(text, index, value.to);
    if (!isAnother(name, value.value) && isSecret(value, expected, { isVariable, isLine, name })) yield value;
  }
  yield* pairs(text);
  yield* sentences(text);
  yield* connections(text);
}

interface AssignmentForm {
  /** The name is an environment variable (`DB_PASSWORD=`), whose value is never an expression. */
  readonly isVariable: boolean;
  /** Name and value fill a line, as in YAML. */
  readonly isLine: boolean;
  readonly name: string;
}

function isSecret(found: Value, expected: ExpectedValue, form: AssignmentForm): boolean {
  const { value, isQuoted, next } = found;
  if (value.length < 4 || isReference(value)) return false;
  if (!isQuoted && !form.isVariable && /[([]/.test(next)) return false;
  if (expected === "service") return isRandom(value, 20) && /^\w+$/.test(value);
  if ((expected === "token" || /secret|cred/i.test(form.name)) && isToken(value, form.name)) return true;
  if (form.isVariable)
    return (
      expected === "password" || (value.length >= 16 && (/\d/.test(value) || !isWordy(value)) && !isPathOrName(value))
    );
  return expected === "password" && !isPathOrName(value) && isPassword(found, form);
}

/** Names of ids: their values look like keys, but are not secret. */
const OTHER_IDS = /session|request|trace|user|client|tenant|device|message/i;

function isToken(value: string, name: string): boolean {
  if (isRandom(value, 8) || (isUuid(value) && !OTHER_IDS.test(name))) return true;
  return /^(?:base64:)?[A-Za-z0-9+/_-]{16,}={1,2}$/.test(value) || /^(?:0x)?[\da-f]{16,}$/i.test(value);
}

/** True for a password, which may be a word too, and not a name or an expression of a program. */
function isPassword({ value, isQuoted }: Value, { isLine, name }: AssignmentForm): boolean {
  if (isQuoted && /\s/.test(value)) return isPassPhrase(value, name);
  if (isQuoted) return !isCode(value) || /\d/.test(value) || !isIdentifier(value);
  if (isCode(value) && !/[a-z]\d|\d[a-z]/i.test(value))
    return isLine && /^[a-z]{8,}$/.test(value) && !value.endsWith("s");
  const inside = value.replace(/[!?.:]{1,8}$/, "");
  return /\d/.test(inside) || /[!@#$%^*]/.test(inside) || (/\W/.test(inside) && (isLine || !isWordy(inside)));
}

/** A quoted value of several words. A label or a message ends like a sentence, or begins with a capital letter. */
function isPassPhrase(value: string, name: string): boolean {
  return (
    /pass|pwd|mnemonic|seed/i.test(name) &&
    /^[a-z\d !@#$%^&*-]+$/i.test(value) &&
    !/^[A-Z][a-z]+ [a-z]/.test(value) &&
    value.split(" ").length >= 3
  );
}

/** A path, an address without a password, or a name with words about secrets. */
function isPathOrName(value: string): boolean {
  if (/^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[a-z]+:\/\/|@\/|#[\da-f]{3,8}$|--)/.test(value)) return true;
  return isWordy(value) && /(?:secret|token|passw|credential|key)/i.test(value) && /[-_./: ]/.test(value);
}

/** A name as in code: words in camel case or with underscores. */
function isIdentifier(value: string): boolean {
  return /^[A-Za-z_][\w.]*$/.test(value) && isWordy(value) && (/[a-z][A-Z]|_|\./.test(value) || value.length < 6);
}

/** True if the value repeats the name: `password: newPassword`, `token=token2`. */
function isAnother(name: string, value: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, "");
  const [known, other] = [plain(name), plain(value)];
  return other === known || (/^[\w.]+$/.test(value) && /(?:password|passwd|pwd|secret|token|key)s?\d?$/i.test(value));
}

/** A phrase of at least twelve words, as in wallets. */
const PHRASE = /[\\"'`]{0,5}((?:[a-z]{3,8} ){11,23}[a-z]{3,8})/y;

/** The words of a wallet's phrase, in quotes or not. */
function* phrases(text: string, at: number, name: string): Iterable<TextRange> {
  if (!/mnemonic|seed|phrase/i.test(name)) return;
  PHRASE.lastIndex = at;
  const phrase = PHRASE.exec(text)?.[1];
  if (phrase !== undefined) yield { from: PHRASE.lastIndex - phrase.length, to: PHRASE.lastIndex };
}

/** True if name and value fill a line, except for its number, a diff sign and a comment. */
function isWholeLine(text: string, index: number, to: number): boolean {
  const before = text.slice(Math.max(0, index - BEFORE_NAME), index);
  const after = /^[^\n]{0,40}/.exec(text.slice(to, to + BEFORE_NAME + 8))?.[0] ?? "";
  return /^[\s>+|:\d→#-]*$/.test(before.slice(before.lastIndexOf("\n") + 1)) && /^\s*(?:#|$)/.test(after);
}

/** A name in one field and its value in the next: in lists of variables, and in XML. */
const PAIR =
  /(?:name|key|id|variable)\\{0,4}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,4}["']?([A-Za-z_][\w.:-]{2,79})\\{0,4}["']?[\s,;]{1,40}\\{0,4}["']?(?:value|val|content|default)\\{0,4}["']?[ \t]{0,4}[:=][ \t]{0,4}/gi;
const ELEMENT = /<([A-Za-z_][\w.:-]{1,79})(?: [^<>\n]{0,200})?>([^<>\s][^<>\n]{2,1000})<\//g;

function* pairs(text: string): Iterable<TextRange | undefined> {
  for (const { index, 0: whole, 1: name = "" } of text.matchAll(PAIR)) {
    const expected = expectedValueOf(name, "");
    const value = expected && valueAt(text, index + whole.length, SHELL);
    if (expected && value && isSecret(value, expected, { isVariable: true, isLine: true, name })) yield value;
  }
  for (const { index, 0: whole, 1: name = "", 2: value = "" } of text.matchAll(ELEMENT)) {
    const expected = expectedValueOf(name, "");
    const from = index + whole.lastIndexOf(value);
    const found = { value, from, to: from + value.length, isQuoted: true, next: "<" };
    if (expected && isSecret(found, expected, { isVariable: false, isLine: true, name })) yield found;
  }
}

/** Plain sentences: "the password is …", "my API key: …", "密码是…". */
const SENTENCE =
  /(?:\b(pass(?:word|phrase|code|wd)|pwd|pw|secret|token|credential|key|pin)s?\b(?:[ \t]{1,3}(?:for|of|to)[ \t]{1,3}[^\s]{1,40}(?:[ \t]{1,3}[^\s]{1,40})?)?(?:[ \t]{1,3}(?:is|was|to|be|as|=|->|set to|will be)[ \t]{1,3}|[ \t]{0,3}[:=][ \t]{1,3}|[ \t]{1,3}(?=[`"']))|(密码|口令|密钥|令牌|通行码)[ \t]{0,3}(?:[:：=]|是|为)[ \t]{0,3})/gi;
/** A service, a few words, and a random-looking value. */
const BESIDE_SERVICE =
  /\b(?:api|access|auth|secret|private|license|service|personal|integration|bot|deploy)?[ _-]?(?:key|token|secret|pat)\b[^\n\w]{1,4}(?:(?:is|was|here|now|value|id)[^\n\w]{1,4}){0,2}([\w+/=.~-]{16,200})/gi;

function* sentences(text: string): Iterable<TextRange | undefined> {
  let doneTo = 0;
  for (const { index, 0: whole, 1: word = "", 2: chinese } of text.matchAll(SENTENCE)) {
    const value = index < doneTo ? undefined : valueAt(text, index + whole.length, BARE);
    if (value !== undefined && value.to - value.from > LONG) doneTo = value.to;
    if (value === undefined || isReference(value.value) || value.value.length < 6 || /\s/.test(value.value)) continue;
    const isPassword = /^p/i.test(word) || /密码|口令|通行码/.test(chinese ?? "");
    const isMixed =
      /\d/.test(value.value) && /[A-Za-z]/.test(value.value) && !/^[\w-]+\(|[/\\]|^\d+[a-z]+$/.test(value.value);
    if (isRandom(value.value, 16) || (isPassword && isMixed && !isPathOrName(value.value) && value.value.length <= 64))
      yield value;
  }
  for (const { index, 0: whole, 1: value = "" } of text.matchAll(BESIDE_SERVICE)) {
    const from = index + whole.length - value.length;
    const before = text.slice(Math.max(0, index - BEFORE_NAME), index) + whole.slice(0, -value.length);
    if (isExample(value) || !(SERVICES.test(before) || /api|access|secret|auth|private/i.test(before))) continue;
    if (isRandom(value, 16) || (isUuid(value) && SERVICES.test(before))) yield { from, to: from + value.length };
  }
}

/** Statements and settings with a word and a space before the value. */
const STATEMENTS =
  /\b(?:IDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\w{1,40}[ \t]{1,4})?BY|(?:WITH[ \t]{1,4}|ENCRYPTED[ \t]{1,4})PASSWORD|PASSWORD(?=[ \t]{1,4}')|requirepass|masterauth|(?:ENV|ARG|setenv|setx|set)[ \t]{1,4}\w{0,60}(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|KEY)\w{0,20}|AUTH(?=[ \t]{1,4}\S{8,200}$)|expect[^\n]{0,60}pass(?:word|phrase)[^\n]{0,10}\n[ \t]{0,20}send|(?:user|SETUSER)[ \t]{1,4}\S{1,60}[ \t]{1,4}(?:on|off)[ \t]{1,4}(?:[+~&%][^\s>]{1,60}[ \t]{1,4}){0,8}>|-passin[ \t]{1,4}pass:|-passout[ \t]{1,4}pass:|user_pref\("[^"]{1,80}password",)[ \t]{0,4}(?:PASSWORD[ \t]{0,4})?/gim;

/** Calls that take a password or a key: `setPassword("…")`, `login("ada", "…")`, `auth=("ada", "…")`. */
const CALLS =
  /\b(?:\w{0,20}(?:Password|PASSWORD|Passwd|Secret|ApiKey|Token)|ConvertTo-SecureString)[ \t]{0,2}\(?[ \t]{0,4}(?=["'][^\s"']{6,200}["'])|\b(?:auth=|auth\(|login|getConnection|connect|authenticate|BasicAuth|basic_auth|signIn)\(?[^()\n]{0,120},[ \t]{0,4}(?=["'][^\s"']{6,200}["'][ \t]{0,2}\))|\b(?:mysqli|PDO|mysqli?_connect)\([ \t]{0,4}[^,()\n]{1,120},[ \t]{0,4}[^,()\n]{1,80},[ \t]{0,4}(?=["'][^\s"']{6,200}["'])/g;

function* connections(text: string): Iterable<TextRange | undefined> {
  for (const { index, 0: whole } of text.matchAll(CALLS)) {
    const value = valueAt(text, index + whole.length, BARE)?.value ?? "";
    const from = text.indexOf(value, index + whole.length);
    const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value) && !/[/\\:]|^[\w-]+\.\w{2,4}$/.test(value);
    if (isMixed && !isReference(value) && !isPathOrName(value) && !/^[a-z]+[-_]?\d+$/.test(value))
      yield { from, to: from + value.length };
  }
  for (const { index, 0: whole } of text.matchAll(STATEMENTS)) {
    const value = valueAt(text, index + whole.length, SHELL);
    if (value === undefined || value.value.length < 4 || isReference(value.value) || /^=/.test(value.value)) continue;
    if (value.isQuoted || /\d|[!@#$%^&*]/.test(value.value)) yield value;
  }
}

/** The schemes of `Authorization`, and headers that hold a key by themselves. */
const SCHEME =
  /\b(?:bearer|basic|token|digest|apikey|bot|ssws|negotiate|sso-key|splunk|genie-?key|hawk|key)[ \t]{1,4}([A-Za-z0-9._~+/=:-]{16,8192})/gi;
const HEADER =
  /\b(?:proxy-)?authorization\\{0,4}["']?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,4}["'`]?(?:(?:bearer|basic|token|digest|apikey|bot|ssws|splunk|key|aws4-hmac-sha256)[ \t]{1,4})?([^\s"'`\\<>{}$,]{6,8192})|\b(?:x-honeycomb-team|x-[a-z0-9-]{0,40}(?:key|token|secret|auth|password|signature)|(?:private|job|deploy|api)-(?:token|key)|dd-api-key|dd-application-key|circle-token|fastly-key|x-auth-[a-z]{1,20})\\{0,4}["']?[ \t]{0,4}[:=,][ \t]{0,4}\\{0,4}["'`]?([^\s"'`\\<>{}$,]{8,8192})/gi;

function* authorizations(text: string): Iterable<TextRange | undefined> {
  for (const { index, 0: whole, 1: secret = "" } of text.matchAll(SCHEME)) {
    const isPlain = /^(?:bearer|basic)/i.test(whole);
    const isToken = isPlain ? !/^[a-z-]+$/i.test(secret) || !isWordy(secret) : isRandom(secret, 16);
    if (isToken && !isReference(secret)) yield { from: index + whole.length - secret.length, to: index + whole.length };
  }
  for (const { index, 0: whole, 1: credentials, 2: key } of text.matchAll(HEADER)) {
    const secret = credentials ?? key ?? "";
    const isWord = /^[A-Za-z_.-]+$/.test(secret) && isWordy(secret);
    if (!isWord && !isReference(secret) && !isCode(secret))
      yield { from: index + whole.length - secret.length, to: index + whole.length };
  }
}

/** Passwords in addresses, tokens in place of a user, and parameters that sign an address. */
const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/:@"'<>\\]{0,128}):([^\s/"'<>\\]{1,512})@(?=[\w[$<{%])/gi;
const USER_TOKEN = /\bhttps?:\/\/([\w.~%+=-]{16,300})@[a-z0-9]/gi;
const PARAMETER =
  /[?&;](?:amp;)?(?:x-(?:amz|goog|oss|cos)-(?:signature|credential|security-token)|sig|signature|sign|token|access_token|id_token|refresh_token|auth_token|api_?key|apikey|key|secret|client_secret|password|passwd|pwd|pass|auth|code|hdnts|subscription-key|appid|access_key|awsaccesskeyid|ossaccesskeyid)=([^\s"'`&#<>\\;)]{6,4096})/gi;

function* addresses(text: string): Iterable<TextRange | undefined> {
  for (const { index, 0: whole, 1: user = "", 2: password = "" } of text.matchAll(ADDRESS)) {
    const to = index + whole.length - 1;
    if (isReference(password) || /^(?:pass(?:word)?|pw|pwd|secret|\.+|x+)$/i.test(password)) continue;
    if (/^\d{1,5}$/.test(password) && user.includes(".")) continue;
    yield { from: to - password.length, to };
  }
  for (const { index, 0: whole, 1: user = "" } of text.matchAll(USER_TOKEN)) {
    const from = index + whole.indexOf(user);
    if (isRandom(user, 16) && !isExample(user)) yield { from, to: from + user.length };
  }
  for (const { index, 0: whole, 1: secret = "" } of text.matchAll(PARAMETER)) {
    const isPassword = /^.(?:amp;)?(?:pass|pwd|client_secret|secret)/i.test(whole) && !isWordy(secret);
    const isToken =
      isRandom(secret, 12) || /%[\dA-F]{2}/.test(secret) || /^[\da-f]{16,}$/i.test(secret) || isUuid(secret);
    if (!isReference(secret) && (isPassword || isToken))
      yield { from: index + whole.length - secret.length, to: index + whole.length };
  }
}

const JSON_WEB_TOKEN =
  /\beyJ[A-Za-z0-9_-]{10,4096}\.(?:eyJ)?[A-Za-z0-9_-]{10,16384}\.[A-Za-z0-9_-]{10,4096}(?:\.[A-Za-z0-9_-]{10,4096}){0,2}|(?<=\\[nrt])eyJ[A-Za-z0-9_-]{10,4096}\.eyJ[A-Za-z0-9_-]{10,16384}\.[A-Za-z0-9_-]{10,4096}/g;
/** A truncated one after its header. The header alone opens nothing. */
const CUT_WEB_TOKEN = /\beyJ(?:hbGciOi|0eXAiOi|raWQiOi|lbmMiOi)[A-Za-z0-9_-]{8,4096}(?:\.[A-Za-z0-9_-]{1,16384}){1,2}/g;

function* jsonWebTokens(text: string): Iterable<TextRange | undefined> {
  for (const form of [JSON_WEB_TOKEN, CUT_WEB_TOKEN])
    for (const { index, 0: token } of text.matchAll(form)) yield { from: index, to: index + token.length };
}

/** Options that take a password or a token, whatever the program. */
const OPTION =
  /(?<![\w-])--?([a-z][a-z-]{0,40}[-_])?(password|passwd|passphrase|pass|pwd|secret|token|api-?key|apikey|access-?key|secret-?key|auth-?key|private-?key|credentials?|auth|key|pat|(?:src|dest)?storepass|keypass)(?:[-_](?:id|key|value|string))?(?:=|[ \t]{1,4}|["'],[ \t]{0,4}(?=["']))/gi;
/** Short options, by the program that they belong to. */
const PROGRAM =
  /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump|mycli)\b[^\n|]{0,300}?[ \t]-p(?=[^\s-])|\b(?:sshpass|docker[ \t]login|podman[ \t]login|helm[ \t]registry[ \t]login|mongo|mongosh|mongodump|mongorestore|az[ \t]login|twine|cf[ \t]login|7z[a]?|pscp|plink|winscp|rclone|sqlcmd|isql|ldapsearch|ldapadd|ldapmodify|redis-cli|zip|unzip|htpasswd|kinit|snmpwalk|snmpget|smbclient|mosquitto_pub|mosquitto_sub|influx|cqlsh|impacket-\w{1,20}|bcp|nuget|ssh-keygen)\b[^\n|]{0,300}?[ \t]-(?:p|P|a|w|A|X|N|u[ \t]\S{1,60}[ \t]-p)[ \t]{0,2}(?=[^\s-])/g;
/** Commands that take a password after a word, or under an option that other programs use otherwise. */
const COMMAND =
  /\bwpa_passphrase[ \t]{1,4}\S{1,60}[ \t]{1,4}|\bnmcli\b[^\n|]{0,200}?[ \t]password[ \t]{1,4}|\breset-admin-password[ \t]{1,4}|\bnet[ \t]user[ \t]{1,4}\S{1,60}[ \t]{1,4}|\bsecurity[ \t](?:import|unlock-keychain|create-keychain|set-key-partition-list)\b[^\n|]{0,200}?[ \t]-[pPk][ \t]{0,2}|\bopenssl[ \t]enc\b[^\n|]{0,200}?[ \t]-k[ \t]{1,4}|(?<=[ \t])-setcookie[ \t]{1,4}|\boathtool\b[^\n|]{0,60}[ \t](?:-b|--base32)[ \t]{1,4}|\bcloudflared[ \t]service[ \t]install[ \t]{1,4}/g;
/** A user and a password, joined by a colon. */
const USER =
  /\b(?:curl|wget|http|https|httpie|xh|smbclient|scp|ab|siege|lftp|rclone|apt|svn)\b[^\n]{0,400}?[ \t](?:-u|--user|-a|--auth|--proxy-user|-U|--basic)[ \t=]{0,4}(?:\\{0,4}["'])?([^\s:"'\\]{1,100})[:%]([^\s"'\\]{1,200})|(?<=^|\s)(?:-u|--user|--proxy-user)[ \t=]{1,4}(?:\\{0,4}["'])?([^\s:"'\\]{1,100}):([^\s"'\\]{3,200})/gm;
const HTPASSWD =
  /\bhtpasswd[ \t]{1,4}-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}[ \t]{1,4}(?:-[a-zA-Z]{1,4}[ \t]{1,4}){0,3}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}|\becho[ \t]{1,4}(?:-n[ \t]{1,4})?(?=[^\n|]{4,100}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S|docker[ \t]login|passwd|chpasswd|gh[ \t]auth)|[^\n|>]{4,100}>[ \t]{0,4}[^\s>]{0,60}(?:\.vault_pass|\.key\b|\.erlang\.cookie))|\bgh[ \t]{1,4}auth[ \t]{1,4}login[^\n]{0,60}<<<[ \t]{0,4}/g;

function* commandLines(text: string): Iterable<TextRange | undefined> {
  for (const { index, 0: whole, 2: option = "" } of text.matchAll(OPTION)) {
    const value = valueAt(text, index + whole.length, SHELL);
    if (value === undefined || value.value.length < 3 || value.value.startsWith("-") || isReference(value.value))
      continue;
    if (
      /pass|pwd|secret|cred/i.test(option) && (whole.startsWith("--") || /storepass|keypass/i.test(option))
        ? isOptionPassword(value.value)
        : isRandom(value.value, 8) || isUuid(value.value)
    )
      yield value;
  }
  for (const form of [PROGRAM, COMMAND]) {
    for (const { index, 0: whole } of text.matchAll(form)) {
      const value = valueAt(text, index + whole.length, SHELL);
      if (value !== undefined && value.value.length >= 3 && isOptionPassword(value.value)) yield value;
    }
  }
  for (const { index, 0: whole, 1: user, 2: password, 3: otherUser, 4: otherPassword } of text.matchAll(USER)) {
    const secret = password ?? otherPassword ?? "";
    if (
      isReference(secret) ||
      /^\d{1,6}$/.test(secret) ||
      (/^[a-z]/.test(user ?? otherUser ?? "") && /^(?:\$|latest)/.test(secret))
    )
      continue;
    yield { from: index + whole.length - secret.length, to: index + whole.length };
  }
  for (const { index, 0: whole } of text.matchAll(HTPASSWD)) {
    const value = valueAt(text, index + whole.length, SHELL);
    if (
      value !== undefined &&
      value.value.length >= 4 &&
      isOptionPassword(value.value) &&
      !(/^echo/.test(whole) && isWordy(value.value) && !/\d/.test(value.value))
    )
      yield value;
  }
}

function isOptionPassword(value: string): boolean {
  return !isReference(value) && !/^(?:\d{1,5}(?::\d{1,5})?|[./~][\w./-]*|[a-z]+=.*)$/.test(value);
}

/** Headers and options with cookies, and session cookies anywhere. */
const COOKIES =
  /\b(?:set-)?cookies?\\{0,4}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,4}["'`]?([\w.%-]{1,80}=[^"'`\n\\]{4,4096})|(?<=[ \t])(?:-b|--cookie)[ \t=]{1,4}\\{0,4}["']([\w.%-]{1,80}=[^"'\n\\]{4,4096})/gi;
const SESSION =
  /(?<![\w.-])(?:PHPSESSID|JSESSIONID|ASP\.NET_SessionId|ASPSESSIONID\w{8}|connect\.sid|sessionid|session_?id|session_?token|sess(?:ion)?|_session(?:_id)?|sid|[HS]?SID|SAPISID|APISID|laravel_session|_?[a-z]{2,30}_session|user_session|li_at|wordpress_(?:sec|logged_in)_\w{8,40}|\.AspNetCore\.[A-Za-z.]{4,40}|\.ASPXAUTH|auth_token|remember_token|remember_me|csrftoken|XSRF-TOKEN|_csrf|__(?:Secure|Host)-[\w.-]{2,60}|next-auth\.[a-z-]{4,40}|sb-[\w-]{4,40}-auth-token|cf_clearance|__cf_bm|sessionKey|koa\.sess(?:\.sig)?|express:sess(?:\.sig)?|rack\.session|grafana_session|jwt)=([^\s;,"'`<>&\\]{8,4096})/g;

function* cookies(text: string): Iterable<TextRange | undefined> {
  for (const { index, 0: whole, 1: header, 2: option } of text.matchAll(COOKIES)) {
    const all = header ?? option ?? "";
    const from = index + whole.length - all.length;
    let at = 0;
    for (const pair of all.split(";")) {
      const equals = pair.indexOf("=");
      const value = pair.slice(equals + 1).trimEnd();
      const isAttribute = /^\s*(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned)\b/i.test(
        pair,
      );
      if (
        equals > 0 &&
        value.length >= 4 &&
        !isAttribute &&
        !isReference(value) &&
        (/\d/.test(value) || !isWordy(value))
      )
        yield { from: from + at + equals + 1, to: from + at + equals + 1 + value.length };
      at += pair.length + 1;
    }
  }
  for (const { index, 0: whole, 1: value = "" } of text.matchAll(SESSION)) {
    if (!isReference(value) && !isUuid(value) && !value.includes("(") && (/\d/.test(value) || !isWordy(value)))
      yield { from: index + whole.length - value.length, to: index + whole.length };
  }
}
