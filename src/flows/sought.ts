import { matching, type Words } from "../discord/index.ts";

export interface Seeking<I> {
  /** What was typed; everything when absent. */
  readonly filter: string | undefined;
  readonly words: Words;
  readonly of: (item: I) => { readonly id: string; readonly name: string };
}

/** The entries that hold every word of the filter, in the order of their names. */
export function sought<I>(
  items: readonly I[],
  { filter = "", words, of }: Seeking<I>,
): readonly I[] {
  const { compare } = new Intl.Collator(words.tag);
  const named = items.map((item) => ({ item, ...of(item) }));
  const byId = new Map(named.map((one) => [one.id, one.item]));
  const candidates = named
    .sort((a, b) => compare(a.name, b.name))
    .map(({ id, name }) => ({ value: id, title: name, also: [id] }));
  return matching(filter, candidates).flatMap(({ value }) => byId.get(`${value}`) ?? []);
}
