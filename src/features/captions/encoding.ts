/** A text and the encoding that its bytes were in, by the name that people know. */
export interface DecodedText {
  readonly text: string;
  readonly encoding: string;
  /** Another encoding may be meant: some characters would be odd in a text of that language. */
  readonly isDoubtful?: boolean;
}

export const utf8 = "UTF-8";

interface LegacyEncoding {
  /** As `TextDecoder` knows it. */
  readonly label: string;
  readonly name: string;
  /** As chardet names it, or a part of it. */
  readonly guesses: readonly string[];
  readonly script: keyof typeof scriptLetters;
  /** The languages that are often written in it. */
  readonly languages: string;
}

const scriptLetters = {
  japanese: /[\u3000-\u30ff\p{sc=Han}\uff01-\uff60]/gu,
  korean: /[\p{sc=Hang}\u3000-\u303f\uff01-\uff60]/gu,
  chinese: /[\p{sc=Han}\u3000-\u303f\uff01-\uff60…—“”‘’·\p{Extended_Pictographic}]/gu,
  cyrillic: /[\p{sc=Cyrl}«»„“”‘’…–—№]/gu,
  greek: /[\p{sc=Grek}«»“”‘’…–—]/gu,
  hebrew: /[\p{sc=Hebr}“”‘’…–—₪]/gu,
  arabic: /[\p{sc=Arab}«»“”‘’…–—،؛؟]/gu,
  thai: /[\p{sc=Thai}“”‘’…–—]/gu,
  latin: undefined,
} as const;

const western = "en de fr es it pt nl sv da nb nn no fi is ca gl eu ga af id ms fil sw";
const cyrillic = "ru uk be bg mk sr";

const legacyEncodings: readonly LegacyEncoding[] = [
  cjk("shift_jis", "Shift_JIS", "japanese", "ja"),
  cjk("euc-jp", "EUC-JP", "japanese", "ja"),
  cjk("euc-kr", "EUC-KR", "korean", "ko"),
  cjk("gb18030", "GB18030", "chinese", "zh zh-cn zh-sg zh-hans"),
  cjk("big5", "Big5", "chinese", "zh-tw zh-hk zh-mo zh-hant yue"),
  single("windows-1252", ["windows-1252", "ISO-8859-1"], "latin", western),
  single("iso-8859-15", ["ISO-8859-1"], "latin", western),
  single("windows-1250", ["windows-1250"], "latin", "pl cs sk hu ro hr sl bs sq"),
  single("iso-8859-2", ["ISO-8859-2"], "latin", "pl cs sk hu ro hr sl bs sq"),
  single("windows-1254", ["windows-1254", "ISO-8859-9"], "latin", "tr az"),
  single("windows-1257", ["windows-1257"], "latin", "et lv lt"),
  single("windows-1258", ["windows-1258"], "latin", "vi"),
  single("windows-1251", ["windows-1251"], "cyrillic", "ru uk be bg mk sr kk mn"),
  single("koi8-r", ["KOI8-R"], "cyrillic", cyrillic),
  single("koi8-u", ["KOI8-R"], "cyrillic", cyrillic),
  single("iso-8859-5", ["ISO-8859-5"], "cyrillic", cyrillic),
  single("ibm866", [], "cyrillic", cyrillic),
  single("x-mac-cyrillic", [], "cyrillic", cyrillic),
  single("windows-1253", ["windows-1253", "ISO-8859-7"], "greek", "el"),
  single("iso-8859-7", ["ISO-8859-7"], "greek", "el"),
  single("windows-1255", ["windows-1255", "ISO-8859-8"], "hebrew", "he iw yi"),
  single("windows-1256", ["windows-1256", "ISO-8859-6"], "arabic", "ar fa ur"),
  single("iso-8859-6", ["ISO-8859-6"], "arabic", "ar"),
  single("windows-874", ["TIS-620"], "thai", "th"),
];

function cjk(
  label: string,
  name: string,
  script: LegacyEncoding["script"],
  languages: string,
): LegacyEncoding {
  return { label, name, guesses: [name], script, languages };
}

function single(
  label: string,
  guesses: readonly string[],
  script: LegacyEncoding["script"],
  languages: string,
): LegacyEncoding {
  const name = label
    .replace("windows", "Windows")
    .replace(/^(?:iso|koi|ibm)|-[ru]$/gu, (part) => part.toUpperCase())
    .replace("x-mac-cyrillic", "Mac OS Cyrillic");
  return { label, name, guesses, script, languages };
}

/**
 * The text of a file in any encoding that is in use. What can be UTF-8 is UTF-8; the language decides where the bytes alone
 * say little, as in a file of two lines. Undefined for what is text in none of them.
 */
