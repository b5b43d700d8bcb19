import { type BotError, ConnectError, NetworkError, ServiceError } from "../../errors.ts";
import {
  type AuthorizationAnswer,
  type AuthorizationRegistration,
  exchangeCode,
  questionUrl,
  readAnswer,
} from "../exchange.ts";
import { findErrorCode, isGrantGone } from "../failure.ts";
import {
  formatScopes,
  linkPermissions,
  type Permission,
  parseScopes,
  permissionsGivenBy,
  scopesFor,
} from "../permissions.ts";
import { createTimedToken } from "../refresh.ts";
import { linkError } from "./failure.ts";
import { wantsIdentity } from "./identity.ts";
import { makeLinkCode } from "./link-code.ts";
import {
  bindBrowser,
  changeDraft,
  type LinkTokenContents,
  linkMs,
  type OpenedLinkToken,
  putStep,
  readStateParameter,
  requireClient,
  sentWith,
  takeSent,
  visitPage,
  whileOpen,
} from "./steps.ts";
import type { BrowserConsent, LinkDecider, LinksDeps } from "./types.ts";

export function createConsentSteps(options: LinksDeps) {
  return {
    /**
     * The address of the authorisation endpoint's page for the ticked permissions, and always for reading, without which the
     * channel would stay unknown. The page may be left and opened again.
     * @throws as `visit`; AccessError `link_unproven`; InputError `nothing_ticked`.
     */
    async authorise(token: string, browser: string, chosen: readonly Permission[]): Promise<URL> {
      const { client, publicUrl } = requireClient(options);
      return whileOpen(options, await visitPage(options, token, browser), async (visited) => {
        const draft = await bindBrowser(options, visited, browser);
        if (wantsIdentity(options, draft)) throw linkError("link_unproven");
        if (!linkPermissions.some((one) => chosen.includes(one))) throw linkError("nothing_ticked");
        const scopes = scopesFor(["read", ...chosen]);
        const sent = sentWith(browser, draft, `${publicUrl}/oauth/callback`);
        const state = await putStep(options, draft, "consent", { ...sent, asked: scopes });
        // Without a prompt for consent a second link of an account gets no refresh token.
        const more = { access_type: "offline", prompt: "consent" };
        return questionUrl(client, { ...sent, scope: formatScopes(scopes), state, more });
      });
    },

    /**
     * Takes the answer to that: exchanges the code, reads the channel, and asks the requester in Discord. Nothing is linked
     * before the requester confirms; a consent that is never confirmed is ended at Google.
     * @throws as `visit`; ConnectError `consent_denied`, `code_refused`, `no_refresh_token`, `read_not_granted`,
     * `no_channel` and those of the token endpoint; NetworkError `link_interrupted`; what `channelsOf` and `onPending` throw.
     */
    async answered(answer: URL, browser: string): Promise<BrowserConsent> {
      const { client } = requireClient(options);
      const state = readStateParameter(answer);
      const opened = await takeSent(options, "consent", { state, browser });
      const read = readAnswer(client, answer, state);
      return whileOpen(options, opened.draft, () =>
        askRequester(options, client, { opened, read }),
      );
    },
  };
}

/** The consent is ended only this long after the deadline, so that a decision at the last moment still counts. */
const graceMs = 60_000;

