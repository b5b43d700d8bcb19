import { type Cache, createCache } from "../cache.ts";
import { ConnectError, ServiceError } from "../errors.ts";
import type { Credential } from "../store/index.ts";
import { accessTokenOver, goneMs, grantGone } from "./grant.ts";
import type { Access } from "./refresh.ts";
import { createRenewal, type HeldToken, type RenewalServices } from "./renewal.ts";

export type TokensOptions = Omit<RenewalServices, "signal">;

export type Tokens = ReturnType<typeof createTokens>;

/** More channels than that are rarely in use at once; another process's token is found in the store. */
const mostHeld = 20_000;
/** Between two tries to renew a token that still serves. */
const restMs = 15_000;

interface TokensDeps extends TokensOptions {
  readonly renew: ReturnType<typeof createRenewal>;
  readonly heldCache: Cache<HeldToken>;
}

/**
 * Access tokens of the guilds' linked channels, in memory and sealed in the store. One for the whole process: tokens are
 * refreshed and handed out here and nowhere else.
 */
export function createTokens(options: TokensOptions) {
  const closing = new AbortController();
  const renew = createRenewal({ ...options, signal: closing.signal });
  const heldCache = createCache<HeldToken>({ maxSize: mostHeld });
  const deps: TokensDeps = { ...options, renew, heldCache };
  return {
    /**
     * Gives a token of that linked channel, or of the default one at that moment, for `createVideoClient`; told which one
     * was refused, another. However many ask, here and in other processes, one refresh is under way a channel. A failure
     * leaves the link as it is; only a consent that the service calls over twice is marked, and `onGone` told, once.
     * @throws ConnectError `channel_missing`, `invalid_grant` or `grant_seven_days` when the consent is over,
     * `access_token_over`, `oauth_client_refused`; ServiceError `store_unavailable`, `service_unavailable` or
     * `unexpected_answer`; LimitError `rate_limited`; NetworkError `unreachable`, `timeout` or `cut`.
     */
    of: (guildId: string, channelId?: string) => (refused?: string) =>
      tokenOf(deps, { guildId, channelId }, refused),
    /** Ends the refreshes under way. */
    close: async () => {
      closing.abort(stopping());
      await Promise.allSettled([...heldCache.values()].map(({ renewal }) => renewal));
    },
  };
}

interface WantedChannel {
  readonly guildId: string;
  /** The server's default one when undefined. */
  readonly channelId: string | undefined;
}

async function tokenOf(
  deps: TokensDeps,
  wanted: WantedChannel,
  refused: string | undefined,
): Promise<string> {
  const { now } = deps;
  for (let isFirst = true; ; isFirst = false) {
    const held = await heldOf(deps, wanted);
    const { access, credential } = held;
    if (credential.grant === "access") return enteredToken(credential, refused, now());
    refuseGone(held, now());
    if (access && access.token !== refused && now() < access.endsAt) {
      if (now() >= access.renewAt) renewAhead(deps, held);
      // Each time: whoever keeps secrets from the log forgets those that nobody uses.
      deps.onSecret(access.token);
      return access.token;
    }
    const result = await renewalOf(deps, held, refused).catch((error: unknown) => ({ error }));
    // A channel that was linked or unlinked meanwhile counts, not the one that this was about.
    if (await isReplaced(deps, held, wanted)) continue;
    if ("error" in result) throw result.error;
    // It was on its way when the refusal came.
    if (result.token === refused && isFirst) continue;
    return result.token;
  }
}

/** The store is asked each time: it costs microseconds, and what is disconnected there ends at once. */
async function heldOf(
  { credentials, heldCache }: TokensDeps,
  { guildId, channelId }: WantedChannel,
): Promise<HeldToken> {
  const read = await credentials.read(guildId, "channel", channelId);
  if (read.state === "failed") throw storeUnavailable(read.error);
  if (read.state === "absent") {
    if (channelId !== undefined) heldCache.delete(`${guildId} ${channelId}`);
    throw channelMissing();
  }
  return remembered(heldCache, guildId, read.value);
}

function remembered(
  heldCache: TokensDeps["heldCache"],
  guildId: string,
  credential: Credential,
): HeldToken {
  const { channelId = "" } = credential;
  const key = `${guildId} ${channelId}`;
  const held = heldCache.get(key);
  if (held?.credential.secret === credential.secret) {
    held.credential = credential;
    return held;
  }
  const fresh: HeldToken = { guildId, channelId, credential };
  heldCache.set(key, fresh);
  return fresh;
}

/** A store that fails just now keeps nobody from what was got. @throws ConnectError `channel_missing` */
async function isReplaced(
  deps: TokensDeps,
  held: HeldToken,
  wanted: WantedChannel,
): Promise<boolean> {
  try {
    return (await heldOf(deps, wanted)) !== held;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** Marked as over, here or by another process; after an hour one try shows whether that still holds. */
function refuseGone({ credential, gone }: HeldToken, now: number): void {
  const { brokenAt } = credential;
  const isHealed = gone?.isMarked === true && brokenAt === undefined;
  if (gone && !isHealed && now < gone.until) throw gone.error;
  if (brokenAt !== undefined && now < brokenAt + goneMs) throw grantGone(credential, brokenAt);
}

function enteredToken(credential: Credential, refused: string | undefined, now: number): string {
  const { secret, endsAt = Number.POSITIVE_INFINITY } = credential;
  if (secret === refused || now >= endsAt) throw accessTokenOver(credential);
  return secret;
}

/** Nobody waits for this one; if it fails, those are told who come when the old token is over. */
function renewAhead(deps: TokensDeps, held: HeldToken): void {
  if (held.renewal || deps.now() < (held.restUntil ?? 0)) return;
  renewalOf(deps, held, undefined).catch(() => {
    held.restUntil = deps.now() + restMs;
  });
}

function renewalOf(
  { renew }: TokensDeps,
  held: HeldToken,
  refused: string | undefined,
): Promise<Access> {
  held.renewal ??= renew(held, refused).finally(() => {
    held.renewal = undefined;
  });
  return held.renewal;
}

function channelMissing(): ConnectError {
  return new ConnectError("guild has no channel", { code: "channel_missing" });
}

function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("the linked channel can't be read from the store", {
    code: "store_unavailable",
    cause,
  });
}

function stopping(): ServiceError {
  return new ServiceError("closed while a token was refreshed", { code: "restarting" });
}
