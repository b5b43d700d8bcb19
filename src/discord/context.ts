import type { APIInteraction } from "discord.js";
import { InputError } from "../errors.ts";
import type { Http } from "../http/index.ts";
import type { Images } from "../images/index.ts";
import type { Log } from "../log.ts";
import type { CredentialKind, Store } from "../store/index.ts";
import type { Clients, Ctx, GuildCredentials } from "./command.ts";
import { type Demands, type Opened, storeUnavailable } from "./guard.ts";
import type { Attachment } from "./options.ts";
import { type Rank, rankOf } from "./rank.ts";
import { spenderOf } from "./spender.ts";

/** What the handlers work with; made once, in `bot.ts`. */
export interface Services {
  readonly store: Store;
  readonly http: Http;
  readonly images: Images;
  readonly clients: Clients;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Hosts that attachments come from, `host` or `host:port`. */
  readonly attachmentHosts: readonly string[];
}

/** Discord's own attachment hosts (facts/discord.md: Hosts). */
export const discordAttachmentHosts = ["cdn.discordapp.com", "media.discordapp.net"] as const;

/** What is read of one attachment at most; a picture above the image service's limit is shrunk from it. */
export const largestAttachment = 32 * 1024 * 1024;

// Discord's smallest limit over the years; used only when an interaction carries none.
const smallestAttachmentLimit = 8 * 1024 * 1024;

/** Who asks, from where: facts of the interaction alone. */
export interface Asker {
  readonly guildId: string;
  readonly userId: string;
  readonly locale: string;
  readonly rank: Rank;
  readonly attachmentLimit: number;
}

/** Undefined outside servers. */
export function askerOf(interaction: APIInteraction): Asker | undefined {
  const { guild_id: guildId, member } = interaction;
  if (guildId === undefined || member === undefined) return undefined;
  return {
    guildId,
    userId: member.user.id,
    locale: "locale" in interaction ? interaction.locale : "en-US",
    rank: rankOf(member.permissions),
    attachmentLimit: interaction.attachment_size_limit ?? smallestAttachmentLimit,
  };
}

export interface CtxParts {
  readonly asker: Asker;
  /** Path of the command, title of the menu, or name of the action. */
  readonly command: string;
  readonly demands: Demands;
  readonly options: Readonly<Record<string, unknown>>;
  readonly opened: Opened;
  readonly progress: Ctx["progress"];
  readonly signal: AbortSignal;
  readonly log: () => Log;
}

export function makeCtx(parts: CtxParts, services: Services): Ctx {
  const { asker, command, demands, opened, signal } = parts;
  const { guildId, userId } = asker;
  const spender = spenderOf({ guildId, userId, command, row: demands.row });
  const secretOf = (kind: CredentialKind): string => {
    const credential = opened[kind];
    if (credential !== undefined) return credential.secret;
    throw new TypeError(`the handler did not say that it needs ${kind}`);
  };
  return {
    ...asker,
    options: parts.options,
    has: (kind) => opened[kind] !== undefined,
    get video() {
      return services.clients.video(secretOf("video-key"), spender);
    },
    get background() {
      return services.clients.background(secretOf("background-key"));
    },
    clients: {
      video: (key) => services.clients.video(key, spender),
      background: (key) => services.clients.background(key),
    },
    credentials: guildCredentials(asker, services),
    images: services.images,
    fetchAttachment: (attachment) => fetchAttachment(attachment, services, signal),
    progress: parts.progress,
    signal,
    get log() {
      return parts.log();
    },
    now: services.now,
  };
}

function guildCredentials(asker: Asker, services: Services): GuildCredentials {
  const { credentials } = services.store;
  return {
    facts: async (kind) => {
      const read = await credentials.read(asker.guildId, kind);
      if (read.state === "failed") throw storeUnavailable(read.error);
      if (read.state === "absent") return undefined;
      const { secret: _, ...facts } = read.value;
      return facts;
    },
    write: (kind, secret) =>
      credentials.write(asker.guildId, {
        kind,
        secret,
        addedBy: asker.userId,
        addedAt: services.now(),
      }),
    remove: (kind) => credentials.remove(asker.guildId, kind),
  };
}

async function fetchAttachment(
  attachment: Attachment,
  services: Services,
  signal: AbortSignal,
): Promise<Buffer> {
  if (attachment.size > largestAttachment) {
    throw new InputError("attachment over the limit by its declared size", {
      code: "attachment_too_large",
      hint: `It has ${megabytes(attachment.size)} MB; up to ${megabytes(largestAttachment)} MB can be taken. Send a smaller copy.`,
    });
  }
  return services.http.download({
    url: attachment.url,
    hosts: services.attachmentHosts,
    maxBytes: largestAttachment,
    signal,
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
