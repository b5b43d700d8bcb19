import { randomBytes } from "node:crypto";
import { generateRandomCodeVerifier } from "oauth4webapi";
import type { Database } from "../../database/index.ts";
import type { BotError } from "../../errors.ts";
import type { Http } from "../../http/index.ts";
import type { AccessTokens, Credentials, Revocations, Tickets } from "../../store/index.ts";
import { questionUrl, type Registered, readAnswer } from "../exchange.ts";
import { clientMissing } from "../failure.ts";
import {
  type Permission,
  permissions,
  permissionsOf,
  scopesFor,
  writeScopes,
} from "../permissions.ts";
import { takeConsent } from "./consent.ts";
import { createDecisions } from "./decide.ts";
import {
  identityDenied,
  identityUnproven,
  linkOver,
  linksClosed,
  nothingTicked,
  otherPerson,
  unproven,
} from "./failure.ts";
import { type DiscordApp, discordAt, userIdOf } from "./identity.ts";
import { createSteps, type Draft, hashOf, linkMs, type Opened, shortCode } from "./steps.ts";
import type { ConsentedChannel, Decider, LinkAsk, LinkStart, PendingLink, Visit } from "./types.ts";

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

export type Links = ReturnType<typeof createLinks>;

/**
 * The link flow, from the command to the stored link (reliability.md 3): everything that is kept between its steps is sealed,
 * found by 256 random bits, and gone after 10 minutes. `browser` is 256 random bits in a cookie: the steps of one link belong
 * to the browser that took the first of them. A person has one link a guild: another one ends it, and so does its own end. All
 * of it also throws ServiceError `store_unavailable`, and then the same step may be tried again. One for the whole process; it
 * keeps nothing in memory.
 */
