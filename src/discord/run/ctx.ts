import type { APIMessage } from "discord.js";
import type { BilledTo } from "../../budget/index.ts";
import type { TurnTaker } from "../../fair-queue.ts";
import { affordable, priced } from "../access/afford.ts";
import { createGuildLinks } from "../access/channel-links.ts";
import { expressionsFor } from "../access/expressions/create.ts";
import type { Opened } from "../access/guard.ts";
import { createGuildCredentials } from "../access/guild-credentials.ts";
import { createGuildRecords } from "../access/guild-records.ts";
import { type Tally, unitsSpentBy } from "../access/spending.ts";
import { type Access, accessOf, type View } from "../access/video-access.ts";
import type { Ctx, Output } from "../declare/ctx.ts";
import type { Demands } from "../declare/demands.ts";
import { type Extra, noExtra } from "../declare/extra.ts";
import { guildInfo } from "../wire/post.ts";
import { fetchAttachment, filesOf, openAttachment } from "./attachments.ts";
import { type Asker, languageOfService } from "./context.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import type { Progress } from "./progress.ts";
import type { RunningInteraction } from "./work.ts";

/** One call of a handler. */
export interface HandlerCall extends RunningInteraction {
  readonly demands: Demands;
  readonly options: Readonly<Record<string, unknown>>;
  readonly opened: Opened;
  readonly view: View;
  /** The message that was pressed or that a menu was opened on. */
  readonly message: Pick<APIMessage, "attachments" | "embeds"> | undefined;
  readonly tally: Tally;
  readonly billedTo: BilledTo;
  readonly progress: Progress;
  /** Told how many go before a part of the work that holds files apart; the progress when absent. */
  readonly onQueued?: (ahead: number | undefined) => void;
}

type CtxDeps = Pick<
  InteractionDeps,
  "services" | "rest" | "create" | "admission" | "turns" | "answers" | "files" | "settings"
>;

/**
 * A class, because a literal with its forty closures took a third of all the time that an interaction costs. Everything
 * is made when it is asked for, by a getter, so that handlers may take it apart.
 */
export class InteractionCtx implements Ctx {
  // Not #private: whoever derives a context of its own from this one (`ownView`) has to reach them.
  private readonly call: HandlerCall;
  private readonly deps: CtxDeps;
  private made: Access | undefined;

  constructor(call: HandlerCall, deps: CtxDeps) {
    this.call = call;
    this.deps = deps;
  }

  get guildId() {
    return this.call.asker.guildId;
  }
  get userId() {
    return this.call.asker.userId;
  }
  get userName() {
    return this.call.asker.userName;
  }
  get rank() {
    return this.call.asker.rank;
  }
  get rolesUnread() {
    return this.call.asker.rolesUnread;
  }
  get learnRoles() {
    return this.call.asker.learnRoles;
  }
  get words() {
    return this.call.asker.words;
  }
  get serverWords() {
    return this.call.asker.serverWords;
  }
  get settings() {
    return this.call.asker.settings;
  }
  get attachmentLimit() {
    return this.call.asker.attachmentLimit;
  }
  get now() {
    return this.deps.services.now;
  }
  get reference() {
    return this.call.journey.reference;
  }
  get log() {
    return this.call.journey.log();
  }
  get signal() {
    return this.call.running.signal;
  }
  get progress() {
    return this.call.progress.show;
  }
  get hl() {
    return languageOfService(this.words.tag);
  }

  get options() {
    const { extra: _, output: _2, as: _3, ...options } = this.call.options;
    return options;
  }
  get extra() {
    return (this.call.options.extra as Extra | undefined) ?? noExtra;
  }
  get output() {
    return (this.call.options.output as Output | undefined) ?? "list";
  }
  get attachments() {
    return filesOf(this.call.message, this.deps.services.attachmentHosts);
  }

  get has(): Ctx["has"] {
    return (kind) => this.call.opened[kind] !== undefined;
  }
  get channelId() {
    return this.call.opened.channel?.channelId;
  }
  get video() {
    return this.accessed.video;
  }
  get own() {
    return this.accessed.own;
  }
  /** Many handlers ask the service nothing. */
  private get accessed(): Access {
    const { demands, opened, view, tally, billedTo, asker } = this.call;
    const { guildId, rank } = asker;
    const local = { hl: this.hl, region: asker.settings.region };
    const { services, answers } = this.deps;
    const { clients } = services;
    this.made ??= accessOf({
      ...{ guildId, rank, view, demands, opened, billedTo, clients, answers, local },
      onSpent: tally.add,
    });
    return this.made;
  }

  get changeSettings(): Ctx["changeSettings"] {
    return async (change) => {
      const settings = await this.deps.services.store.settings.update(this.guildId, change);
      this.deps.settings.forget(this.guildId);
      return settings;
    };
  }
  get inTurn(): Ctx["inTurn"] {
    return (name, work) => this.deps.turns(`${this.guildId} ${name}`, work);
  }

