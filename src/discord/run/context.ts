import type { APIInteraction, APIMessage } from "discord.js";
import type { Credits } from "../../background/index.ts";
import type { Http } from "../../http/index.ts";
import type { Images } from "../../images/index.ts";
import type { Languages } from "../../language/index.ts";
import type { Log } from "../../log.ts";
import type { AnswerTo } from "../../oauth/index.ts";
import type { GuildSettings, Locks, Store } from "../../store/index.ts";
import { type Method, methods } from "../../video/index.ts";
import { affordable } from "../access/afford.ts";
import type { Claimant } from "../access/authorise.ts";
import { createGuildLinks, type LinkServices } from "../access/channel-links.ts";
import type { CreateExpressions } from "../access/expressions/create.ts";
import { expressionsFor, type Rights } from "../access/expressions/for-interaction.ts";
import { mayMakeExpressions } from "../access/expressions/may.ts";
import type { Opened } from "../access/guard.ts";
import { createGuildCredentials } from "../access/guild-credentials.ts";
import { createGuildRecords } from "../access/guild-records.ts";
import type { Kept } from "../access/kept.ts";
import type { Memory } from "../access/memory.ts";
import type { NearSettings } from "../access/settings.ts";
import { priceLine, type Tally } from "../access/spending.ts";
import { type Access, accessOf, type View } from "../access/video-access.ts";
import type { Clients, Ctx, Output, Payer, PictureLimits } from "../declare/command.ts";
import type { Demands } from "../declare/demands.ts";
import { type Extra, noExtra } from "../declare/extra.ts";
import { type Words, wordsOf } from "../draw/words.ts";
import { rankWith } from "../rank.ts";
import { fetchAttachment, filesOf, openAttachment } from "./attachments.ts";
import type { Observer } from "./observer.ts";