export async function decodeText(
  bytes: Uint8Array,
  language: string | undefined,
): Promise<DecodedText | undefined> {
  const wide = detectWideEncoding(bytes);
  if (wide !== undefined) {
    // An odd last byte is half a character.
    const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
    return decodeAs({ label: wide, name: "UTF-16" }, even);
  }
  const text = latin(bytes);
  const head = text.slice(0, sampleBytes * 32);
  // ISO-2022-KR and HZ, which write Korean and Chinese in ASCII. Nothing here reads them.
  if (head.includes("\u001b$)C") || /~\{(?:[!-w][!-~]){1,80}~\}/u.test(head)) return undefined;
  if (["\u001b$B", "\u001b$@", "\u001b(J"].some((shift) => text.includes(shift))) {
    return decodeAs({ label: "iso-2022-jp", name: "ISO-2022-JP" }, bytes);
  }
  const whole = decodeAs({ label: "utf-8", name: utf8 }, bytes);
  if (whole !== undefined) return whole;
  const damaged = damagedUtf8(bytes);
  if (damaged !== undefined) return damaged.isWhole ? damaged.text : undefined;
  return decodeAsDeclared(bytes) ?? (await guessEncoding(bytes, language));
}

/**
 * Text that is UTF-8 but for a few bytes, which would be nonsense in any other encoding. Whole if it only ends within a
 * character.
 */
function damagedUtf8(bytes: Uint8Array) {
  const text = new TextDecoder().decode(bytes);
  const bad = text.split("\ufffd").length - 1;
  const good = (text.match(/[^\p{ASCII}]/gu)?.length ?? 0) - bad;
  const isWhole = bad === 1 && text.endsWith("\ufffd");
  if (good < (isWhole ? 2 : bad * 10)) return undefined;
  return { isWhole, text: { text: text.replaceAll("\ufffd", ""), encoding: utf8 } };
}

function decodeAs(
  { label, name }: Pick<LegacyEncoding, "label" | "name">,
  bytes: Uint8Array,
  options?: { readonly stream: boolean },
): DecodedText | undefined {
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(bytes, options);
    return { text, encoding: name };
  } catch {
    return undefined;
  }
}

const sampleBytes = 8192;

/** By its mark, or by the zeros between the digits and line ends that all captions have. */
function detectWideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  const head = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  head.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < Math.max(4, head.length / 10)) return undefined;
  if (odd > even * 8) return "utf-16le";
  return even > odd * 8 ? "utf-16be" : undefined;
}

/** Each byte as the character of its number. */
function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

const declarations = [
  /^\s{0,9}<\?xml[^>]{0,200}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/iu,
  /\bcharset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/iu,
] as const;

function decodeAsDeclared(bytes: Uint8Array): DecodedText | undefined {
  const head = latin(bytes.subarray(0, sampleBytes));
  if (!head.trimStart().startsWith("<")) return undefined;
  for (const declaration of declarations) {
    const [, label = ""] = declaration.exec(head) ?? [];
    // Two bytes a character were recognised before; any bytes would pass for them.
    const isWide = /^(?:utf-?16|ucs|unicode)/iu.test(label);
    const known =
      label === "" || isWide ? undefined : decodeAs({ label, name: label.toUpperCase() }, bytes);
    if (known !== undefined && !hasControls(known.text)) return known;
  }
  return undefined;
}

/** Makes a text that declares another encoding declare UTF-8. */
export function declareUtf8(text: string): string {
  let head = text.slice(0, sampleBytes);
  for (const declaration of declarations) {
    head = head.replace(declaration, (found, label: string) => {
      if (/^utf-?8$/iu.test(label)) return found;
      const at = found.lastIndexOf(label);
      return `${found.slice(0, at)}${utf8}${found.slice(at + label.length)}`;
    });
  }
  return head + text.slice(sampleBytes);
}

const languageWeight = 60;
/** A letter of these scripts seldom comes out of bytes that mean something else. */
const scriptWeights: Readonly<Record<string, number>> = { japanese: 20, korean: 15 };

