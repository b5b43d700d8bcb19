import type { HandlerContext } from "../../discord/index.ts";
import { AccessError, ConnectError } from "../../errors.ts";
import {
  type ConsentedChannel,
  clientMissing,
  type LinkDecider,
  type Links,
  type Permission,
  permissionsGivenBy,
  type TokenVerifier,
} from "../../oauth/index.ts";
import { type OneTimeToken, type Store, type StoreRead, storedIn } from "../../store/index.ts";
import { coversMethod, scopeMissing } from "./channel-scopes.ts";

/** The kind of a token that somebody enters. */
export type TokenKind = "refresh" | "access";

interface EnteredToken {
  readonly kind: TokenKind;
  readonly token: string;
  /** What the channel is to be called here. */
  readonly name?: string | undefined;
}

/** A token that was tried and waits to be confirmed; the store holds the token itself, encrypted. */
interface EnteredLink {
  /** Works for 10 minutes. */
  readonly handle: string;
  readonly channel: ConsentedChannel;
  readonly permissions: readonly Permission[];
  readonly name?: string;
  /** When an access token expires, which can't be renewed. */
  readonly endsAt?: Date;
}

/** The services that linking needs. */
export interface LinkServices {
  readonly links: Links;
  /** Undefined where the bot is not registered at Google. */
  readonly verifier: TokenVerifier | undefined;
  /** Reads the channels of an access token's account; costs one unit, counted for that person. */
  readonly channelsOf: (
    accessToken: string,
    by: LinkDecider,
  ) => Promise<readonly ConsentedChannel[]>;
}

/** Who links a channel, and where the question is asked. */
type ChannelLinker = Pick<
  HandlerContext,
  "guildId" | "userId" | "userName" | "rank" | "answerTo" | "serverName"
>;

interface ServerLinksDeps extends LinkServices {
  readonly store: Pick<Store, "oneTimeTokens" | "credentials" | "database">;
  readonly now: () => number;
}

/** How long an entered token waits to be confirmed. */
const waitMs = 10 * 60_000;

/** What waits for `keep`, as the store holds it, encrypted. */
interface Entered {
  readonly step: "entered";
  readonly kind: TokenKind;
  readonly token: string;
  readonly name?: string;
  readonly scopes: readonly string[];
  readonly endsAt: number;
  readonly readAt: number;
  readonly channel: ConsentedChannel;
}

/** How the person links channels to this server. Every method throws ServiceError `store_unavailable`. */
export type ServerLinks = ReturnType<typeof createServerLinks>;

export function createServerLinks(linker: ChannelLinker, deps: ServerLinksDeps) {
  const { links, verifier, channelsOf, store, now } = deps;
  const { guildId, userId, userName, answerTo, rank } = linker;
  const by = { guildId, userId };

  return {
    /**
     * Begins a link on our web page; the question whether to keep it replaces this interaction's answer.
     * @throws ConnectError `links_closed`, `oauth_client_missing`
     */
    begin: async (permissions: readonly Permission[]) => {
      const guildName = await linker.serverName();
      return links.begin({ guildId, guildName, userId, userName, permissions, answerTo });
    },
    /**
     * `code`: as the browser shows it, where the question asks for one.
     * @throws AccessError `link_over`, `under_way`; InputError `too_many_channels`
     */
    confirm: (handle: string, code?: string) => links.confirm(handle, by, code),
    /** Ends the consent at YouTube. @throws AccessError `link_over`, `under_way` */
    decline: (handle: string) => links.decline(handle, by),

    /**
     * Tries a token and reads its channel, for one unit. The bot can't act with it before `keep`.
     * @throws ConnectError `token_not_accepted`, `scope_missing`, `no_channel`, `oauth_client_missing`
     */
    async enter({ kind, token, name }: EnteredToken): Promise<EnteredLink> {
      if (verifier === undefined) throw clientMissing();
      const { scopes, endsAt, accessToken } = await (kind === "refresh"
        ? verifier.proveRefreshToken(token)
        : verifier.proveAccessToken(token));
      if (!coversMethod("channels.list", scopes)) throw scopeMissing("channels.list", rank);
      const [channel] = await channelsOf(accessToken, by);
      if (channel === undefined) {
        throw new ConnectError("the account of the token has no channel", { code: "no_channel" });
      }
      const content: Entered = {
        step: "entered",
        kind,
        token: token.trim(),
        scopes,
        endsAt,
        readAt: now(),
        channel,
        ...(name !== undefined && { name }),
      };
      const handle = await store.oneTimeTokens.put({ ...by, content }, waitMs);
      return toEnteredLink(handle, content);
    },

    /** Stores what was entered. @throws AccessError `token_over`; InputError `too_many_channels` */
    async keep(handle: string): Promise<EnteredLink> {
      return store.database.transaction(async () => {
        // It is either kept or dropped; if it can't be stored, the same handle works again.
        const content = enteredBy(await store.oneTimeTokens.take(handle), by);
        const { kind, token, scopes, endsAt, readAt, channel, name } = content;
        await store.credentials.write(guildId, {
          kind: "channel",
          secret: token,
          addedBy: userId,
          addedAt: now(),
          channelId: channel.channelId,
          channelTitle: channel.title,
          titleReadAt: readAt,
          scopes,
          ...(name !== undefined && { name }),
          ...(kind === "access" && { grant: "access", endsAt }),
        });
        return toEnteredLink(handle, content);
      });
    },

    /** Forgets what was entered. @throws AccessError `token_over` */
    async drop(handle: string): Promise<void> {
      enteredBy(await store.oneTimeTokens.take(handle), by);
    },
  };
}

/** @throws AccessError `link_over` for an unknown, used, old or foreign one; ServiceError `store_unavailable` */
function enteredBy(
  read: StoreRead<OneTimeToken>,
  by: { guildId: string; userId: string },
): Entered {
  const stored = storedIn(read);
  const content = stored?.content as Entered | undefined;
  const isTheirs = stored?.guildId === by.guildId && stored.userId === by.userId;
  if (content?.step !== "entered" || !isTheirs) {
    throw new AccessError("no token waits under that handle", { code: "token_over" });
  }
  return content;
}

function toEnteredLink(
  handle: string,
  { kind, scopes, endsAt, channel, name }: Entered,
): EnteredLink {
  const permissions: readonly Permission[] = permissionsGivenBy(scopes);
  return {
    handle,
    channel,
    permissions,
    ...(name !== undefined && { name }),
    ...(kind === "access" && { endsAt: new Date(endsAt) }),
  };
}
