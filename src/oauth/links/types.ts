import type { Database } from "../../database/index.ts";
import type { Http } from "../../http/index.ts";
import type { AccessTokens, Credentials, Revocations, Tickets } from "../../store/index.ts";
import type { Registered } from "../exchange.ts";
import type { Permission } from "../permissions.ts";

/** Discord as an authorisation server. */
export interface DiscordApp {
  /** `https://discord.com/api`. */
  readonly apiUrl: string;
  /** Undefined where no identity is asked for. */
  readonly clientSecret: string | undefined;
}

export interface LinksOptions {
  readonly tickets: Tickets;
  readonly credentials: Pick<Credentials, "read" | "write">;
  readonly accessTokens: Pick<AccessTokens, "write">;
  readonly revocations: Pick<Revocations, "add" | "remove">;
  readonly database: Pick<Database, "transaction" | "servers">;
  readonly http: Pick<Http, "request">;
  readonly now: () => number;
  /** Told every token before it is used. */
  readonly onSecret: (secret: string) => void;
  /** The bot's registration at the authorisation service; without it nothing is linked. */
  readonly client: Registered | undefined;
  /** Where people's browsers reach this process; without it nothing is linked. */
  readonly publicUrl: string | undefined;
  readonly discord: DiscordApp;
  /** The channels of the account that consented; one unit. */
  readonly channelsOf: (accessToken: string, by: Decider) => Promise<readonly ConsentedChannel[]>;
  /** Has the requester asked in Discord whether to keep it. */
  readonly onPending: (pending: PendingLink) => Promise<void> | void;
}

/** Where the question whether to keep a link is shown; JSON-shaped. Good for 15 minutes. */
export interface AnswerTo {
  readonly applicationId: string;
  /** Of the interaction that started the link; a secret. */
  readonly interactionToken: string;
  /** The person's language. */
  readonly locale: string;
}

/** Who wants to link a channel to what. */
export interface LinkAsk {
  readonly guildId: string;
  readonly guildName: string;
  readonly userId: string;
  readonly userName: string;
  /** Ticked beforehand on the page. */
  readonly permissions: readonly Permission[];
  readonly answerTo: AnswerTo;
}

export interface LinkStart {
  /** The page, which only works for whom it was made. */
  readonly url: string;
  /** To be compared with the page's, like `K7-R4`; undefined where the browser proves who it is instead. */
  readonly code: string | undefined;
  readonly endsAt: Date;
}

/** What the page shows. Names are as people wrote them: escape them. */
export interface Visit {
  readonly guildName: string;
  readonly userName: string;
  readonly code: string | undefined;
  /** Whether the browser has to prove its Discord identity before it goes on. */
  readonly wantsIdentity: boolean;
  readonly permissions: readonly Permission[];
  readonly endsAt: Date;
}

/** A channel that was read with a new consent. */
export interface ConsentedChannel {
  readonly channelId: string;
  readonly title: string;
  readonly thumbnailUrl?: string;
  readonly subscribers?: number;
}

/** A consent that its requester has still to confirm in Discord. */
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
}

/** Who decides over a consent that waits, and where. */
export interface Decider {
  readonly guildId: string;
  readonly userId: string;
}
