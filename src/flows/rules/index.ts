import * as acting from "./acts.ts";
import * as adding from "./add.ts";
import { deeds, kinds } from "./draft.ts";
import { tryRules } from "./dry-run.ts";
import { exempt, exemptAuthors } from "./exempt.ts";
import { longestName } from "./form.ts";
import * as keeping from "./keep.ts";
import * as listing from "./list.ts";
import * as logging from "./log.ts";

/** Rules that judge comments. */
export const rules = {
  ...{ kinds, deeds, longestName },
  askForList: adding.askForList,
  add: adding.add,
  list: listing.list,
  tryRules,
  switchRule: keeping.switchRule,
  askRemove: keeping.askRemove,
  exempt,
  exemptAuthors,
  log: logging.log,
  actions: [
    ...adding.actions,
    ...listing.actions,
    ...keeping.actions,
    ...logging.actions,
    ...acting.actions,
  ],
  events: acting.events,
} as const;
