import type { APIMessage } from "discord.js";
import type { BilledTo } from "../../budget/index.ts";
import type { Log } from "../../log.ts";
import type { AnswerTo } from "../../oauth/index.ts";
import type { Locks } from "../../store/index.ts";
import { affordable, priced } from "../access/afford.ts";
import { createGuildLinks } from "../access/channel-links.ts";
import { type CreateExpressions, expressionsFor } from "../access/expressions/create.ts";
import type { Opened } from "../access/guard.ts";
import { createGuildCredentials } from "../access/guild-credentials.ts";
import { createGuildRecords } from "../access/guild-records.ts";
import type { Kept } from "../access/kept.ts";
import type { Memory } from "../access/memory.ts";
import type { NearSettings } from "../access/settings.ts";
import type { Tally } from "../access/spending.ts";
import { type Access, accessOf, type View } from "../access/video-access.ts";
import type { Clients } from "../declare/clients.ts";
import type { Ctx, Output } from "../declare/ctx.ts";
import type { Demands } from "../declare/demands.ts";
import { type Extra, noExtra } from "../declare/extra.ts";
import type { Holding } from "./admission.ts";
import { fetchAttachment, filesOf, openAttachment } from "./attachments.ts";
import { type Asker, languageOfService, type Services } from "./context.ts";

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
  readonly billedTo: BilledTo;
  /** Where this interaction's answer can be edited. */
  readonly answerTo: AnswerTo;
  readonly guildName: () => Promise<string>;
  readonly progress: Ctx["progress"];
  /** Files that this interaction holds, and those that a part of its work holds apart. */
  readonly held: Holding;
  readonly holdApart: () => Holding;
  readonly onQueued: (ahead: number | undefined) => void;
  readonly signal: AbortSignal;
  readonly reference: string;
  readonly log: () => Log;
}

/**
 * A class, because a literal with its forty closures took a third of all the time that an interaction costs. Everything
 * is made when it is asked for, by a getter, so that handlers may take it apart.
 */
export class InteractionCtx implements Ctx {
  // Not #private: whoever derives a context of its own from this one (`ownView`) has to reach them.
  private readonly parts: CtxParts;
  private readonly services: Services;
  private made: Access | undefined;

  constructor(parts: CtxParts, services: Services) {
    this.parts = parts;
    this.services = services;
  }

  get guildId() {
    return this.parts.asker.guildId;
  }
  get userId() {
    return this.parts.asker.userId;
  }
  get userName() {
    return this.parts.asker.userName;
  }
  get rank() {
    return this.parts.asker.rank;
  }
  get rolesUnread() {
    return this.parts.asker.rolesUnread;
  }
  get learnRoles() {
    return this.parts.asker.learnRoles;
  }
  get words() {
    return this.parts.asker.words;
  }
  get serverWords() {
    return this.parts.asker.serverWords;
  }
  get settings() {
    return this.parts.asker.settings;
  }
  get attachmentLimit() {
    return this.parts.asker.attachmentLimit;
  }
  get now() {
    return this.services.now;
  }
  get reference() {
    return this.parts.reference;
  }
  get log() {
    return this.parts.log();
  }
  get signal() {
    return this.parts.signal;
  }
  get progress() {
    return this.parts.progress;
  }
  get hl() {
    return languageOfService(this.words.tag);
  }

  get options() {
    const { extra: _, output: _2, as: _3, ...options } = this.parts.options;
    return options;
  }
  get extra() {
    return (this.parts.options.extra as Extra | undefined) ?? noExtra;
  }
  get output() {
    return (this.parts.options.output as Output | undefined) ?? "list";
  }
  get attachments() {
    return filesOf(this.parts.message, this.services.attachmentHosts);
  }

  get has(): Ctx["has"] {
    return (kind) => this.parts.opened[kind] !== undefined;
  }
  get channelId() {
    return this.parts.opened.channel?.channelId;
  }
  get video() {
    return this.accessed.video;
  }
  get own() {
    return this.accessed.own;
  }
  /** Many handlers ask the service nothing. */
  private get accessed(): Access {
    const { demands, opened, view, memory, tally, billedTo, asker } = this.parts;
    const { guildId, rank } = asker;
    const local = { hl: this.hl, region: asker.settings.region };
    const { clients } = this.services;
    this.made ??= accessOf({
      ...{ guildId, rank, view, demands, opened, billedTo, clients, memory, local },
      onSpent: tally.add,
    });
    return this.made;
  }

