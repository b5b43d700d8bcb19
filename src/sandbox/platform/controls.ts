import type { APIGuildForumTag } from "discord-api-types/v10";
import type { DiscordLocale } from "../locales.ts";
import type { PersonName } from "../types.ts";
import { channelById, roleIn } from "./channel-access.ts";
import { changeChannel, removeChannel, restoreChannel } from "./channel-changes.ts";
import type { ChannelChanges, PlatformState } from "./state.ts";
import { findStoredThread, sendThread, setArchived } from "./threads.ts";

/** What tests change while the stand-in runs, as administrators and Discord itself would. */
export interface PlatformControls {
  /** Sets the language of the server; that of a person is set by `Person.speak`. */
  setGuildLocale(locale: DiscordLocale): void;
  /** Sets the largest attachment, in bytes, as boosts of the server or a subscription of the person do. */
  setAttachmentLimit(bytes: number): void;
  allowRedirect(uri: string): void;
  /** Sets what the bot's own role gives it, as bits; everyone's role gives it more. */
  setBotPermissions(held: bigint): void;
  /** Sets what the role of a person gives, or that of everyone, as bits. */
  setRolePermissions(of: PersonName | "everyone", held: bigint): void;
  /** Shows every command to everyone, as the server's settings under Integrations may. */
  showAllCommands(isShown: boolean): void;
  /** Moves the bot's own role above those of everyone else but the owner, as an administrator would. */
  raiseBotRole(): void;
  /** Takes rights from the bot in one channel, as bits; 0 gives them back. */
  forbidBot(channelId: string, denied: bigint): void;
  /** Sets one person's permission overwrite in a channel, by the channel's name. */
  setOverwrite(name: string, of: PersonName, change: ChannelRights): void;
  /** Takes a channel away with all that is in it, by its name. */
  removeChannel(name: string): void;
  /** Brings it back as it was, as Discord itself cannot. */
  restoreChannel(name: string): void;
  /**
   * Changes a channel as an administrator would, by the name it started with; flag 16 makes tags a must in a forum.
   */
  changeChannel(name: string, changes: ChannelChanges): void;
  /** Tags of a forum. */
  tags(name: string): readonly APIGuildForumTag[];
  changeThread(
    id: string,
    changes: { readonly archived?: boolean; readonly locked?: boolean },
  ): void;
  /** Sets how many posts may be active at once; 1,000 at first. */
  setActiveThreadLimit(count: number): void;
  /**
   * The next button that this person presses on a message that others see too, somebody else presses just before them;
   * false takes that back.
   */
  overtake(name: PersonName, isOvertaken: boolean): void;
  isOvertaken(name: PersonName): boolean;
  /** Says which message has suggestions; pages tick those that were tried. */
  useWelcome(messageId: string): void;
  /** A command's mention, which people can press; by its name with the subcommand. */
  mention(command: string): string;
  /** Removes the bot from a server; it gets the event only with the Guilds intent. */
  removeGuild(id: string): void;
}

/** As bits; nothing when absent. */
interface ChannelRights {
  readonly allow?: bigint;
  readonly deny?: bigint;
}

function channelIdByName({ guild }: PlatformState, name: string): string {
  const found = guild.channels.find((channel) => channel.name === name);
  if (found === undefined) throw new TypeError(`there is no channel "${name}"`);
  return found.id;
}

export function createControls(state: PlatformState): PlatformControls {
  /** Replaces what the person had there before; what neither allows nor denies anything is removed. */
  function overwrite(channelId: string, id: string, { allow = 0n, deny = 0n }: ChannelRights) {
    const before = channelById(state, channelId)?.permission_overwrites ?? [];
    const others = before.filter((each) => each.id !== id);
    const own = { id, type: 1, allow: String(allow), deny: String(deny) };
    const isEmpty = allow === 0n && deny === 0n;
    const permission_overwrites = isEmpty ? others : [...others, own];
    changeChannel(state, channelId, { permission_overwrites });
  }

  function dispatchRole(id: string): void {
    const role = state.guild.roles.find((each) => each.id === id);
    if (role === undefined) return;
    state.dispatch({ name: "GUILD_ROLE_UPDATE", data: { role: roleIn(state, role) } });
  }

  return {
    setGuildLocale: (locale) => {
      state.guildLocale = locale;
    },
    setAttachmentLimit: (bytes) => {
      state.attachmentLimit = bytes;
    },
    setBotPermissions: (held) => {
      state.rolePermissions.set(state.guild.botRole.id, held);
      dispatchRole(state.guild.botRole.id);
    },
    setRolePermissions: (of, held) => {
      const { guildId, people } = state.guild;
      const id = of === "everyone" ? guildId : people[of].role.id;
      state.rolePermissions.set(id, held);
      dispatchRole(id);
    },
    showAllCommands: (isShown) => {
      state.isEachCommandShown = isShown;
    },
    raiseBotRole: () => {
      state.rolePositions.set(state.guild.botRole.id, state.guild.roles.length);
      dispatchRole(state.guild.botRole.id);
    },
    forbidBot: (channelId, denied) => overwrite(channelId, state.guild.bot.id, { deny: denied }),
    setOverwrite: (name, of, change) =>
      overwrite(channelIdByName(state, name), state.person(of).user.id, change),
    removeChannel: (name) => removeChannel(state, channelIdByName(state, name)),
    restoreChannel: (name) => restoreChannel(state, channelIdByName(state, name)),
    changeChannel: (name, changes) => changeChannel(state, channelIdByName(state, name), changes),
    tags: (name) => {
      const forum = channelById(state, channelIdByName(state, name));
      return forum !== undefined && "available_tags" in forum ? forum.available_tags : [];
    },
    changeThread(id, { archived, locked }) {
      const thread = findStoredThread(state, id);
      if (thread === undefined) throw new TypeError(`there is no post ${id}`);
      if (locked !== undefined) thread.isLocked = locked;
      if (archived !== undefined) setArchived(state, thread, archived);
      sendThread(state, thread);
    },
    setActiveThreadLimit: (count) => {
      state.activeThreadLimit = count;
    },
    overtake(name, isOvertaken) {
      if (isOvertaken) state.overtaken.add(name);
      else state.overtaken.delete(name);
    },
    isOvertaken: (name) => state.overtaken.has(name),
    useWelcome: (messageId) => {
      state.welcomeId = messageId;
    },
    mention: (command) => {
      const found = [...state.commands.values()].find(({ name }) => name === command.split(" ")[0]);
      return `</${command}:${found?.id ?? 0}>`;
    },
    allowRedirect: (uri) => state.registration.redirectUris.add(uri),
    removeGuild: (id) => {
      state.guildIds.delete(id);
      if (id === state.guild.guildId) state.dispatch({ name: "GUILD_DELETE", data: { id } });
    },
  };
}
