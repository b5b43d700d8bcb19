import { isIP } from "node:net";
import { z } from "zod";
import { ConfigError } from "./errors.ts";
import type { MasterKey } from "./store/index.ts";

/** Read once, whole, and frozen. */
export type Config = ReturnType<typeof build>;

/** Interface specification, Limits; newer texts of the service say 22. */
const backgroundMaxMb = 12;

/** Discord allows no more, and a bot of any size needs fewer. */
const maxShards = 10_000;

const keyForm =
  "id:base64-of-32-bytes, several separated by commas, the first encrypts; an id has 1 to 16 of a-z 0-9 -";
const makeKeys = 'echo "SECRET_KEYS=main:$(openssl rand -base64 32)" >> .env';
const addressForm =
  "an https:// address without query, name or password; http:// only for this machine";

const address = z
  .string()
  .refine(isAddress, `is not ${addressForm}`)
  .transform((text) => /^.*[^/]/.exec(text)?.[0] ?? "");

const word = (what: string) => z.string().regex(/^\S+$/, `has spaces in it; allowed is ${what}`);

const port = z
  .string()
  .transform((text) => (/^\d{1,5}$/.test(text) ? Number(text) : 0))
  .refine(
    (number) => number >= 1 && number <= 65_535,
    "is not a port; allowed is a whole number from 1 to 65535",
  );

const schema = z.object({
  DISCORD_TOKEN: word("the bot's token alone, without the word Bot").optional(),
  DISCORD_CLIENT_SECRET: word("the application's client secret alone").optional(),
  DISCORD_PUBLIC_KEY: z
    .string()
    .regex(
      /^[0-9a-f]{64}$/i,
      "is not a public key; allowed are the 64 hexadecimal digits of the application's page",
    )
    .optional(),
  DISCORD_API_URL: address.default("https://discord.com/api"),
  DISCORD_REQUESTS_PER_SECOND: z
    .string()
    .transform((text) => (/^\d{1,4}$/.test(text) ? Number(text) : 0))
    .refine(
      (count) => count >= 1 && count <= 5_000,
      "is not a rate; allowed is a whole number from 1 to 5000",
    )
    .optional(),
  SHARDS: z.string().transform(parseShards).optional(),
  SHARD_COUNT: z
    .string()
    .transform((text) => (/^\d{1,5}$/.test(text) ? Number(text) : 0))
    .refine(
      (count) => count >= 1 && count <= maxShards,
      `is not a number of shards; allowed is a whole number from 1 to ${maxShards}`,
    )
    .optional(),
  VIDEO_API_URL: address.optional(),
  VIDEO_UPLOAD_URL: address.optional(),
  BACKGROUND_API_URL: address.default("https://api.remove.bg/v1.0"),
  BACKGROUND_MAX_MB: z
    .string()
    .transform((text) => (/^\d{1,3}(\.\d+)?$/.test(text) ? Number(text) : 0))
    .refine(
      (megabytes) => megabytes >= 0.1 && megabytes <= 100,
      "is not a file size; allowed is a number of megabytes from 0.1 to 100",
    )
    .default(backgroundMaxMb),
  OAUTH_CLIENT_ID: word("the client's id alone").optional(),
  OAUTH_CLIENT_SECRET: word("the client's secret alone").optional(),
  OAUTH_AUTHORIZE_URL: address.default("https://accounts.google.com/o/oauth2/v2/auth"),
  OAUTH_TOKEN_URL: address.default("https://oauth2.googleapis.com/token"),
  OAUTH_REVOKE_URL: address.default("https://oauth2.googleapis.com/revoke"),
  WEBSUB_HUB_URL: address.default("https://pubsubhubbub.appspot.com/subscribe"),
  PUBLIC_URL: address.optional(),
  STORE_URL: z.string().superRefine(checkStoreUrl).optional(),
  SECRET_KEYS: z.string().transform(parseKeys).default([]),
  PORT: port.optional(),
  HEALTH_HOST: z
    .string()
    .refine(
      (host) => isIP(host) !== 0,
      "is not an address of this machine; allowed is an IP address, such as 127.0.0.1 or 0.0.0.0",
    )
    .default("127.0.0.1"),
  HEALTH_PORT: z
    .string()
    .transform((text) => (/^\d{1,5}$/.test(text) ? Number(text) : -1))
    .refine(
      (number) => number >= 0 && number <= 65_535,
      "is not a port; allowed is a whole number from 1 to 65535, or 0 for any free one",
    )
    .optional(),
  SHARED_DAILY_UNITS: z
    .string()
    .transform((text) => (/^\d{1,10}$/.test(text) ? Number(text) : 0))
    .refine((units) => units >= 1, "is not an amount; allowed is a whole number from 1")
    .optional(),
  GUILD_DAILY_UNITS: z
    .string()
    .transform((text) => (/^\d{1,7}$/.test(text) ? Number(text) : 0))
    .refine((units) => units >= 1, "is not an amount; allowed is a whole number from 1")
    .optional(),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error"], "is unknown; allowed are debug, info, warn and error")
    .default("info"),
  NODE_ENV: z
    .enum(
      ["production", "development", "test"],
      "is unknown; allowed are production, development and test",
    )
    .optional(),
});

