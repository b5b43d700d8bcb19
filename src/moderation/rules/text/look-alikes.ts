import { confusablesMap } from "confusables";
import unicode from "unhomoglyph/data.json" with { type: "json" };
import { foldMarks, iOrL } from "./fold.ts";

/** The Latin letters that a character looks like. */

// confusables has the alphabets of text generators, unhomoglyph the table of Unicode. These are in generators' alphabets too, but
// in neither package, or only as another letter: small capitals, hooked letters, runes, letters of other scripts.
const more =
  "a 卂ムΔᚨᚫ,b ₿ᏸႦᛒ,c ᑢᄃζ匚૮ᚲᚳ¢,d ᕲ∂₯ɗƊ刀り๔ꮷДᛞ,e ᘿᗱΣэ乇Ξᛖ,f ꜰ下千キꮁᚠ,g Ꮆꮆ厶وᚷ,h հꞪϩ卄んᚺᚻ,i เᓰ工ノᛁ,j ᒚ丁ꮻフᛃ" +
  ",k 长ꮶズᚴ,l ʆ乚ㄥレᄂᛚ,m ᘻ爪从Ɱʍカᄊᛗ,n ᘉꮑ𠘨几刀ПΠπᚾ,o ᓍㄖ口の๏ɔᛟᚩ,p ᕵ卩尸℘アᛈ,q ᕴꞯǫҩꮗϙ㔿ゐᛩ,r 尺ཞ૨Ꞧ₹ᚱ" +
  ",s ₴Ƨƨꙅꮥร丂ᛋ,t ɬʇŧŦƚՇ丅ㄒᖶイͲͳᛏ,u ᑘμㄩ凵ꮼひᚢ,v ᐺ√שʋᚡ,w ᘺ山ᚹ,x ×ꭴ乂ϰメ᙭ᛪ,y ᖻվ丫ㄚꮍリ¥ᚣ,z Հչᘔ乙ᛉ";
// Whole alphabets of generators in Yi, Ethiopic, Tai Viet and others; a word of those languages hardly ever spells a Latin one.
const alphabets = [
  "ꍏꌃꉓꀸꍟꎇꁅꃅꀤꀭꀘ꒒ꂵꈤꂦꉣꆰꋪꌗ꓄ꀎꃴꅏꊼꌩꁴ",
  "ልጌርዕቿቻኗዘጎጋጕረጠክዐየዒዪነፕሁሀሠሸሃጊ",
  "ꪖ᥇ᥴᦔꫀᠻᧁꫝ꠸꠹_ꪶꪑꪀꪮ_ꪇ᥅ᦓꪻꪊꪜ᭙᥊ꪗ_",
  "ԹՅ_ԺȝԲԳɧɿ____ՌԾ__ՐՏԵՄ_____",
];
const preferred: ReadonlyMap<string, string> = new Map(
  [
    ...more.split(",").flatMap((row) => {
      const [letter = "", looks = ""] = row.split(" ");
      return Array.from(looks, (look) => [look, letter] as const);
    }),
    ...alphabets.flatMap((row) =>
      Array.from(row, (look, at) => [look, String.fromCharCode(0x61 + at)] as const),
    ),
  ].filter(([look]) => look !== "_"),
);

/** A bar without anything else may be meant as an `i` or as an `l`. */
const bar = /[ІӀӏΙιɩłŁǀ∣וןﺍا丨ꓲⵏ]/u;
// Letters that have a spelling of their own: ß is ss.
const spelledOtherwise = /[ßæœøðħþı£]/iu;

/** No comment has more different characters. */
const maxCached = 10_000;
const latinCache = new Map<string, string>();

/** One or two Latin letters or digits, or the character itself. */
export function toLatin(character: string): string {
  const known = latinCache.get(character);
  if (known !== undefined) return known;
  if (latinCache.size >= maxCached) latinCache.clear();
  const latin = lookUp(character);
  latinCache.set(character, latin);
  return latin;
}

const unicodeTable: Readonly<Record<string, string>> = unicode;

function lookUp(character: string): string {
  if (bar.test(character)) return iOrL;
  if (spelledOtherwise.test(character)) return character;
  const known = preferred.get(character) ?? confusablesMap.get(character);
  if (known !== undefined && isLatin(known)) return known;
  const latin = foldMarks(unicodeTable[character] ?? character);
  // Unicode writes `m` as two letters, and `i` as `l`.
  if (latin === "rn") return "m";
  return isLatin(latin) ? (latin === "l" ? iOrL : latin) : character;
}

function isLatin(text: string): boolean {
  return /^[A-Za-z0-9]{1,2}$/u.test(text);
}
