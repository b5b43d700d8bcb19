import { AccessError, type BotError } from "../../errors.ts";
import type { Action } from "../declare/command.ts";
import { type Demands, rankFor } from "../declare/demands.ts";
import { type Rank, reaches } from "../rank.ts";

/** Who asks: facts of this interaction, and what the guild's own roles make of them. */
export interface Claimant {
  readonly guildId: string;
  readonly userId: string;
  /** As far as is known: it may rise when the server's roles are read. */
  readonly rank: Rank;
  /** Why roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: BotError | undefined;
  /** Reads the server's roles unless they are known. Never throws. */
  readonly learnRoles: () => Promise<void>;
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

/** @throws AccessError `only_in_servers` */
export function requireServer<C extends Claimant>(asker: C | undefined): asserts asker is C {
  if (asker !== undefined) return;
  throw new AccessError("used outside a server", { code: "only_in_servers" });
}

/**
 * The one gate before every command, menu, button, select, form and suggestion (reliability 3): of that server, by whom
 * it is meant for, and of rank.
 * @throws AccessError `too_old` for what another server began, `not_yours`; as `requireRank`
 */
export async function authorise(
  demands: Demands,
  asker: Claimant,
  { isActing = false, by, begun }: Claim = {},
): Promise<void> {
  if (begun !== undefined) requireOwn(begun, asker, by);
  await requireRank(demands, asker);
  if (isActing) await requireRank(actingDemands, asker);
}

/** @throws AccessError `too_old` for what another server began, `not_yours` */
export function requireOwn(
  begun: Begun,
  asker: Pick<Claimant, "guildId" | "userId">,
  by: Action["by"] = "requester",
): void {
  if (begun.guildId !== asker.guildId) throw tooOld("what another server began");
  const isTheirs = by === "requester" || begun.isPrivate === true;
  if (isTheirs && begun.userId !== asker.userId) throw notYours();
}

/**
 * Also for handlers some of whose parts take more than the whole. Only who needs more than is known of them waits for
 * the server's roles.
 * @throws AccessError `rank_too_low`; where a role that can't be read might have given the rank, AccessError
 * `bot_not_in_server`, ServiceError `server_roles_unread` or `store_unavailable`.
 */
export async function requireRank(
  demands: Demands,
  asker: Pick<Claimant, "rank" | "rolesUnread" | "learnRoles">,
): Promise<void> {
  const wanted = rankFor(demands);
  if (reaches(asker.rank, wanted)) return;
  await asker.learnRoles();
  if (reaches(asker.rank, wanted)) return;
  throw asker.rolesUnread ?? rankTooLow(asker.rank, wanted);
}

function rankTooLow(rank: Rank, wanted: Rank): AccessError {
  return new AccessError(`rank ${rank} is below ${wanted}`, {
    code: "rank_too_low",
    facts: { wanted },
  });
}

export function tooOld(what: string): AccessError {
  return new AccessError(`${what} is unknown`, { code: "too_old" });
}

function notYours(): AccessError {
  return new AccessError("used by somebody else", { code: "not_yours" });
}
