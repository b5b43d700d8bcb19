import { ask, jsonOf, unknownName } from "./ask.ts";
import { type Finding, ok, type Practice, skipped, warning, wrong } from "./types.ts";

const health = "health";
const pages = "public pages";
const defaultHealthPort = 9464;

/** The running bot, when one runs on this machine: whether it is ready, and whether browsers reach its pages. */
export async function running(practice: Practice): Promise<readonly Finding[]> {
  const { config, http, now } = practice;
  if (config.mode === "sandbox") return [skipped(health, "the sandbox takes any free port")];
  const port = config.healthPort ?? defaultHealthPort;
  if (port === 0)
    return [
      skipped(health, "HEALTH_PORT is 0: its log tells the port"),
      await pagesOf(practice, undefined),
    ];
  const origin = `http://127.0.0.1:${port}`;
  const alive = await ask(http, now, { url: `${origin}/healthz` });
  if (alive.response === undefined) {
    const found = `no bot runs on this machine (port ${port})`;
    return [skipped(health, found), await pagesOf(practice, false)];
  }
  if (jsonOf(alive.response).program !== "greenroom") {
    return [
      wrong(
        health,
        `port ${port} is used by another program`,
        "Set HEALTH_PORT to another port, or end that program.",
      ),
      await pagesOf(practice, false),
    ];
  }
  return [await readiness(practice, origin), await pagesOf(practice, true)];
}

async function readiness({ http, now }: Practice, origin: string): Promise<Finding> {
  // Its own checks take up to 2 s.
  const { response } = await ask(http, now, { url: `${origin}/readyz` });
  if (response?.status === 200) return ok(health, "the bot runs and is ready");
  const parts = Object.entries(Object(response && jsonOf(response).parts));
  const down = parts.filter(([, stands]) => stands !== true).map(([name]) => name);
  return warning(
    health,
    `the bot runs and is not ready: ${down.join(", ") || "it does not say why"}`,
    "If it stays so, its log says why.",
  );
}

/** From here, as a browser would; `isRunning` is undefined when that can't be known. */
async function pagesOf(
  { config, http, now }: Practice,
  isRunning: boolean | undefined,
): Promise<Finding> {
  const { publicUrl } = config;
  if (publicUrl === undefined) return skipped(pages, "PUBLIC_URL is not set");
  const { response, trouble } = await ask(http, now, { url: `${publicUrl}/oauth/callback` });
  const isOurs = response?.body.includes("Greenroom") === true;
  if (isOurs) return ok(pages, `${publicUrl} leads to the bot's pages`);
  if (isRunning === false && trouble !== unknownName)
    return skipped(pages, "no bot runs on this machine");
  const found = trouble?.found ?? `another program answers, with ${response?.status}`;
  const advice =
    trouble?.advice ?? "Let the reverse proxy hand everything under PUBLIC_URL on to PORT.";
  return wrong(pages, `${publicUrl}: ${found}`, advice);
}
