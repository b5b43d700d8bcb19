import { randomBytes } from "node:crypto";
import { AccessError } from "../../errors.ts";
import type { Credential } from "../../store/index.ts";
import { hashGrant } from "../grant.ts";
import type { Permission } from "../permissions.ts";
import { startConsent, takeConsentAnswer } from "./consent.ts";
import { startIdentity, takeIdentityAnswer, wantsIdentity } from "./identity.ts";
import { checkLinkCode } from "./link-code.ts";
import {
  changeDraft,
  type LinkDraft,
  linkMs,
  type OpenedLinkToken,
  readPending,
  requireClient,
  startDraft,
  takeToken,
  visitPage,
} from "./steps.ts";
import type {
  BrowserConsent,
  LinkDecider,
  LinkRequest,
  LinkStart,
  LinksDeps,
  LinkVisit,
  PendingLink,
} from "./types.ts";

export type Links = ReturnType<typeof createLinks>;

/**
 * The link flow, from the command to the stored link. Everything that is stored between its steps is sealed, found only by
 * a token of 256 random bits, and gone after 10 minutes. `browser` is 256 random bits in a cookie: the steps of a link
 * belong to the browser that took the first one. A person has one open link per server, and a new one ends it. Every
 * method also throws ServiceError `store_unavailable`; then the same step may be tried again. One for the whole process; it
 * keeps nothing in memory.
 */
export function createLinks(options: LinksDeps) {
  return {
    /**
     * Starts a link. @throws ConnectError `oauth_client_missing` if the bot has no registration, `links_closed` if it has no
     * public address.
     */
    begin: async (ask: LinkRequest): Promise<LinkStart> => {
      const { publicUrl } = requireClient(options);
      const id = randomBytes(16).toString("base64url");
      const draft: LinkDraft = { id, ask, endsAt: options.now() + linkMs };
      const url = `${publicUrl}/connect/${await startDraft(options, draft)}`;
      return { url, endsWithCode: endsWithCode(options), endsAt: new Date(draft.endsAt) };
    },

    /**
     * What the page shows; changes nothing. @throws AccessError `link_over` for an unknown, used or old token,
     * `link_other_browser`.
     */
    visit: async (token: string, browser: string): Promise<LinkVisit> => {
      const draft = await visitPage(options, token, browser);
      const { guildName, userName, permissions, answerTo } = draft.ask;
      return {
        guildName,
        userName,
        endsWithCode: endsWithCode(options),
        wantsIdentity: wantsIdentity(options, draft),
        permissions,
        endsAt: new Date(draft.endsAt),
        locale: answerTo.locale,
      };
    },

    /** The address where the browser proves its Discord identity. @throws as `visit`. */
    identify: (token: string, browser: string): Promise<URL> =>
      startIdentity(options, token, browser),

    /**
     * Takes Discord's answer to that; returns the token of the page.
     * @throws as `visit`; AccessError `link_other_person`; ConnectError `identity_denied` when the person cancels there, and the
     * link stays open; ServiceError `identity_unproven` when Discord does not say.
     */
    identified: (answer: URL, browser: string): Promise<string> =>
      takeIdentityAnswer(options, answer, browser),

    /**
     * The address of the authorisation endpoint's page for the ticked permissions, and always for reading, without which the
     * channel would stay unknown. The page may be left and opened again.
     * @throws as `visit`; AccessError `link_unproven`; InputError `nothing_ticked`.
     */
    authorise: (token: string, browser: string, chosen: readonly Permission[]): Promise<URL> =>
      startConsent(options, { token, browser }, chosen),

    /**
     * Takes the answer to that: exchanges the code, reads the channel, and asks the requester in Discord. Nothing is linked
     * before the requester confirms; a consent that is never confirmed is ended at Google.
     * @throws as `visit`; ConnectError `consent_denied`, `code_refused`, `no_refresh_token`, `read_not_granted`,
     * `no_channel` and those of the token endpoint; NetworkError `link_interrupted`; what `channelsOf` and `onPending` throw.
     */
    answered: (answer: URL, browser: string): Promise<BrowserConsent> =>
      takeConsentAnswer(options, answer, browser),

    /**
     * Stores the link, in place of an earlier one of the same channel. Only the person who asked for it may, with the code
     * that the browser shows if it has not proven who it is.
     * @throws AccessError `link_over`, `under_way`, `link_codes_spent`; InputError `link_code_wrong`, `too_many_channels`, and
     * then it may be tried again.
     */
    confirm: (handle: string, by: LinkDecider, code?: string): Promise<PendingLink> =>
      confirm(options, { handle, by }, code),

    /** Ends the consent at Google, unless that channel is linked somewhere. @throws AccessError `link_over`, `under_way`. */
    decline: (handle: string, by: LinkDecider): Promise<void> => decline(options, handle, by),
  };
}

function endsWithCode({ discord }: LinksDeps): boolean {
  return discord.clientSecret === undefined;
}

type OpenedPending = OpenedLinkToken<"pending">;

/*
 * The requester's decision about a consent. It happens as a whole or not at all, so that the same button works again; it can't
 * be both confirmed and declined.
 */

async function confirm(
  options: LinksDeps,
  { handle, by }: { readonly handle: string; readonly by: LinkDecider },
  code: string | undefined,
): Promise<PendingLink> {
  try {
    // Before the transaction, which a refusal would undo with its count.
    await checkLinkCode(options, await readPending(options, handle, by), code);
  } catch (error) {
    if (error instanceof AccessError && error.code === "link_codes_spent") {
      await decline(options, handle, by);
    }
    throw error;
  }
  return decide(options, { handle, by }, (pending) => keep(options, handle, pending));
}

function decline(options: LinksDeps, handle: string, by: LinkDecider): Promise<void> {
  return decide(options, { handle, by }, (pending) => drop(options, pending));
}

function decide<T>(
  options: LinksDeps,
  { handle, by }: { readonly handle: string; readonly by: LinkDecider },
  work: (pending: OpenedPending) => Promise<T>,
): Promise<T> {
  return options.database.transaction(async () => {
    const pending = await readPending(options, handle, by);
    // If the button is pressed several times at once, only one press gets the token.
    await takeToken(options, handle);
    const result = await work(pending);
    await changeDraft(options, pending.draft, () => undefined);
    return result;
  });
}

async function keep(
  options: LinksDeps,
  handle: string,
  { content, draft }: OpenedPending,
): Promise<PendingLink> {
  const { guildId, userId, answerTo } = draft.ask;
  const { channel, permissions, revocationId } = content;
  await options.credentials.write(guildId, createCredential(options, { content, draft }));
  await options.revocations.remove(revocationId);
  await options.accessTokens.write(guildId, channel.channelId, {
    ...content.access,
    grantHash: hashGrant(content.refreshToken),
  });
  return { handle, guildId, userId, answerTo, channel, permissions };
}

/** A new consent mends a broken link. */
function createCredential({ now }: LinksDeps, { content, draft }: OpenedPending): Credential {
  const { channelId, title } = content.channel;
  return {
    kind: "channel",
    secret: content.refreshToken,
    addedBy: draft.ask.userId,
    addedAt: now(),
    channelId,
    channelTitle: title,
    titleReadAt: content.readAt,
    scopes: content.scopes,
  };
}

async function drop({ revocations, now }: LinksDeps, { content }: OpenedPending): Promise<void> {
  const { refreshToken, revocationId, channel } = content;
  await revocations.remove(revocationId);
  await revocations.add(refreshToken, { channelId: channel.channelId, dueAt: now() });
}
