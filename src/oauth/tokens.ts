import { LRUCache } from "lru-cache";
import { ConnectError, ServiceError } from "../errors.ts";
import type { Credential } from "../store/index.ts";
import { accessTokenOver, goneMs, grantGone } from "./grant.ts";
import type { Access } from "./refresh.ts";
import { createRenewal, type Held, type RenewalServices } from "./renewal.ts";

export type TokensOptions = Omit<RenewalServices, "signal">;

export type Tokens = ReturnType<typeof createTokens>;

/** More channels than that are rarely in use at once; another process's token is found in the store. */
const mostHeld = 20_000;
/** Between two tries to renew a token that still serves. */
const restMs = 15_000;

/**
 * Access tokens of the guilds' linked channels, in memory and sealed in the store. One for the whole process: tokens are
 * refreshed and handed out here and nowhere else.
 */
export function createTokens(options: TokensOptions) {
  const { credentials, now } = options;
  const closing = new AbortController();
  const renew = createRenewal({ ...options, signal: closing.signal });
  const heldCache = new LRUCache<string, Held>({ max: mostHeld });

  async function tokenOf(
    guildId: string,
    channelId: string | undefined,
    refused: string | undefined,
  ): Promise<string> {
    for (let isFirst = true; ; isFirst = false) {
      const held = await heldOf(guildId, channelId);
      const { access, credential } = held;
      if (credential.grant === "access") return enteredToken(credential, refused);
      refuseGone(held);
      if (access && access.token !== refused && now() < access.endsAt) {
        if (now() >= access.renewAt) renewAhead(held);
        // Each time: whoever keeps secrets from the log forgets those that nobody uses.
        options.onSecret(access.token);
        return access.token;
      }
      const result = await renewalOf(held, refused).catch((error: unknown) => ({ error }));
      // A channel that was linked or unlinked meanwhile counts, not the one that this was about.
      if (await isReplaced(held, channelId)) continue;
      if ("error" in result) throw result.error;
      // It was on its way when the refusal came.
      if (result.token === refused && isFirst) continue;
      return result.token;
    }
  }

  /** The store is asked each time: it costs microseconds, and what is disconnected there ends at once. */
  async function heldOf(guildId: string, channelId: string | undefined): Promise<Held> {
    const read = await credentials.read(guildId, "channel", channelId);
    if (read.state === "failed") throw storeUnavailable(read.error);
    if (read.state === "absent") {
      if (channelId !== undefined) heldCache.delete(`${guildId} ${channelId}`);
      throw channelMissing();
    }
    return remembered(guildId, read.value);
  }

  function remembered(guildId: string, credential: Credential): Held {
    const { channelId = "" } = credential;
    const key = `${guildId} ${channelId}`;
    const held = heldCache.get(key);
    if (held?.credential.secret === credential.secret) {
      held.credential = credential;
      return held;
    }
    const fresh: Held = { guildId, channelId, credential };
    heldCache.set(key, fresh);
    return fresh;
  }

  /** A store that fails just now keeps nobody from what was got. @throws ConnectError `channel_missing` */
  async function isReplaced(held: Held, channelId: string | undefined): Promise<boolean> {
    try {
      return (await heldOf(held.guildId, channelId)) !== held;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  /** Marked as over, here or by another process; after an hour one try shows whether that still holds. */
  function refuseGone({ credential, gone }: Held): void {
    const { brokenAt } = credential;
    const isHealed = gone?.isMarked === true && brokenAt === undefined;
    if (gone && !isHealed && now() < gone.until) throw gone.error;
    if (brokenAt !== undefined && now() < brokenAt + goneMs) throw grantGone(credential, brokenAt);
  }

  function enteredToken(credential: Credential, refused: string | undefined): string {
    const { secret, endsAt = Number.POSITIVE_INFINITY } = credential;
    if (secret === refused || now() >= endsAt) throw accessTokenOver(credential);
    return secret;
  }

  /** Nobody waits for this one; if it fails, those are told who come when the old token is over. */
  function renewAhead(held: Held): void {
    if (held.renewal || now() < (held.restUntil ?? 0)) return;
    renewalOf(held, undefined).catch(() => {
      held.restUntil = now() + restMs;
    });
  }

  function renewalOf(held: Held, refused: string | undefined): Promise<Access> {
    held.renewal ??= renew(held, refused).finally(() => {
      held.renewal = undefined;
    });
    return held.renewal;
  }

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
      tokenOf(guildId, channelId, refused),
    /** Ends the refreshes under way. */
    close: async () => {
      closing.abort(stopping());
      await Promise.allSettled([...heldCache.values()].map(({ renewal }) => renewal));
    },
  };
}

function channelMissing(): ConnectError {
  return new ConnectError("guild has no channel", {
    code: "channel_missing",
    hint: "This needs a linked channel. Somebody who manages this server can link it.",
  });
}

function storeUnavailable(cause: unknown): ServiceError {
  return new ServiceError("the linked channel can't be read from the store", {
    code: "store_unavailable",
    hint: "Your settings are safe. Try again in a minute; if it stays so, tell the people who run this bot.",
    cause,
  });
}

function stopping(): ServiceError {
  return new ServiceError("closed while a token was refreshed", {
    code: "restarting",
    hint: "The bot is being restarted. Try again in a minute.",
  });
}