type ConfigValues = z.output<typeof schema>;
/** The variables of a process or of a `.env` file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Every variable that is read, in the order of `.env.example`. */
export const configVariables: readonly string[] = Object.keys(schema.shape);

/**
 * Reads the whole environment once; an empty variable counts as absent. The result is frozen.
 * @throws ConfigError `environment` whose message has one line for each fault, never with a variable's value.
 */
export function readConfig(env: Environment): Config {
  const given = Object.fromEntries(
    configVariables.map((name) => [name, env[name]?.trim() || undefined]),
  );
  const { data, error } = schema.safeParse(given);
  const faults = [
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join()} ${message}`),
    ...findMissing(given),
    ...(data === undefined ? [] : findContradictions(data)),
  ];
  if (data === undefined || faults.length > 0) throw refuse(faults);
  return build(data);
}

/** Variables that another one makes necessary. */
function findMissing(environment: Environment): readonly string[] {
  const faults: string[] = [];
  if (environment.DISCORD_TOKEN === undefined && environment.NODE_ENV === "production") {
    faults.push(
      "DISCORD_TOKEN is missing; NODE_ENV=production needs the bot's token (the sandbox never runs in production)",
    );
  }
  if (environment.DISCORD_TOKEN !== undefined && environment.SECRET_KEYS === undefined) {
    faults.push(`SECRET_KEYS is missing; this makes one in .env: ${makeKeys}`);
  }
  if (environment.OAUTH_CLIENT_ID !== undefined && environment.OAUTH_CLIENT_SECRET === undefined) {
    faults.push("OAUTH_CLIENT_SECRET is missing; it belongs to OAUTH_CLIENT_ID");
  }
  if (environment.OAUTH_CLIENT_SECRET !== undefined && environment.OAUTH_CLIENT_ID === undefined) {
    faults.push("OAUTH_CLIENT_ID is missing; it belongs to OAUTH_CLIENT_SECRET");
  }
  return faults;
}

/** Variables that can't be set together. */
function findContradictions(values: ConfigValues): readonly string[] {
  const { DISCORD_PUBLIC_KEY, SHARDS, SHARD_COUNT, STORE_URL = "sqlite:", PUBLIC_URL } = values;
  const faults: string[] = [];
  if (DISCORD_PUBLIC_KEY !== undefined) {
    if (PUBLIC_URL === undefined) {
      faults.push(
        "PUBLIC_URL is missing; with DISCORD_PUBLIC_KEY, Discord posts to PUBLIC_URL/discord/interactions",
      );
    }
    for (const name of ["SHARDS", "SHARD_COUNT"] as const) {
      if (values[name] === undefined) continue;
      faults.push(
        `${name} can't be set together with DISCORD_PUBLIC_KEY: over HTTP there are no shards`,
      );
    }
    return faults;
  }
  if (SHARDS === undefined) return faults;
  if (SHARD_COUNT === undefined) {
    faults.push("SHARD_COUNT is missing; it says how many shards all processes have together");
    return faults;
  }
  const beyond = SHARDS.filter((id) => id >= SHARD_COUNT);
  if (beyond.length > 0) {
    faults.push(
      `SHARDS has shard ${beyond[0]}; with SHARD_COUNT=${SHARD_COUNT} allowed are 0 to ${SHARD_COUNT - 1}`,
    );
  } else if (SHARDS.length < SHARD_COUNT && STORE_URL.startsWith("sqlite:")) {
    faults.push(
      "SHARDS leaves shards to other processes, and they must share one database; allowed is a STORE_URL that starts with postgres://",
    );
  }
  return faults;
}

