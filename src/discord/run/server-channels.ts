import { ChannelType, OverwriteType, PermissionFlagsBits, type REST, Routes } from "discord.js";
import { withTimeout } from "../../clock.ts";
import type { Log } from "../../log.ts";
import {
  type ChannelOverwrite,
  isOpenToEveryone,
  type PermissionHolder,
  permissionsInChannel,
} from "../access/channel-permissions.ts";
import type { PrivateChannelDraft, ServerChannels } from "../declare/server-channels.ts";
import { type PostChannel, readPostChannel } from "../declare/text-channel.ts";
import { rankPermissions } from "../rank.ts";
import { askDiscord } from "./channel-messages/failure.ts";

interface ServerChannelsDeps {
  readonly rest: Pick<REST, "get" | "post">;
  readonly random: () => number;
  readonly botId: string;
  readonly log: Log;
}

interface ChannelsRequester {
  readonly guildId: string;
  readonly userId: string;
  readonly userName: string;
  readonly roleIds: readonly string[];
}

interface ListedChannel {
  readonly id: string;
  readonly type: number;
  readonly name?: string;
  readonly position?: number;
  readonly parent_id?: string | null;
  readonly permission_overwrites?: readonly ChannelOverwrite[];
}

interface ServerRole {
  readonly id: string;
  readonly permissions: string;
  /** Managed roles belong to bots and integrations. */
  readonly managed?: boolean;
}

interface ServerPermissions {
  readonly ownerId: string;
  readonly roles: readonly ServerRole[];
  readonly channels: readonly ListedChannel[];
}

/** Somebody waits for the question. */
const patienceMs = 4_000;

const { ViewChannel, SendMessages, EmbedLinks, ReadMessageHistory, ManageChannels } =
  PermissionFlagsBits;
const usedInChannels = ViewChannel | SendMessages | EmbedLinks | ReadMessageHistory;

/** For one interaction: the server is read once. */
export function serverChannelsFor(
  deps: ServerChannelsDeps,
  requester: ChannelsRequester,
): ServerChannels {
  const { guildId, userId } = requester;
  let reading: Promise<ServerPermissions | undefined> | undefined;
  const read = () => {
    reading ??= withTimeout(() => readServer(deps, guildId), { timeoutMs: patienceMs }).catch(
      (error: unknown) => {
        deps.log.warn("the server's channels could not be read", { error });
        return undefined;
      },
    );
    return reading;
  };
  const botIn = async (server: ServerPermissions) =>
    holderOf(server, guildId, { userId: deps.botId, roleIds: await readBotRoles(deps, guildId) });
  return {
    async read(channelId) {
      const server = await read();
      const place = server && (await readPlace(deps, server, channelId));
      const isPublic = server && place && isPublicIn(server, guildId, place);
      return { name: place?.name, isPublic };
    },
    async privateOnes() {
      const server = await read();
      const bot = server && (await botIn(server).catch(() => undefined));
      if (server === undefined || bot === undefined) return [];
      const person = holderOf(server, guildId, requester);
      const isOwner = server.ownerId === userId;
      return [...server.channels]
        .sort((one, other) => (one.position ?? 0) - (other.position ?? 0))
        .filter((channel) => !isPublicIn(server, guildId, channel))
        .filter(
          (channel) => isOwner || sees(permissionsInChannel(placeOf(guildId, channel), person)),
        )
        .flatMap((channel) => {
          const held = permissionsInChannel(placeOf(guildId, channel), bot);
          return isTextual(channel)
            ? [readPostChannel({ ...channel, app_permissions: `${held}` })]
            : [];
        })
        .filter(({ isWritable }) => isWritable);
    },
    async mayCreate() {
      const server = await read();
      const bot = server && (await botIn(server).catch(() => undefined));
      if (bot === undefined) return false;
      return (bot.base & (ManageChannels | PermissionFlagsBits.Administrator)) !== 0n;
    },
    createPrivate: async (draft) => createPrivate(deps, requester, { draft, server: await read() }),
  };
}

async function readServer(deps: ServerChannelsDeps, guildId: string): Promise<ServerPermissions> {
  const [guild, channels] = await Promise.all([
    look<{ readonly owner_id: string; readonly roles: readonly ServerRole[] }>(
      deps,
      Routes.guild(guildId),
    ),
    look<readonly ListedChannel[]>(deps, Routes.guildChannels(guildId)),
  ]);
  if (!guild.roles.some(({ id }) => id === guildId)) throw new TypeError("no roles came");
  return { ownerId: guild.owner_id, roles: guild.roles, channels };
}

/** Asks Discord again after a failure that passes. */
function look<T>({ rest, random }: ServerChannelsDeps, route: `/${string}`): Promise<T> {
  return askDiscord({ what: "look" }, () => rest.get(route) as Promise<T>, { random });
}

async function readBotRoles(deps: ServerChannelsDeps, guildId: string) {
  const reading = () =>
    look<{ readonly roles: readonly string[] }>(deps, Routes.guildMember(guildId, deps.botId));
  const { roles } = await withTimeout(reading, { timeoutMs: patienceMs });
  return roles;
}

function holderOf(
  { roles }: ServerPermissions,
  guildId: string,
  { userId, roleIds }: Pick<ChannelsRequester, "userId" | "roleIds">,
): PermissionHolder {
  const own = roles.filter(({ id }) => id === guildId || roleIds.includes(id));
  const base = own.reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  return { base, roleIds, userId };
}

/** The channel that says who reads: for a thread, the one it belongs to. Threads are not among the server's channels. */
async function readPlace(
  deps: ServerChannelsDeps,
  { channels }: ServerPermissions,
  channelId: string,
): Promise<ListedChannel | undefined> {
  const listed = channels.find(({ id }) => id === channelId);
  if (listed !== undefined) return listed;
  const reading = () => look<unknown>(deps, Routes.channel(channelId));
  const thread = await withTimeout(reading, { timeoutMs: patienceMs }).catch(() => undefined);
  const { parent_id } = Object(thread) as Partial<ListedChannel>;
  return channels.find(({ id }) => id === parent_id);
}

function isPublicIn({ roles }: ServerPermissions, guildId: string, channel: ListedChannel) {
  const everyone = roles.find(({ id }) => id === guildId);
  return isOpenToEveryone(placeOf(guildId, channel), BigInt(everyone?.permissions ?? 0));
}

function placeOf(guildId: string, { permission_overwrites }: ListedChannel) {
  return { guildId, overwrites: permission_overwrites ?? [] };
}

function sees(held: bigint): boolean {
  return (held & ViewChannel) !== 0n;
}

function isTextual({ type }: ListedChannel): boolean {
  return type === ChannelType.GuildText || type === ChannelType.GuildForum;
}

async function createPrivate(
  { rest, random, botId }: ServerChannelsDeps,
  { guildId, userId, userName }: ChannelsRequester,
  {
    draft,
    server,
  }: { readonly draft: PrivateChannelDraft; readonly server: ServerPermissions | undefined },
): Promise<PostChannel> {
  const moderating = (server?.roles ?? [])
    .filter(({ id, managed }) => id !== guildId && managed !== true)
    .filter(({ permissions }) => (BigInt(permissions) & rankPermissions) !== 0n)
    .map(({ id }) => id);
  const { Role, Member } = OverwriteType;
  const allow = (id: string, type: OverwriteType, held: bigint) => {
    return { id, type, allow: Number(held) };
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
  const send = () => rest.post(Routes.guildChannels(guildId), { body, reason });
  const channel = await askDiscord({ what: "post" }, send, { random });
  return readPostChannel(channel);
}
