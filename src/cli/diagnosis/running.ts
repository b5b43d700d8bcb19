import { healthUrl } from "../../web/index.ts";
import { checkEndpoint } from "./endpoint.ts";
import {
  type DoctorContext,
  type Finding,
  okFinding,
  skippedFinding,
  warningFinding,
  wrongFinding,
} from "./finding.ts";
import { parseJsonBody, requestOnce, unknownHostName } from "./request.ts";

const health = "health";
const pages = "public pages";
const defaultHealthPort = 9464;

/**
 * Checks the bot that runs on this machine, if any: whether it is ready, and whether browsers and Discord reach it at
 * PUBLIC_URL.
 */
export async function checkRunningBot(practice: DoctorContext): Promise<readonly Finding[]> {
  if (practice.config.mode === "sandbox") {
    return [skippedFinding(health, "the sandbox uses any free port")];
  }
  const { finding, isRunning } = await healthOf(practice);
  const reached = [pagesOf(practice, isRunning), checkEndpoint(practice, isRunning)];
  return [finding, ...(await Promise.all(reached)).flat()];
}

/** `isRunning` is undefined when that is not known. */
async function healthOf(
  practice: DoctorContext,
): Promise<{ readonly finding: Finding; readonly isRunning: boolean | undefined }> {
  const { config, http, now } = practice;
  const port = config.healthPort ?? defaultHealthPort;
  if (port === 0) {
    const finding = skippedFinding(health, "HEALTH_PORT is 0, so the port is only in its log");
    return { finding, isRunning: undefined };
  }
  const origin = healthUrl(config.healthHost, port);
  const { response } = await requestOnce(http, now, { url: `${origin}/healthz` });
  if (response === undefined) {
    const found = `no bot runs on this machine (port ${port})`;
    return { finding: skippedFinding(health, found), isRunning: false };
  }
  if (parseJsonBody(response).program !== "greenroom") {
    const found = `port ${port} is used by another program`;
    const advice = "Set HEALTH_PORT to another port, or stop that program.";
    return { finding: wrongFinding(health, found, advice), isRunning: false };
  }
  return { finding: await readiness(practice, origin), isRunning: true };
}

async function readiness({ http, now }: DoctorContext, origin: string): Promise<Finding> {
  // Its own checks take up to 2 s.
  const { response } = await requestOnce(http, now, { url: `${origin}/readyz` });
  if (response?.status === 200) return okFinding(health, "the bot is running and ready");
  const parts = Object.entries(Object(response && parseJsonBody(response).parts));
  const down = parts.filter(([, stands]) => stands !== true).map(([name]) => name);
  return warningFinding(
    health,
    `the bot is running but not ready: ${down.join(", ") || "no reason given"}`,
    "If this persists, its log says why.",
  );
}

/** Opens a page from here, as a browser would. */
async function pagesOf(
  { config, http, now }: DoctorContext,
  isRunning: boolean | undefined,
): Promise<Finding> {
  const { publicUrl } = config;
  if (publicUrl === undefined) return skippedFinding(pages, "PUBLIC_URL is not set");
  const { response, trouble } = await requestOnce(http, now, {
    url: `${publicUrl}/oauth/callback`,
  });
  const isOurs = response?.body.includes("Greenroom") === true;
  if (isOurs) return okFinding(pages, `${publicUrl} shows the bot's pages`);
  if (isRunning === false && trouble !== unknownHostName)
    return skippedFinding(pages, "no bot runs on this machine");
  const found = trouble?.found ?? `another program answers, with ${response?.status}`;
  const advice =
    trouble?.advice ?? "Make the reverse proxy forward everything under PUBLIC_URL to PORT.";
  return wrongFinding(pages, `${publicUrl}: ${found}`, advice);
}
