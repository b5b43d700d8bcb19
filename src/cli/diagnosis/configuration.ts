import { existsSync, readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Config, configVariables, type Environment, readConfig } from "../../config.ts";
import { ConfigError } from "../../errors.ts";
import { type Finding, findingsAbout } from "./finding.ts";

const check = findingsAbout("configuration");
const fileCheck = findingsAbout(".env");

export function readConfiguration(
  env: Environment,
): { config: Config } | { mistakes: readonly Finding[] } {
  try {
    return { config: readConfig(env) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...lines] = error.message.split("\n");
    return { mistakes: lines.map((line) => check.wrong(line.trim(), error.hint)) };
  }
}

export function checkConfiguration(config: Config): readonly Finding[] {
  const doubts = [
    ...(config.mode === "discord" ? botDoubts(config) : [sandboxDoubt]),
    ...findMistakes(config),
  ];
  const mode = config.mode === "discord" ? "runs against Discord" : "runs the sandbox";
  const state = doubts.length > 0 ? doubts : [check.ok(`complete; ${mode}`)];
  return [...state, ...sharedUnits(config)];
}

function sharedUnits({ oauth, sharedDailyUnits }: Config): readonly Finding[] {
  if (sharedDailyUnits === undefined) return [];
  const units = sharedDailyUnits.toLocaleString("en");
  if (oauth.client !== undefined) return [check.ok(`linked channels share ${units} units a day`)];
  return [
    check.warning(
      `SHARED_DAILY_UNITS is ${units} and OAUTH_CLIENT_ID is not set`,
      "Set OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET; without them no channel can be linked and nothing is shared.",
    ),
  ];
}

const sandboxDoubt = check.warning(
  "DISCORD_TOKEN is not set, so npm start runs the sandbox",
  "Set DISCORD_TOKEN to run against Discord.",
);

function botDoubts({ production, publicUrl, oauth, discord }: Config): readonly Finding[] {
  const hasPages = publicUrl !== undefined;
  const isRegistered = oauth.client !== undefined;
  const doubts: readonly (readonly [isSo: boolean, found: string, advice: string])[] = [
    [
      !production,
      "NODE_ENV is not production",
      "Set NODE_ENV=production. Without it, a missing token starts the sandbox instead of stopping with an error.",
    ],
    [
      isRegistered && !hasPages,
      "OAUTH_CLIENT_ID is set and PUBLIC_URL is not",
      "Set PUBLIC_URL, or channels can only be linked by entering a token.",
    ],
    [
      hasPages && !isRegistered,
      "PUBLIC_URL is set and OAUTH_CLIENT_ID is not",
      "Make an OAuth client at Google, and set OAUTH_CLIENT_ID and OAUTH_CLIENT_SECRET; without them no channel can be linked.",
    ],
    [
      hasPages && publicUrl.startsWith("http://"),
      "PUBLIC_URL is an address of this machine",
      "Set it to the https:// address at which people's browsers reach this machine.",
    ],
    [
      hasPages && discord.clientSecret === undefined,
      "DISCORD_CLIENT_SECRET is not set",
      "Set it (recommended): then whoever opens a link's page signs in with Discord and proves who they are. Without it they type a code, which people can be talked into giving away.",
    ],
  ];
  return doubts.flatMap(([isSo, found, advice]) => (isSo ? [check.warning(found, advice)] : []));
}

function findMistakes({ store, port, healthPort, publicUrl }: Config): readonly Finding[] {
  // A key with only a few different bytes was typed, not made.
  const typed = store.keys.filter(({ key }) => new Set(key).size < 8);
  const makeOne = "Add a random one with: npm run keys -- add.";
  const mistakes = typed.map(({ id }) =>
    check.wrong(`the master key "${id}" is not random`, makeOne),
  );
  const pages = publicUrl === undefined ? port : (port ?? 8080);
  if (pages === undefined || pages !== (healthPort ?? 9464)) return mistakes;
  const advice =
    "Set one of them to another port: the pages are for everyone, health is for this machine.";
  return [...mistakes, check.wrong(`PORT and HEALTH_PORT are both ${pages}`, advice)];
}

/** Names in a file that nothing reads, which are mostly typing errors; never a value. */
export function findUnknownVariables(names: readonly string[]): readonly Finding[] {
  const known = new Set<string>(configVariables);
  const strange = names.filter((each) => !known.has(each) && !forOthers.test(each));
  const advice = "Correct its name (see .env.example) or remove it.";
  return strange.map((name) => {
    const near = configVariables.find((each) => distance(each, name) <= 2);
    const question = near === undefined ? "" : `; is it ${near}?`;
    return fileCheck.warning(`${name} is not a known variable${question}`, advice);
  });
}

/** What Node itself and its packages read. */
const forOthers =
  /^(NODE_|SSL_CERT_|HTTPS?_PROXY|NO_PROXY|NO_COLOR|TZ$|LANG$|LC_|BACKGROUND_SERVER_)/;

/** How many letters differ: https://en.wikipedia.org/wiki/Levenshtein_distance */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    let left = i + 1;
    const next = [left];
    for (const [j, other] of [...b].entries()) {
      const same = (row[j] ?? 0) + (letter === other ? 0 : 1);
      left = Math.min(same, (row[j + 1] ?? 0) + 1, left + 1);
      next.push(left);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The file's variables, as `npm start` would load them; the environment goes before them. */
export function readEnvFile(path: string): { env: Environment; findings: readonly Finding[] } {
  if (!existsSync(path)) {
    const none = fileCheck.skipped("there is none; only the environment is read");
    return { env: {}, findings: [none] };
  }
  const env = parseEnv(readFileSync(path, "utf8")) as Environment;
  const findings = [...findUnknownVariables(Object.keys(env))];
  const mode = sharedMode(path);
  if (mode !== undefined) {
    const found = `others on this machine can read it (mode ${mode})`;
    findings.unshift(fileCheck.warning(found, `Run: chmod 600 ${path}`));
  }
  return {
    env,
    findings: findings.length > 0 ? findings : [fileCheck.ok("only you can read it")],
  };
}

/** The mode of a file that others may read or write; undefined if they may not, or where modes say nothing. */
export function sharedMode(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  return process.platform === "win32" || (mode & 0o077) === 0 ? undefined : mode.toString(8);
}
