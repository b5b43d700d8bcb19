import type { PartOptions } from "../parts.ts";
import type { RuleBook } from "../records/index.ts";

/** Automatic acts a day, where nobody chose. */
const defaultDailyCap = 100;

const blank: RuleBook = {
  rules: [],
  spared: { members: false, authors: [] },
  dailyCap: defaultDailyCap,
};

type Rows = Pick<PartOptions, "records">;

/** @throws ServiceError `store_unavailable` */
export async function readBook({ records }: Rows, guildId: string): Promise<RuleBook> {
  return (await records.rules.read(guildId)) ?? blank;
}

/** Nobody comes between. @throws ServiceError `store_unavailable`; what `make` throws */
export function changeBook(
  { records }: Rows,
  guildId: string,
  make: (book: RuleBook) => RuleBook,
): Promise<RuleBook> {
  return records.rules.change(guildId, (stored) => make(stored ?? blank));
}

/** The same where there is a record; a server that was erased keeps none. @throws as `changeBook` */
export function changeKept(
  { records }: Rows,
  guildId: string,
  make: (book: RuleBook) => RuleBook,
): Promise<RuleBook | undefined> {
  return records.rules.change(guildId, (stored) => stored && make(stored));
}
