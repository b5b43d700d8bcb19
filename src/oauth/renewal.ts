import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../database/index.ts";
import type { AccessTokens, Credential, Credentials } from "../store/index.ts";
import { isGrantGone } from "./failure.ts";
import { goneMs, grantGone } from "./grant.ts";
import { createMarks, type OnGone } from "./marks.ts";
import { type Access, type RefreshServices, refresh } from "./refresh.ts";
import type { RefreshClaims } from "./refresh-claims.ts";
import { createSharing } from "./sharing.ts";

export interface RenewalServices extends RefreshServices {
  readonly database: Pick<Database, "transaction">;
  readonly credentials: Pick<Credentials, "read" | "changeChannel">;
  readonly accessTokens: AccessTokens;
  readonly claims: RefreshClaims;
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
  const { credentials, now, signal, onSecret } = services;
  const sleep = (ms: number) => (services.sleep ?? pause)(ms, signal);
  const sharing = createSharing(services, sleep);
  const marks = createMarks(services);

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
    const { guildId, credential } = held;
    const read = await credentials.read(guildId, "channel", credential.channelId);
    if (read.state !== "found" || read.value.secret !== credential.secret) return;
    const { brokenAt } = read.value;
    if (brokenAt === undefined || brokenAt === credential.brokenAt) return;
    givenUp(held, { goneAt: brokenAt, forMs: brokenAt + goneMs - now(), isMarked: true });
  }

  async function refreshed(held: Held): Promise<Access> {
    const { guildId, credential } = held;
    const { channelId, secret, brokenAt } = credential;
    const { scopes: _, ...access } = await refreshTwice(held);
    onSecret(access.token);
    if (channelId === undefined) return access;
    await sharing.share(held, access);
    if (brokenAt !== undefined) await marks.heal(guildId, channelId, secret);
    return access;
  }

  async function refreshTwice(held: Held) {
    const { guildId, credential } = held;
    const { secret, brokenAt } = credential;
    try {
      return await refresh(services, secret);
    } catch (error) {
      if (!isGrantGone(error)) throw error;
      if (brokenAt !== undefined) {
        return givenUp(held, { goneAt: brokenAt, forMs: goneMs, isMarked: true });
      }
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
    const isMarked = await marks.mark(held);
    return givenUp(held, { goneAt: now(), forMs: isMarked ? goneMs : unmarkedMs, isMarked });
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
