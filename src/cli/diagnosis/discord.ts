import { setTimeout as wait } from "node:timers/promises";
import {
  type DoctorContext,
  type Finding,
  okFinding,
  skippedFinding,
  warningFinding,
  wrongFinding,
} from "./finding.ts";
import { parseJsonBody, postFormOnce, requestOnce, type ServiceAnswer } from "./request.ts";

const portal = "https://discord.com/developers/applications";

/**
 * What the bot asks for in a server, as bits: View Channels, Send Messages, Embed Links, Read Message History, Send
 * Messages in Threads, Create Expressions
 * (https://discord.com/developers/docs/topics/permissions).
 */
export const wantedPermissions =
  (1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 16n) | (1n << 38n) | (1n << 43n);
const administrator = 1n << 3n;
const mostGuilds = 200;

/** Checks whether the token works, how the application is set up, and which permissions the bot has in its servers. */
export async function checkDiscord(practice: DoctorContext): Promise<readonly Finding[]> {
  const { config } = practice;
  const { token } = config.discord;
  if (token === undefined) return [skippedFinding("bot's token", "the sandbox needs none")];
  const get = (path: string) => askDiscord(practice, path, token);
  const me = await get("/users/@me");
  const opened = tokenFinding(me);
  if (opened.state !== "ok") return [opened];
  const [application, guilds, connection] = await Promise.all([
    get("/applications/@me"),
    get(`/users/@me/guilds?limit=${mostGuilds}`),
    get("/gateway/bot"),
  ]);
  return [
    opened,
    config.discord.publicKey === undefined
      ? await gatewayFinding(connection, practice)
      : skippedFinding("Discord's gateway", "not used: interactions come over HTTP"),
    ...applicationFindings(application, practice),
    await secretFinding(application, practice),
    rightsFinding(guilds),
  ];
}

/** The limit of fifty requests a second is for the running bot and the doctor together, so a refusal passes. */
const limitMs = 1_000;

async function askDiscord({ config, http, now }: DoctorContext, path: string, token: string) {
  const request = {
    url: `${config.discord.apiUrl}/v10${path}`,
    headers: {
      authorization: `Bot ${token}`,
      "user-agent": "DiscordBot (https://localhost, 1) Greenroom doctor",
    },
  };
  const answer = await requestOnce(http, now, request);
  if (answer.response?.status !== 429) return answer;
  await wait(limitMs);
  return requestOnce(http, now, request);
}

function tokenFinding({ response, trouble }: ServiceAnswer): Finding {
  const check = "bot's token";
  if (trouble !== undefined) return skippedFinding(check, `Discord: ${trouble.found}`);
  if (response.status === 200)
    return okFinding(check, `opens as ${parseJsonBody(response).username}`);
  if (response.status === 401) {
    return wrongFinding(
      check,
      "Discord refuses it",
      `Reset the token at ${portal} (Bot) and copy it into DISCORD_TOKEN, without the word Bot.`,
    );
  }
  return warningFinding(
    check,
    `Discord answers with ${response.status}`,
    "Check again in a few minutes.",
  );
}

/** Logins left, of 1,000 a day, that count as few. With none left Discord resets the token (https://discord.com/developers/docs/events/gateway). */
const fewLogins = 50;

/** Discord says where its gateway is, and how often the bot may still log in today. */
async function gatewayFinding(
  serviceAnswer: ServiceAnswer,
  { http, now }: DoctorContext,
): Promise<Finding> {
  const check = "Discord's gateway";
  if (serviceAnswer.response?.status !== 200)
    return skippedFinding(check, "Discord did not say its address");
  const { url, session_start_limit: limit } = parseJsonBody(serviceAnswer.response);
  if (typeof url !== "string" || !/^wss?:/.test(url) || !URL.canParse(url)) {
    const advice = "Check DISCORD_API_URL: what answers there is not Discord's API.";
    return wrongFinding(check, "Discord did not say its address", advice);
  }
  const { host } = new URL(url);
  // A plain request is refused there, which is an answer too.
  const { trouble } = await requestOnce(http, now, { url: url.replace(/^ws/, "http") });
  if (trouble !== undefined)
    return wrongFinding(check, `${host}: ${trouble.found}`, trouble.advice);
  const { remaining } = Object(limit) as { remaining?: unknown };
  if (typeof remaining === "number" && remaining < fewLogins) {
    const advice =
      "Find out what starts the bot again and again; with none left Discord resets the token.";
    return warningFinding(check, `${host} answers; ${remaining} logins left today`, advice);
  }
  return okFinding(check, `${host} answers`);
}

