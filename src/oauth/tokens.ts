import { ConnectError, ServiceError } from "../errors.ts";
import type { Credentials } from "../store/index.ts";
import { isGrantGone } from "./failure.ts";
import { type Access, type RefreshServices, refresh } from "./refresh.ts";

export interface TokensOptions extends Omit<RefreshServices, "signal"> {
  readonly credentials: Pick<Credentials, "read">;
  /** Told every access token before it is used. */
  readonly onSecret: (secret: string) => void;
}

/** Access tokens of the guilds' linked channels; kept in memory only. One for the whole process. */
export interface Tokens {
  /**
   * Gives a token of that linked channel, or of the default one at that moment, for `createVideoClient`; told which one
   * was refused, another. However many ask, one refresh is under way a guild. The stored link is never touched.
   * @throws ConnectError `channel_missing`, `invalid_grant` when the consent is over, `oauth_client_refused`;
   * ServiceError `store_unavailable`, `service_unavailable` or `unexpected_answer`; LimitError `rate_limited`;
   * NetworkError `unreachable`, `timeout` or `cut`.
   */
  of(guildId: string, channelId?: string): (refused?: string) => Promise<string>;
  /** Ends the refreshes under way. */
  close(): Promise<void>;
}

/** What came of one refresh token. */
interface Held {
  readonly refreshToken: string;
  access?: Access | undefined;
  renewal?: Promise<Access> | undefined;
  /** The service's word that the consent is over, and until when it is not asked again. */
  gone?: { readonly error: unknown; readonly until: number } | undefined;
}

const goneMs = 60_000;

/** Tokens are refreshed and handed out here and nowhere else. */
export function createTokens({ credentials, onSecret, ...options }: TokensOptions): Tokens {
  const { now } = options;
  const closing = new AbortController();
  const services: RefreshServices = { ...options, signal: closing.signal };
  const guilds = new Map<string, Held>();

  async function tokenOf(
    guildId: string,
    channelId: string | undefined,
    refused: string | undefined,
  ): Promise<string> {
    for (;;) {
      const held = await heldOf(guildId, channelId);
      const { access } = held;
      if (access && access.token !== refused && now() < access.endsAt) {
        // Nobody waits for this one; if it fails, those are told who come when the old token is over.
        if (now() >= access.renewAt) renewalOf(held).catch(() => undefined);
        return access.token;
      }
      const result = await renewalOf(held).catch((error: unknown) => ({ error }));
      // A channel that was linked or unlinked meanwhile counts, not the one that this was about.
      if ((await heldOf(guildId, channelId)) !== held) continue;
      if ("error" in result) throw result.error;
      return result.token;
    }
  }

  /** The store is asked each time: it costs microseconds, and what is disconnected there ends at once. */
  async function heldOf(guildId: string, channelId: string | undefined): Promise<Held> {
    const read = await credentials.read(guildId, "channel", channelId);
    if (read.state === "failed") throw storeUnavailable(read.error);
    if (read.state === "absent") {
      guilds.delete(`${guildId} ${channelId ?? ""}`);
      throw channelMissing();
    }
    const { secret: refreshToken } = read.value;
    const held = guilds.get(`${guildId} ${channelId ?? ""}`);
    if (held?.refreshToken === refreshToken) return held;
    const fresh: Held = { refreshToken };
    guilds.set(`${guildId} ${channelId ?? ""}`, fresh);
    return fresh;
  }

  function renewalOf(held: Held): Promise<Access> {
    held.renewal ??= renew(held).finally(() => {
      held.renewal = undefined;
    });
    return held.renewal;
  }

  async function renew(held: Held): Promise<Access> {
    if (held.gone && now() < held.gone.until) throw held.gone.error;
    try {
      const access = await refresh(services, held.refreshToken);
      onSecret(access.token);
      held.access = access;
      return access;
    } catch (error) {
      if (isGrantGone(error)) held.gone = { error, until: now() + goneMs };
      throw error;
    }
  }

  return {
    of: (guildId, channelId) => (refused) => tokenOf(guildId, channelId, refused),
    close: async () => {
      closing.abort(stopping());
      await Promise.allSettled([...guilds.values()].map(({ renewal }) => renewal));
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
