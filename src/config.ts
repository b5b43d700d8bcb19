import { addressForm, type ConfigValues, configSchema, isAddress } from "./config/variables.ts";
import { ConfigError } from "./errors.ts";

/** Read once, whole, and frozen. */
export type Config = ReturnType<typeof build>;

const makeKeys = 'echo "SECRET_KEYS=main:$(openssl rand -base64 32)" >> .env';

/** The variables of a process or of a `.env` file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable that is read, in the order of `.env.example`. */
export const configVariables: readonly string[] = Object.keys(configSchema.shape);

/**
 * Reads the whole environment once; an empty variable counts as absent. The result is frozen.
 * @throws ConfigError `environment` whose message has one line for each problem, never with a variable's value.
 */
export function readConfig(env: Environment): Config {
  const given: Environment = Object.fromEntries(
    configVariables.map((name) => [name, env[name]?.trim() || undefined]),
  );
  const issues = configSchema.safeParse(given).error?.issues ?? [];
  // The well-formed variables are compared whatever the others are, so that one message lists every problem.
  const malformed = Object.fromEntries(issues.map(({ path }) => [path.join(), undefined]));
  const values = configSchema.parse({ ...given, ...malformed });
  const problems = [
    ...issues.map(({ path, message }) => `${path.join()} ${message}`),
    ...findMissing(given),
    ...findContradictions(given, values),
  ];
  if (problems.length > 0) throw createEnvironmentError(problems);
  return build(values);
}

/** Variables that another one makes necessary. */
function findMissing(given: Environment): readonly string[] {
  const has = (name: keyof ConfigValues) => given[name] !== undefined;
  const problems = [
    !has("DISCORD_TOKEN") &&
      given.NODE_ENV === "production" &&
      "DISCORD_TOKEN is missing; NODE_ENV=production needs the bot's token (the sandbox never runs in production)",
    has("DISCORD_TOKEN") &&
      !has("SECRET_KEYS") &&
      `SECRET_KEYS is missing; this makes one in .env: ${makeKeys}`,
    has("OAUTH_CLIENT_ID") &&
      !has("OAUTH_CLIENT_SECRET") &&
      "OAUTH_CLIENT_SECRET is missing; it belongs to OAUTH_CLIENT_ID",
    has("OAUTH_CLIENT_SECRET") &&
      !has("OAUTH_CLIENT_ID") &&
      "OAUTH_CLIENT_ID is missing; it belongs to OAUTH_CLIENT_SECRET",
    has("DISCORD_PUBLIC_KEY") &&
      !has("PUBLIC_URL") &&
      "PUBLIC_URL is missing; with DISCORD_PUBLIC_KEY, Discord posts to PUBLIC_URL/discord/interactions",
    !has("DISCORD_PUBLIC_KEY") &&
      has("SHARDS") &&
      !has("SHARD_COUNT") &&
      "SHARD_COUNT is missing; it says how many shards all processes have together",
  ];
  return problems.filter((problem) => problem !== false);
}

/** Variables that can't be set together. */
function findContradictions(given: Environment, values: ConfigValues): readonly string[] {
  return [...findUnsafeEngine(values), ...findShardContradictions(given, values)];
}

/** Keys of remove.bg are not sent unencrypted. */
function findUnsafeEngine({ BACKGROUND_ENGINE, BACKGROUND_API_URL }: ConfigValues) {
  const isSafe = BACKGROUND_API_URL === undefined || isAddress(BACKGROUND_API_URL);
  if (isSafe || BACKGROUND_ENGINE === "rembg") return [];
  return [`BACKGROUND_API_URL is not ${addressForm}, or BACKGROUND_ENGINE=rembg`];
}

function findShardContradictions(given: Environment, values: ConfigValues): readonly string[] {
  if (given.DISCORD_PUBLIC_KEY !== undefined) {
    return (["SHARDS", "SHARD_COUNT"] as const)
      .filter((name) => given[name] !== undefined)
      .map(
        (name) =>
          `${name} can't be set together with DISCORD_PUBLIC_KEY: over HTTP there are no shards`,
      );
  }
  const { SHARDS, SHARD_COUNT } = values;
  if (SHARDS === undefined || SHARD_COUNT === undefined) return [];
  const beyond = SHARDS.find((id) => id >= SHARD_COUNT);
  if (beyond !== undefined) {
    return [
      `SHARDS has shard ${beyond}; with SHARD_COUNT=${SHARD_COUNT} allowed are 0 to ${SHARD_COUNT - 1}`,
    ];
  }
  const isSqlite = given.STORE_URL?.startsWith("sqlite:") ?? true;
  if (SHARDS.length === SHARD_COUNT || !isSqlite) return [];
  return [
    "SHARDS leaves shards to other processes, and they must share one database; allowed is a STORE_URL that starts with postgres://",
  ];
}

