import { setTimeout as delay } from "node:timers/promises";
import type { Credential, CredentialStore } from "../store/index.ts";
import { isGrantGone } from "./failure.ts";
import { believedGoneMs, consentOver, isWeekOld } from "./grant.ts";
import { type RefreshDeps, refresh, type TimedAccessToken } from "./refresh.ts";
import { type ChannelToken, createSharedTokens, type SharedTokensDeps } from "./shared-tokens.ts";

export interface TokenRenewalDeps extends RefreshDeps, SharedTokensDeps {
  readonly credentials: Pick<CredentialStore, "read" | "changeChannel">;
  /** Called with every access token before it is used, so that the log never shows it. */
  readonly onSecret: (secret: string) => void;
  /** Called once, in one process, when the consent of a linked channel is over, within the transaction that marks it. */
  readonly onGone?:
    | ((guildId: string, channelId: string, how: { isSevenDays: boolean }) => Promise<void>)
    | undefined;
  /** Real time when absent; rejects when aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface HeldToken extends ChannelToken {
  renewal?: Promise<TimedAccessToken> | undefined;
  /** After a failure no new token is requested until then, while the old one is still valid. */
  restUntil?: number | undefined;
  /** Set once the consent is over: then no token is requested. */
  gone?: Gone | undefined;
}

interface Gone {
  readonly error: unknown;
  readonly until: number;
  /** Whether the stored link was marked too; if the mark is gone, the link was repaired elsewhere or replaced. */
  readonly isMarked: boolean;
}

/** Between two tries of a consent that seems to be over: one wrong answer must not end a link. */
const secondLookMs = 1_000;
const unmarkedMs = 60_000;

/**
 * Gets the next access token of a linked channel: one that another process has already refreshed, or a new one, which is then
 * shared with the others. While one process refreshes, the others wait for its result. If the store fails, the worst that
 * happens is one more refresh.
 */
export function createRenewal(deps: TokenRenewalDeps) {
  const { database, credentials, accessTokens, now, signal, onGone } = deps;
  const sleep = (ms: number) =>
    deps.sleep
      ? deps.sleep(ms, signal)
      : delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
  const sharing = createSharedTokens(deps, sleep);

  return async (held: HeldToken, refused: string | undefined): Promise<TimedAccessToken> => {
    const found = await sharing.find(held, refused);
    if (found) return keep(held, found);
    const turn = await sharing.takeTurn(held, refused);
    if (turn.found) return keep(held, turn.found);
    try {
      const meanwhile = turn.release && (await sharing.find(held, refused));
      if (meanwhile) return keep(held, meanwhile);
      await refuseMarked(held);
      return keep(held, await refreshAndShare(held));
    } finally {
      await turn.release?.();
    }
  };

  /** Another process may have found out meanwhile that the consent is over. */
  async function refuseMarked(held: HeldToken): Promise<void> {
    const { guildId, channelId, credential } = held;
    const read = await credentials.read(guildId, "channel", channelId);
    if (read.state !== "found" || read.value.secret !== credential.secret) return;
    const { brokenAt } = read.value;
    if (brokenAt === undefined || brokenAt === credential.brokenAt) return;
    giveUp(held, { goneAt: brokenAt, until: brokenAt + believedGoneMs, isMarked: true });
  }

  async function refreshAndShare(held: HeldToken): Promise<TimedAccessToken> {
    const { scopes: _, ...access } = await refreshTwice(held);
    deps.onSecret(access.token);
    await sharing.share(held, access);
    const { guildId, channelId, credential } = held;
    const { secret, brokenAt } = credential;
    if (brokenAt === undefined) return access;
    // The mark that was there before the refresh is removed, because the consent is still valid.
    const isSame = (current: Credential) =>
      current.secret === secret && current.brokenAt === brokenAt;
    const healed = { brokenAt: undefined };
    // Tried again with the next refresh.
    await credentials.changeChannel(guildId, channelId, healed, isSame).catch(() => undefined);
    return access;
  }

  async function refreshTwice(held: HeldToken) {
    const { guildId, channelId, credential } = held;
    const { secret, brokenAt } = credential;
    try {
      return await refresh(deps, secret);
    } catch (error) {
      if (!isGrantGone(error)) throw error;
      if (brokenAt !== undefined) {
        return giveUp(held, { goneAt: brokenAt, until: now() + believedGoneMs, isMarked: true });
      }
      const current = await credentials.read(guildId, "channel", channelId);
      // It was linked again or unlinked meanwhile, which the caller finds out.
      const isOther = current.state === "found" && current.value.secret !== secret;
      if (isOther || current.state === "absent") throw error;
    }
    await sleep(secondLookMs);
    try {
      return await refresh(deps, secret);
    } catch (error) {
      if (!isGrantGone(error)) throw error;
    }
    const isMarked = await mark(held);
    const goneAt = now();
    const until = goneAt + (isMarked ? believedGoneMs : unmarkedMs);
    return giveUp(held, { goneAt, until, isMarked });
  }

  /** Returns whether the link is marked as over, here or elsewhere; only the process that marks it notifies people. */
  async function mark({ guildId, channelId, credential }: HeldToken): Promise<boolean> {
    const brokenAt = now();
    const isWhole = (current: Credential) =>
      current.secret === credential.secret && current.brokenAt === undefined;
    try {
      await database.transaction(async () => {
        if (!(await credentials.changeChannel(guildId, channelId, { brokenAt }, isWhole))) return;
        await onGone?.(guildId, channelId, { isSevenDays: isWeekOld(credential, brokenAt) });
      });
    } catch {
      return false;
    }
    await accessTokens.remove(guildId, channelId).catch(() => undefined);
    return true;
  }
}

function keep(held: HeldToken, access: TimedAccessToken): TimedAccessToken {
  held.access = access;
  held.gone = undefined;
  return access;
}

/** @throws ConnectError `invalid_grant` or `grant_seven_days` */
function giveUp(
  held: HeldToken,
  { goneAt, until, isMarked }: Omit<Gone, "error"> & { readonly goneAt: number },
): never {
  const error = consentOver(held.credential, goneAt);
  held.access = undefined;
  held.gone = { error, until, isMarked };
  throw error;
}
