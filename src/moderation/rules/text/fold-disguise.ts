import { iOrL } from "./fold.ts";
import { toLatin } from "./look-alikes.ts";

/** Replaces letters of other scripts and signs by the Latin letters that they look like, in words that are a disguise. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is made of
const ascii = /^[\u0000-\u007f]*$/u;
// With signs that look like letters.
const word = /[\p{L}\p{M}\p{N}\p{Sc}\p{Sm}๏᙭꒒꓄᥅᭙]+/gu;
const letter = /\p{L}|\p{Sc}{3}/u;
const latinLetter = /[\p{sc=Latin}]/u;

/** Scripts of comments that leave spaces between words. A word in one of them alone is a word of a language. */
const scripts: readonly RegExp[] = [
  /\p{sc=Cyrillic}/u,
  /\p{sc=Greek}/u,
  /\p{sc=Armenian}/u,
  /\p{sc=Georgian}/u,
  /\p{sc=Hebrew}/u,
  /\p{sc=Arabic}/u,
  /\p{sc=Ethiopic}/u,
  /\p{sc=Hangul}/u,
  /[\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}]/u,
  /[\p{sc=Sinhala}\p{sc=Tibetan}\p{sc=Mongolian}]/u,
];
/** Scripts that serve as look-alikes: Yi, and three of southern China and the Himalayas. */
const rareScripts = /[\p{sc=Yi}\p{sc=Tai_Viet}\p{sc=Limbu}\p{sc=New_Tai_Lue}]/u;
/** Cyrillic letters of few or old alphabets, which mostly serve as look-alikes. */
const oldLetters = /[ѕԁԛԝѵ]/iu;
/** Without spaces: Latin words stand directly beside them. */
const unspaced = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const unspacedRun =
  /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{3}|^[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+$/u;

/** Cyrillic and Greek letters that look exactly like Latin ones: words can be written with them alone. */
const twins = /^[аеорсухіјӏАВЕКМНОРСТУХІЈӀοναικρυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]+$/u;

const brushed = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Bopomofo}ᄂᄃᄊ]+/gu;
/** Chinese and Japanese characters in the alphabets of text generators. */
const brush =
  /^[卂乃匚刀乇下千厶卄工丨丁长乚爪从几𠘨口尸卩㔿尺丂丅凵山乂丫乙冂ㄒㄩㄖㄥㄚㄗムりモズレカのアゐイひメリフノれんᄂᄃᄊ]+$/u;
/** Those that no ordinary text has. */
const rareBrush = /[卂匚乇卄丨𠘨卩㔿丂丅凵乂冂ㄒㄩㄖㄥᄂᄃᄊ]/u;
/** No Japanese has these among four characters of those alphabets. */
const brushSigns = /[乃刀尺乙]/u;
const shortestBrushed = 4;

/** The Ethiopic letters of a generator. A word of a language with these alone is no Latin word in any reading. */
const ethiopicAlphabet = /^[ልጌርዕቿቻኗዘጎጋጕረጠክዐየዒዪነፕሁሀሠሸሃጊ]{4,}$/u;

/** A flag alone is a letter in a box, and three or more are a word; two are a flag. */
const flags = /\p{Regional_Indicator}+/gu;
const boxed = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const firstFlag = 0x1f1e6;
const firstOfBoxes = [0x1f150, 0x1f170] as const;

// A capital I among small letters may be meant as an l, and a small l before a consonant as a capital I.
const hiddenI = /(?<=[a-z])I(?![A-Z])|(?<![\p{L}\p{N}])l(?=[bcdfghkmnpqrstvwxz][a-z]{2})/gu;

/** Keeps words of other languages, which only look like Latin letters here and there. */
export function foldDisguise(text: string): string {
  if (ascii.test(text)) return text.replace(hiddenI, iOrL);
  const words = text.match(word) ?? [];
  const isLanguage = words.some((one) => scriptsIn(one) === 1 && !isMixed(one) && !twins.test(one));
  return foldBoxes(text)
    .replace(word, (one) => {
      const isDisguise = isMixed(one) || (!isLanguage && twins.test(one));
      return isDisguise ? foldLetters(one) : foldBrush(one);
    })
    .replace(hiddenI, iOrL);
}

/** The same for all words, whatever their language; undefined if no word mixes letters of several scripts. */
export function foldAllWords(text: string): string | undefined {
  const words = ascii.test(text) ? [] : (text.match(word) ?? []);
  if (!words.some((one) => !ascii.test(one) && scriptsIn(one) > 0 && isMixed(one)))
    return undefined;
  return foldBoxes(text).replace(word, foldLetters).replace(hiddenI, iOrL);
}

/** The look-alikes of a word of a language with another script than Latin; undefined for other words. */
export function foldForeign(text: string): string | undefined {
  return scriptsIn(text) === 0 ? undefined : text.replace(word, foldLetters);
}

function foldBoxes(text: string): string {
  return text
    .replace(flags, (row) => {
      const letters = Array.from(row, (flag) => letterAt(flag, firstFlag));
      return letters.length === 2 ? row : letters.join("");
    })
    .replace(boxed, (box) => firstOfBoxes.map((first) => letterAt(box, first)).join(""));
}

function letterAt(character: string, first: number): string {
  const place = (character.codePointAt(0) ?? 0) - first;
  return place >= 0 && place < 26 ? String.fromCharCode(0x61 + place) : "";
}

function scriptsIn(one: string): number {
  return scripts.filter((script) => script.test(one)).length;
}

/** Whether no language writes a word with these letters together. */
function isMixed(one: string): boolean {
  if (ascii.test(one) || !letter.test(one)) return false;
  if (ethiopicAlphabet.test(one) || rareScripts.test(one)) return true;
  const count = scriptsIn(one);
  // Thai beside Latin letters is common, but not a letter or two inside a word.
  if (unspaced.test(one)) return count > 0 || !unspacedRun.test(one);
  return (
    oldLetters.test(one) || count === 0 || count > 1 || latinLetter.test(one.replace(brushed, ""))
  );
}

function foldLetters(one: string): string {
  const folded = foldBrush(one);
  if (ascii.test(folded)) return folded;
  return Array.from(folded, (character) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ASCII is made of
    /[\u0000-\u007f]|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(character) ||
    character === iOrL
      ? character
      : toLatin(character),
  ).join("");
}

function foldBrush(one: string): string {
  return one.replace(brushed, (run) => {
    const isRare = rareBrush.test(run) || (run.length >= shortestBrushed && brushSigns.test(run));
    return isRare && brush.test(run) ? Array.from(run, toLatin).join("") : run;
  });
}
