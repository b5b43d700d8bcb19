import { randomBytes } from "node:crypto";
import type { Permission } from "../permissions.ts";
import { answered, authorise } from "./consent.ts";
import { confirm, decline } from "./decide.ts";
import { identified, identify, wantsIdentity } from "./identity.ts";
import { type Draft, linkMs, requireClient, shortCode, startDraft, visitPage } from "./steps.ts";
import type { Decider, LinkAsk, LinkStart, LinksOptions, PendingLink, Visit } from "./types.ts";

export type Links = ReturnType<typeof createLinks>;

/**
 * The link flow, from the command to the stored link (reliability.md 3): everything that is kept between its steps is sealed,
 * found by 256 random bits, and gone after 10 minutes. `browser` is 256 random bits in a cookie: the steps of one link belong
 * to the browser that took the first of them. A person has one link a guild: another one ends it, and so does its own end. All
 * of it also throws ServiceError `store_unavailable`, and then the same step may be tried again. One for the whole process; it
 * keeps nothing in memory.
 */
export function createLinks(options: LinksOptions) {
  return {
    /** @throws ConnectError `oauth_client_missing` or `links_closed` where the bot has no registration or no public address. */
    begin: (ask: LinkAsk): Promise<LinkStart> => begin(options, ask),

    /** Changes nothing. @throws AccessError `link_over` for an unknown, used or old one, `link_other_browser`. */
    visit: (ticket: string, browser: string): Promise<Visit> => visit(options, ticket, browser),

    /** Where the browser proves its Discord identity. @throws as `visit`. */
    identify: (ticket: string, browser: string): Promise<URL> => identify(options, ticket, browser),

    /**
     * Takes the answer to that; gives the page's ticket back.
     * @throws as `visit`; AccessError `link_other_person`; ConnectError `identity_denied` when the person cancels there, and the
     * link stays open; ServiceError `identity_unproven` when Discord does not say.
     */
    identified: (answer: URL, browser: string): Promise<string> =>
      identified(options, answer, browser),

    /**
     * The authorisation endpoint's page for what was ticked, and always for reading, or nobody would learn which channel
     * it is. The page may be left and asked for again.
     * @throws as `visit`; AccessError `link_unproven`; InputError `nothing_ticked`.
     */
    authorise: (ticket: string, browser: string, given: readonly Permission[]): Promise<URL> =>
      authorise(options, { ticket, browser }, given),

    /**
     * Takes the answer to that: exchanges the code, reads the channel, and has the requester asked in Discord. Until then
     * nothing is linked; what is never confirmed is ended at the service.
     * @throws as `visit`; ConnectError `consent_denied`, `code_refused`, `no_refresh_token`, `read_not_granted`,
     * `no_channel` and those of the token endpoint; NetworkError `link_interrupted`; what `channelsOf` and `onPending` throw.
     */
    answered: (answer: URL, browser: string): Promise<PendingLink> =>
      answered(options, answer, browser),

    /**
     * Stores the link, in place of an earlier one of the same channel. Only whom it was made for may.
     * @throws AccessError `link_over`, `under_way`; InputError `too_many_channels`, and then it may be tried again.
     */
    confirm: (handle: string, by: Decider): Promise<PendingLink> => confirm(options, handle, by),

    /** Ends the consent at the service, unless that channel is linked somewhere. @throws AccessError `link_over`, `under_way`. */
    decline: (handle: string, by: Decider): Promise<void> => decline(options, handle, by),
  };
}

async function begin(options: LinksOptions, ask: LinkAsk): Promise<LinkStart> {
  const { publicUrl } = requireClient(options);
  const id = randomBytes(16).toString("base64url");
  const draft: Draft = { id, ask, endsAt: options.now() + linkMs };
  const url = `${publicUrl}/connect/${await startDraft(options, draft)}`;
  return { url, code: codeOf(options, draft), endsAt: new Date(draft.endsAt) };
}

async function visit(options: LinksOptions, ticket: string, browser: string): Promise<Visit> {
  const draft = await visitPage(options, ticket, browser);
  const { guildName, userName, permissions } = draft.ask;
  return {
    guildName,
    userName,
    code: codeOf(options, draft),
    wantsIdentity: wantsIdentity(options, draft),
    permissions,
    endsAt: new Date(draft.endsAt),
  };
}

function codeOf({ discord }: LinksOptions, { id }: Draft): string | undefined {
  return discord.clientSecret === undefined ? shortCode(id) : undefined;
}