async function askRequester(
  options: LinksDeps,
  client: AuthorizationRegistration,
  {
    opened,
    read,
  }: { readonly opened: OpenedLinkToken<"consent">; readonly read: AuthorizationAnswer },
): Promise<BrowserConsent> {
  const { content, draft } = opened;
  const { revocations, now, onPending } = options;
  const consent = await takeConsent(client, { read, by: draft.ask, ...content }, options);
  const { refreshToken, channel, permissions: granted } = consent;
  const waitUntil = now() + linkMs;
  // Written first, so that an unconfirmed consent is ended even if everything after this fails.
  const revocationId = await revocations.add(refreshToken, {
    channelId: channel.channelId,
    dueAt: waitUntil + graceMs,
  });
  const code = draft.isProven === true ? undefined : makeLinkCode();
  const handle = await putStep(options, draft, "pending", {
    ...consent,
    link: draft.id,
    readAt: now(),
    revocationId,
    ...(code !== undefined && { code }),
  });
  const waiting = await changeDraft(options, draft, (current) => ({
    ...current,
    isAnswered: true,
    endsAt: waitUntil,
  }));
  if (waiting === undefined) throw linkError("link_over");
  const { guildId, userId, answerTo } = draft.ask;
  const missing = permissionsGivenBy(content.asked).filter((one) => !granted.includes(one));
  const place = { handle, guildId, userId, answerTo };
  const asksCode = code !== undefined;
  const pending = { ...place, channel, permissions: granted, missing, asksCode };
  await onPending(pending);
  // Whoever asked for the link learns the code only from the person at this browser.
  return { ...pending, ...(code !== undefined && { code }) };
}

type AnsweredConsent = Pick<LinkTokenContents["consent"], "verifier" | "redirectUri" | "asked"> & {
  readonly read: AuthorizationAnswer;
  readonly by: LinkDecider;
};

/** Exchanges Google's answer for tokens, and reads whose channel it is. Nothing is stored yet. */
async function takeConsent(
  client: AuthorizationRegistration,
  { read, by, verifier, redirectUri, asked }: AnsweredConsent,
  options: LinksDeps,
) {
  if (read.kind === "foreign") throw linkError("link_over");
  if (read.kind === "error") throw refusedBy(read.word);
  const how = { verifier, redirectUri, parameters: read.parameters };
  const tokens = await exchangeCode(client, how, options).catch((error: unknown) => {
    if (!(error instanceof NetworkError))
      throw isGrantGone(error) ? linkError("code_refused") : error;
    // A code is good for one try, so an exchange that was cut off can't be repeated.
    const { facts } = error;
    const message = "the exchange of a code was cut";
    throw new NetworkError(message, { code: "link_interrupted", facts, cause: error });
  });
  const { refreshToken, accessToken, scope, askedAt, expiresInSeconds: seconds } = tokens;
  for (const secret of [accessToken, refreshToken]) if (secret) options.onSecret(secret);
  if (refreshToken === undefined) throw linkError("no_refresh_token");
  const scopes = scope === undefined ? asked : parseScopes(scope);
  const granted = permissionsGivenBy(scopes);
  // The account is unknown, and ending its consent might break an existing link of it, so the tokens are only forgotten.
  if (!granted.includes("read")) throw linkError("read_not_granted");
  const { guildId, userId } = by;
  const [channel] = await options.channelsOf(accessToken, { guildId, userId }).catch((error) => {
    if (error instanceof ConnectError && error.code === "no_channel") return [];
    throw error;
  });
  if (channel === undefined) {
    // Such an account can have no other link. If the store fails, the consent is forgotten; its owner can end it at Google.
    await options.revocations.add(refreshToken, { dueAt: options.now() }).catch(() => undefined);
    throw linkError("no_channel");
  }
  const access = createTimedToken(accessToken, { seconds, askedAt });
  return { refreshToken, access, scopes, permissions: granted, channel };
}

function refusedBy(word: string | undefined): BotError {
  if (word === "access_denied") return linkError("consent_denied");
  const facts = { service: "consent", ...(word && { reason: word }) };
  const message = `the authorisation endpoint answered ${word ?? "an error"}`;
  const code = findErrorCode(word);
  if (code !== undefined) return new ConnectError(message, { code, facts });
  // Anybody can write a description into the address, so only OAuth's own word is shown.
  const said = word === undefined ? {} : { said: word };
  return new ServiceError(message, { code: "unexpected_answer", facts: { ...facts, ...said } });
}
