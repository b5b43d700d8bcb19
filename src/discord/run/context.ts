import type { APIInteraction, APIInteractionGuildMember } from "discord.js";
import type { Feeds } from "../../feeds/index.ts";
import type { Http } from "../../http/index.ts";
import type { Images } from "../../images/index.ts";
import type { Languages } from "../../language/index.ts";
import type { Log } from "../../log.ts";
import type { Moderation } from "../../moderation/index.ts";
import type { GuildSettings, Store } from "../../store/index.ts";
import type { Claimant } from "../access/authorise.ts";
import type { LinkServices } from "../access/channel-links.ts";
import type { GuildRolesCache } from "../access/roles/guild-roles-cache.ts";
import {
  decidingPermissions,
  type GuildMember,
  judgeMember,
  type MemberAccess,
} from "../access/roles/judge-member.ts";
import type { SettingsCache } from "../access/settings-cache.ts";
import type { Clients } from "../declare/clients.ts";
import type { Asked, PictureLimits } from "../declare/ctx.ts";
import { type Words, wordsOf } from "../draw/words.ts";
import type { Observer } from "./observer.ts";

/** What the handlers work with; made once, in `bot.ts`. */
export interface Services extends LinkServices {
  readonly store: Store;
  readonly http: Http;
  readonly images: Images;
  readonly clients: Clients;
  readonly pictureLimits: PictureLimits;
  readonly languages: Languages;
  readonly moderation: Pick<Moderation, "of">;
  readonly feeds: Pick<Feeds, "of">;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Hosts that attachments come from, `host` or `host:port`. */
  readonly attachmentHosts: readonly string[];
  /** Told of each interaction once it is over. */
  readonly observer?: Observer;
}

// Discord's smallest limit over the years; used only when an interaction carries none.
const smallestAttachmentLimit = 8 * 1024 * 1024;

/** Who asks, from where: facts of the interaction, and what the guild chose. */
export interface Asker extends Claimant, MemberAccess {
  /** Not what they are called here: the audit log wants to know who it was. */
  readonly userName: string;
  readonly words: Words;
  readonly serverWords: Words;
  /** With the overwrites of the channel: for a guess at whether the server's roles say more, and for nothing else. */
  readonly permissionsHere: string;
  /** What the bot may do in the channel, where Discord tells. */
  readonly appPermissions: string | undefined;
  readonly settings: GuildSettings;
  readonly attachmentLimit: number;
}

export interface AskerDeps {
  readonly services: Pick<Services, "languages" | "now">;
  readonly settings: SettingsCache;
  readonly guildRoles: GuildRolesCache;
}

/**
 * Undefined outside servers. What is known of the person grows with `learnRoles`, which waits for the server's roles as
 * long as `patienceMs` says then.
 */
export async function askerOf(
  interaction: APIInteraction,
  { services, settings, guildRoles }: AskerDeps,
  patienceMs: () => number,
): Promise<Asker | undefined> {
  const { languages, now } = services;
  const { guild_id: guildId, member } = interaction;
  if (guildId === undefined || member === undefined) return undefined;
  const near = await settings.of(guildId);
  const person = memberOf(guildId, member, now());
  const asker: Asker = {
    ...judgeMember(person, near, guildRoles.known(guildId)),
    guildId,
    userId: member.user.id,
    userName: member.user.username,
    words: wordsFor(interaction, languages),
    serverWords: wordsIn(interaction.guild_locale ?? "en-US", languages),
    learnRoles: async () => {
      if (asker.guildRoles === "found") return;
      const read = await guildRoles.read(guildId, patienceMs());
      // In place, as getters would cost more than all the rest: whoever holds the asker is to see it.
      Object.assign(asker, judgeMember(person, near, read));
    },
    permissionsHere: member.permissions,
    appPermissions: interaction.app_permissions,
    settings: near.value,
    attachmentLimit: interaction.attachment_size_limit ?? smallestAttachmentLimit,
  };
  return asker;
}

function memberOf(
  guildId: string,
  { user, roles, communication_disabled_until: until }: APIInteractionGuildMember,
  now: number,
): GuildMember {
  const isTimedOut = until != null && Date.parse(until) > now;
  return { guildId, userId: user.id, roles: roles ?? [], isTimedOut };
}

/** What a form may be opened with. */
export function askedOf({ guildId, userId, words }: Asker, now: () => number): Asked {
  return { guildId, userId, words, now };
}

/** Whether reading the server's roles may show that the person has more rights than is known so far. */
export function mayHaveMore({ guildRoles, permissionsHere }: Asker): boolean {
  if (guildRoles !== "unasked") return false;
  return (BigInt(permissionsHere) & decidingPermissions) !== 0n;
}

const wordsCache = new WeakMap<Languages, Map<string, Words>>();

/** In the person's language; English where the platform tells none. */
export function wordsFor(interaction: APIInteraction, languages: Languages): Words {
  return wordsIn("locale" in interaction ? interaction.locale : "en-US", languages);
}

/** In the language of that tag. */
export function wordsIn(tag: string, languages: Languages): Words {
  const known = wordsCache.get(languages) ?? new Map<string, Words>();
  wordsCache.set(languages, known);
  const words = known.get(tag) ?? wordsOf(languages.of(tag));
  known.set(tag, words);
  return words;
}

/** The service knows languages by short names, a few of them with a country. */
const withCountry: ReadonlySet<string> = new Set(["en-GB", "es-419", "pt-BR", "zh-CN", "zh-TW"]);

export function languageOfService(tag: string): string {
  return withCountry.has(tag) ? tag : (tag.split("-")[0] ?? "en");
}
