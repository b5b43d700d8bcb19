import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../database/index.ts";
import type { AccessTokens, Credential, Credentials } from "../store/index.ts";
import { isGrantGone } from "./failure.ts";
import { goneMs, grantGone, isWeekOld } from "./grant.ts";
import { type Access, type RefreshServices, refresh } from "./refresh.ts";
import { createSharing } from "./sharing.ts";

export interface RenewalServices extends RefreshServices {
  readonly database: Database;
  readonly credentials: Pick<Credentials, "read" | "changeChannel">;
  readonly accessTokens: AccessTokens;
  /** Told every access token before it is used. */
  readonly onSecret: (secret: string) => void;
  /** Told once, by one process, that the consent of a linked channel is over; part of the transaction that marks it. */
  readonly onGone?:
    | ((guildId: string, channelId: string, how: { isSevenDays: boolean }) => Promise<void>)
    | undefined;
  /** Real time when absent; rejects when aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A linked channel, and what came of its refresh token. */
export interface Held {
  readonly guildId: string;
  readonly channelId: string;
  /** As it was read last. */
  credential: Credential;
  access?: Access | undefined;
  renewal?: Promise<Access> | undefined;
  /** After a failure nothing is asked for until then as long as the old token serves. */
  restUntil?: number | undefined;
  /** Nothing at all: the consent is over. */
  gone?: Gone | undefined;
}

interface Gone {
  readonly error: unknown;
  readonly until: number;
  /** The stored link says so too; once it no longer does, it was healed elsewhere or entered anew. */
  readonly isMarked: boolean;
}

/** Between two tries of a consent that is called over: a wrong answer of a moment must not part a link. */
const secondLookMs = 1_000;
/** Until a mark that could not be stored is tried anew. */
const unmarkedMs = 60_000;

/**
 * Gets the next access token of a linked channel: what another process has refreshed already, or a refreshed one that
 * the others then find. While one process refreshes, the others wait for what it gets. A store that fails costs a
 * refresh more, never a token.
 */
export function createRenewal(services: RenewalServices) {
  const { database, credentials, accessTokens, now, signal, onSecret } = services;
  const sleep = (ms: number) => (services.sleep ?? pause)(ms, signal);
  const sharing = createSharing(services, sleep);

  return async function renew(held: Held, refused: string | undefined): Promise<Access> {
    const found = await sharing.find(held, refused);
    if (found) return keep(held, found);
    const turn = await sharing.takeTurn(held, refused);
    if (turn.found) return keep(held, turn.found);
    try {
      const meanwhile = turn.release && (await sharing.find(held, refused));
      if (meanwhile) return keep(held, meanwhile);
      await refuseMarked(held);
      return keep(held, await refreshed(held));
    } finally {
      await turn.release?.();
    }
  };

  function keep(held: Held, access: Access): Access {
    held.access = access;
    held.gone = undefined;
    return access;
  }

  /** Another process may have found out meanwhile that the consent is over. */
  async function refuseMarked(held: Held): Promise<void> {
    const { guildId, channelId, credential } = held;
    const read = await credentials.read(guildId, "channel", channelId);
    if (read.state !== "found" || read.value.secret !== credential.secret) return;
    const { brokenAt } = read.value;
    if (brokenAt === undefined || brokenAt === credential.brokenAt) return;
    givenUp(held, { goneAt: brokenAt, forMs: brokenAt + goneMs - now(), isMarked: true });
  }

  async function refreshed(held: Held): Promise<Access> {
    const { scopes: _, ...access } = await refreshTwice(held);
    onSecret(access.token);
    await sharing.share(held, access);
    if (held.credential.brokenAt !== undefined) await heal(held);
    return access;
  }

  async function refreshTwice(held: Held) {
    const { guildId, channelId, credential } = held;
    const { secret, brokenAt } = credential;
    try {
      return await refresh(services, secret);
    } catch (error) {
      if (!isGrantGone(error)) throw error;
      if (brokenAt !== undefined) {
        return givenUp(held, { goneAt: brokenAt, forMs: goneMs, isMarked: true });
      }
      const current = await credentials.read(guildId, "channel", channelId);
      // Linked anew meanwhile, or no longer linked: whoever asked finds out.
      const isOther = current.state === "found" && current.value.secret !== secret;
      if (isOther || current.state === "absent") throw error;
    }
    await sleep(secondLookMs);
    try {
      return await refresh(services, secret);
    } catch (error) {
      if (!isGrantGone(error)) throw error;
    }
    const isMarked = await mark(held);
    return givenUp(held, { goneAt: now(), forMs: isMarked ? goneMs : unmarkedMs, isMarked });
  }

  /** Answers whether the link is marked as over, here or elsewhere; only who marks it tells. */
  async function mark({ guildId, channelId, credential }: Held): Promise<boolean> {
    const brokenAt = now();
    const isWhole = (current: Credential) =>
      current.secret === credential.secret && current.brokenAt === undefined;
    try {
      await database.transaction(async () => {
        if (!(await credentials.changeChannel(guildId, channelId, { brokenAt }, isWhole))) return;
        const isSevenDays = isWeekOld(credential, brokenAt);
        await services.onGone?.(guildId, channelId, { isSevenDays });
      });
    } catch {
      return false;
    }
    await accessTokens.remove(guildId, channelId).catch(() => undefined);
    return true;
  }

  /** The consent lives after all. */
  async function heal({ guildId, channelId, credential }: Held): Promise<void> {
    const isSame = ({ secret }: Credential) => secret === credential.secret;
    const healed = { brokenAt: undefined };
    // Tried again with the next refresh.
    await credentials.changeChannel(guildId, channelId, healed, isSame).catch(() => undefined);
  }

  function givenUp(
    held: Held,
    { goneAt, forMs, isMarked }: Pick<Gone, "isMarked"> & { goneAt: number; forMs: number },
  ): never {
    const error = grantGone(held.credential, goneAt);
    held.access = undefined;
    held.gone = { error, until: now() + forMs, isMarked };
    throw error;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
