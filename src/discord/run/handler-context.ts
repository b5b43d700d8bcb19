import type { APIMessage } from "discord.js";
import type { TurnTaker } from "../../fair-queue.ts";
import { expressionsFor } from "../access/expressions/create.ts";
import type {
  AnswerAddress,
  CommandInfo,
  InteractionContext,
} from "../declare/interaction-context.ts";
import { postChannelOf } from "../declare/text-channel.ts";
import { guildInfo } from "../wire/post.ts";
import { fetchAttachment, filesOf, openAttachment } from "./attachments.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { makeFile, makingWeight } from "./made-file.ts";
import type { ProgressReporter } from "./progress.ts";
import type { Requester } from "./requester.ts";
import type { RunningInteraction } from "./run-and-reply.ts";
import { serverChannelsFor } from "./server-channels.ts";

/** One call of a handler. */
export interface HandlerCall extends RunningInteraction {
  readonly options: Readonly<Record<string, unknown>>;
  /** The message that was pressed or that a menu was opened on. */
  readonly message: Pick<APIMessage, "attachments" | "embeds"> | undefined;
  readonly progress: ProgressReporter;
  /** Called with the number of jobs ahead of a part of the work (`apart`); when absent, the progress shows it. */
  readonly onQueued?: (ahead: number | undefined) => void;
}

type CtxDeps = Pick<
  InteractionDeps,
  "routes" | "services" | "rest" | "botId" | "create" | "admission" | "turns" | "settings"
>;

/**
 * A class, because a literal with its forty closures took a third of all the time that an interaction costs. Everything
 * is made when first read, by a getter, so that handlers may destructure it. Features extend it (`FeatureContexts`).
 */
export class HandlerContext implements InteractionContext {
  // Not #private: contexts that are derived from this one (`Object.create`) have to reach them.
  private readonly call: HandlerCall;
  private readonly deps: CtxDeps;

  /** Takes another context of the same interaction, for classes that extend this one. */
  constructor(of: HandlerContext | { readonly call: HandlerCall; readonly deps: CtxDeps }) {
    const { call, deps } = of instanceof HandlerContext ? { call: of.call, deps: of.deps } : of;
    this.call = call;
    this.deps = deps;
  }

  get guildId() {
    return this.call.requester.guildId;
  }
  get userId() {
    return this.call.requester.userId;
  }
  get userName() {
    return this.call.requester.userName;
  }
  get rank() {
    return this.call.requester.rank;
  }
  get rolesUnread() {
    return this.call.requester.rolesUnread;
  }
  get learnRoles() {
    return this.call.requester.learnRoles;
  }
  get words() {
    return this.call.requester.words;
  }
  get serverWords() {
    return this.call.requester.serverWords;
  }
  get settings() {
    return this.call.requester.settings;
  }
  get attachmentLimit() {
    return this.call.requester.attachmentLimit;
  }
  get now() {
    return this.deps.services.now;
  }
  get reference() {
    return this.call.received.reference;
  }
  protected get interactionId() {
    return this.call.received.interaction.id;
  }
  get log() {
    return this.call.received.log();
  }
  get signal() {
    return this.call.running.signal;
  }
  get progress() {
    return this.call.progress.show;
  }
  get afterwards(): InteractionContext["afterwards"] {
    return (work) => {
      this.call.received.afterwards = work;
    };
  }
  get options(): Readonly<Record<string, unknown>> {
    return this.call.options;
  }
  get attachments() {
    return filesOf(this.call.message, this.deps.services.attachmentHosts);
  }

  get changeSettings(): InteractionContext["changeSettings"] {
    return async (change) => {
      const { store } = this.deps.services;
      const settings = await store.settings.update(this.guildId, change);
      store.database.afterCommit(this.forgetSettings);
      return settings;
    };
  }
  /** Makes the next request read them again. */
  protected get forgetSettings() {
    return () => this.deps.settings.forget(this.guildId);
  }
  get inTurn(): InteractionContext["inTurn"] {
    return (name, work) => this.deps.turns(`${this.guildId} ${name}`, work, this.signal);
  }

  get fetchAttachment(): InteractionContext["fetchAttachment"] {
    return (attachment) => fetchAttachment(attachment, this.opening);
  }
  get openAttachment(): InteractionContext["openAttachment"] {
    return (attachment, maxBytes) => openAttachment(attachment, { ...this.opening, maxBytes });
  }
  get makeFile(): InteractionContext["makeFile"] {
    return async (file) => {
      await this.holdBytes(makingWeight);
      const { attachmentLimit, signal } = this;
      return makeFile(file, { attachmentLimit, signal, onClose: this.call.held.onClose });
    };
  }
  get holdBytes(): InteractionContext["holdBytes"] {
    const { onQueued, signal } = this;
    return (bytes) => this.call.held.admit(bytes, { onQueued, signal });
  }
  private get opening() {
    const { onQueued, signal } = this;
    return { services: this.deps.services, held: this.call.held, onQueued, signal };
  }
  /** For queues that take turns by server and person. */
  protected get turnTaker(): TurnTaker {
    return { tenant: this.guildId, person: this.userId };
  }
  /** Shows how many are ahead of work that waits for its turn. */
  protected get onQueued() {
    const { onQueued, progress } = this.call;
    return onQueued ?? ((ahead: number | undefined) => progress.queue(ahead, this.words));
  }
  get apart() {
    return async <T>(
      onQueued: (ahead: number | undefined) => void,
      work: (ctx: this) => Promise<T>,
    ): Promise<T> => {
      const held = this.deps.admission.hold(this.turnTaker);
      try {
        const call = { ...this.call, held, onQueued };
        return await work(Object.create(this, { call: { value: call } }) as this);
      } finally {
        held.close();
      }
    };
  }

  get serverName(): InteractionContext["serverName"] {
    return async () => (await guildInfo(this.guildId, this.deps.rest)).name;
  }
  get here() {
    return postChannelOf(this.call.received.interaction);
  }
  get serverChannels() {
    const { rest, botId, services } = this.deps;
    return serverChannelsFor(
      { rest, botId, random: services.random, log: this.log },
      this.call.requester,
    );
  }
  get commands(): InteractionContext["commands"] {
    return () => commandsIn(this.deps.routes);
  }
  get expressions() {
    const { requester } = this.call;
    const place = { guildId: this.guildId, reason: reasonOf(requester) };
    return expressionsFor(requester, place, this.deps.create);
  }
  get answerTo(): AnswerAddress {
    const { application_id: applicationId, token, channel } = this.call.received.interaction;
    const { tag: locale } = this.words;
    return { applicationId, interactionToken: token, locale, channelId: channel?.id };
  }
}

/** Every command that can be typed, with the rank that it takes. */
export function commandsIn({ commands }: CtxDeps["routes"]): readonly CommandInfo[] {
  return [...commands].map(([path, { declaration, options }]) => ({
    path,
    rank: declaration.rank ?? "member",
    options: Object.keys(options),
  }));
}

/** For the server's audit log, where one language has to do for all. */
function reasonOf({ userName, userId }: Requester): string {
  return `Asked for by ${userName} (${userId})`;
}
