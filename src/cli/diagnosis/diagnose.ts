import type { Environment } from "../../config.ts";
import { createHttp } from "../../http/index.ts";
import { findPasswords } from "../../store/index.ts";
import { checkConfiguration, readConfiguration, readEnvFile } from "./configuration.ts";
import { checkDiscord } from "./discord.ts";
import { type Finding, findingsAbout } from "./finding.ts";
import { checkRunningBot } from "./running.ts";
import { checkAddresses, checkClock, checkRegistration } from "./services.ts";
import { checkJobs, checkStore } from "./store.ts";

export interface DiagnoseOptions {
  /** The process's own variables; they override the file's. */
  readonly env: Environment;
  /** Path of the file that `npm start` would load. */
  readonly envFile: string;
  readonly now?: () => number;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** False when the configuration can't be read, so that nothing else could be checked. */
  readonly isReadable: boolean;
  /** Values that must not be shown anywhere. */
  readonly secrets: readonly string[];
}

const oldestNode = 24;

/** Checks everything that the bot needs, while a bot is running or before the first start. */
export async function diagnose({
  env,
  envFile,
  now = Date.now,
}: DiagnoseOptions): Promise<Diagnosis> {
  const file = readEnvFile(envFile);
  const all = { ...file.env, ...env };
  const first = [runtime(), ...file.findings];
  const read = readConfiguration(all);
  const secrets = findSecrets(all);
  if ("mistakes" in read) {
    const rest = findingsAbout("everything else").skipped("fix the configuration first");
    return { findings: [...first, ...read.mistakes, rest], isReadable: false, secrets };
  }
  const { config } = read;
  const http = createHttp({ now });
  try {
    // So that the time for loading is not taken for a slow answer.
    await http.warm();
    const context = { config, http, now };
    const stored = await checkStore(config);
    const [work, reached, known, registered, live] = await Promise.all([
      checkJobs(config),
      checkAddresses(context),
      checkDiscord(context),
      checkRegistration(context),
      checkRunningBot(context),
    ]);
    const services = [...reached.findings, ...known, registered, checkClock(reached.answers)];
    const findings = [first, checkConfiguration(config), stored, work, services, live].flat();
    return { findings, isReadable: true, secrets };
  } finally {
    await http.close();
  }
}

function runtime(): Finding {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= oldestNode) return findingsAbout("Node").ok(process.version);
  const advice =
    "Start it with npm run doctor, which uses its own Node, or install Node 24 or newer.";
  return findingsAbout("Node").wrong(`${process.version} is too old`, advice);
}

/** Also values that could not be read: a token with a space in it is a secret too. */
function findSecrets(env: Environment): readonly string[] {
  const { DISCORD_TOKEN, DISCORD_CLIENT_SECRET, OAUTH_CLIENT_SECRET, SECRET_KEYS, STORE_URL } = env;
  const keys = (SECRET_KEYS ?? "").split(",").map((entry) => entry.slice(entry.indexOf(":") + 1));
  const tokens = [DISCORD_TOKEN, DISCORD_CLIENT_SECRET, OAUTH_CLIENT_SECRET];
  return [
    ...tokens.filter((each) => each !== undefined),
    ...keys,
    ...findPasswords(STORE_URL ?? ""),
  ];
}
