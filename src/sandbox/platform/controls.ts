import type { PersonName } from "../types.ts";
import { changeChannel, removeChannel, restoreChannel, setOverwrite } from "./channel-changes.ts";
import type { Locale } from "./locales.ts";
import { roleIn } from "./places.ts";
import { setThread } from "./threads.ts";
import type { ChannelChanges, World } from "./world.ts";

/** What is set from outside while the stand-in runs, as administrators and the platform itself would. */
export interface PlatformControls {
  /** Sets the language of the server; that of a person is set by `Person.speak`. */
  setGuildLocale(locale: Locale): void;
  /** Sets the largest attachment, in bytes, as boosts of the server or a subscription of the person do. */
  setAttachmentLimit(bytes: number): void;
  /** Lets people be sent back to one more address when they have signed in. */
  allowRedirect(uri: string): void;
  /** Sets what the bot's own role gives it, as bits; everyone's role gives it more. */
  setBotPermissions(held: bigint): void;
  /** Sets what the role of a person gives, or that of everyone, as bits. */
  setRolePermissions(of: PersonName | "everyone", held: bigint): void;
  /** Moves the bot's own role above those of everyone else but the owner, as an administrator would. */
  raiseBotRole(): void;
  /** Takes rights from the bot in one channel, as bits; 0 gives them back. */
  forbidBot(channelId: string, denied: bigint): void;
  /** Sets what somebody alone may do in one channel, by its name, and what they may not although they may elsewhere. */
  setOverwrite(name: string, of: PersonName, change: ChannelRights): void;
  /** Takes a channel away with all that is in it, by its name. */
  removeChannel(name: string): void;
  /** Brings it back as it was, as the platform itself cannot. */
  restoreChannel(name: string): void;
  /** Changes a channel as an administrator would, by the name it started with; flag 16 makes tags a must in a forum. */
  changeChannel(name: string, changes: ChannelChanges): void;
  /** Changes a post of a forum as a moderator would. */
  changeThread(
    id: string,
    changes: { readonly archived?: boolean; readonly locked?: boolean },
  ): void;
  /** Sets how many posts may be active at once; 1,000 at first. */
  setActiveThreadLimit(count: number): void;
  /** Takes the bot out of a server; it hears of that only if it asked for events of servers. */
  removeGuild(id: string): void;
}

/** As bits; nothing when absent. */
interface ChannelRights {
  readonly allow?: bigint;
  readonly deny?: bigint;
}

export function createControls(world: World): PlatformControls {
  function idOf(name: string): string {
    const found = world.cast.channels.find((channel) => channel.name === name);
    if (found === undefined) throw new TypeError(`there is no channel "${name}"`);
    return found.id;
  }

  function overwrite(channelId: string, id: string, { allow = 0n, deny = 0n }: ChannelRights) {
    const own = { id, type: 1, allow: String(allow), deny: String(deny) };
    setOverwrite(world, channelId, own);
  }

  function tellRole(id: string): void {
    const role = world.cast.roles.find((each) => each.id === id);
    if (role === undefined) return;
    world.dispatch({ name: "GUILD_ROLE_UPDATE", data: { role: roleIn(world, role) } });
  }

  return {
    setGuildLocale: (locale) => {
      world.guildLocale = locale;
    },
    setAttachmentLimit: (bytes) => {
      world.attachmentLimit = bytes;
    },
    setBotPermissions: (held) => {
      world.rolePermissions.set(world.cast.botRole.id, held);
      tellRole(world.cast.botRole.id);
    },
    setRolePermissions: (of, held) => {
      const { guildId, people } = world.cast;
      const id = of === "everyone" ? guildId : people[of].role.id;
      world.rolePermissions.set(id, held);
      tellRole(id);
    },
    raiseBotRole: () => {
      world.rolePositions.set(world.cast.botRole.id, world.cast.roles.length);
      tellRole(world.cast.botRole.id);
    },
    forbidBot: (channelId, denied) => overwrite(channelId, world.cast.bot.id, { deny: denied }),
    setOverwrite: (name, of, change) => overwrite(idOf(name), world.person(of).user.id, change),
    removeChannel: (name) => removeChannel(world, idOf(name)),
    restoreChannel: (name) => restoreChannel(world, idOf(name)),
    changeChannel: (name, changes) => changeChannel(world, idOf(name), changes),
    changeThread: (id, changes) => setThread(world, id, changes),
    setActiveThreadLimit: (count) => {
      world.activeThreadLimit = count;
    },
    allowRedirect: (uri) => world.registration.redirectUris.add(uri),
    removeGuild: (id) => {
      world.guildIds.delete(id);
      if (id === world.cast.guildId) world.dispatch({ name: "GUILD_DELETE", data: { id } });
    },
  };
}