export function createLinks(options: LinksOptions) {
  const { tickets, http, now, onSecret, discord } = options;
  const steps = createSteps(tickets, now);

  function needClient(): { readonly client: Registered; readonly publicUrl: string } {
    const { client, publicUrl } = options;
    if (client === undefined) throw clientMissing();
    if (publicUrl === undefined) throw linksClosed();
    return { client, publicUrl };
  }

  /** The application that asked is its own client there. */
  function needDiscord({ ask }: Draft): Registered {
    if (discord.clientSecret === undefined) throw linkOver();
    return discordAt(discord, ask.answerTo.applicationId, discord.clientSecret);
  }

  /** What goes with a browser to another server, which sends it back to that path. */
  const sentTo = (draft: Draft, browser: string, redirectUri: string) => ({
    link: draft.id,
    browser: hashOf(browser),
    verifier: generateRandomCodeVerifier(),
    redirectUri,
  });

  /** A step of a link that is open still: should its server be erased during it, nothing of it is written. */
  function within<T>(draft: Draft, step: (draft: Draft) => Promise<T>): Promise<T> {
    return options.database.servers.runFor(draft.ask.guildId, async () => {
      const open = await steps.change(draft, (current) => current);
      if (open === undefined) throw linkOver();
      return step(open);
    });
  }

  const wantsIdentity = (draft: Draft) => discord.clientSecret !== undefined && !draft.isProven;

  async function answeredBy(
    client: Registered,
    { content, draft }: Opened<"consent">,
    read: ReturnType<typeof readAnswer>,
  ): Promise<PendingLink> {
    const consent = await takeConsent(client, { read, by: draft.ask, ...content }, options);
    const { refreshToken, channel } = consent;
    const waitUntil = now() + linkMs;
    // Written first: what is never confirmed ends, also when everything after this fails.
    const revocationId = await options.revocations.add(refreshToken, {
      channelId: channel.channelId,
      dueAt: waitUntil + graceMs,
    });
    const handle = await steps.put(draft, "pending", {
      ...consent,
      ...{ link: draft.id, readAt: now(), revocationId },
    });
    const answeredDraft = await steps.change(draft, (current) => ({
      ...current,
      isAnswered: true,
      endsAt: waitUntil,
    }));
    if (answeredDraft === undefined) throw linkOver();
    const { guildId, userId, answerTo } = draft.ask;
    const { permissions: granted } = consent;
    const missing = permissionsOf(content.asked).filter((one) => !granted.includes(one));
    const pending = { handle, guildId, userId, answerTo, channel, permissions: granted, missing };
    await options.onPending(pending);
    return pending;
  }

  return {
    /** @throws ConnectError `oauth_client_missing` or `links_closed` where the bot has no registration or no public address. */
    async begin(ask: LinkAsk): Promise<LinkStart> {
      const { publicUrl } = needClient();
      const id = randomBytes(16).toString("base64url");
      const draft: Draft = { id, ask, endsAt: now() + linkMs };
      const url = `${publicUrl}/connect/${await steps.start(draft)}`;
      return { url, code: codeOf(draft), endsAt: new Date(draft.endsAt) };
    },

    /** Changes nothing. @throws AccessError `link_over` for an unknown, used or old one, `link_other_browser`. */
    async visit(ticket: string, browser: string): Promise<Visit> {
      const draft = await steps.visit(ticket, browser);
      const { guildName, userName, permissions: ticked } = draft.ask;
      return {
        guildName,
        userName,
        code: codeOf(draft),
        wantsIdentity: wantsIdentity(draft),
        permissions: ticked,
        endsAt: new Date(draft.endsAt),
      };
    },

    /** Where the browser proves its Discord identity. @throws as `visit`. */
    async identify(ticket: string, browser: string): Promise<URL> {
      const { publicUrl } = needClient();
      return within(await steps.visit(ticket, browser), async (visited) => {
        const draft = await steps.bind(visited, browser);
        const at = needDiscord(draft);
        const sent = sentTo(draft, browser, `${publicUrl}/discord/callback`);
        const state = await steps.put(draft, "identity", { ...sent, page: ticket });
        // Who has agreed before is not asked again.
        return questionUrl(at, { ...sent, scope: "identify", state, more: { prompt: "none" } });
      });
    },

    /**
     * Takes the answer to that; gives the page's ticket back.
     * @throws as `visit`; AccessError `link_other_person`; ConnectError `identity_denied` when the person cancels there, and the
     * link stays open; ServiceError `identity_unproven` when Discord does not say.
     */
    async identified(answer: URL, browser: string): Promise<string> {
      const state = stateOf(answer);
      const { content, draft } = await steps.takeSent("identity", state, browser);
      const at = needDiscord(draft);
      const read = readAnswer(at, answer, state);
      if (read.kind === "foreign") throw linkOver();
      if (read.kind === "error") throw identityRefusedBy(read.word);
      const { verifier, redirectUri } = content;
      const how = { verifier, redirectUri, parameters: read.parameters };
      const userId = await userIdOf(discord, at, how, { http, now, onSecret }).catch((error) => {
        throw identityUnproven(error);
      });
      if (userId !== draft.ask.userId) throw otherPerson();
      const proven = await steps.change(draft, (current) => ({ ...current, isProven: true }));
      if (proven === undefined) throw linkOver();
      return content.page;
    },

    /**
     * The authorisation endpoint's page for what was ticked, and always for reading, or nobody would learn which channel
     * it is. The page may be left and asked for again.
     * @throws as `visit`; AccessError `link_unproven`; InputError `nothing_ticked`.
     */
    async authorise(ticket: string, browser: string, given: readonly Permission[]): Promise<URL> {
      const { client, publicUrl } = needClient();
      return within(await steps.visit(ticket, browser), async (visited) => {
        const draft = await steps.bind(visited, browser);
        if (wantsIdentity(draft)) throw unproven();
        const asked = scopesFor(withReading(given));
        const sent = sentTo(draft, browser, `${publicUrl}/oauth/callback`);
        const state = await steps.put(draft, "consent", { ...sent, asked });
        // Without a prompt for consent a second link of an account gets no refresh token.
        const more = { access_type: "offline", prompt: "consent" };
        return questionUrl(client, { ...sent, scope: writeScopes(asked), state, more });
      });
    },

    /**
     * Takes the answer to that: exchanges the code, reads the channel, and has the requester asked in Discord. Until then
     * nothing is linked; what is never confirmed is ended at the service.
     * @throws as `visit`; ConnectError `consent_denied`, `code_refused`, `no_refresh_token`, `read_not_granted`,
     * `no_channel` and those of the token endpoint; NetworkError `link_interrupted`; what `channelsOf` and `onPending` throw.
     */
    async answered(answer: URL, browser: string): Promise<PendingLink> {
      const { client } = needClient();
      const state = stateOf(answer);
      const { content, draft } = await steps.takeSent("consent", state, browser);
      const read = readAnswer(client, answer, state);
      return within(draft, () => answeredBy(client, { content, draft }, read));
    },

    ...createDecisions(steps, options),
  };

  function codeOf({ id }: Draft): string | undefined {
    return discord.clientSecret === undefined ? shortCode(id) : undefined;
  }
}

function identityRefusedBy(word: string | undefined): BotError {
  return word === "access_denied" ? identityDenied() : identityUnproven(undefined);
}

/** A decision of the last moment is carried out first. */
const graceMs = 60_000;

/** @throws InputError `nothing_ticked` */
function withReading(given: readonly Permission[]): readonly Permission[] {
  const ticked = permissions.filter((permission) => given.includes(permission));
  if (ticked.length === 0) throw nothingTicked();
  return ["read", ...ticked];
}

/** @throws AccessError `link_over` unless there is exactly one. */
function stateOf(answer: URL): string {
  const [state, ...more] = answer.searchParams.getAll("state");
  if (state === undefined || more.length > 0) throw linkOver();
  return state;
}
