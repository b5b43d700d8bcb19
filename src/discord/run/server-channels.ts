import { ChannelType, OverwriteType, PermissionFlagsBits, Routes } from "discord-api-types/v10";
import { withTimeout } from "../../clock.ts";
import {
  type ChannelOverwrite,
  isOpenToEveryone,
  type PermissionHolder,
  permissionsInChannel,
} from "../access/channel-permissions.ts";
import { type ForumTag, readPostChannel, type ServerChannels } from "../declare/text-channel.ts";
import { rankPermissions } from "../rank.ts";
import { askDiscord } from "./channel-messages/failure.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { Requester } from "./requester.ts";
import type { Services } from "./services.ts";

interface ListedChannel {
  readonly id: string;
  readonly type: number;
  readonly name?: string;
  readonly position?: number;
  readonly parent_id?: string | null;
  readonly permission_overwrites?: readonly ChannelOverwrite[];
  /** Of a forum. */
  readonly available_tags?: readonly ForumTag[];
}

/** A server as Discord sends it, with its channels. */
interface ServerPermissions {
  readonly owner_id: string;
  readonly roles: readonly {
    readonly id: string;
    readonly permissions: string;
    /** Managed roles belong to bots and integrations. */
    readonly managed?: boolean;
  }[];
  readonly channels: readonly ListedChannel[];
}

/** Somebody waits for the answer meanwhile. */
const patienceMs = 4_000;

const { ViewChannel, SendMessages, EmbedLinks, ReadMessageHistory, ManageChannels, Administrator } =
  PermissionFlagsBits;
const usedInChannels = ViewChannel | SendMessages | EmbedLinks | ReadMessageHistory;

/** For one interaction: the server is read once. */
export function serverChannelsFor(
  {
    rest,
    random,
    now,
    botId,
    log,
  }: Pick<InteractionDeps, "rest" | "botId"> & Pick<Services, "random" | "now" | "log">,
  requester: Pick<Requester, "guildId" | "userId" | "userName" | "roleIds">,
): ServerChannels {
  const { guildId, userId, userName } = requester;
  let reading: Promise<ServerPermissions | undefined> | undefined;

  const read = () => {
    reading ??= withTimeout(readServer, { timeoutMs: patienceMs }).catch((error: unknown) => {
      log.warn("the server's channels could not be read", { error });
      return undefined;
    });
    return reading;
  };

  async function readServer(): Promise<ServerPermissions> {
    const [server, channels] = await Promise.all([
      look<Omit<ServerPermissions, "channels">>(Routes.guild(guildId)),
      look<readonly ListedChannel[]>(Routes.guildChannels(guildId)),
    ]);
    if (!server.roles.some(({ id }) => id === guildId)) throw new TypeError("no roles came");
    return { ...server, channels };
  }

  /** Asks Discord again after a failure that passes. */
  function look<T>(route: `/${string}`): Promise<T> {
    return askDiscord({ what: "look" }, () => rest.get(route) as Promise<T>, { random, now });
  }

  /** The server with what the bot may do in it; undefined where either can't be read. */
  async function readWithBot() {
    const server = await read();
    if (server === undefined) return undefined;
    const bot = await withTimeout(
      () => look<{ readonly roles: readonly string[] }>(Routes.guildMember(guildId, botId)),
      { timeoutMs: patienceMs },
    ).catch(() => undefined);
    return bot && { server, bot: holder(server, { userId: botId, roleIds: bot.roles }) };
  }

  function holder(
    { roles }: ServerPermissions,
    { userId, roleIds }: Pick<Requester, "userId" | "roleIds">,
  ): PermissionHolder {
    const own = roles.filter(({ id }) => id === guildId || roleIds.includes(id));
    const base = own.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
    return { base, roleIds, userId };
  }

  function permissions(channel: ListedChannel, of: PermissionHolder): bigint {
    return permissionsInChannel({ guildId, overwrites: channel.permission_overwrites ?? [] }, of);
  }

  function isPublicIn({ roles }: ServerPermissions, channel: ListedChannel): boolean {
    const everyone = roles.find(({ id }) => id === guildId);
    const overwrites = channel.permission_overwrites ?? [];
    return isOpenToEveryone({ guildId, overwrites }, BigInt(everyone?.permissions ?? 0));
  }

  return {
    async read(channelId) {
      const server = await read();
      if (server === undefined) return { name: undefined, isPublic: undefined };
      let place = server.channels.find(({ id }) => id === channelId);
      if (place === undefined) {
        // A thread is not among the server's channels; the channel that it belongs to says who reads it.
        const thread = await withTimeout(() => look<unknown>(Routes.channel(channelId)), {
          timeoutMs: patienceMs,
        }).catch(() => undefined);
        const { parent_id } = Object(thread) as Partial<ListedChannel>;
        place = server.channels.find(({ id }) => id === parent_id);
      }
      return {
        name: place?.name,
        isPublic: place && isPublicIn(server, place),
        isAnnouncement: place && place.type === ChannelType.GuildAnnouncement,
        tags: place?.available_tags,
      };
    },
    async privateOnes() {
      const known = await readWithBot();
      if (known === undefined) return [];
      const { server, bot } = known;
      const person = holder(server, requester);
      const isOwner = server.owner_id === userId;
      return [...server.channels]
        .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
        .filter(({ type }) => type === ChannelType.GuildText || type === ChannelType.GuildForum)
        .filter((channel) => !isPublicIn(server, channel))
        .filter((channel) => isOwner || (permissions(channel, person) & ViewChannel) !== 0n)
        .map((channel) =>
          readPostChannel({ ...channel, app_permissions: `${permissions(channel, bot)}` }),
        )
        .filter(({ isWritable }) => isWritable);
    },
    async mayCreate() {
      const base = (await readWithBot())?.bot.base ?? 0n;
      return (base & (ManageChannels | Administrator)) !== 0n;
    },
    async createPrivate(draft) {
      const moderating = ((await read())?.roles ?? [])
        .filter(({ id, managed }) => id !== guildId && managed !== true)
        .filter(({ permissions }) => (BigInt(permissions) & rankPermissions) !== 0n)
        .map(({ id }) => id);
      const { Role, Member } = OverwriteType;
      const allow = (id: string, type: OverwriteType, allowed: bigint) => {
        return { id, type, allow: Number(allowed) };
      };
      const roleIds = [...new Set([...draft.roleIds, ...moderating])];
      const body = {
        name: draft.name,
        type: ChannelType.GuildText,
        permission_overwrites: [
          { id: guildId, type: Role, deny: Number(ViewChannel) },
          allow(botId, Member, usedInChannels),
          allow(userId, Member, ViewChannel),
          ...roleIds.map((id) => allow(id, Role, ViewChannel)),
        ],
      };
      const reason = `Asked for by ${userName} (${userId})`;
      const created = await askDiscord(
        { what: "post" },
        () => rest.post(Routes.guildChannels(guildId), { body, reason }),
        { random, now },
      );
      return readPostChannel(created);
    },
  };
}
