import { healthUrl } from "../../web/index.ts";
import { checkEndpoint } from "./endpoint.ts";
import { type DoctorContext, type Finding, findingsAbout } from "./finding.ts";
import { parseJsonBody, requestOnce, unknownHostName } from "./request.ts";

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