/** What the handlers work with; made once, in `bot.ts`. */
export interface Services extends LinkServices {
  readonly store: Store;
  readonly http: Http;
  readonly images: Images;
  readonly clients: Clients;
  /** What guilds spent at the image service. */
  readonly credits: Pick<Credits, "spent" | "afford">;
  readonly pictureLimits: PictureLimits;
  readonly languages: Languages;
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
export interface Asker extends Claimant {
  /** Not what they are called here: the audit log wants to know who it was. */
  readonly userName: string;
  readonly words: Words;
  /** About emoji and stickers. */
  readonly rights: Rights;
  readonly settings: GuildSettings;
  readonly attachmentLimit: number;
}

/** Undefined outside servers. */
export async function askerOf(
  interaction: APIInteraction,
  { languages, settings }: { readonly languages: Languages; readonly settings: NearSettings },
): Promise<Asker | undefined> {
  const { guild_id: guildId, member } = interaction;
  if (guildId === undefined || member === undefined) return undefined;
  const { value: chosen, unread } = await settings.of(guildId);
  const roles = member.roles ?? [];
  return {
    guildId,
    userId: member.user.id,
    userName: member.user.username,
    words: wordsFor(interaction, languages),
    // Old settings may hold a role that was taken away since: without fresh ones Discord's own word counts alone.
    rank: rankWith(member.permissions, roles, unread === undefined ? chosen.roles : undefined),
    ...(roles.length > 0 && { rolesUnread: unread }),
    rights: {
      mayAdd: mayMakeExpressions(member.permissions),
      botMay: mayMakeExpressions(interaction.app_permissions),
    },
    settings: chosen,
    attachmentLimit: interaction.attachment_size_limit ?? smallestAttachmentLimit,
  };
}

const spoken = new WeakMap<Languages, Map<string, Words>>();

/** In the person's language; English where the platform tells none. */
export function wordsFor(interaction: APIInteraction, languages: Languages): Words {
  const tag = "locale" in interaction ? interaction.locale : "en-US";
  const known = spoken.get(languages) ?? new Map<string, Words>();
  spoken.set(languages, known);
  const words = known.get(tag) ?? wordsOf(languages.of(tag));
  known.set(tag, words);
  return words;
}

export interface CtxParts {
  readonly asker: Asker;
  /** Path of the command, title of the menu, or name of the action. */
  readonly command: string;
  readonly demands: Demands;
  readonly options: Readonly<Record<string, unknown>>;
  readonly opened: Opened;
  readonly view: View;
  /** The message that was pressed or that a menu was opened on. */
  readonly message: Pick<APIMessage, "attachments" | "embeds"> | undefined;
  readonly memory: Memory;
  readonly kept: Kept;
  readonly create: CreateExpressions;
  readonly turns: Locks;
  readonly near: NearSettings;
  readonly tally: Tally;
  readonly payer: Payer;
  /** Where this interaction's answer can be edited. */
  readonly answerTo: AnswerTo;
  readonly guildName: () => Promise<string>;
  readonly progress: Ctx["progress"];
  readonly signal: AbortSignal;
  readonly reference: string;
  readonly log: () => Log;
}

export function makeCtx(parts: CtxParts, services: Services): Ctx {
  const { asker, command, demands, opened, signal, view, memory, tally, payer: spender } = parts;
  const { guildId, rank, words } = asker;
  const { clients } = services;
  const hl = languageOfService(words.tag);
  const local = { hl, region: asker.settings.region };
  let made: Access | undefined;
  // Many handlers ask the service nothing.
  const access = (): Access => {
    const shared = { guildId, rank, view, demands, opened, spender, clients, memory, local };
    made ??= accessOf({ ...shared, onSpent: tally.add });
    return made;
  };
  const { extra, output, as: _, ...options } = parts.options;
  return {
    ...asker,
    options,
    extra: (extra as Extra | undefined) ?? noExtra,
    output: (output as Output | undefined) ?? "list",
    has: (kind) => opened[kind] !== undefined,
    get video() {
      return access().video;
    },
    get own() {
      return access().own;
    },
    channelId: opened.channel?.channelId,
    changeSettings: async (change) => {
      const settings = await services.store.settings.update(guildId, change);
      parts.near.forget(guildId);
      return settings;
    },
    inTurn: (name, work) => parts.turns(`${guildId} ${name}`, work),
    hl,
    price: async (method: Method, times = 1) => {
      const { bucket, cost } = methods[method];
      const left = await clients.left(access().access, spender);
      return priceLine({ bucket, cost: cost * times }, left[bucket], words);
    },
    afford: affordable({ services, opened, payer: spender, access: () => access().access }),
    budgets: spender.purse?.budgets,
    left: async (kind) => {
      const secret = opened[kind]?.secret;
      if (secret === undefined) return undefined;
      if (kind === "video-key") return clients.left({ key: secret }, spender);
      return clients.left({ channelOf: guildId, channelId: opened.channel?.channelId }, spender);
    },
    get background() {
      const secret = opened["background-key"]?.secret;
      if (secret === undefined) throw new TypeError(`${command} did not say what it needs`);
      return clients.background(secret, spender);
    },
    unitsSpent: (days) => unitsSpent({ guildId, opened, days }, clients),
    creditsSpent: (days) => services.credits.spent(guildId, days),
    pictureLimits: services.pictureLimits,
    keep: (bytes) => parts.kept.put(guildId, bytes),
    kept: (handle) => parts.kept.get(guildId, handle),
    clients: {
      // Not in the reply's foot: it is another project's unit.
      video: (key) => clients.video({ key }, spender),
      background: (key) => clients.background(key, spender),
    },
    credentials: createGuildCredentials({
      ...{ guildId, userId: asker.userId, store: services.store, now: services.now },
      clientOf: (access) => clients.video(access, spender, (cost) => tally.add(access, cost)),
      onRevocation: services.onRevocation,
    }),
    records: createGuildRecords({ ...parts, guildId, store: services.store }),
    serverName: parts.guildName,
    links: createGuildLinks(
      { ...asker, answerTo: parts.answerTo, guildName: parts.guildName },
      services,
    ),
    images: services.images,
    expressions: expressionsFor(asker.rights, { guildId, reason: reasonOf(asker) }, parts.create),
    fetchAttachment: (attachment) => fetchAttachment(attachment, services, signal),
    openAttachment: (attachment, maxBytes) =>
      openAttachment(attachment, { maxBytes, services, signal }),
    attachments: filesOf(parts.message, services.attachmentHosts),
    progress: parts.progress,
    signal,
    reference: parts.reference,
    get log() {
      return parts.log();
    },
    now: services.now,
  };
}

interface Looking {
  readonly guildId: string;
  readonly opened: Opened;
  readonly days: number;
}

async function unitsSpent({ guildId, opened, days }: Looking, clients: Clients) {
  const key = opened["video-key"]?.secret;
  const ofKey = key === undefined ? undefined : clients.projectOf({ key });
  const ofChannels = clients.projectOf({ channelOf: guildId });
  const kindOf = (project: string) => {
    if (project === ofKey) return "video-key";
    return project === ofChannels ? "channel" : "former";
  };
  const all = await clients.spent(guildId, days);
  return all.map((spent) => ({ ...spent, kind: kindOf(spent.project) }) as const);
}

/** For the server's audit log, where one language has to do for all. */
function reasonOf({ userName, userId }: Asker): string {
  return `Asked for by ${userName} (${userId})`;
}

/** The service knows languages by short names, a few of them with a country. */
const withCountry: ReadonlySet<string> = new Set(["en-GB", "es-419", "pt-BR", "zh-CN", "zh-TW"]);

export function languageOfService(tag: string): string {
  return withCountry.has(tag) ? tag : (tag.split("-")[0] ?? "en");
}
