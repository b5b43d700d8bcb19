/**
 * A word that says whose it is. Everything that belongs to a server or person contains one, so that it is recognised
 * wherever it appears: `zqA1q` is the mark of `A1`.
 */
export function mark(owner: string): string {
  return `zq${owner}q`;
}

/** The marks in a text. A custom id may contain one by chance, so custom ids are removed first. */
export function marksIn(text: string): ReadonlySet<string> {
  const cleaned = text.replaceAll(/g1:[a-z]:[\w-]{22}:\d+/gu, "");
  const found = [...cleaned.matchAll(/zq([A-Z][A-Z0-9]*)q/gu)].map((match) => match[1] ?? "");
  return new Set(found.filter((each) => /^([TG]?[ABC]|KAB|KC|BAC|BB|U\d)$/u.test(each)));
}

/** Discord's ids in a text: of servers, people, roles. */
export function idsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<!\d)\d{17,20}(?!\d)/gu));
}
