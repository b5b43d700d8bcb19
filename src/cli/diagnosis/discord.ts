import { setTimeout as wait } from "node:timers/promises";
import { type DoctorContext, type Finding, findingsAbout } from "./finding.ts";
import { parseJsonBody, postFormOnce, requestOnce, type ServiceAnswer } from "./request.ts";

const token = findingsAbout("bot's token");
const gateway = findingsAbout("Discord's gateway");
const application = findingsAbout("application");
const secret = findingsAbout("Discord client secret");
const rights = findingsAbout("permissions in servers");

const portal = "https://discord.com/developers/applications";

/**
 * What the bot asks for in a server, as bits: View Channels, Send Messages, Embed Links, Read Message History, Create Public
 * Threads, Send Messages in Threads, Create Expressions, Create Events
 * (https://discord.com/developers/docs/topics/permissions).
 */
export const wantedPermissions = [10, 11, 14, 16, 35, 38, 43, 44].reduce(
  (all, bit) => all | (1n << BigInt(bit)),
  0n,
);
const administrator = 1n << 3n;
const maxServers = 200;

/** Checks whether the token works, how the application is set up, and which permissions the bot has in its servers. */
export async function checkDiscord(context: DoctorContext): Promise<readonly Finding[]> {
  const { discord } = context.config;
  if (discord.token === undefined) return [token.skipped("the sandbox needs none")];
  const { token: botToken } = discord;
  const get = (path: string) => askDiscord(context, path, botToken);
  const opened = checkToken(await get("/users/@me"));
  if (opened.state !== "ok") return [opened];
  const [answer, servers, connection] = await Promise.all([
    get("/applications/@me"),
    get(`/users/@me/guilds?limit=${maxServers}`),
    get("/gateway/bot"),
  ]);
  return [
    opened,
    discord.publicKey === undefined
      ? await checkGateway(connection, context)
      : gateway.skipped("not used: interactions come over HTTP"),
    ...checkApplication(answer, context),
    await checkClientSecret(answer, context),
    checkRights(servers),
  ];
}

/** The limit of fifty requests a second is for the running bot and the doctor together, so a refusal passes. */
const limitMs = 1_000;

async function askDiscord(context: DoctorContext, path: string, botToken: string) {
  const request = {
    url: `${context.config.discord.apiUrl}/v10${path}`,
    headers: {
      authorization: `Bot ${botToken}`,
      "user-agent": "DiscordBot (https://localhost, 1) Greenroom doctor",
    },
  };
  const answer = await requestOnce(context, request);
  if (answer.response?.status !== 429) return answer;
  await wait(limitMs);
  return requestOnce(context, request);
}

function checkToken({ response, failure }: ServiceAnswer): Finding {
  if (failure !== undefined) return token.skipped(`Discord: ${failure.found}`);
  if (response.status === 200) return token.ok(`opens as ${parseJsonBody(response).username}`);
  if (response.status === 401) {
    return token.wrong(
      "Discord refuses it",
      `Reset the token at ${portal} (Bot) and copy it into DISCORD_TOKEN, without the word Bot.`,
    );
  }
  return token.warning(`Discord answers with ${response.status}`, "Check again in a few minutes.");
}

/** Logins left, of 1,000 a day, that count as few. With none left Discord resets the token (https://discord.com/developers/docs/events/gateway). */
const fewLogins = 50;

/** Discord says where its gateway is, and how often the bot may still log in today. */
async function checkGateway({ response }: ServiceAnswer, context: DoctorContext): Promise<Finding> {
  if (response?.status !== 200) return gateway.skipped("Discord did not say its address");
  const { url, session_start_limit: limit } = parseJsonBody(response);
  if (typeof url !== "string" || !/^wss?:/.test(url) || !URL.canParse(url)) {
    const advice = "Check DISCORD_API_URL: what answers there is not Discord's API.";
    return gateway.wrong("Discord did not say its address", advice);
  }
  const { host } = new URL(url);
  // A plain request is refused there, which is an answer too.
  const { failure } = await requestOnce(context, { url: url.replace(/^ws/, "http") });
  if (failure !== undefined) return gateway.wrong(`${host}: ${failure.found}`, failure.advice);
  const { remaining } = Object(limit) as { remaining?: unknown };
  if (typeof remaining === "number" && remaining < fewLogins) {
    const advice =
      "Find out what starts the bot again and again; with none left Discord resets the token.";
    return gateway.warning(`${host} answers; ${remaining} logins left today`, advice);
  }
  return gateway.ok(`${host} answers`);
}

