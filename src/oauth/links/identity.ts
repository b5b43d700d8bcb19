import type { BotError } from "../../errors.ts";
import type { Http } from "../../http/index.ts";
import { exchangeCode, questionUrl, type Registered, readAnswer } from "../exchange.ts";
import { identityDenied, identityUnproven, linkOver, otherPerson } from "./failure.ts";
import {
  bindBrowser,
  changeDraft,
  type Draft,
  putStep,
  requireClient,
  sentWith,
  stateOf,
  takeSent,
  visitPage,
  whileOpen,
} from "./steps.ts";
import type { LinksOptions } from "./types.ts";

const deadlineMs = 10_000;
const maxBytes = 64 * 1024;

/** Whether the browser has to prove its Discord identity before it goes on. */
export function wantsIdentity({ discord }: LinksOptions, { isProven }: Draft): boolean {
  return discord.clientSecret !== undefined && !isProven;
}

/** The page where the browser proves its Discord identity. */
export async function identify(
  options: LinksOptions,
  ticket: string,
  browser: string,
): Promise<URL> {
  const { publicUrl } = requireClient(options);
  return whileOpen(options, await visitPage(options, ticket, browser), async (visited) => {
    const draft = await bindBrowser(options, visited, browser);
    const at = registrationOf(options, draft);
    const sent = sentWith(browser, draft, `${publicUrl}/discord/callback`);
    const state = await putStep(options, draft, "identity", { ...sent, page: ticket });
    // Who has agreed before is not asked again.
    return questionUrl(at, { ...sent, scope: "identify", state, more: { prompt: "none" } });
  });
}

/** Takes Discord's answer; gives the page's ticket back. */
export async function identified(
  options: LinksOptions,
  answer: URL,
  browser: string,
): Promise<string> {
  const state = stateOf(answer);
  const { content, draft } = await takeSent(options, "identity", { state, browser });
  const at = registrationOf(options, draft);
  const read = readAnswer(at, answer, state);
  if (read.kind === "foreign") throw linkOver();
  if (read.kind === "error") throw refusedBy(read.word);
  const { verifier, redirectUri } = content;
  const how = { verifier, redirectUri, parameters: read.parameters };
  const userId = await userIdOf(options, at, how).catch((error) => {
    throw identityUnproven(error);
  });
  if (userId !== draft.ask.userId) throw otherPerson();
  const proven = await changeDraft(options, draft, (current) => ({ ...current, isProven: true }));
  if (proven === undefined) throw linkOver();
  return content.page;
}

/** The application that asked is its own client there: its id is the client's too. https://docs.discord.com/developers/topics/oauth2 */
function registrationOf({ discord }: LinksOptions, { ask }: Draft): Registered {
  const { apiUrl, clientSecret } = discord;
  if (clientSecret === undefined) throw linkOver();
  return {
    authorizeUrl: `${new URL(apiUrl).origin}/oauth2/authorize`,
    tokenUrl: `${apiUrl}/oauth2/token`,
    clientId: ask.answerTo.applicationId,
    clientSecret,
  };
}

function refusedBy(word: string | undefined): BotError {
  return word === "access_denied" ? identityDenied() : identityUnproven(undefined);
}

/** Learns whose browser it was, and ends the token that said so. */
async function userIdOf(
  { discord, http, now, onSecret }: LinksOptions,
  at: Registered,
  how: Parameters<typeof exchangeCode>[1],
): Promise<string> {
  const { accessToken, refreshToken } = await exchangeCode(at, how, { http, now });
  for (const secret of [accessToken, refreshToken]) if (secret) onSecret(secret);
  try {
    return await askWho(discord.apiUrl, accessToken, http);
  } finally {
    // Nobody waits for it: what stays open is good for nothing but a name, and ends by itself.
    revoke(at, accessToken, http).catch(() => undefined);
  }
}

async function askWho(
  apiUrl: string,
  accessToken: string,
  http: Pick<Http, "request">,
): Promise<string> {
  const { status, body } = await http.request({
    method: "GET",
    url: `${apiUrl}/users/@me`,
    headers: { authorization: `Bearer ${accessToken}`, accept: "application/json" },
    ...{ retry: "read", deadlineMs, maxBytes },
  });
  const { id } = status === 200 ? Object(JSON.parse(body.toString())) : {};
  if (/^\d{15,20}$/.test(String(id))) return String(id);
  throw new Error(`the platform answered ${status} without a person`);
}

async function revoke(at: Registered, token: string, http: Pick<Http, "request">): Promise<void> {
  const { clientId, clientSecret } = at;
  const form = { token, client_id: clientId, client_secret: clientSecret };
  await http.request({
    method: "POST",
    url: `${at.tokenUrl}/revoke`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `${new URLSearchParams(form)}`,
    ...{ retry: "token", tries: 2, deadlineMs, maxBytes },
  });
}
