import { setTimeout as delay } from "node:timers/promises";
import type { Credential, Credentials } from "../store/index.ts";
import { isGrantGone } from "./failure.ts";
import { goneMs, grantGone, isWeekOld } from "./grant.ts";
import { type Access, type RefreshServices, refresh } from "./refresh.ts";
import { type ChannelToken, createSharing, type SharingServices } from "./sharing.ts";

export interface RenewalServices extends RefreshServices, SharingServices {
  readonly credentials: Pick<Credentials, "read" | "changeChannel">;
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
export interface HeldToken extends ChannelToken {
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

interface RenewalDeps extends Omit<RenewalServices, "sleep"> {
  readonly sleep: (ms: number) => Promise<void>;
  readonly sharing: ReturnType<typeof createSharing>;
}

/**
 * Gets the next access token of a linked channel: what another process has refreshed already, or a refreshed one that
 * the others then find. While one process refreshes, the others wait for what it gets. A store that fails costs a
 * refresh more, never a token.
 */
export function createRenewal(services: RenewalServices) {
  const sleep = (ms: number) => (services.sleep ?? pause)(ms, services.signal);
  const deps: RenewalDeps = { ...services, sleep, sharing: createSharing(services, sleep) };
  return (held: HeldToken, refused: string | undefined) => renew(deps, held, refused);
}

async function renew(
  deps: RenewalDeps,
  held: HeldToken,
  refused: string | undefined,
): Promise<Access> {
  const { sharing } = deps;
  const found = await sharing.find(held, refused);
  if (found) return keep(held, found);
  const turn = await sharing.takeTurn(held, refused);
  if (turn.found) return keep(held, turn.found);
  try {
    const meanwhile = turn.release && (await sharing.find(held, refused));
    if (meanwhile) return keep(held, meanwhile);
    await refuseMarked(deps, held);
    return keep(held, await refreshed(deps, held));
  } finally {
    await turn.release?.();
  }
}

function keep(held: HeldToken, access: Access): Access {
  held.access = access;
  held.gone = undefined;
  return access;
}

/** Another process may have found out meanwhile that the consent is over. */
async function refuseMarked(deps: RenewalDeps, held: HeldToken): Promise<void> {
  const { guildId, channelId, credential } = held;
  const read = await deps.credentials.read(guildId, "channel", channelId);
  if (read.state !== "found" || read.value.secret !== credential.secret) return;
  const { brokenAt } = read.value;
  if (brokenAt === undefined || brokenAt === credential.brokenAt) return;
  giveUp(held, { goneAt: brokenAt, until: brokenAt + goneMs, isMarked: true });
}

async function refreshed(deps: RenewalDeps, held: HeldToken): Promise<Access> {
  const { scopes: _, ...access } = await refreshTwice(deps, held);
  deps.onSecret(access.token);
  await deps.sharing.share(held, access);
  if (held.credential.brokenAt !== undefined) await heal(deps, held);
  return access;
}

async function refreshTwice(deps: RenewalDeps, held: HeldToken) {
  const { credentials, now, sleep } = deps;
  const { guildId, channelId, credential } = held;
  const { secret, brokenAt } = credential;
  try {
    return await refresh(deps, secret);
  } catch (error) {
    if (!isGrantGone(error)) throw error;
    if (brokenAt !== undefined) {
      return giveUp(held, { goneAt: brokenAt, until: now() + goneMs, isMarked: true });
    }
    const current = await credentials.read(guildId, "channel", channelId);
    // Linked anew meanwhile, or no longer linked: whoever asked finds out.
    const isOther = current.state === "found" && current.value.secret !== secret;
    if (isOther || current.state === "absent") throw error;
  }
  await sleep(secondLookMs);
  try {
    return await refresh(deps, secret);
  } catch (error) {
    if (!isGrantGone(error)) throw error;
  }
  const isMarked = await mark(deps, held);
  const goneAt = now();
  return giveUp(held, { goneAt, until: goneAt + (isMarked ? goneMs : unmarkedMs), isMarked });
}

/** Answers whether the link is marked as over, here or elsewhere; only who marks it tells. */
async function mark(
  { database, credentials, accessTokens, now, onGone }: RenewalDeps,
  { guildId, channelId, credential }: HeldToken,
): Promise<boolean> {
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

/** The consent lives after all. */
async function heal(
  { credentials }: RenewalDeps,
  { guildId, channelId, credential }: HeldToken,
): Promise<void> {
  const isSame = ({ secret }: Credential) => secret === credential.secret;
  const healed = { brokenAt: undefined };
  // Tried again with the next refresh.
  await credentials.changeChannel(guildId, channelId, healed, isSame).catch(() => undefined);
}

/** @throws ConnectError `invalid_grant` or `grant_seven_days` */
function giveUp(
  held: HeldToken,
  { goneAt, until, isMarked }: Omit<Gone, "error"> & { readonly goneAt: number },
): never {
  const error = grantGone(held.credential, goneAt);
  held.access = undefined;
  held.gone = { error, until, isMarked };
  throw error;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
