import { isIP } from "node:net";
import { z } from "zod";
import type { MasterKey } from "../store/index.ts";

const backgroundEngines = ["removebg", "rembg"] as const;

/** Newer texts of remove.bg say 22: docs/services/removebg.md#input-limits */
const backgroundMaxMb = 12;

/** Discord allows no more, and a bot of any size needs fewer. */
const maxShards = 10_000;

const keyForm =
  "id:base64-of-32-bytes, several separated by commas, the first encrypts; an id has 1 to 16 of a-z 0-9 -";
export const addressForm =
  "an https:// address without query, name or password; http:// only for this machine";

const address = z
  .string()
  .refine(isAddress, `is not ${addressForm}`)
  .transform((text) => /^.*[^/]/.exec(text)?.[0] ?? "");

/** rembg has no key that could be read on the way, and usually listens beside the bot: there http:// is usual. */
const anyAddress = z
  .string()
  .refine(
    (text) => isAddress(text) || isAddress(text.replace(/^http:/, "https:")),
    `is not ${addressForm}`,
  )
  .transform((text) => /^.*[^/]/.exec(text)?.[0] ?? "");

const word = (what: string) => z.string().regex(/^\S+$/, `has spaces in it; allowed is ${what}`);

interface NumberForm {
  readonly what: string;
  readonly min: number;
  readonly max: number;
  readonly allowed?: string;
}

const wholeNumber = ({
  what,
  min,
  max,
  allowed = `a whole number from ${min} to ${max}`,
}: NumberForm) =>
  z
    .string()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    .refine((count) => count >= min && count <= max, `is not ${what}; allowed is ${allowed}`);

const unitsADay = (max: number) =>
  wholeNumber({ what: "an amount", min: 1, max, allowed: "a whole number from 1" });

const maxPort = 65_535;

/** What each variable may hold by itself, in the order of `.env.example`. None of them is required. */
export const configSchema = z.object({
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
  DISCORD_REQUESTS_PER_SECOND: wholeNumber({ what: "a rate", min: 1, max: 5_000 }).optional(),
  SHARDS: z.string().transform(parseShards).optional(),
  SHARD_COUNT: wholeNumber({ what: "a number of shards", min: 1, max: maxShards }).optional(),
  VIDEO_API_URL: address.optional(),
  VIDEO_UPLOAD_URL: address.optional(),
  BACKGROUND_ENGINE: z
    .enum(backgroundEngines, "is unknown; allowed are removebg and rembg")
    .default("removebg"),
  BACKGROUND_API_URL: anyAddress.optional(),
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
  PORT: wholeNumber({ what: "a port", min: 1, max: maxPort }).optional(),
  HEALTH_HOST: z
    .string()
    .refine(
      (host) => isIP(host) !== 0,
      "is not an address of this machine; allowed is an IP address, such as 127.0.0.1 or 0.0.0.0",
    )
    .default("127.0.0.1"),
  HEALTH_PORT: wholeNumber({
    what: "a port",
    min: 0,
    max: maxPort,
    allowed: `a whole number from 1 to ${maxPort}, or 0 for any free one`,
  }).optional(),
  SHARED_DAILY_UNITS: unitsADay(9_999_999_999).optional(),
  GUILD_DAILY_UNITS: unitsADay(9_999_999).optional(),
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

export type ConfigValues = z.output<typeof configSchema>;

/** Whether keys may be sent there. */
export function isAddress(text: string): boolean {
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

/** An error names an entry by its position, because the text in place of an id might be a key. */
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