  get changeSettings(): Ctx["changeSettings"] {
    return async (change) => {
      const settings = await this.services.store.settings.update(this.guildId, change);
      this.parts.near.forget(this.guildId);
      return settings;
    };
  }
  get inTurn(): Ctx["inTurn"] {
    return (name, work) => this.parts.turns(`${this.guildId} ${name}`, work);
  }

  get price() {
    return priced(this.payment, this.words);
  }
  get afford() {
    return affordable(this.payment);
  }
  private get payment() {
    const { opened, billedTo } = this.parts;
    const access = () => this.accessed.access;
    return { clients: this.services.clients, opened, billedTo, access };
  }
  get budgets() {
    return this.parts.billedTo.limits?.budgets;
  }
  get left(): Ctx["left"] {
    const { opened, billedTo } = this.parts;
    const { clients } = this.services;
    return async (kind) => {
      const secret = opened[kind]?.secret;
      if (secret === undefined) return undefined;
      if (kind === "video-key") return clients.left({ key: secret }, billedTo);
      return clients.left({ channelOf: this.guildId, channelId: this.channelId }, billedTo);
    };
  }
  get unitsSpent(): Ctx["unitsSpent"] {
    const { opened } = this.parts;
    return (days) => unitsSpent({ guildId: this.guildId, opened, days }, this.services.clients);
  }
  get creditsSpent(): Ctx["creditsSpent"] {
    return (days) => this.services.clients.creditsSpent(this.guildId, days);
  }

  get background() {
    const { opened, command, billedTo } = this.parts;
    const secret = opened["background-key"]?.secret;
    if (secret === undefined) throw new TypeError(`${command} did not say what it needs`);
    return this.services.clients.background(secret, billedTo);
  }
  get pictureLimits() {
    return this.services.pictureLimits;
  }
  get images() {
    const { asker, onQueued } = this.parts;
    const { guildId: tenant, userId: person } = asker;
    return this.services.images.of({ tenant, person, onQueued });
  }
  get keep(): Ctx["keep"] {
    return (bytes) => this.parts.kept.put(this.guildId, bytes);
  }
  get kept(): Ctx["kept"] {
    return (handle) => this.parts.kept.get(this.guildId, handle);
  }
  get fetchAttachment(): Ctx["fetchAttachment"] {
    return (attachment) => fetchAttachment(attachment, this.opening);
  }
  get openAttachment(): Ctx["openAttachment"] {
    return (attachment, maxBytes) => openAttachment(attachment, { ...this.opening, maxBytes });
  }
  private get opening() {
    const { held, onQueued, signal } = this.parts;
    return { services: this.services, held, onQueued, signal };
  }
  get apart(): Ctx["apart"] {
    return async (onQueued, work) => {
      const held = this.parts.holdApart();
      try {
        const parts = Object.create(this.parts, {
          held: { value: held },
          onQueued: { value: onQueued },
        });
        return await work(Object.create(this, { parts: { value: parts } }) as Ctx);
      } finally {
        held.close();
      }
    };
  }

  /** Not in the reply's foot: it is another project's unit. */
  get clients(): Ctx["clients"] {
    const { clients } = this.services;
    const { billedTo } = this.parts;
    return {
      video: (key) => clients.video({ key }, billedTo),
      background: (key) => clients.background(key, billedTo),
    };
  }
  get credentials() {
    const { store, now, clients } = this.services;
    const { billedTo, tally } = this.parts;
    return createGuildCredentials({
      ...{ guildId: this.guildId, userId: this.userId, store, now },
      clientOf: (access) => clients.video(access, billedTo, (cost) => tally.add(access, cost)),
    });
  }
  get records() {
    return createGuildRecords({
      ...this.parts,
      guildId: this.guildId,
      store: this.services.store,
    });
  }
  get serverName() {
    return this.parts.guildName;
  }
  get links() {
    const { asker, answerTo, guildName } = this.parts;
    return createGuildLinks({ ...asker, answerTo, guildName }, this.services);
  }
  get moderation() {
    return this.services.moderation.of(this.guildId);
  }
  get feeds() {
    return this.services.feeds.of(this.guildId);
  }
  get expressions() {
    const { asker, create } = this.parts;
    const place = { guildId: this.guildId, reason: reasonOf(asker) };
    return expressionsFor(asker, place, create);
  }
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
  const all = await clients.unitsSpent(guildId, days);
  return all.map((spent) => ({ ...spent, kind: kindOf(spent.project) }) as const);
}

/** For the server's audit log, where one language has to do for all. */
function reasonOf({ userName, userId }: Asker): string {
  return `Asked for by ${userName} (${userId})`;
}
