import { ConfigError } from "../../errors.ts";
import { answerMs, within } from "../deadline.ts";
import { isRefusal, type RedisClient } from "./client.ts";

/** What the server is set to; undefined is what its host tells nobody. */
export interface RedisSettings {
  readonly policy: string | undefined;
  readonly hasLog: boolean | undefined;
  readonly hasSnapshots: boolean | undefined;
}

/** Asks for the settings themselves, and for what the server says of itself where a host forbids that. */
export async function readSettings(client: RedisClient): Promise<RedisSettings> {
  const [policy, log, snapshots] = await Promise.all([
    configOf(client, "maxmemory-policy"),
    configOf(client, "appendonly"),
    configOf(client, "save"),
  ]);
  const memory = policy === undefined ? await infoOf(client, "memory") : undefined;
  const persistence = log === undefined ? await infoOf(client, "persistence") : undefined;
  return {
    policy: policy ?? memory?.get("maxmemory_policy"),
    hasLog: isOn(log, "yes") ?? isOn(persistence?.get("aof_enabled"), "1"),
    hasSnapshots: snapshots === undefined ? undefined : snapshots !== "",
  };
}

/**
 * A store may neither drop records for want of memory nor forget them at a restart.
 * @throws ConfigError `store_server` or `store_volatile`.
 */
export function checkSettings(settings: RedisSettings, warn: (what: string) => void): void {
  const { policy, hasLog, hasSnapshots } = settings;
  if (policy !== undefined && policy !== "noeviction") throw evicting(policy);
  if (policy === undefined) warn("Redis does not tell its maxmemory-policy; it must be noeviction");
  if (hasLog === true) return;
  if (hasLog === false && hasSnapshots === false) throw volatile();
  if (hasSnapshots === true) {
    warn("Redis keeps snapshots but no log; a crash loses what was written since the last one");
  } else {
    warn("Redis does not tell whether it keeps its data on disk; appendonly must be yes");
  }
}

async function configOf(client: RedisClient, name: string): Promise<string | undefined> {
  const answer = await unlessForbidden(() => client.configGet(name));
  return answer?.[name];
}

async function infoOf(
  client: RedisClient,
  section: string,
): Promise<ReadonlyMap<string, string> | undefined> {
  const text = await unlessForbidden(() => client.info(section));
  if (text === undefined) return undefined;
  const lines = String(text).split("\r\n");
  return new Map(lines.map((line) => [line.split(":")[0] ?? "", line.split(":")[1] ?? ""]));
}

/** Hosts rename these commands away, or do not grant them. */
export async function unlessForbidden<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await within(answerMs, call());
  } catch (error) {
    if (isRefusal(error) && /^(NOPERM|ERR unknown)/i.test(error.message)) return undefined;
    throw error;
  }
}

function isOn(value: string | undefined, on: string): boolean | undefined {
  return value === undefined ? undefined : value === on;
}

function evicting(policy: string): ConfigError {
  return new ConfigError(`the store's Redis drops records when its memory is full (${policy})`, {
    code: "store_server",
    hint: 'Set "maxmemory-policy noeviction" in redis.conf, or run: redis-cli config set maxmemory-policy noeviction. A Redis that is used as a cache needs one of its own beside it.',
  });
}

function volatile(): ConfigError {
  return new ConfigError("the store's Redis keeps nothing on disk", {
    code: "store_volatile",
    hint: 'Set "appendonly yes" in redis.conf, or run: redis-cli config set appendonly yes, and then: redis-cli config rewrite.',
  });
}
