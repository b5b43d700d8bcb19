import { AccessError, type BotError } from "../../errors.ts";
import type { Action, HandlerDeclaration } from "../declare/command.ts";
import { type Rank, reaches } from "../rank.ts";

/** The person behind an interaction, with their rank in the server. */
export interface RankedRequester {
  readonly guildId: string;
  readonly userId: string;
  /** As known so far: it may rise when the server's roles are read. */
  readonly rank: Rank;
  /** Why roles were left out of the rank, where they might have raised it. */
  readonly rolesUnread?: BotError | undefined;
  /** Reads the server's roles unless they are known. Never throws. */
  readonly learnRoles: () => Promise<void>;
}

/** What an earlier interaction started: a button, a select, a form, or work under way. */
export interface StartedWork {
  readonly guildId: string;
  readonly userId: string;
  /** Nobody else was ever shown it. */
  readonly isPrivate?: boolean | undefined;
}

interface AccessClaim {
  /** Acts as a linked channel that was named, whether or not it is the server's default. */
  readonly isActing?: boolean;
  /** Who may use what was started; only the person who started it when absent. */
  readonly by?: Action["by"];
  readonly begun?: StartedWork;
}

/** Whoever acts as a chosen channel sees its private data. */
const acting: HandlerDeclaration = { rank: "moderator" };

/** @throws AccessError `only_in_servers` */
export function requireServer<C extends RankedRequester>(
  requester: C | undefined,
): asserts requester is C {
  if (requester !== undefined) return;
  throw new AccessError("used outside a server", { code: "only_in_servers" });
}

/**
 * The one check before every command, menu, button, select, form and suggestion: that it belongs to this server, that it
 * is meant for this person, and that their rank is high enough.
 * @throws AccessError `too_old` for what another server began, `not_yours`; as `requireRank`
 */
export async function authorise(
  declaration: HandlerDeclaration,
  requester: RankedRequester,
  { isActing = false, by, begun }: AccessClaim = {},
): Promise<void> {
  if (begun !== undefined) requireOwn(begun, requester, by);
  await requireRank(declaration, requester);
  if (isActing) await requireRank(acting, requester);
}

/** @throws AccessError `too_old` for what another server began, `not_yours` */
export function requireOwn(
  begun: StartedWork,
  requester: Pick<RankedRequester, "guildId" | "userId">,
  by: Action["by"] = "requester",
): void {
  if (begun.guildId !== requester.guildId) throw tooOld("what another server began");
  const isTheirs = by === "requester" || begun.isPrivate === true;
  if (isTheirs && begun.userId !== requester.userId) {
    throw new AccessError("used by somebody else", { code: "not_yours" });
  }
}

/**
 * Handlers call it too, where a part of what they do needs a higher rank than the rest. It waits for the server's roles
 * only where the rank known so far is too low.
 * @throws AccessError `rank_too_low`; where a role that can't be read might have given the rank, AccessError
 * `bot_not_in_server`, ServiceError `server_roles_unread` or `store_unavailable`.
 */
export async function requireRank(
  { rank: wanted = "member" }: HandlerDeclaration,
  requester: Pick<RankedRequester, "rank" | "rolesUnread" | "learnRoles">,
): Promise<void> {
  if (reaches(requester.rank, wanted)) return;
  await requester.learnRoles();
  if (reaches(requester.rank, wanted)) return;
  throw (
    requester.rolesUnread ??
    new AccessError(`rank ${requester.rank} is below ${wanted}`, {
      code: "rank_too_low",
      facts: { wanted },
    })
  );
}

export function tooOld(what: string): AccessError {
  return new AccessError(`${what} is unknown`, { code: "too_old" });
}
