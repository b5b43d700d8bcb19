import { randomBytes } from "node:crypto";
import { AccessError } from "../../errors.ts";
import { hashGrant } from "../grant.ts";
import { createConsentSteps } from "./consent.ts";
import { createIdentitySteps, wantsIdentity } from "./identity.ts";
import { checkLinkCode } from "./link-code.ts";
import {
  changeDraft,
  type LinkDraft,
  linkMs,
  type OpenedLinkToken,
  putStep,
  readPending,
  requireClient,
  takeToken,
  visitPage,
} from "./steps.ts";
import type {
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
  const { discord, revocations, now } = options;
  const endsWithCode = discord.clientSecret === undefined;
  return {
    /**
     * Starts a link. @throws ConnectError `oauth_client_missing` if the bot has no registration, `links_closed` if it has no
     * public address.
     */
    begin: async (ask: LinkRequest): Promise<LinkStart> => {
      const { publicUrl } = requireClient(options);
      const id = randomBytes(16).toString("base64url");
      const draft: LinkDraft = { id, ask, endsAt: now() + linkMs };
      await options.oneTimeTokens.changeDraft(ask, () => draft, linkMs);
      const page = await putStep(options, draft, "page", { link: id });
      return {
        url: `${publicUrl}/connect/${page}`,
        endsWithCode,
        endsAt: new Date(draft.endsAt),
      };
    },

    /**
     * What the page shows; changes nothing. @throws AccessError `link_over` for an unknown, used or old token,
     * `link_other_browser`.
     */
    visit: async (token: string, browser: string): Promise<LinkVisit> => {
      const draft = await visitPage(options, token, browser);
      const { guildName: serverName, userName, permissions, answerTo } = draft.ask;
      return {
        serverName,
        userName,
        endsWithCode,
        wantsIdentity: wantsIdentity(options, draft),
        permissions,
        endsAt: new Date(draft.endsAt),
        locale: answerTo.locale,
      };
    },

    ...createIdentitySteps(options),
    ...createConsentSteps(options),

    /**
     * Stores the link, in place of an earlier one of the same channel. Only the person who asked for it may, with the code
     * that the browser shows if it has not proven who it is.
     * @throws AccessError `link_over`, `under_way`, `link_codes_spent`; InputError `link_code_wrong`, `too_many_channels`, and
     * then it may be tried again.
     */
    async confirm(handle: string, by: LinkDecider, code?: string): Promise<PendingLink> {
      try {
        // Before the transaction, since an error there would undo the count of wrong codes.
        await checkLinkCode(options, await readPending(options, handle, by), code);
      } catch (error) {
        if (error instanceof AccessError && error.code === "link_codes_spent") {
          await decline(handle, by);
        }
        throw error;
      }
      return decide(handle, by, (pending) => keep(options, handle, pending));
    },

    /** Ends the consent at Google, unless that channel is linked somewhere. @throws AccessError `link_over`, `under_way`. */
    decline,
  };

  async function decline(handle: string, by: LinkDecider): Promise<void> {
    await decide(handle, by, async ({ content }) => {
      const { refreshToken, revocationId, channel } = content;
      await revocations.remove(revocationId);
      await revocations.add(refreshToken, { channelId: channel.channelId, dueAt: now() });
    });
  }

  /** A decision happens as a whole or not at all, so that the same button works again; there is never more than one. */
  function decide<T>(
    handle: string,
    by: LinkDecider,
    work: (pending: OpenedLinkToken<"pending">) => Promise<T>,
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
}

async function keep(
  { credentials, revocations, accessTokens, now }: LinksDeps,
  handle: string,
  { content, draft }: OpenedLinkToken<"pending">,
): Promise<PendingLink> {
  const { guildId, userId, answerTo } = draft.ask;
  const { channel, permissions, revocationId, refreshToken, readAt, scopes } = content;
  const { channelId, title } = channel;
  // In place of an earlier one, so a new consent mends a broken link.
  await credentials.write(guildId, {
    kind: "channel",
    secret: refreshToken,
    addedBy: userId,
    addedAt: now(),
    channelId,
    channelTitle: title,
    titleReadAt: readAt,
    scopes,
  });
  await revocations.remove(revocationId);
  await accessTokens.write(guildId, channelId, {
    ...content.access,
    grantHash: hashGrant(refreshToken),
  });
  return { handle, guildId, userId, answerTo, channel, permissions };
}
