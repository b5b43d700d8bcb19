import type { APIInteraction } from "discord.js";
import type { Languages } from "../../language/index.ts";
import type { ServerSettings } from "../../store/index.ts";
import type { RankedRequester } from "../access/authorise.ts";
import {
  decidingPermissions,
  type MemberAccess,
  memberAccessFor,
  type ServerMember,
} from "../access/roles/member-access.ts";
import type { ServerRolesCache } from "../access/roles/server-roles.ts";
import type { SettingsCache } from "../access/settings-cache.ts";
import type { RequestInfo } from "../declare/request-info.ts";
import { createWords, type Words } from "../draw/words.ts";
import type { Services } from "./services.ts";

// Discord's smallest limit over the years; used only when an interaction carries none.
const smallestAttachmentLimit = 8 * 1024 * 1024;

/** The person who asks: facts of the interaction, and the server's settings. */
export interface Requester extends RankedRequester, MemberAccess {
  /** The account's name, not the nickname: the audit log has to say who it was. */
  readonly userName: string;
  /** Without @everyone. */
  readonly roleIds: readonly string[];
  readonly words: Words;
  readonly serverWords: Words;
  /**
   * They include the channel's overwrites: only for guessing whether the server's roles would give more. Undefined where the
   * interaction does not say.
   */
  readonly permissionsHere: string | undefined;
  /** What the bot may do in the channel, where Discord says it. */
  readonly appPermissions: string | undefined;
  readonly settings: ServerSettings;
  readonly attachmentLimit: number;
}

/**
 * Undefined outside servers. What is known of the person grows with `learnRoles`, which waits for the server's roles as
 * long as `patienceMs` says then.
 */
export async function readRequester(
  interaction: APIInteraction,
  deps: {
    readonly services: Services;
    readonly settings: SettingsCache;
    readonly serverRoles: ServerRolesCache;
  },
  patienceMs: () => number,
): Promise<Requester | undefined> {
  const { services, settings, serverRoles } = deps;
  const { guild_id: guildId, member } = interaction;
  if (guildId === undefined || member === undefined) return undefined;
  const known = await settings.of(guildId);
  const { user, roles, communication_disabled_until: until } = member;
  const isTimedOut = until != null && Date.parse(until) > services.now();
  const person: ServerMember = { guildId, userId: user.id, roles: roles ?? [], isTimedOut };
  const requester: Requester = {
    ...memberAccessFor(person, known, serverRoles.known(guildId)),
    guildId,
    userId: user.id,
    userName: user.username,
    roleIds: person.roles,
    words: wordsIn("locale" in interaction ? interaction.locale : "en-US", services),
    serverWords: wordsIn(interaction.guild_locale ?? "en-US", services),
    learnRoles: async () => {
      if (requester.serverRoles === "found") return;
      const read = await serverRoles.read(guildId, patienceMs());
      // Changed in place, so that everyone who has the requester sees it; getters would cost more than all the rest.
      Object.assign(requester, memberAccessFor(person, known, read));
    },
    permissionsHere: (member as Partial<typeof member>).permissions ?? undefined,
    appPermissions: interaction.app_permissions,
    settings: known.value,
    attachmentLimit: interaction.attachment_size_limit ?? smallestAttachmentLimit,
  };
  return requester;
}

/** What a form may be opened with. */
export function requestInfo(
  { guildId, userId, words, settings }: Requester,
  now: () => number,
): RequestInfo {
  return { guildId, userId, words, settings, now };
}

/** Whether reading the server's roles may show that the person has more rights than is known so far. */
export function mayHaveMore({ serverRoles, permissionsHere }: Requester): boolean {
  if (serverRoles !== "unasked") return false;
  if (permissionsHere === undefined) return true;
  return (BigInt(permissionsHere) & decidingPermissions) !== 0n;
}

type WordServices = Pick<Services, "languages" | "commandIds">;

const wordsCache = new WeakMap<Languages, Map<string, Words>>();

/** In the language of that tag. */
export function wordsIn(tag: string, { languages, commandIds }: WordServices): Words {
  const known = wordsCache.get(languages) ?? new Map<string, Words>();
  wordsCache.set(languages, known);
  const words = known.get(tag) ?? createWords(languages.of(tag), commandIds);
  known.set(tag, words);
  return words;
}
