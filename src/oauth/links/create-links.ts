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
import { shortCode } from "./short-code.ts";
import { createSteps, type Draft, hashOf, linkMs, type Opened } from "./steps.ts";
import type { ConsentedChannel, Decider, Links, PendingLink } from "./types.ts";

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

/** The link flow, from the command to the stored link. One for the whole process; it keeps nothing in memory. */
export function createLinks(options: LinksOptions): Links {
  const { tickets, http, now, onSecret, discord } = options;
  const steps = createSteps(tickets, now);
  const { confirm, decline } = createDecisions(steps, options);

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
    async begin(ask) {
      const { publicUrl } = needClient();
      const draft: Draft = {
        id: randomBytes(16).toString("base64url"),
        ask,
        endsAt: now() + linkMs,
      };
      const ticket = await steps.start(draft);
      return {
        url: `${publicUrl}/connect/${ticket}`,
        code: codeOf(draft),
        endsAt: new Date(draft.endsAt),
      };
    },

    async visit(ticket, browser) {
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

    async identify(ticket, browser) {
      const { publicUrl } = needClient();
      return within(await steps.visit(ticket, browser), async (visited) => {
        const draft = await steps.bind(visited, browser);
        const at = needDiscord(draft);
        const verifier = generateRandomCodeVerifier();
        const redirectUri = `${publicUrl}/discord/callback`;
        const sent = { link: draft.id, browser: hashOf(browser), verifier, redirectUri };
        const state = await steps.put(draft, "identity", { ...sent, page: ticket });
        const question = { redirectUri, scope: "identify", state, verifier };
        // Who has agreed before is not asked again.
        return questionUrl(at, { ...question, more: { prompt: "none" } });
      });
    },

    async identified(answer, browser) {
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

    async authorise(ticket, browser, given) {
      const { client, publicUrl } = needClient();
      return within(await steps.visit(ticket, browser), async (visited) => {
        const draft = await steps.bind(visited, browser);
        if (wantsIdentity(draft)) throw unproven();
        const asked = scopesFor(withReading(given));
        const verifier = generateRandomCodeVerifier();
        const redirectUri = `${publicUrl}/oauth/callback`;
        const sent = { link: draft.id, browser: hashOf(browser), verifier, redirectUri };
        const state = await steps.put(draft, "consent", { ...sent, asked });
        // Without a prompt for consent a second link of an account gets no refresh token.
        const more = { access_type: "offline", prompt: "consent" };
        return questionUrl(client, {
          ...{ redirectUri, scope: writeScopes(asked), state, verifier, more },
        });
      });
    },

    async answered(answer, browser) {
      const { client } = needClient();
      const state = stateOf(answer);
      const { content, draft } = await steps.takeSent("consent", state, browser);
      const read = readAnswer(client, answer, state);
      return within(draft, () => answeredBy(client, { content, draft }, read));
    },

    confirm,
    decline,
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