function applicationFindings(
  { response }: ServiceAnswer,
  { config }: DoctorContext,
): readonly Finding[] {
  const check = "application";
  if (response?.status !== 200) return [skippedFinding(check, "Discord did not answer")];
  const application = parseJsonBody(response);
  const redirect = `${config.publicUrl}/discord/callback`;
  const { redirect_uris: redirects } = application;
  const wantsRedirect = config.publicUrl !== undefined && config.discord.clientSecret !== undefined;
  const lacksRedirect = wantsRedirect && Array.isArray(redirects) && !redirects.includes(redirect);
  const findings = [
    ...arrivalFindings(application, config),
    application.bot_public === false &&
      warningFinding(
        check,
        "its bot is private: only its owner can add it to servers",
        `Turn on Public Bot at ${portal} (Bot) if others should be able to add it.`,
      ),
    lacksInstallRights(application) &&
      warningFinding(
        check,
        "its own install link asks for fewer permissions than the bot can use",
        `Use the invite link in the bot's log, or set the same permissions at ${portal} (Installation).`,
      ),
    lacksRedirect &&
      wrongFinding(
        check,
        "its redirects lack the address to which people return",
        `Add ${redirect} at ${portal} (OAuth2).`,
      ),
  ].filter((finding) => finding !== false);
  const way = config.discord.publicKey === undefined ? "a gateway bot" : "interactions over HTTP";
  const name = `${application.name ?? "it"} is set up for ${way}`;
  return findings.length > 0 ? findings : [okFinding(check, name)];
}

/** Whether Discord sends interactions to where this bot waits for them. */
function arrivalFindings(
  application: Readonly<Record<string, unknown>>,
  { discord, publicUrl }: DoctorContext["config"],
): readonly Finding[] {
  const { interactions_endpoint_url: url, verify_key: key } = application;
  const place = `${portal} (General Information)`;
  if (discord.publicKey === undefined) {
    if (typeof url !== "string" || url === "") return [];
    const found = "it has an Interactions Endpoint URL, so commands never reach the bot";
    return [wrongFinding("application", found, `Empty that field at ${place}.`)];
  }
  const findings: Finding[] = [];
  if (`${key}`.toLowerCase() !== discord.publicKey) {
    const found =
      "DISCORD_PUBLIC_KEY is not its public key, so everything that Discord signs is refused";
    const advice = `Copy the Public Key from ${place} into DISCORD_PUBLIC_KEY.`;
    findings.push(wrongFinding("application", found, advice));
  }
  const expected = `${publicUrl}/discord/interactions`;
  if (url !== expected) {
    const found = url
      ? `its Interactions Endpoint URL is ${url}`
      : "it has no Interactions Endpoint URL";
    const advice = `While the bot runs, set that field to ${expected} at ${place}.`;
    findings.push(wrongFinding("application", `${found}, so commands never reach the bot`, advice));
  }
  return findings;
}

/** Without these settings the portal has no install link of its own. */
function lacksInstallRights({ install_params }: Readonly<Record<string, unknown>>): boolean {
  const { permissions } = Object(install_params) as { permissions?: unknown };
  if (typeof permissions !== "string" || !/^\d+$/.test(permissions)) return false;
  return !has(BigInt(permissions));
}

/** Sends a made-up code. If the secret is right, Discord answers that the code is wrong. */
async function secretFinding(
  application: ServiceAnswer,
  practice: DoctorContext,
): Promise<Finding> {
  const check = "Discord client secret";
  const { discord, publicUrl = "https://localhost" } = practice.config;
  const { clientSecret, apiUrl } = discord;
  const id = application.response && parseJsonBody(application.response).id;
  if (clientSecret === undefined) return skippedFinding(check, "not set: links compare a code");
  if (typeof id !== "string") return skippedFinding(check, "the application is unknown");
  const { response, trouble } = await postFormOnce(practice, `${apiUrl}/v10/oauth2/token`, {
    grant_type: "authorization_code",
    code: "none",
    redirect_uri: `${publicUrl}/discord/callback`,
    client_id: id,
    client_secret: clientSecret,
  });
  if (trouble !== undefined) return skippedFinding(check, `Discord: ${trouble.found}`);
  const { error } = parseJsonBody(response);
  if (error === "invalid_client" || response.status === 401) {
    const advice = `Copy the client secret again from ${portal} (OAuth2) into DISCORD_CLIENT_SECRET.`;
    return wrongFinding(check, "Discord refuses it", advice);
  }
  if (error === "invalid_grant" || error === "invalid_request") {
    return okFinding(check, "belongs to the application");
  }
  return warningFinding(
    check,
    `Discord answers with ${response.status}`,
    "Check again in a few minutes.",
  );
}

function rightsFinding({ response, trouble }: ServiceAnswer): Finding {
  const check = "permissions in servers";
  if (response?.status !== 200) {
    return skippedFinding(check, trouble?.found ?? "Discord did not list the servers");
  }
  const guilds: unknown = JSON.parse(response.body.toString());
  const all = Array.isArray(guilds) ? guilds.map((guild) => Object(guild)) : [];
  if (all.length === 0) {
    const advice = "Open the invite link in the log of the bot's start.";
    return warningFinding(check, "the bot is in no server", advice);
  }
  const lacking = all.filter(({ permissions }) => !has(BigInt(`${permissions ?? 0}`)));
  const many = all.length === mostGuilds ? `the first ${mostGuilds}` : `${all.length}`;
  if (lacking.length === 0) return okFinding(check, `has all its permissions in ${many}`);
  return warningFinding(
    check,
    `lacks permissions in ${lacking.length} of ${many}`,
    "Only stickers, emoji and notices need them. A server's owner can open the invite link again.",
  );
}

function has(permissions: bigint): boolean {
  if ((permissions & administrator) !== 0n) return true;
  return (permissions & wantedPermissions) === wantedPermissions;
}
