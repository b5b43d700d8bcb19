import type { APIMessage } from "discord.js";
import { PermissionFlagsBits } from "discord-api-types/v10";
import type { TurnTaker } from "../../fair-queue.ts";
import { expressionsFor } from "../access/expressions/create.ts";
import type { AnswerAddress, InteractionContext } from "../declare/interaction-context.ts";
import { readInteractionChannel } from "../declare/text-channel.ts";
import { readServerInfo } from "../wire/post.ts";
import type { AdmissionHold } from "./admission.ts";
import { attachedFiles, fetchAttachment, openAttachment } from "./attachments.ts";
import type { RunningInteraction } from "./interaction.ts";
import type { InteractionDeps } from "./interaction-deps.ts";
import { makeFile, makingWeight } from "./made-file.ts";
import type { ProgressReporter } from "./progress.ts";
import { type Requester, wordsIn } from "./requester.ts";
import { serverChannelsFor } from "./server-channels.ts";

const { CreateEvents: createEvents } = PermissionFlagsBits;

/** What a handler is called with. */
export interface HandlerCall {
  readonly options: Readonly<Record<string, unknown>>;
  /** The message that was pressed or that a menu was opened on. */
  readonly message: Pick<APIMessage, "attachments" | "embeds"> | undefined;
}

/** What a handler's context is made from. */
export interface HandlerContextParts {
  readonly interaction: RunningInteraction;
  readonly call: HandlerCall;
  readonly progress: ProgressReporter;
  readonly deps: InteractionDeps;
  /** One of several pieces of the work (`apart`). */
  readonly part?: {
    readonly held: AdmissionHold;
    /** Called with the number of jobs ahead of it. */
    readonly onQueued: (ahead: number | undefined) => void;
  };
}

/**
 * A class, because a literal with its forty closures took a third of all the time that an interaction costs. Everything
 * is made when first read, by a getter, so that handlers may destructure it. Features extend it (`FeatureContexts`).
 */
export class HandlerContext implements InteractionContext {
  // Not #private: contexts that are derived from this one (`Object.create`) have to reach them.
  private readonly parts: HandlerContextParts;
  private readonly requester: Requester;

  constructor(parts: HandlerContextParts) {
    this.parts = parts;
    this.requester = parts.interaction.requester;
  }

  private get held() {
    return this.parts.part?.held ?? this.parts.interaction.held;
  }

  get guildId() {
    return this.requester.guildId;
  }
  get userId() {
    return this.requester.userId;
  }
  get userName() {
    return this.requester.userName;
  }
  get rank() {
    return this.requester.rank;
  }
  get rolesUnread() {
    return this.requester.rolesUnread;
  }
  get learnRoles() {
    return this.requester.learnRoles;
  }
  get words() {
    return this.requester.words;
  }
  get serverWords() {
    return this.requester.serverWords;
  }
  get wordsIn() {
    return (tag: string) => wordsIn(tag, this.parts.deps.services);
  }
  get settings() {
    return this.requester.settings;
  }
  get attachmentLimit() {
    return this.requester.attachmentLimit;
  }
  get now() {
    return this.parts.deps.services.now;
  }
  get reference() {
    return this.parts.interaction.reference;
  }
  protected get interactionId() {
    return this.parts.interaction.raw.id;
  }
  get log() {
    return this.parts.interaction.log();
  }
  get signal() {
    return this.parts.interaction.running.signal;
  }
  get progress() {
    return this.parts.progress.show;
  }
  get afterwards(): InteractionContext["afterwards"] {
    return (work) => {
      this.parts.interaction.afterwards = work;
    };
  }
  get options(): Readonly<Record<string, unknown>> {
    return this.parts.call.options;
  }
  get attachments() {
    return attachedFiles(this.parts.call.message, this.parts.deps.services.attachmentHosts);
  }

  get changeSettings(): InteractionContext["changeSettings"] {
    return async (change) => {
      const { store } = this.parts.deps.services;
      const settings = await store.settings.update(this.guildId, change);
      store.database.afterCommit(this.forgetSettings);
      return settings;
    };
  }
  /** Makes the next request read them again. */
  protected get forgetSettings() {
    return () => this.parts.deps.settings.forget(this.guildId);
  }
  get inTurn(): InteractionContext["inTurn"] {
    return (name, work) => this.parts.deps.turns(`${this.guildId} ${name}`, work, this.signal);
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
      return makeFile(file, { attachmentLimit, signal, onClose: this.held.onClose });
    };
  }
  get holdBytes(): InteractionContext["holdBytes"] {
    const { onQueued, signal } = this;
    return (bytes) => this.held.admit(bytes, { onQueued, signal });
  }
  private get opening() {
    const { onQueued, signal, held } = this;
    return { services: this.parts.deps.services, held, onQueued, signal };
  }
  /** For queues that take turns by server and person. */
  protected get turnTaker(): TurnTaker {
    return { tenant: this.guildId, person: this.userId };
  }
  /** Shows how many are ahead of work that waits for its turn. */
  protected get onQueued() {
    const { part, progress } = this.parts;
    return part?.onQueued ?? ((ahead: number | undefined) => progress.queue(ahead, this.words));
  }
  get apart() {
    return async <T>(
      onQueued: (ahead: number | undefined) => void,
      work: (ctx: this) => Promise<T>,
    ): Promise<T> => {
      const held = this.parts.deps.admission.hold(this.turnTaker);
      try {
        const parts = { ...this.parts, part: { held, onQueued } };
        return await work(Object.create(this, { parts: { value: parts } }) as this);
      } finally {
        held.close();
      }
    };
  }

  get serverName(): InteractionContext["serverName"] {
    return async () => (await readServerInfo(this.guildId, this.parts.deps.rest)).name;
  }
  get here() {
    return readInteractionChannel(this.parts.interaction.raw);
  }
  get mayMakeEvents() {
    const { appPermissions } = this.requester;
    return appPermissions === undefined || (BigInt(appPermissions) & createEvents) !== 0n;
  }
  get serverChannels() {
    const { rest, botId, services } = this.parts.deps;
    return serverChannelsFor(
      { rest, botId, random: services.random, now: services.now, log: this.log },
      this.requester,
    );
  }
  get commands() {
    return this.parts.deps.routes.listed;
  }
  get expressions() {
    const { guildId, userName, userId } = this;
    // For the server's audit log, where one language has to do for all.
    const place = { guildId, reason: `Asked for by ${userName} (${userId})` };
    return expressionsFor(this.requester, place, this.parts.deps.create);
  }
  get answerTo(): AnswerAddress {
    const { application_id: applicationId, token, channel } = this.parts.interaction.raw;
    const { tag: locale } = this.words;
    return { applicationId, interactionToken: token, locale, channelId: channel?.id };
  }
}