function checkApplication(
  { response }: ServiceAnswer,
  { config }: DoctorContext,
): readonly Finding[] {
  if (response?.status !== 200) return [application.skipped("Discord did not answer")];
  const settings = parseJsonBody(response);
  const redirect = `${config.publicUrl}/discord/callback`;
  const { redirect_uris: redirects } = settings;
  const wantsRedirect = config.publicUrl !== undefined && config.discord.clientSecret !== undefined;
  const lacksRedirect = wantsRedirect && Array.isArray(redirects) && !redirects.includes(redirect);
  const findings = [
    ...checkArrival(settings, config),
    settings.bot_public === false &&
      application.warning(
        "its bot is private: only its owner can add it to servers",
        `Turn on Public Bot at ${portal} (Bot) if others should be able to add it.`,
      ),
    lacksInstallRights(settings) &&
      application.warning(
        "its own install link asks for fewer permissions than the bot can use",
        `Use the invite link in the bot's log, or set the same permissions at ${portal} (Installation).`,
      ),
    lacksRedirect &&
      application.wrong(
        "its redirects lack the address to which people return",
        `Add ${redirect} at ${portal} (OAuth2).`,
      ),
  ].filter((finding) => finding !== false);
  const way = config.discord.publicKey === undefined ? "a gateway bot" : "interactions over HTTP";
  const name = `${settings.name ?? "it"} is set up for ${way}`;
  return findings.length > 0 ? findings : [application.ok(name)];
}

/** Whether Discord sends interactions to where this bot waits for them. */
function checkArrival(
  { interactions_endpoint_url: url, verify_key: key }: Readonly<Record<string, unknown>>,
  { discord, publicUrl }: DoctorContext["config"],
): readonly Finding[] {
  const place = `${portal} (General Information)`;
  if (discord.publicKey === undefined) {
    if (typeof url !== "string" || url === "") return [];
    const found = "it has an Interactions Endpoint URL, so commands never reach the bot";
    return [application.wrong(found, `Empty that field at ${place}.`)];
  }
  const findings: Finding[] = [];
  if (`${key}`.toLowerCase() !== discord.publicKey) {
    const found =
      "DISCORD_PUBLIC_KEY is not its public key, so everything that Discord signs is refused";
    const advice = `Copy the Public Key from ${place} into DISCORD_PUBLIC_KEY.`;
    findings.push(application.wrong(found, advice));
  }
  const expected = `${publicUrl}/discord/interactions`;
  if (url !== expected) {
    const found = url
      ? `its Interactions Endpoint URL is ${url}`
      : "it has no Interactions Endpoint URL";
    const advice = `While the bot runs, set that field to ${expected} at ${place}.`;
    findings.push(application.wrong(`${found}, so commands never reach the bot`, advice));
  }
  return findings;
}

/** Without these settings the portal has no install link of its own. */
function lacksInstallRights({ install_params }: Readonly<Record<string, unknown>>): boolean {
  const { permissions } = Object(install_params) as { permissions?: unknown };
  if (typeof permissions !== "string" || !/^\d+$/.test(permissions)) return false;
  return !hasAll(BigInt(permissions));
}

/** Sends a made-up code. If the secret is right, Discord answers that the code is wrong. */
async function checkClientSecret(answer: ServiceAnswer, context: DoctorContext): Promise<Finding> {
  const { discord, publicUrl = "https://localhost" } = context.config;
  const { clientSecret, apiUrl } = discord;
  const id = answer.response && parseJsonBody(answer.response).id;
  if (clientSecret === undefined) return secret.skipped("not set: links compare a code");
  if (typeof id !== "string") return secret.skipped("the application is unknown");
  const { response, failure } = await postFormOnce(context, `${apiUrl}/v10/oauth2/token`, {
    grant_type: "authorization_code",
    code: "none",
    redirect_uri: `${publicUrl}/discord/callback`,
    client_id: id,
    client_secret: clientSecret,
  });
  if (failure !== undefined) return secret.skipped(`Discord: ${failure.found}`);
  const { error } = parseJsonBody(response);
  if (error === "invalid_client" || response.status === 401) {
    const advice = `Copy the client secret again from ${portal} (OAuth2) into DISCORD_CLIENT_SECRET.`;
    return secret.wrong("Discord refuses it", advice);
  }
  if (error === "invalid_grant" || error === "invalid_request") {
    return secret.ok("belongs to the application");
  }
  return secret.warning(`Discord answers with ${response.status}`, "Check again in a few minutes.");
}

function checkRights({ response, failure }: ServiceAnswer): Finding {
  if (response?.status !== 200) {
    return rights.skipped(failure?.found ?? "Discord did not list the servers");
  }
  const servers: unknown = JSON.parse(response.body.toString());
  const all = Array.isArray(servers) ? servers.map((server) => Object(server)) : [];
  if (all.length === 0) {
    const advice = "Open the invite link in the log of the bot's start.";
    return rights.warning("the bot is in no server", advice);
  }
  const lacking = all.filter(({ permissions }) => !hasAll(BigInt(`${permissions ?? 0}`)));
  const many = all.length === maxServers ? `the first ${maxServers}` : `${all.length}`;
  if (lacking.length === 0) return rights.ok(`has all its permissions in ${many}`);
  return rights.warning(
    `lacks permissions in ${lacking.length} of ${many}`,
    "Only stickers, emoji, notices and announcements need them. A server's owner can open the invite link again.",
  );
}

function hasAll(permissions: bigint): boolean {
  if ((permissions & administrator) !== 0n) return true;
  return (permissions & wantedPermissions) === wantedPermissions;
}
