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

/** Checks the bot that runs on this machine, if any: whether it is ready, and whether browsers reach its pages. */
export async function checkRunningBot(practice: DoctorContext): Promise<readonly Finding[]> {
  const { config, http, now } = practice;
  if (config.mode === "sandbox") return [skippedFinding(health, "the sandbox takes any free port")];
  const port = config.healthPort ?? defaultHealthPort;
  if (port === 0)
    return [
      skippedFinding(health, "HEALTH_PORT is 0: its log tells the port"),
      await pagesOf(practice, undefined),
    ];
  const origin = `http://127.0.0.1:${port}`;
  const alive = await requestOnce(http, now, { url: `${origin}/healthz` });
  if (alive.response === undefined) {
    const found = `no bot runs on this machine (port ${port})`;
    return [skippedFinding(health, found), await pagesOf(practice, false)];
  }
  if (parseJsonBody(alive.response).program !== "greenroom") {
    return [
      wrongFinding(
        health,
        `port ${port} is used by another program`,
        "Set HEALTH_PORT to another port, or end that program.",
      ),
      await pagesOf(practice, false),
    ];
  }
  return [await readiness(practice, origin), await pagesOf(practice, true)];
}

async function readiness({ http, now }: DoctorContext, origin: string): Promise<Finding> {
  // Its own checks take up to 2 s.
  const { response } = await requestOnce(http, now, { url: `${origin}/readyz` });
  if (response?.status === 200) return okFinding(health, "the bot runs and is ready");
  const parts = Object.entries(Object(response && parseJsonBody(response).parts));
  const down = parts.filter(([, stands]) => stands !== true).map(([name]) => name);
  return warningFinding(
    health,
    `the bot runs and is not ready: ${down.join(", ") || "it does not say why"}`,
    "If it stays so, its log says why.",
  );
}

/** Opens a page from here, as a browser would; `isRunning` is undefined when that is not known. */
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
  if (isOurs) return okFinding(pages, `${publicUrl} leads to the bot's pages`);
  if (isRunning === false && trouble !== unknownHostName)
    return skippedFinding(pages, "no bot runs on this machine");
  const found = trouble?.found ?? `another program answers, with ${response?.status}`;
  const advice =
    trouble?.advice ?? "Let the reverse proxy hand everything under PUBLIC_URL on to PORT.";
  return wrongFinding(pages, `${publicUrl}: ${found}`, advice);
}