async function guessEncoding(bytes: Uint8Array, language = ""): Promise<DecodedText | undefined> {
  const sample = linesBeyondAscii(bytes);
  const { analyse } = await import("chardet");
  const confidences = new Map(
    analyse(sample).map(({ name, confidence }) => [`${name}`, confidence]),
  );
  const wanted = language.toLowerCase();
  const ranked = legacyEncodings
    .map((each) => ({ each, score: scoreEncoding(each, { sample, confidences, wanted }) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  for (const { each } of ranked) {
    const read = decodeAs(each, bytes);
    if (read !== undefined) return { ...read, isDoubtful: isDoubtful(read.text, each, wanted) };
  }
  return undefined;
}

/** Letters of Serbian and Macedonian, which come out of other alphabets where bytes are wrongly read. */
const rareCyrillic = /[ЂЃѓЉЊЌЋЏђљњќћџЈј]/u;

function isDoubtful(text: string, encoding: LegacyEncoding, wanted: string): boolean {
  const beginning = text.slice(0, sampleBytes * 8);
  const isRare = !/^(?:sr|mk|bs)\b/u.test(wanted) && rareCyrillic.test(beginning);
  return !isFor(encoding, wanted) || isRare || countOdd(beginning) > 0;
}

function isFor({ languages }: LegacyEncoding, wanted: string): boolean {
  const base = wanted.replace(/-.*/u, "");
  return wanted !== "" && languages.split(" ").some((one) => one === wanted || one === base);
}

interface Evidence {
  readonly sample: Uint8Array;
  /** chardet's, of 100. */
  readonly confidences: ReadonlyMap<string, number>;
  readonly wanted: string;
}

/** How likely an encoding is; 0 if hardly any character beyond ASCII would be a letter. */
function scoreEncoding(
  encoding: LegacyEncoding,
  { sample, confidences, wanted }: Evidence,
): number {
  const { label, guesses, script } = encoding;
  // The sample may end inside a character.
  const { text } = decodeAs(encoding, sample, { stream: true }) ?? {};
  if (text === undefined || hasControls(text)) return 0;
  const share = shareOfLetters(text, script);
  if (share < 0.6) return 0;
  const confidence = Math.max(0, ...guesses.map((guess) => confidences.get(guess) ?? 0));
  const isSure = script !== "japanese" || (text.match(/[\u3040-\u30ff]/gu)?.length ?? 0) > 2;
  const bonus = label === "windows-1252" ? 25 : isSure ? (scriptWeights[script] ?? 0) : 0;
  const weight = isFor(encoding, wanted) ? languageWeight : 0;
  const fit = mayBeIn(script, wanted) ? 1 : otherScript;
  return (1 + confidence + bonus + weight) * share ** 2 * fit;
}

/** How much less likely an encoding is for a language that is written in another script. */
const otherScript = 0.5;
const scripts: Readonly<Record<string, LegacyEncoding["script"]>> = {
  Jpan: "japanese",
  Kore: "korean",
  Hans: "chinese",
  Hant: "chinese",
  Cyrl: "cyrillic",
  Grek: "greek",
  Hebr: "hebrew",
  Arab: "arabic",
  Thai: "thai",
  Latn: "latin",
};

function mayBeIn(script: LegacyEncoding["script"], wanted: string): boolean {
  try {
    const known = scripts[new Intl.Locale(wanted).maximize().script ?? ""];
    return known === undefined || known === script;
  } catch {
    return true;
  }
}

/** How many of the characters beyond ASCII are letters as that script has them, from 0 to 1. */
function shareOfLetters(text: string, script: LegacyEncoding["script"]): number {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const all = count(/[^\p{ASCII}]/gu);
  const letters = scriptLetters[script];
  const known = letters === undefined ? countLatin(text) : count(letters);
  return all === 0 ? 0 : Math.max(0, known - 2 * countOdd(text)) / all;
}

/** In wrongly read text, capitals follow small letters, two alphabets mix, and signs stand in words or next to them. */
const odd = [
  /\p{Ll}(?![A-Z])\p{Lu}|[A-Za-z][\u0370-\u0e7f]|[\u0370-\u0e7f][A-Za-z]/gu,
  /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}][^\p{ASCII}\p{L}\p{M}\p{N}\s\u00ad‘’´·‐–—…](?=[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}])/gu,
  /[†‡¤¦¬ˆ˜‰\u2500-\u259f]|[©®¼½¾±¶§](?=\p{L})|[a-zа-я][‚„](?!\s)/gu,
] as const;

function countOdd(text: string): number {
  return odd.reduce((sum, pattern) => sum + (text.match(pattern)?.length ?? 0), 0);
}

/** Without the florin sign, which is the first byte of katakana in Shift_JIS. */
const latinLetter = /[À-ÖØ-öø-\u0191\u0193-\u024f\u1e00-\u1eff]/u;
/** The marks of Vietnamese stand on their own there. */
const latinSign = /[¿¡«»“”„‘’‚–—…€£§°ªº©®₫\u00a0]|\p{M}/u;
/** Signs that are letters in other Latin encodings, where they are within words. */
const loneSign = /[™•¶×÷±¼½¾²³·´]/u;

/**
 * In Latin text most letters have no accent; where bytes of another script are read as Latin, letters with accents follow
 * each other.
 */
function countLatin(text: string): number {
  let count = 0;
  for (const { 0: run, index } of text.matchAll(/[^\p{ASCII}]+/gu)) {
    const before = text[index - 1] ?? " ";
    const after = text[index + run.length] ?? " ";
    const isBesideLetter = /[A-Za-z]/u.test(before) || /[A-Za-z]/u.test(after);
    const isPlausible = run.length === 1 || (run.length <= 4 && isBesideLetter);
    if (run.length === 1 && loneSign.test(run) && !/[A-Za-z]/u.test(before)) count += 1;
    else if (isPlausible)
      count += [...run].filter((one) => latinLetter.test(one) || latinSign.test(one)).length;
  }
  return count;
}

/** The lines that say something about the encoding: each with a byte that is not ASCII. */
function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const lines: string[] = [];
  let length = 0;
  for (const line of latin(bytes.subarray(0, sampleBytes * 32)).split("\n")) {
    if (!/[\u0080-\u00ff]/u.test(line)) continue;
    lines.push(line.slice(0, sampleBytes - length));
    length += line.length;
    if (length >= sampleBytes) break;
  }
  return Buffer.from(lines.join("\n"), "latin1");
}

/** Control characters, which are in no text; those of old line and page ends are. */
export function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return /[\u0001-\u0008\u000e-\u0019\u001c-\u001f\u007f-\u009f\ufffd\uffff]/u.test(text);
}