function build(values: ConfigValues) {
  const mode = values.DISCORD_TOKEN === undefined ? "sandbox" : "discord";
  const file = mode === "sandbox" ? "sandbox" : "greenroom";
  const baseUrl = values.VIDEO_API_URL ?? "https://youtube.googleapis.com/youtube/v3";
  // One base serves both when only one is set: docs/services/youtube.md#addresses
  const uploadBaseUrl =
    values.VIDEO_UPLOAD_URL ??
    values.VIDEO_API_URL ??
    "https://youtube.googleapis.com/upload/youtube/v3";
  return Object.freeze({
    /** Without a Discord token everything runs on loopback against local stand-ins. */
    mode,
    discord: Object.freeze({
      token: values.DISCORD_TOKEN,
      apiUrl: values.DISCORD_API_URL,
      /** Where people's browsers find Discord. The API may be behind a proxy that has no pages; only the sandbox has others. */
      siteUrl: "https://discord.com" as string,
      /** With it, people who open a link's page prove who they are; without it they type a code. */
      clientSecret: values.DISCORD_CLIENT_SECRET,
      /** With it, interactions come over HTTP instead of the gateway; 64 hexadecimal digits in lower case. */
      publicKey: values.DISCORD_PUBLIC_KEY?.toLowerCase(),
      /** This process's part of Discord's limit; all processes share the whole limit evenly when absent. */
      requestsPerSecond: values.DISCORD_REQUESTS_PER_SECOND,
      /** The gateway connections of this process, in order; all of them when absent. */
      shards: values.SHARDS,
      /** How many connections all processes have together; as many as Discord recommends when absent. */
      shardCount: values.SHARD_COUNT,
    }),
    video: Object.freeze({ baseUrl, uploadBaseUrl }),
    background: Object.freeze({
      ...readEngine(values),
      /** Whether an address that a server chose may lead to this machine; only the sandbox has stand-ins there. */
      hasStandIns: false as boolean,
      /** Largest picture file that is sent there. */
      maxBytes: values.BACKGROUND_MAX_MB * 1e6,
    }),
    oauth: Object.freeze({
      authorizeUrl: values.OAUTH_AUTHORIZE_URL,
      tokenUrl: values.OAUTH_TOKEN_URL,
      revokeUrl: values.OAUTH_REVOKE_URL,
      /** This bot's registration at Google; without it no channel can be used. */
      client: readClient(values),
    }),
    /** Without keys only in the sandbox, which keeps a key file instead. */
    store: Object.freeze({
      url: values.STORE_URL ?? `sqlite:.greenroom/${file}.sqlite`,
      keys: Object.freeze(values.SECRET_KEYS),
    }),
    /** The hub that sends new videos to subscribers (WebSub). */
    hubUrl: values.WEBSUB_HUB_URL,
    /** The address at which browsers reach this process; without it channels can be linked only by token. */
    publicUrl: values.PUBLIC_URL,
    port: values.PORT,
    /** Where health and metrics listen; port 0 takes any free one. */
    healthHost: values.HEALTH_HOST,
    healthPort: values.HEALTH_PORT,
    /** What the project that all linked channels share may spend a day; YouTube's usual quota when absent. */
    sharedDailyUnits: values.SHARED_DAILY_UNITS,
    /** Most units a day that one server may spend of the project that all linked channels share. */
    guildDailyUnits: values.GUILD_DAILY_UNITS,
    logLevel: values.LOG_LEVEL,
    production: values.NODE_ENV === "production",
  } as const);
}

/** Where remove.bg is, for servers with a key of their own, and where the operator's rembg listens, if there is one. */
function readEngine({ BACKGROUND_ENGINE, BACKGROUND_API_URL: address }: ConfigValues) {
  const removebg = "https://api.remove.bg/v1.0";
  if (BACKGROUND_ENGINE === "removebg") return { baseUrl: address ?? removebg };
  return { baseUrl: removebg, rembgUrl: address ?? "http://127.0.0.1:7000" };
}

function readClient({ OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET }: ConfigValues) {
  if (OAUTH_CLIENT_ID === undefined || OAUTH_CLIENT_SECRET === undefined) return undefined;
  return Object.freeze({ clientId: OAUTH_CLIENT_ID, clientSecret: OAUTH_CLIENT_SECRET });
}

function createEnvironmentError(problems: readonly string[]): ConfigError {
  const count =
    problems.length === 1 ? "1 variable is wrong" : `${problems.length} variables are wrong`;
  return new ConfigError([`${count}:`, ...problems.map((f) => `  ${f}`)].join("\n"), {
    code: "environment",
    hint: "Correct these variables in the environment or in .env; .env.example explains each.",
  });
}
