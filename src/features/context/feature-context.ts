import type { Feeds } from "../../announcements/index.ts";
import type { BilledTo } from "../../budget/index.ts";
import type { AnswerCache } from "../../cache.ts";
import { HandlerContext, type HandlerContextParts, type View } from "../../discord/index.ts";
import type { Images } from "../../images/index.ts";
import type { Moderation } from "../../moderation/index.ts";
import type { Credential, Store } from "../../store/index.ts";
import { type Extra, noExtra } from "../extra/index.ts";
import { type ChangeLog, createChangeLog } from "./change-log.ts";
import { createServerLinks, type LinkServices } from "./channel-links.ts";
import type { ServiceClients } from "./clients.ts";
import type { OpenedCredentials } from "./credentials.ts";
import type { Ctx, Output, PictureLimits } from "./ctx.ts";
import type { Demands } from "./demands.ts";
import type { FileCache } from "./file-cache.ts";
import { createPaidResults } from "./paid-results.ts";
import { withServedCountry } from "./served-country.ts";
import { createServerCredentials } from "./server-credentials.ts";
import { createServerRecords } from "./server-records.ts";
import { billedToFor, createAfford, createPrice, type Tally } from "./spending.ts";
import { createVideoClients, type VideoClients } from "./video-clients.ts";

/** The services that features use; made once, in `bot.ts`. */
export interface FeatureServices extends LinkServices {
  readonly store: Store;
  readonly images: Pick<Images, "of">;
  readonly clients: ServiceClients;
  /** What servers use that have no background engine of their own; absent if they need one. */
  readonly operatorsEngine?: Credential | undefined;
  readonly pictureLimits: PictureLimits;
  readonly moderation: Pick<Moderation, "of">;
  readonly feeds: Pick<Feeds, "of">;
  readonly now: () => number;
  readonly log: Pick<Ctx["log"], "warn">;
}

/** The same with this process's caches. */
export interface FeatureContextDeps extends FeatureServices {
  readonly answers: AnswerCache;
  readonly files: FileCache;
}

/** What one call of a handler may use. */
export interface HandlerGrant {
  readonly demands: Demands;
  readonly command: string;
  readonly view: View;
  readonly opened: OpenedCredentials;
  readonly tally: Tally;
}

/** An interaction's context with what features need. Everything is made when it is asked for. */
export class FeatureContext extends HandlerContext implements Ctx {
  // Not #private: contexts that are derived from this one (`Object.create`) have to reach them.
  private readonly grant: HandlerGrant;
  private readonly features: FeatureContextDeps;
  /** Made when first used, because many handlers don't call YouTube; one object, so that derived contexts share them. */
  private readonly made: { video?: VideoClients; changes?: ChangeLog; billedTo?: BilledTo } = {};

  constructor(parts: HandlerContextParts, grant: HandlerGrant, features: FeatureContextDeps) {
    super(parts);
    this.grant = grant;
    this.features = features;
  }

  /** Those that the handler declared; the others are members of the context. */
  override get options() {
    const { extra: _, output: _2, as: _3, ...options } = super.options;
    return options;
  }
  override get settings() {
    return withServedCountry(super.settings);
  }
  override get changeSettings(): Ctx["changeSettings"] {
    const store = super.changeSettings;
    return (change) => store((stored) => change(withServedCountry(stored)));
  }
  get extra() {
    return (super.options.extra as Extra | undefined) ?? noExtra;
  }
  get output() {
    return (super.options.output as Output | undefined) ?? "list";
  }

  get has(): Ctx["has"] {
    return (kind) => this.grant.opened[kind] !== undefined;
  }
  get channelId() {
    return this.grant.opened.channel?.channelId;
  }
  get hl() {
    return youtubeLanguage(this.words.tag);
  }
  get video() {
    return this.accessed.video;
  }
  get own() {
    return this.accessed.own;
  }
  private get accessed(): VideoClients {
    const { guildId, rank, hl, settings, billedTo } = this;
    const { demands, opened, view, tally } = this.grant;
    const { clients, answers, store, now } = this.features;
    this.made.video ??= createVideoClients({
      guildId,
      rank,
      view,
      demands,
      opened,
      billedTo,
      clients,
      answers,
      now,
      files: store.files,
      servers: store.database.servers,
      local: { hl, region: settings.region },
      onSpent: tally.add,
      changes: this.changes,
    });
    return this.made.video;
  }
  private get changes(): ChangeLog {
    this.made.changes ??= createChangeLog({
      record: async (change) => {
        const by = { userId: this.userId, userName: this.userName };
        await this.moderation.audit.addChange({ ...change, by, source: this.channelId ?? "" });
      },
      onFailure: (error) => this.log.warn("a change could not be recorded", { error }),
    });
    return this.made.changes;
  }
  get named(): Ctx["named"] {
    return this.changes.name;
  }