function build(values: ConfigValues) {
  const mode = values.DISCORD_TOKEN === undefined ? "sandbox" : "discord";
  const file = mode === "sandbox" ? "sandbox" : "greenroom";
  const baseUrl = values.VIDEO_API_URL ?? "https://youtube.googleapis.com/youtube/v3";
  // One base serves both when only one is set: the interface specification has uploads beside the other methods.
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
      /** With it, people who open a link's page prove who they are; without it they compare a code. */
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
      baseUrl: values.BACKGROUND_API_URL,
      /** Largest picture file that is sent there. */
      maxBytes: values.BACKGROUND_MAX_MB * 1e6,
    }),
    oauth: Object.freeze({
      authorizeUrl: values.OAUTH_AUTHORIZE_URL,
      tokenUrl: values.OAUTH_TOKEN_URL,
      revokeUrl: values.OAUTH_REVOKE_URL,
      /** This bot's registration at the authorisation service; without it no channel can be used. */
      client: clientOf(values),
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
    /** What the project that all linked channels share may spend a day; the service's usual quota when absent. */
    sharedDailyUnits: values.SHARED_DAILY_UNITS,
    /** Most units a day that one guild may spend of the project that all linked channels share. */
    guildDailyUnits: values.GUILD_DAILY_UNITS,
    logLevel: values.LOG_LEVEL,
    production: values.NODE_ENV === "production",
  } as const);
}

function clientOf({ OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET }: ConfigValues) {
  if (OAUTH_CLIENT_ID === undefined || OAUTH_CLIENT_SECRET === undefined) return undefined;
  return Object.freeze({ clientId: OAUTH_CLIENT_ID, clientSecret: OAUTH_CLIENT_SECRET });
}

function refuse(faults: readonly string[]): ConfigError {
  const count =
    faults.length === 1 ? "1 variable is wrong" : `${faults.length} variables are wrong`;
  return new ConfigError([`${count}:`, ...faults.map((f) => `  ${f}`)].join("\n"), {
    code: "environment",
    hint: "Correct these variables in the environment or in .env; .env.example explains each.",
  });
}

function isAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === "https:") return true;
  return url.protocol === "http:" && isLoopback(url.hostname);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

const storeForm =
  "sqlite: and a path, such as sqlite:.greenroom/greenroom.sqlite, or an address that starts with postgres://, with # / ? @ and % of a password written as %23 %2F %3F %40 and %25";

function checkStoreUrl(text: string, context: z.core.$RefinementCtx<string>): void {
  if (/^sqlite:./.test(text)) return;
  const isServer = /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text);
  if (isServer && isDecodable(text)) return;
  const what = /^rediss?:/.test(text)
    ? "an address of Redis, which is no store"
    : "not an address of a store";
  context.addIssue(`is ${what}; allowed is ${storeForm}`);
}

/** Drivers decode the user and the password, and throw at a bare percent sign. */
function isDecodable(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

const shardsForm = "shard ids and ranges separated by commas, such as 0-3 or 0,2,5-7";

/** Ids in order. */
function parseShards(text: string, context: z.core.$RefinementCtx<string>): readonly number[] {
  const ids: number[] = [];
  for (const part of text.split(",")) {
    const [, first, last = first] = /^\s*(\d{1,5})(?:-(\d{1,5}))?\s*$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === undefined || to < from || to >= maxShards) {
      context.addIssue(`is not a list of shards; allowed are ${shardsForm}`);
      return [];
    }
    for (let id = from; id <= to; id += 1) ids.push(id);
  }
  if (new Set(ids).size < ids.length) {
    context.addIssue(`names a shard twice; allowed are ${shardsForm}, each shard once`);
  }
  return Object.freeze(ids.sort((a, b) => a - b));
}

/** A fault names an entry by its position, because the text in place of an id might be a key. */
function parseKeys(text: string, context: z.core.$RefinementCtx<string>): readonly MasterKey[] {
  const parsed = text.split(",").map((entry) => parseKey(entry.trim()));
  for (const [index, key] of parsed.entries()) {
    if (key === undefined)
      context.addIssue(`entry ${index + 1} is malformed; allowed is ${keyForm}`);
  }
  const keys = parsed.filter((key) => key !== undefined);
  if (new Set(keys.map(({ id }) => id)).size < keys.length) {
    context.addIssue(`has the same id twice; allowed is ${keyForm}`);
  }
  return keys;
}

function parseKey(entry: string): MasterKey | undefined {
  const [, id, encoded] = /^([a-z0-9-]{1,16}):([A-Za-z0-9+/_-]{43}=?)$/.exec(entry) ?? [];
  if (id === undefined || encoded === undefined) return undefined;
  return Object.freeze({ id, key: Buffer.from(encoded, "base64") });
}
