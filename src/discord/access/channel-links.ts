import { AccessError, ConnectError } from "../../errors.ts";
import {
  type AnswerTo,
  type ConsentedChannel,
  clientMissing,
  type Decider,
  type Links,
  type Permission,
  type Proof,
  type Proofs,
  permissionsOf,
} from "../../oauth/index.ts";
import type { Credential, Read, Store, Ticket } from "../../store/index.ts";
import type { EnteredLink, GuildLinks, TokenKind } from "../declare/links.ts";
import type { Rank } from "../rank.ts";
import { scopeMissing, serves } from "./channel-scopes.ts";
import { storedIn } from "./store-unavailable.ts";

/** What linking works with. */
export interface LinkServices {
  readonly links: Links;
  /** Undefined where the bot has no registration. */
  readonly proofs: Proofs | undefined;
  /** The channels of the account that an access token speaks for; one unit, on that person's behalf. */
  readonly channelsOf: (accessToken: string, by: Decider) => Promise<readonly ConsentedChannel[]>;
}

/** Who links, and where the question is asked. */
export interface Linker {
  readonly guildId: string;
  readonly userId: string;
  readonly userName: string;
  readonly rank: Rank;
  readonly answerTo: AnswerTo;
  readonly guildName: () => Promise<string>;
}

interface GuildLinksDeps extends LinkServices {
  readonly store: Pick<Store, "tickets" | "credentials">;
  readonly now: () => number;
}

/** How long an entered token waits to be confirmed. */
const waitMs = 10 * 60_000;

/** What waits; sealed in the store. */
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

/** Links of one guild, for one person. */
export function createGuildLinks(linker: Linker, deps: GuildLinksDeps): GuildLinks {
  const { links, proofs, channelsOf, store, now } = deps;
  const { guildId, userId, userName, answerTo, rank } = linker;
  const by = { guildId, userId };

  function prove(kind: TokenKind, token: string): Promise<Proof> {
    if (proofs === undefined) throw clientMissing();
    return kind === "refresh" ? proofs.proveRefreshToken(token) : proofs.proveAccessToken(token);
  }

  return {
    begin: async (permissions) => {
      const guildName = await linker.guildName();
      return links.begin({ guildId, guildName, userId, userName, permissions, answerTo });
    },
    confirm: (handle) => links.confirm(handle, by),
    decline: (handle) => links.decline(handle, by),

    async enter({ kind, token, name }) {
      const proof = await prove(kind, token);
      if (!serves("channels.list", proof.scopes)) throw scopeMissing("channels.list", rank);
      const [channel] = await channelsOf(proof.accessToken, by);
      if (channel === undefined) throw noChannel();
      const { scopes, endsAt } = proof;
      const content: Entered = {
        ...{ step: "entered", kind, token: token.trim(), scopes, endsAt, readAt: now(), channel },
        ...(name !== undefined && { name }),
      };
      const handle = await store.tickets.put({ ...by, content }, waitMs);
      return shown(handle, content);
    },

    async keep(handle) {
      const content = enteredBy(await store.tickets.read(handle), by);
      await store.credentials.write(guildId, credentialOf(content, userId, now()));
      // It is stored: a ticket that can't be taken now ends by itself.
      await store.tickets.take(handle);
      return shown(handle, content);
    },

    async drop(handle) {
      enteredBy(await store.tickets.take(handle), by);
    },
  };
}

/** @throws AccessError `link_over` for an unknown, used, old or foreign one; ServiceError `store_unavailable` */
function enteredBy(read: Read<Ticket>, by: { guildId: string; userId: string }): Entered {
  const ticket = storedIn(read);
  const content = ticket?.content as Entered | undefined;
  const isTheirs = ticket?.guildId === by.guildId && ticket.userId === by.userId;
  if (content?.step !== "entered" || !isTheirs) {
    throw new AccessError("no token waits under that handle", { code: "token_over" });
  }
  return content;
}

function credentialOf(entered: Entered, addedBy: string, now: number): Credential {
  const { kind, token, scopes, endsAt, readAt, channel, name } = entered;
  return {
    kind: "channel",
    secret: token,
    addedBy,
    addedAt: now,
    channelId: channel.channelId,
    channelTitle: channel.title,
    titleReadAt: readAt,
    scopes,
    ...(name !== undefined && { name }),
    ...(kind === "access" && { grant: "access" as const, endsAt }),
  };
}

function shown(handle: string, { kind, scopes, endsAt, channel, name }: Entered): EnteredLink {
  const permissions: readonly Permission[] = permissionsOf(scopes);
  return {
    handle,
    channel,
    permissions,
    ...(name !== undefined && { name }),
    ...(kind === "access" && { endsAt: new Date(endsAt) }),
  };
}

function noChannel(): ConnectError {
  return new ConnectError("the account of the token has no channel", { code: "no_channel" });
}
