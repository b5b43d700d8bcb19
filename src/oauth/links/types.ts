import type { Database } from "../../database/index.ts";
import type { Http } from "../../http/index.ts";
import type {
  AccessTokens,
  CredentialStore,
  OneTimeTokens,
  Revocations,
} from "../../store/index.ts";
import type { AuthorizationRegistration } from "../exchange.ts";
import type { Permission } from "../permissions.ts";

export interface DiscordApp {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  /** `https://discord.com`. */
  readonly siteUrl: string;
  /** Undefined if browsers need not prove an identity. */
  readonly clientSecret: string | undefined;
}

export interface LinksDeps {
  readonly oneTimeTokens: OneTimeTokens;
  readonly credentials: Pick<CredentialStore, "read" | "write">;
  readonly accessTokens: Pick<AccessTokens, "write">;
  readonly revocations: Pick<Revocations, "add" | "remove">;
  readonly database: Pick<Database, "transaction" | "servers">;
  readonly http: Pick<Http, "request">;
  readonly now: () => number;
  /** Called with every token before it is used, so that the log never shows it. */
  readonly onSecret: (secret: string) => void;
  /** The bot's registration at Google; without it nothing is linked. */
  readonly client: AuthorizationRegistration | undefined;
  /** Where people's browsers reach this process; without it nothing is linked. */
  readonly publicUrl: string | undefined;
  readonly discord: DiscordApp;
  /** Reads the channels of the account that consented, for one unit. */
  readonly channelsOf: (
    accessToken: string,
    by: LinkDecider,
  ) => Promise<readonly ConsentedChannel[]>;
  /** Asks the requester in Discord whether to keep the link. */
  readonly onPending: (pending: PendingLink) => Promise<void> | void;
}

/** Where to show the question whether to keep a link; JSON-shaped. Valid for 15 minutes. */
export interface AnswerTo {
  readonly applicationId: string;
  /** The token of the interaction that started the link; a secret. */
  readonly interactionToken: string;
  /** The person's language. */
  readonly locale: string;
  /** Where the person asked; absent in links that an earlier version began. */
  readonly channelId?: string | undefined;
}

/** Who wants to link a channel to what. */
export interface LinkRequest {
  readonly guildId: string;
  readonly guildName: string;
  readonly userId: string;
  readonly userName: string;
  /** Ticked beforehand on the page. */
  readonly permissions: readonly Permission[];
  readonly answerTo: AnswerTo;
}

export interface LinkStart {
  /** The address of the page, which only works for the person who asked for it. */
  readonly url: string;
  /** Whether the last page shows a code that is typed in Discord, because the browser does not prove who it is. */
  readonly endsWithCode: boolean;
  readonly endsAt: Date;
}

/** What the page shows. Names are as people wrote them: escape them. */
export interface LinkVisit {
  readonly serverName: string;
  readonly userName: string;
  /** As in `LinkStart`. */
  readonly endsWithCode: boolean;
  /** Whether the browser has to prove its Discord identity before it goes on. */
  readonly wantsIdentity: boolean;
  readonly permissions: readonly Permission[];
  readonly endsAt: Date;
  /** The language of the person's Discord. */
  readonly locale: string;
}

/** A channel that was read with a new consent. */
export interface ConsentedChannel {
  readonly channelId: string;
  readonly title: string;
  readonly thumbnailUrl?: string;
  readonly subscribers?: number;
}

declare module "../../channel-messages.ts" {
  interface NotificationFacts {
    "link-pending": PendingLink;
    "grant-gone": GrantGone;
  }
}

/** A linked channel's consent has ended. */
export interface GrantGone {
  readonly guildId: string;
  readonly channelId: string;
  /** Google ends consents of unpublished projects after a week. */
  readonly isSevenDays: boolean;
}

/** A consent that its requester still has to confirm in Discord. */
export interface PendingLink {
  /** One use, 10 minutes; goes into the state of the confirming button. */
  readonly handle: string;
  readonly guildId: string;
  readonly userId: string;
  readonly answerTo: AnswerTo;
  readonly channel: ConsentedChannel;
  /** What was really granted, which may be less than was ticked. */
  readonly permissions: readonly Permission[];
  /** What was ticked and not granted. */
  readonly missing?: readonly Permission[];
  /** Whether it is confirmed with the code that the browser shows. */
  readonly asksCode?: boolean;
}

/** A consent, as the browser that gave it knows it. */
export interface BrowserConsent extends PendingLink {
  /** Like `K7-R4`. Only this browser sees it; undefined if it has proven who it is. */
  readonly code?: string;
}

/** The person who decides about a waiting consent, and the server. */
export interface LinkDecider {
  readonly guildId: string;
  readonly userId: string;
}
