import { randomBytes } from "node:crypto";
import {
  arrivedHeader,
  describeArrival,
  doctorKeyFrom,
  doctorPing,
  healthUrl,
  signatureHeaders,
} from "../../web/index.ts";
import { type DoctorContext, type Finding, findingsAbout } from "./finding.ts";
import { parseJsonBody, requestOnce, type ServiceAnswer, unknownHostName } from "./request.ts";

const health = findingsAbout("health");
const pages = findingsAbout("public pages");
const defaultHealthPort = 9464;

/**
 * Checks the bot that runs on this machine, if any: whether it is ready, and whether browsers and Discord reach it at
 * PUBLIC_URL.
 */
export async function checkRunningBot(context: DoctorContext): Promise<readonly Finding[]> {
  if (context.config.mode === "sandbox") {
    return [health.skipped("the sandbox uses any free port")];
  }
  const { finding, isRunning } = await checkHealth(context);
  const reached = [checkPages(context, isRunning), checkEndpoint(context, isRunning)];
  return [finding, ...(await Promise.all(reached)).flat()];
}

/** `isRunning` is undefined when that is not known. */
async function checkHealth(
  context: DoctorContext,
): Promise<{ readonly finding: Finding; readonly isRunning: boolean | undefined }> {
  const { config } = context;
  const port = config.healthPort ?? defaultHealthPort;
  if (port === 0) {
    const finding = health.skipped("HEALTH_PORT is 0, so the port is only in its log");
    return { finding, isRunning: undefined };
  }
  const origin = healthUrl(config.healthHost, port);
  const { response } = await requestOnce(context, { url: `${origin}/healthz` });
  if (response === undefined) {
    const found = `no bot runs on this machine (port ${port})`;
    return { finding: health.skipped(found), isRunning: false };
  }
  if (parseJsonBody(response).program !== "greenroom") {
    const found = `port ${port} is used by another program`;
    const advice = "Set HEALTH_PORT to another port, or stop that program.";
    return { finding: health.wrong(found, advice), isRunning: false };
  }
  return { finding: await checkReadiness(context, origin), isRunning: true };
}

async function checkReadiness(context: DoctorContext, origin: string): Promise<Finding> {
  // Its own checks take up to 2 s.
  const { response } = await requestOnce(context, { url: `${origin}/readyz` });
  if (response?.status === 200) return health.ok("the bot is running and ready");
  const parts = Object.entries(Object(response && parseJsonBody(response).parts));
  const down = parts.filter(([, stands]) => stands !== true).map(([name]) => name);
  return health.warning(
    `the bot is running but not ready: ${down.join(", ") || "no reason given"}`,
    "If this persists, its log says why.",
  );
}

/** Opens a page from here, as a browser would. */
async function checkPages(
  context: DoctorContext,
  isRunning: boolean | undefined,
): Promise<Finding> {
  const { publicUrl } = context.config;
  if (publicUrl === undefined) return pages.skipped("PUBLIC_URL is not set");
  const { response, failure } = await requestOnce(context, {
    url: `${publicUrl}/oauth/callback`,
  });
  const isOurs = response?.body.includes("Greenroom") === true;
  if (isOurs) return pages.ok(`${publicUrl} shows the bot's pages`);
  if (isRunning === false && failure !== unknownHostName)
    return pages.skipped("no bot runs on this machine");
  const found = failure?.found ?? `another program answers, with ${response?.status}`;
  const advice =
    failure?.advice ?? "Make the reverse proxy forward everything under PUBLIC_URL to PORT.";
  return pages.wrong(`${publicUrl}: ${found}`, advice);
}

const check = findingsAbout("interactions endpoint");
const portAdvice = "Make the reverse proxy forward everything under PUBLIC_URL to PORT, unchanged.";

const tooManyFinding = check.warning(
  "too many wrong signatures came from this machine",
  "Check again in a minute.",
);

interface AnsweredPing {
  readonly headers: ReturnType<typeof signatureHeaders>;
  readonly answer: ServiceAnswer;
}

/**
 * Asks the endpoint through PUBLIC_URL as Discord does when somebody saves that address: once with a right signature, once with
 * a wrong one. `isRunning` is undefined when it is not known whether the bot runs.
 */
