import { createCache } from "../cache.ts";
import { ConnectError, ServiceError } from "../errors.ts";
import { withoutOwner } from "../ownership.ts";
import { accessTokenOver, believedGoneMs, consentOver } from "./grant.ts";
import type { TimedAccessToken } from "./refresh.ts";
import { createRenewal, type HeldToken, type TokenRenewalDeps } from "./renewal.ts";

export type ChannelTokens = ReturnType<typeof createChannelTokens>;

/** Tokens in memory. More channels are rarely in use at once, and tokens of others are found in the store. */
const mostHeld = 20_000;
/** The wait between two tries to renew a token that is still valid. */
const restMs = 15_000;

interface WantedChannel {
  readonly guildId: string;
  /** The server's default one when undefined. */
  readonly channelId: string | undefined;
}

/**
 * Access tokens of the servers' linked channels, in memory and sealed in the store. One for the whole process: tokens are
 * refreshed and handed out here and nowhere else.
 */
export function createChannelTokens(deps: Omit<TokenRenewalDeps, "signal">) {
  const { credentials, now } = deps;
  const closing = new AbortController();
  const renew = createRenewal({ ...deps, signal: closing.signal });
  const heldTokens = createCache<HeldToken>({ maxSize: mostHeld });
  return {
    /**
     * Returns the function for `createVideoClient` that gets a token of that linked channel, or of the default one at that
     * moment. If it is called with a refused token, it gets another. However many callers there are, in all processes, only one
     * refresh of a channel runs at a time. A failure leaves the link unchanged; only when Google says twice that the
     * consent is over, the link is marked, and `onGone` is called once.
     * @throws ConnectError `channel_missing`, `invalid_grant` or `grant_seven_days` when the consent is over,
     * `access_token_over`, `oauth_client_refused`; ServiceError `store_unavailable`, `service_unavailable` or
     * `unexpected_answer`; LimitError `rate_limited`; NetworkError `unreachable`, `timeout` or `cut`.
     */
    of: (guildId: string, channelId?: string) => (refused?: string) =>
      requireToken({ guildId, channelId }, refused),
    /** Ends refreshes that are under way. */
    close: async () => {
      const message = "closed while a token was refreshed";
      closing.abort(new ServiceError(message, { code: "restarting" }));
      await Promise.allSettled([...heldTokens.values()].map(({ renewal }) => renewal));
    },
  };

  async function requireToken(wanted: WantedChannel, refused: string | undefined): Promise<string> {
    for (let isFirst = true; ; isFirst = false) {
      const held = await findHeld(wanted);
      const { access, credential } = held;
      if (credential.grant === "access") {
        const { secret, endsAt = Infinity } = credential;
        if (secret === refused || now() >= endsAt) throw accessTokenOver(credential);
        return secret;
      }
      refuseGone(held, now());
      if (access && access.token !== refused && now() < access.endsAt) {
        if (now() >= access.renewAt) renewAhead(held);
        // Each time, because the log's filter forgets secrets that nobody uses.
        deps.onSecret(access.token);
        return access.token;
      }
      const result = await renewShared(held, refused).catch((error: unknown) => ({ error }));
      // What counts is what is linked now, not what was linked when this began.
      if (await isReplaced(held, wanted)) continue;
      if ("error" in result) throw result.error;
      // This token was already being fetched when it was refused.
      if (result.token === refused && isFirst) continue;
      return result.token;
    }
  }

  /** Reads the store each time: it costs microseconds, and a disconnected channel ends at once. */
  async function findHeld({ guildId, channelId: wantedId }: WantedChannel): Promise<HeldToken> {
    const read = await credentials.read(guildId, "channel", wantedId);
    if (read.state === "failed") {
      throw new ServiceError("the linked channel can't be read from the store", {
        code: "store_unavailable",
        cause: read.error,
      });
    }
    if (read.state === "absent") {
      if (wantedId !== undefined) heldTokens.delete(`${guildId} ${wantedId}`);
      throw new ConnectError("the server has no channel", { code: "channel_missing" });
    }
    const credential = read.value;
    const { channelId = "" } = credential;
    const key = `${guildId} ${channelId}`;
    const held = heldTokens.get(key);
    if (held?.credential.secret === credential.secret) {
      held.credential = credential;
      return held;
    }
    const fresh: HeldToken = { guildId, channelId, credential };
    heldTokens.set(key, fresh);
    return fresh;
  }

  /** Whether the link has changed since. While the store fails, the token at hand is used. @throws ConnectError `channel_missing` */
  async function isReplaced(held: HeldToken, wanted: WantedChannel): Promise<boolean> {
    try {
      return (await findHeld(wanted)) !== held;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  /** Nobody waits for this refresh. If it fails, callers notice that when the old token has expired. */
  function renewAhead(held: HeldToken): void {
    if (held.renewal || now() < (held.restUntil ?? 0)) return;
    renewShared(held, undefined).catch(() => {
      held.restUntil = now() + restMs;
    });
  }

  function renewShared(held: HeldToken, refused: string | undefined): Promise<TimedAccessToken> {
    // All callers wait for the same one, whichever began it.
    held.renewal ??= withoutOwner(() => renew(held, refused)).finally(() => {
      held.renewal = undefined;
    });
    return held.renewal;
  }
}

/** Marked as over, here or by another process; after an hour one try shows whether that still holds. */
function refuseGone({ credential, gone }: HeldToken, now: number): void {
  const { brokenAt } = credential;
  const isHealed = gone?.isMarked === true && brokenAt === undefined;
  if (gone && !isHealed && now < gone.until) throw gone.error;
  if (brokenAt !== undefined && now < brokenAt + believedGoneMs)
    throw consentOver(credential, brokenAt);
}
