/**
 * Words that say whose they are. Everything that belongs to somebody carries one, so that it is recognised wherever it
 * turns up: `zqA1q` is a mark of `A1`.
 */
export function mark(owner: string): string {
  return `zq${owner}q`;
}

/** Those that stand in a text; what looks alike by chance, as bytes of a picture or a random handle may, is none. */
export function marksIn(text: string): ReadonlySet<string> {
  const cleaned = text.replaceAll(/g1:[a-z]:[\w-]{22}:\d+/gu, "");
  const found = [...cleaned.matchAll(/zq([A-Z][A-Z0-9]*)q/gu)].map((match) => match[1] ?? "");
  return new Set(found.filter((each) => /^([TG]?[ABC]|KAB|KC|BAC|BB|U\d)$/u.test(each)));
}

/** Numbers of the platform: servers, people, roles. */
export function idsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/(?<!\d)\d{17,20}(?!\d)/gu));
}
