/**
 * Texts that make a backtracking matcher slow. For every unlimited repetition in a regular expression: a text that leads to it, the repeated part
 * many times, and a mismatch. And beginnings of matches many times.
 */

/** @typedef {{ readonly samples: readonly string[], readonly assertion?: boolean }} Atom */

const CANDIDATES = ["a", "0", "-", "/", ".", "_", "<", "#", "`", "é", "x", "\t", "\n", " "];
const ENDS = ["", "\u0001", "\n\u0001"];

/**
 * @param {string} source
 * @param {string} flags
 * @param {number} length
 */
export function hostileTexts(source, flags, length) {
  const walk = new Walk(source, flags);
  const [sample] = walk.alternation("");
  const pumps = [...walk.pumps, { prefix: "", pump: sample.slice(0, -1) }, { prefix: "", pump: sample }];
  return pumps
    .filter(({ pump }) => pump !== "")
    .flatMap(({ prefix, pump }) =>
      ENDS.map((end) => prefix + pump.repeat(Math.ceil(length / pump.length)).slice(0, length) + end),
    );
}

/** Walks a pattern from left to right, with a sample of the text that it has matched so far. */
class Walk {
  #at = 0;
  #source;
  #flags;
  pumps = [];

  constructor(source, flags) {
    this.#source = source;
    this.#flags = flags.replace(/[gym]/g, "");
  }

  /** Samples of the alternatives up to the group's end. */
  alternation(prefix) {
    const samples = [this.#sequence(prefix)];
    while (this.#source[this.#at] === "|") {
      this.#at += 1;
      samples.push(this.#sequence(prefix));
    }
    return samples;
  }

  #sequence(prefix) {
    let sample = "";
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at])) {
      const from = this.#at;
      const samples = this.#atom(prefix + sample);
      const isEndless = this.#quantifier();
      if (isEndless) {
        for (const pump of samples) this.pumps.push({ prefix: prefix + sample, pump });
        if (samples.length > 1) this.pumps.push({ prefix: prefix + sample, pump: samples.join("") });
      }
      sample += samples[0] ?? "";
      if (this.#at === from) throw new Error(`cannot walk /${this.#source}/ behind ${from}`);
    }
    return sample;
  }

  #atom(prefix) {
    const rest = this.#source.slice(this.#at);
    const group = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(rest);
    if (group !== null) {
      this.#at += group[0].length;
      const samples = this.alternation(prefix);
      this.#at += 1;
      return /[=!]$/.test(group[0]) ? [] : samples;
    }
    const atom =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\u[\da-f]{4}|\\x[\da-f]{2}|\\.|[\s\S])/iu.exec(rest)?.[0] ?? "";
    this.#at += atom.length;
    if (atom === "^" || atom === "$" || atom === "\\b" || atom === "\\B") return [];
    const one = new RegExp(`^(?:${atom})$`, this.#flags);
    const literal = atom.replace(/^\\(?=\W)/, "");
    const found = [...CANDIDATES, literal].filter((candidate) => one.test(candidate));
    return found.length > 0 ? [...new Set(found)] : [outOf(one)];
  }

  /** Takes a quantifier; returns true if it has no end, or a far one. */
  #quantifier() {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (match === null) return false;
    this.#at += match[0].length;
    if (!match[0].startsWith("{")) return match[0][0] !== "?";
    return match[2] === "," && (match[3] === "" || Number(match[3]) > 100);
  }
}

/** A character that matches. */
function outOf(one) {
  for (let unit = 0; unit <= 0xffff; unit++) {
    const char = String.fromCharCode(unit);
    if (one.test(char)) return char;
  }
  return "";
}
