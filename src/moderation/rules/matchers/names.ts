import type { NameSign } from "../../records/index.ts";
import { isStretched } from "../text/stretched.ts";
import { createTextForms, type TextForms } from "../text/text-forms.ts";
import { refuseRule } from "./refuse-rule.ts";
import type { Matcher, MatchInput } from "./types.ts";
import { wordsMatcher } from "./words.ts";

/** What names say of people who pretend to speak for somebody, in the languages of most scams. */
const claims = wordsMatcher(
  `*official,official*,*officiel,officiel*,*oficial,oficial*,*offiziell,ufficiale,официальный,公式*,官方*,공식*
  verified,verifié,verificado,verifiziert,customer service,customer care,support team,help desk,admin,administrator
  reply from,replying from,response from,message from,antwort von,respuesta de,réponse de,resposta de,返信
  telegram*,whatsapp*,text me,dm me,message me,contact me,inbox me,hit me up,write me`
    .split(/[,\n]/u)
    .map((claim) => claim.trim()),
  true,
);
/** Not a claim, but the opposite of one. */
const denials = wordsMatcher(
  "unofficial*,not official,inoffiziell,no oficial,非公式".split(","),
  true,
);
/** A phone number. Handles that YouTube makes up end with fewer digits. */
const phone = /\+?\d(?:[\s().-]{0,2}\d){9,14}/u;
const handle = /^@[\p{L}\p{N}._-]{3,}/u;

/** A shorter name is imitated only by the very same one. */
const shortestPart = 6;
const shortestMistyped = 8;

/** @throws InputError `rule_names` */
export function namesMatcher(signs: readonly NameSign[]): Matcher {
  const finders = Object.entries(signFinders).flatMap(([sign, find]) =>
    signs.some((one) => one === sign) ? [find] : [],
  );
  if (finders.length === 0) throw refuseRule("rule_names");
  return (input) => {
    const { authorName = "" } = input.comment;
    // As many steps as a comment of that length with a list of words.
    input.spend?.(100 + authorName.length * 20);
    const name = authorName.replace(/^@/u, "");
    const written = createTextForms(name);
    const split = splitCapitals(name);
    const subjects = split === name ? [written] : [written, createTextForms(split)];
    for (const find of finders) {
      const found = find(input, subjects);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Gets the name as it is written and, if that makes a difference, with its words apart. */
type SignFinder = (input: MatchInput, subjects: readonly TextForms[]) => string | undefined;

/** What these find is stored and shown to people in several languages, so it holds symbols and data, no words. */
const signFinders = {
  imitates: ({ comment: { authorName = "" }, ownNames = [] }, [written]) => {
    const own = ownNames.find((name) => written !== undefined && isImitated(name, written));
    return own === undefined ? undefined : `${authorName} ≈ ${own}`;
  },
  claims: (_, subjects) => {
    const written = subjects[0]?.shown() ?? "";
    const at = written.indexOf("@", 1);
    const contact = phone.exec(written) ?? (at === -1 ? null : handle.exec(written.slice(at)));
    if (contact !== null) return contact[0];
    if (subjects.some((subject) => denials({ comment: {}, subject }) !== undefined))
      return undefined;
    const [claim] = subjects.flatMap((subject) => claims({ comment: {}, subject }) ?? []);
    return claim?.replaceAll("*", "");
  },
  links: (_, [written]) => written?.links()[0]?.shown,
  picture: ({ comment: { hasOwnPicture }, ownNames = [] }) =>
    hasOwnPicture === true ? `🖼️ = ${ownNames[0] ?? ""}` : undefined,
  new: ({ comment: { newSince } }) =>
    newSince === undefined ? undefined : `✨ ${new Date(newSince).toISOString().slice(0, 10)}`,
} as const satisfies Record<NameSign, SignFinder>;

/** What was found if it isn't text: the channel's own picture, or the day a channel was created (`2026-11-29`). */
export function readFoundSign(
  found: string,
): { readonly sign: "picture" } | { readonly sign: "new"; readonly since: string } | undefined {
  const since = /^✨ (\d{4}-\d\d-\d\d)$/u.exec(found)?.[1];
  if (since !== undefined) return { sign: "new", since };
  return found.startsWith("🖼️ = ") ? { sign: "picture" } : undefined;
}

/** `OrbitKitchenOfficial` has three words. */
function splitCapitals(name: string): string {
  return name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").replaceAll("_", " ");
}

function isImitated(own: string, subject: TextForms): boolean {
  const wanted = lettersOf(createTextForms(own.replace(/^@/u, "")));
  const written = lettersOf(subject);
  return wanted.some((name) => written.some((letters) => isAlike(letters, name)));
}

/** The letters of every possible reading, without what is added to a taken name. */
function lettersOf(subject: TextForms): readonly string[] {
  const readings = [...subject.alike(), ...subject.foreign(), subject.tokens()];
  return readings.map(({ line }) => line.replaceAll(" ", "")).filter((letters) => letters !== "");
}

function isAlike(letters: string, name: string): boolean {
  const bare = withoutDigits(letters);
  if (letters === name || (bare !== "" && bare === name)) return true;
  if (name.length >= shortestPart && (letters.includes(name) || isStretched(bare, name)))
    return true;
  return name.length >= shortestMistyped && isMistyped(bare, name);
}

/** Without what is added to a name that is taken. */
function withoutDigits(letters: string): string {
  let end = letters.length;
  while (end > 0 && /\p{N}/u.test(letters[end - 1] ?? "")) end -= 1;
  return letters.slice(0, end);
}

/** Whether one letter is wrong, missing or too much. */
function isMistyped(text: string, name: string): boolean {
  if (Math.abs(text.length - name.length) > 1) return false;
  let start = 0;
  while (start < name.length && text[start] === name[start]) start += 1;
  let [end, ofText] = [name.length, text.length];
  while (end > start && ofText > start && text[ofText - 1] === name[end - 1]) {
    end -= 1;
    ofText -= 1;
  }
  return end - start <= 1 && ofText - start <= 1;
}