async function checkEndpoint(
  context: DoctorContext,
  isRunning: boolean | undefined,
): Promise<readonly Finding[]> {
  const { discord, publicUrl, store } = context.config;
  const { publicKey } = discord;
  if (publicKey === undefined) return [];
  const url = `${publicUrl}/discord/interactions`;
  const askWith = async (masterKey: Uint8Array): Promise<AnsweredPing> => {
    const key = doctorKeyFrom({ masterKey, publicKey });
    const headers = signatureHeaders(key, doctorPing, context.now());
    const sent = { ...headers, "content-type": "application/json" };
    const request = { method: "POST", url, body: doctorPing, headers: sent } as const;
    return { headers, answer: await requestOnce(context, request) };
  };
  const [first = new Uint8Array(), ...others] = store.keys.map(({ key }) => key);
  let right = await askWith(first);
  // While keys are replaced, the bot may have started with an older one.
  for (const key of others) {
    if (right.answer.response?.status !== 401) break;
    right = await askWith(key);
  }
  return [
    findingForRight(right, { url, isRunning }) ??
      findingForWrong((await askWith(randomBytes(32))).answer, url) ??
      check.ok(`${url} answers as Discord expects`),
  ];
}

/** Undefined if all is well. */
function findingForRight(
  { headers, answer }: AnsweredPing,
  { url, isRunning }: { readonly url: string; readonly isRunning: boolean | undefined },
): Finding | undefined {
  const { response, failure } = answer;
  const isNobody = response === undefined || response.status >= 500;
  if (isRunning === false && isNobody && failure !== unknownHostName) {
    return check.skipped("no bot runs on this machine");
  }
  if (failure !== undefined) return check.wrong(`${url}: ${failure.found}`, failure.advice);
  const { status } = response;
  if (status === 200 && parseJsonBody(response).type === 1) return undefined;
  if (status >= 300 && status < 400) {
    const to = response.headers.location ?? "elsewhere";
    const found = `${url} redirects to ${to}, and Discord follows no redirect`;
    return check.wrong(found, "Set PUBLIC_URL to the address that answers without one.");
  }
  if (status === 401) return refusedFinding(response.headers, headers);
  if (status === 429) return tooManyFinding;
  const advice =
    status === 404
      ? `Start the bot with DISCORD_PUBLIC_KEY. ${portAdvice}`
      : `${portAdvice} A filter in front of it must let POST requests pass.`;
  const found = status === 200 ? "another program answers" : `a PING is answered with ${status}`;
  return check.wrong(`${url}: ${found}`, advice);
}

function refusedFinding(
  answered: Readonly<Record<string, string | undefined>>,
  { "X-Signature-Timestamp": timestamp }: AnsweredPing["headers"],
): Finding {
  const arrived = answered[arrivedHeader.toLowerCase()];
  if (arrived === undefined) {
    const found = "a valid signature is answered with 401, but not by the bot";
    return check.wrong(found, `Remove the password from that path. ${portAdvice}`);
  }
  if (arrived === "none") {
    const found =
      "the headers X-Signature-Ed25519 and X-Signature-Timestamp are missing when the request arrives";
    return check.wrong(found, "Make the reverse proxy forward all headers.");
  }
  if (arrived !== describeArrival({ timestamp, body: Buffer.from(doctorPing) })) {
    const found = "the body that arrives is not the one that was sent: a proxy changes it";
    return check.wrong(found, "Turn off whatever rewrites requests, such as rules of a firewall.");
  }
  const found = "the bot there has other SECRET_KEYS, another DISCORD_PUBLIC_KEY or a wrong clock";
  const advice = "Restart that bot, or point PUBLIC_URL to the bot with this configuration.";
  return check.wrong(found, advice);
}

function findingForWrong({ response, failure }: ServiceAnswer, url: string): Finding | undefined {
  if (failure !== undefined) return check.wrong(`${url}: ${failure.found}`, failure.advice);
  const { status } = response;
  if (status === 401) return undefined;
  if (status === 429) return tooManyFinding;
  const found = `a wrong signature is answered with ${status}; Discord demands 401, or removes the address`;
  return check.wrong(found, portAdvice);
}
