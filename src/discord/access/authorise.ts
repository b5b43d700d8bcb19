import { AccessError } from "../../errors.ts";
import type { Action } from "../declare/command.ts";
import { type Demands, rankFor } from "../declare/demands.ts";
import { type Rank, reaches } from "../rank.ts";
import { storeUnavailable } from "./store-unavailable.ts";

/** Who asks: facts of this interaction, and what the guild's own roles make of them. */
export interface Claimant {
  readonly guildId: string;
  readonly userId: string;
  readonly rank: Rank;
  /** Why the guild's mapped roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: Error | undefined;
}

/** What somebody's answer left behind: a button, a select, a form, work under way. */
export interface Begun {
  readonly guildId: string;
  readonly userId: string;
  /** Nobody but that person was ever shown it. */
  readonly isPrivate?: boolean | undefined;
}

export interface Claim {
  /** Acts as a linked channel that was named, whether or not it is the server's default. */
  readonly isActing?: boolean;
  /** Who may use what was begun; whoever began it when absent. */
  readonly by?: Action["by"];
  readonly begun?: Begun;
}

/** Acting as a channel of one's choice shows what that one keeps to itself. */
const actingDemands: Demands = { rank: "moderator" };

const rankNames = {
  member: "a member",
  moderator: "a moderator (Manage Messages)",
  manager: "a manager (Manage Channels)",
  owner: "an owner (Manage Server)",
} as const satisfies Record<Rank, string>;

/**
 * The one gate before every command, menu, button, select, form and suggestion (reliability 3): from a server, of that
 * server, by whom it is meant for, and of rank.
 * @throws AccessError `only_in_servers`, `too_old` for what another server began, `not_yours`, `rank_too_low`;
 * ServiceError `store_unavailable` where a mapped role might have given the rank and can't be read.
 */
export function authorise<C extends Claimant>(
  demands: Demands,
  asker: C | undefined,
  { isActing = false, by = "requester", begun }: Claim = {},
): asserts asker is C {
  if (asker === undefined) throw onlyInServers();
  if (begun !== undefined) {
    if (begun.guildId !== asker.guildId) throw tooOld("what another server began");
    const isTheirs = by === "requester" || begun.isPrivate === true;
    if (isTheirs && begun.userId !== asker.userId) throw notYours();
  }
  requireRank(demands, asker);
  if (isActing) requireRank(actingDemands, asker);
}

/**
 * For handlers some of whose parts take more than the whole.
 * @throws AccessError `rank_too_low`; ServiceError `store_unavailable` as `authorise`.
 */
export function requireRank(
  demands: Demands,
  { rank, rolesUnread }: Pick<Claimant, "rank" | "rolesUnread">,
): void {
  const wanted = rankFor(demands);
  if (reaches(rank, wanted)) return;
  // Without the guild's roles there is Discord's own word alone, and that is not enough here.
  throw rolesUnread === undefined ? rankTooLow(rank, wanted) : storeUnavailable(rolesUnread);
}

function rankTooLow(rank: Rank, wanted: Rank): AccessError {
  return new AccessError(`rank ${rank} is below ${wanted}`, {
    code: "rank_too_low",
    hint: `This takes ${rankNames[wanted]}. Ask somebody who is.`,
    facts: { wanted },
  });
}

export function tooOld(what: string): AccessError {
  return new AccessError(`${what} is unknown`, {
    code: "too_old",
    hint: "It comes from an earlier version or from somewhere else. Run the command again to get a fresh one.",
  });
}

function notYours(): AccessError {
  return new AccessError("used by somebody else", {
    code: "not_yours",
    hint: "Only the person who ran the command can use them. Run the command yourself to get your own.",
  });
}

function onlyInServers(): AccessError {
  return new AccessError("used outside a server", {
    code: "only_in_servers",
    hint: "Use me in a server: every connection belongs to one.",
  });
}