  get price() {
    return priced(this.payment, this.words);
  }
  get afford() {
    return affordable(this.payment);
  }
  private get payment() {
    const { opened, billedTo } = this.call;
    const access = () => this.accessed.access;
    return { clients: this.deps.services.clients, opened, billedTo, access };
  }
  get budgets() {
    return this.call.billedTo.limits?.budgets;
  }
  get left(): Ctx["left"] {
    const { opened, billedTo } = this.call;
    const { clients } = this.deps.services;
    return async (kind) => {
      const secret = opened[kind]?.secret;
      if (secret === undefined) return undefined;
      if (kind === "video-key") return clients.left({ key: secret }, billedTo);
      return clients.left({ channelOf: this.guildId, channelId: this.channelId }, billedTo);
    };
  }
  get unitsSpent(): Ctx["unitsSpent"] {
    const { opened } = this.call;
    return (days) =>
      unitsSpentBy({ guildId: this.guildId, opened, days }, this.deps.services.clients);
  }
  get creditsSpent(): Ctx["creditsSpent"] {
    return (days) => this.deps.services.clients.creditsSpent(this.guildId, days);
  }

  get background() {
    const { opened, journey, billedTo } = this.call;
    const secret = opened["background-key"]?.secret;
    if (secret === undefined)
      throw new TypeError(`${journey.name ?? ""} did not say what it needs`);
    return this.deps.services.clients.background(secret, billedTo);
  }
  get pictureLimits() {
    return this.deps.services.pictureLimits;
  }
  get images() {
    return this.deps.services.images.of({ ...this.turnTaker, onQueued: this.onQueued });
  }
  get keep(): Ctx["keep"] {
    return (bytes) => this.deps.files.put(this.guildId, bytes);
  }
  get kept(): Ctx["kept"] {
    return (handle) => this.deps.files.get(this.guildId, handle);
  }
  get fetchAttachment(): Ctx["fetchAttachment"] {
    return (attachment) => fetchAttachment(attachment, this.opening);
  }
  get openAttachment(): Ctx["openAttachment"] {
    return (attachment, maxBytes) => openAttachment(attachment, { ...this.opening, maxBytes });
  }
  private get opening() {
    const { onQueued, signal } = this;
    return { services: this.deps.services, held: this.call.held, onQueued, signal };
  }
  private get turnTaker(): TurnTaker {
    return { tenant: this.guildId, person: this.userId };
  }
  private get onQueued() {
    const { onQueued, progress } = this.call;
    return onQueued ?? ((ahead: number | undefined) => progress.queue(ahead, this.words));
  }
  get apart(): Ctx["apart"] {
    return async (onQueued, work) => {
      const held = this.deps.admission.hold(this.turnTaker);
      try {
        const call = { ...this.call, held, onQueued };
        return await work(Object.create(this, { call: { value: call } }) as Ctx);
      } finally {
        held.close();
      }
    };
  }

  /** Not in the reply's foot: it is another project's unit. */
  get clients(): Ctx["clients"] {
    const { clients } = this.deps.services;
    const { billedTo } = this.call;
    return {
      video: (key) => clients.video({ key }, billedTo),
      background: (key) => clients.background(key, billedTo),
    };
  }
  get credentials() {
    const { store, now, clients } = this.deps.services;
    const { billedTo, tally } = this.call;
    return createGuildCredentials({
      ...{ guildId: this.guildId, userId: this.userId, store, now },
      clientOf: (access) => clients.video(access, billedTo, (cost) => tally.add(access, cost)),
    });
  }
  get records() {
    const { services, answers, files, settings } = this.deps;
    const { store } = services;
    return createGuildRecords(this.guildId, { store, caches: [answers, files, settings] });
  }
  get serverName(): Ctx["serverName"] {
    return async () => (await guildInfo(this.guildId, this.deps.rest)).name;
  }
  get links() {
    const { asker, journey } = this.call;
    const answerTo = {
      applicationId: journey.interaction.application_id,
      interactionToken: journey.interaction.token,
      locale: this.words.tag,
    };
    return createGuildLinks({ ...asker, answerTo, guildName: this.serverName }, this.deps.services);
  }
  get moderation() {
    return this.deps.services.moderation.of(this.guildId);
  }
  get feeds() {
    return this.deps.services.feeds.of(this.guildId);
  }
  get expressions() {
    const { asker } = this.call;
    const place = { guildId: this.guildId, reason: reasonOf(asker) };
    return expressionsFor(asker, place, this.deps.create);
  }
}

/** For the server's audit log, where one language has to do for all. */
function reasonOf({ userName, userId }: Asker): string {
  return `Asked for by ${userName} (${userId})`;
}