  /** Who pays for what the handler calls. */
  get billedTo(): BilledTo {
    const { guildId, userId, rank, settings } = this;
    const { command, demands } = this.grant;
    const { method, uses } = demands;
    this.made.billedTo ??= billedToFor({ guildId, userId, rank, settings, command, method, uses });
    return this.made.billedTo;
  }
  get price() {
    return createPrice(this.payment, this.grant.tally, this.words);
  }
  get afford() {
    return createAfford(this.payment);
  }
  private get payment() {
    const { billedTo } = this;
    const access = () => this.accessed.access;
    return { clients: this.features.clients, opened: this.grant.opened, billedTo, access };
  }
  get budgets() {
    return this.billedTo.limits?.budgets;
  }
  get left(): Ctx["left"] {
    const { billedTo } = this;
    const { opened } = this.grant;
    const { clients } = this.features;
    return async (kind) => {
      const secret = opened[kind]?.secret;
      if (secret === undefined) return undefined;
      if (kind === "video-key") return clients.left({ key: secret }, billedTo);
      return clients.left({ channelOf: this.guildId, channelId: this.channelId }, billedTo);
    };
  }
  get unitsSpent(): Ctx["unitsSpent"] {
    const { guildId, features, grant } = this;
    const { clients } = features;
    const key = grant.opened["video-key"]?.secret;
    return async (days) => {
      const ofKey = key === undefined ? undefined : clients.projectOf({ key });
      const ofChannels = clients.projectOf({ channelOf: guildId });
      const all = await clients.unitsSpent(guildId, days);
      return all.map((spent) => {
        if (spent.project === ofKey) return { ...spent, kind: "video-key" };
        return { ...spent, kind: spent.project === ofChannels ? "channel" : "former" };
      });
    };
  }
  get creditsSpent(): Ctx["creditsSpent"] {
    return (days) => this.features.clients.creditsSpent(this.guildId, days);
  }

  get background() {
    const { opened, command } = this.grant;
    const access = opened["background-key"];
    if (access === undefined) throw new TypeError(`${command} did not say what it needs`);
    return this.features.clients.background(access, this.billedTo);
  }
  get engine() {
    return this.grant.opened["background-key"]?.engine ?? "removebg";
  }
  get pictureLimits() {
    return this.features.pictureLimits;
  }
  get images() {
    return this.features.images.of({ ...this.turnTaker, onQueued: this.onQueued });
  }
  get keep(): Ctx["keep"] {
    return (bytes) => this.features.files.put(this.guildId, bytes);
  }
  get kept(): Ctx["kept"] {
    return (handle) => this.features.files.get(this.guildId, handle);
  }
  get paid() {
    const { guildId, interactionId, log } = this;
    return createPaidResults({ guildId, interactionId, log, files: this.features.store.files });
  }

  /** What these cost is not in the reply's footer: the units are another project's. */
  get clients(): Ctx["clients"] {
    const { clients } = this.features;
    const { billedTo } = this;
    return {
      video: (key) => clients.video({ key }, billedTo),
      background: (access) => clients.background(access, billedTo),
    };
  }
  get credentials() {
    const { guildId, userId, billedTo } = this;
    const { store, now, clients } = this.features;
    const { tally } = this.grant;
    return createServerCredentials({
      guildId,
      userId,
      store,
      now,
      clientOf: (access) => clients.video(access, billedTo, (cost) => tally.add(access, cost)),
    });
  }
  get records() {
    const { answers, files, store } = this.features;
    return createServerRecords(this.guildId, store, [
      answers,
      files,
      { forget: this.forgetSettings },
    ]);
  }
  get links() {
    return createServerLinks(this, this.features);
  }
  get moderation() {
    return this.features.moderation.of(this.guildId);
  }
  get feeds() {
    return this.features.feeds.of(this.guildId);
  }
}

/** Languages that YouTube names with a country; the others have short names. */
const withCountry: ReadonlySet<string> = new Set(["en-GB", "es-419", "pt-BR", "zh-CN", "zh-TW"]);

/** YouTube's name for a language tag of Discord's. */
export function youtubeLanguage(tag: string): string {
  return withCountry.has(tag) ? tag : (tag.split("-")[0] ?? "en");
}
