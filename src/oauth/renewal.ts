import { setTimeout as delay } from "node:timers/promises";
import type { AccessTokens, Credential, Credentials, Lease, Leases } from "../store/index.ts";
import { isGrantGone } from "./failure.ts";
import { goneMs, grantGone, hashOf, isWeekOld } from "./grant.ts";
import { type Access, type RefreshServices, refresh } from "./refresh.ts";

/** Told once, by one process, that the consent of a linked channel is over. */
export type OnGone = (
  guildId: string,
  channelId: string,
  how: { readonly isSevenDays: boolean },
) => void;

export interface RenewalServices extends RefreshServices {
  readonly credentials: Pick<Credentials, "read" | "changeChannel">;
  readonly accessTokens: AccessTokens;
  readonly leases: Leases;
  /** Told every access token before it is used. */
  readonly onSecret: (secret: string) => void;
  readonly onGone?: OnGone | undefined;
  /** Real time when absent; rejects when aborted. */
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A linked channel, and what came of its refresh token. */
export interface Held {
  readonly guildId: string;
  /** As it was read last. */
  credential: Credential;
  access?: Access | undefined;
  renewal?: Promise<Access> | undefined;
  /** After a failure nothing is asked for until then as long as the old token serves. */
  restUntil?: number | undefined;
  /** Nothing at all: the consent is over. */
  gone?: { readonly error: unknown; readonly until: number } | undefined;
}

/** Longer than a refresh takes that succeeds at once; a killed process holds the others up for no longer. */
const holdMs = 30_000;
/** Then another refresh harms less than further waiting. */
const waitMs = 40_000;
const pollMs = 50;
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
  const { credentials, accessTokens, leases, now, signal, onSecret } = services;
  const sleep = (ms: number) => (services.sleep ?? pause)(ms, signal);

  return async function renew(held: Held, refused: string | undefined): Promise<Access> {
    const found = await shared(held, refused);
    if (found) return keep(held, found);
    const turn = await takeTurn(held, refused);
    if (turn.found) return keep(held, turn.found);
    try {
      const meanwhile = turn.lease && (await shared(held, refused));
      if (meanwhile) return keep(held, meanwhile);
      await refuseMarked(held);
      return keep(held, await refreshed(held));
    } finally {
      await turn.lease?.release();
    }
  };

  function keep(held: Held, access: Access): Access {
    held.access = access;
    held.gone = undefined;
    return access;
  }

  /** Undefined unless it is better than the one held. */
  async function shared(held: Held, refused: string | undefined): Promise<Access | undefined> {
    const { guildId, credential, access } = held;
    if (credential.channelId === undefined) return undefined;
    const read = await accessTokens.read(guildId, credential.channelId);
    if (read.state !== "found") return undefined;
    const { grantHash, token, renewAt, endsAt } = read.value;
    if (grantHash !== hashOf(credential.secret) || token === refused) return undefined;
    const isBetter = now() < renewAt || (now() < endsAt && token !== access?.token);
    return isBetter ? { token, renewAt, endsAt } : undefined;
  }

  /** Without a lease where the store fails, or where another's takes too long. */
  async function takeTurn(
    held: Held,
    refused: string | undefined,
  ): Promise<{ readonly lease?: Lease | undefined; readonly found?: Access | undefined }> {
    const { channelId } = held.credential;
    if (channelId === undefined) return {};
    const name = `refresh:${held.guildId}:${channelId}`;
    const endAt = now() + waitMs;
    while (now() < endAt) {
      try {
        const lease = await leases.take(name, holdMs);
        if (lease !== undefined) return { lease };
      } catch {
        return {};
      }
      await sleep(pollMs);
      const found = await shared(held, refused);
      if (found !== undefined) return { found };
    }
    return {};
  }

  /** Another process may have found out meanwhile that the consent is over. */
  async function refuseMarked(held: Held): Promise<void> {
    const { guildId, credential } = held;
    const read = await credentials.read(guildId, "channel", credential.channelId);
    if (read.state !== "found" || read.value.secret !== credential.secret) return;
    const { brokenAt } = read.value;
    if (brokenAt === undefined || brokenAt === credential.brokenAt) return;
    givenUp(held, brokenAt, brokenAt + goneMs - now());
  }

  async function refreshed(held: Held): Promise<Access> {
    const { guildId, credential } = held;
    const { channelId, secret, brokenAt } = credential;
    const { scopes: _, ...access } = await refreshTwice(held);
    onSecret(access.token);
    if (channelId === undefined) return access;
    const row = { ...access, grantHash: hashOf(secret) };
    // Memory has it, and the next process asks for its own.
    await accessTokens.write(guildId, channelId, row).catch(() => undefined);
    await keepNothingOfGone(guildId, channelId);
    if (brokenAt !== undefined) await heal(guildId, channelId, secret);
    return access;
  }

  /** Who unlinked it meanwhile has removed its token already, and this one came afterwards. */
  async function keepNothingOfGone(guildId: string, channelId: string): Promise<void> {
    const { state } = await credentials.read(guildId, "channel", channelId);
    if (state === "absent") await accessTokens.remove(guildId, channelId).catch(() => undefined);
  }

  /** The consent lives after all. */
  async function heal(guildId: string, channelId: string, secret: string): Promise<void> {
    const isSame = (current: Credential) => current.secret === secret;
    // Tried again with the next refresh.
    await credentials
      .changeChannel(guildId, channelId, { brokenAt: undefined }, isSame)
      .catch(() => undefined);
  }

  async function refreshTwice(held: Held) {
    const { guildId, credential } = held;
    const { secret, brokenAt } = credential;
    try {
      return await refresh(services, secret);
    } catch (error) {
      if (!isGrantGone(error)) throw error;
      if (brokenAt !== undefined) return givenUp(held, brokenAt, goneMs);
      const current = await credentials.read(guildId, "channel", credential.channelId);
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
    const isKnown = await mark(held);
    return givenUp(held, now(), isKnown ? goneMs : unmarkedMs);
  }

  /** Answers whether it is marked, here or elsewhere; only who marks it tells. */
  async function mark({ guildId, credential }: Held): Promise<boolean> {
    const { channelId, secret } = credential;
    if (channelId === undefined) return false;
    const goneAt = now();
    const isWhole = (current: Credential) =>
      current.secret === secret && current.brokenAt === undefined;
    try {
      const change = { brokenAt: goneAt };
      const isFirst = await credentials.changeChannel(guildId, channelId, change, isWhole);
      if (!isFirst) return true;
    } catch {
      return false;
    }
    await accessTokens.remove(guildId, channelId).catch(() => undefined);
    services.onGone?.(guildId, channelId, { isSevenDays: isWeekOld(credential, goneAt) });
    return true;
  }

  function givenUp(held: Held, goneAt: number, forMs: number): never {
    const error = grantGone(held.credential, goneAt);
    held.access = undefined;
    held.gone = { error, until: now() + forMs };
    throw error;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
