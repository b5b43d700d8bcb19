import { z } from "zod";
import type { Http } from "../../http/index.ts";
import { readJson } from "../../service-words.ts";
import {
  type AuthorizationRegistration,
  exchangeCode,
  questionUrl,
  readAnswer,
} from "../exchange.ts";
import { linkError } from "./failure.ts";
import {
  bindBrowser,
  changeDraft,
  type LinkDraft,
  putStep,
  readStateParameter,
  requireClient,
  sentWith,
  takeSent,
  visitPage,
  whileOpen,
} from "./steps.ts";
import type { LinksDeps } from "./types.ts";

const deadlineMs = 10_000;
const maxBytes = 64 * 1024;

/** Whether the browser has to prove its Discord identity before it goes on. */
export function wantsIdentity({ discord }: LinksDeps, { isProven }: LinkDraft): boolean {
  return discord.clientSecret !== undefined && !isProven;
}

export function createIdentitySteps(options: LinksDeps) {
  return {
    /** The address where the browser proves its Discord identity. @throws as `visit`. */
    async identify(token: string, browser: string): Promise<URL> {
      const { publicUrl } = requireClient(options);
      return whileOpen(options, await visitPage(options, token, browser), async (visited) => {
        const draft = await bindBrowser(options, visited, browser);
        const at = discordRegistration(options, draft);
        const sent = sentWith(browser, draft, `${publicUrl}/discord/callback`);
        const state = await putStep(options, draft, "identity", { ...sent, page: token });
        // With `none`, Discord does not ask a person who has agreed before.
        return questionUrl(at, { ...sent, scope: "identify", state, more: { prompt: "none" } });
      });
    },

    /**
     * Takes Discord's answer to that; returns the token of the page.
     * @throws as `visit`; AccessError `link_other_person`; ConnectError `identity_denied` when the person cancels there, and the
     * link stays open; ServiceError `identity_unproven` when Discord does not say.
     */
    async identified(answer: URL, browser: string): Promise<string> {
      const state = readStateParameter(answer);
      const { content, draft } = await takeSent(options, "identity", { state, browser });
      const at = discordRegistration(options, draft);
      const read = readAnswer(at, answer, state);
      if (read.kind === "foreign") throw linkError("link_over");
      if (read.kind === "error") {
        throw linkError(read.word === "access_denied" ? "identity_denied" : "identity_unproven");
      }
      const { verifier, redirectUri } = content;
      const how = { verifier, redirectUri, parameters: read.parameters };
      const userId = await readUserId(options, at, how).catch((error) => {
        throw linkError("identity_unproven", error);
      });
      if (userId !== draft.ask.userId) throw linkError("link_other_person");
      const proven = await changeDraft(options, draft, (current) => ({
        ...current,
        isProven: true,
      }));
      if (proven === undefined) throw linkError("link_over");
      return content.page;
    },
  };
}

/** The bot's application is its own OAuth client at Discord, with the same id. https://docs.discord.com/developers/topics/oauth2 */
function discordRegistration(
  { discord }: LinksDeps,
  { ask }: LinkDraft,
): AuthorizationRegistration {
  const { apiUrl, siteUrl, clientSecret } = discord;
  if (clientSecret === undefined) throw linkError("link_over");
  return {
    authorizeUrl: `${siteUrl}/oauth2/authorize`,
    tokenUrl: `${apiUrl}/oauth2/token`,
    clientId: ask.answerTo.applicationId,
    clientSecret,
  };
}

const person = z.object({ id: z.string().regex(/^\d{15,20}$/) });

/** Reads whose browser it is, and revokes the token that was used for that. */
async function readUserId(
  { discord, http, now, onSecret }: LinksDeps,
  at: AuthorizationRegistration,
  how: Parameters<typeof exchangeCode>[1],
): Promise<string> {
  const { accessToken, refreshToken } = await exchangeCode(at, how, { http, now });
  for (const secret of [accessToken, refreshToken]) if (secret) onSecret(secret);
  try {
    const { status, body } = await http.request({
      method: "GET",
      url: `${discord.apiUrl}/users/@me`,
      headers: { authorization: `Bearer ${accessToken}`, accept: "application/json" },
      retry: "read",
      deadlineMs,
      maxBytes,
    });
    const { success, data } = person.safeParse(readJson(body));
    if (status === 200 && success) return data.id;
    throw new Error(`Discord answered ${status} without a person`);
  } finally {
    // Nobody waits for this: a token that is not revoked reveals only a name, and expires.
    revoke(at, accessToken, http).catch(() => undefined);
  }
}

async function revoke(
  at: AuthorizationRegistration,
  token: string,
  http: Pick<Http, "request">,
): Promise<void> {
  const { clientId, clientSecret } = at;
  const form = { token, client_id: clientId, client_secret: clientSecret };
  await http.request({
    method: "POST",
    url: `${at.tokenUrl}/revoke`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams(form)}`,
    retry: "token",
    tries: 2,
    deadlineMs,
    maxBytes,
  });
}
