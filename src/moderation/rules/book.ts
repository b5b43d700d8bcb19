import { found, type RuleBook } from "../../store/index.ts";
import type { RuleParts } from "./parts.ts";

/** Automatic acts a day, where nobody chose. */
const defaultDailyCap = 100;

/** The one record of a guild. */
const record = "all";

const blank: RuleBook = {
  rules: [],
  spared: { members: false, authors: [] },
  dailyCap: defaultDailyCap,
};

type Rows = Pick<RuleParts, "store">;

/** @throws ServiceError `store_unavailable` */
export async function readBook({ store }: Rows, guildId: string): Promise<RuleBook> {
  return found(await store.moderation.rules.read(guildId, record)) ?? blank;
}

/** Nobody comes between. @throws ServiceError `store_unavailable`; what `make` throws */
export function changeBook(
  { store }: Rows,
  guildId: string,
  make: (book: RuleBook) => RuleBook,
): Promise<RuleBook> {
  return store.moderation.rules.update(guildId, record, (stored) => make(stored ?? blank));
}

/** The same where there is a record; a server that was erased keeps none. @throws as `changeBook` */
export function changeKept(
  { store }: Rows,
  guildId: string,
  make: (book: RuleBook) => RuleBook,
): Promise<RuleBook | undefined> {
  return store.moderation.rules.update(guildId, record, (stored) => stored && make(stored));
}
