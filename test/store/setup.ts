import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { MasterKey, OpenStoreOptions } from "../../src/store/index.ts";
import { openStore } from "../../src/store/index.ts";
import type { Kind } from "../support/databases/kinds.ts";

export const guild = "111111111111111111";
export const otherGuild = "222222222222222222";

export function masterKey(id: string, fill = 1): MasterKey {
  return { id, key: new Uint8Array(32).fill(fill) };
}

/** A folder for this test, removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that is closed when the test ends; in memory unless a url is given. */
export async function openFor(options: Partial<OpenStoreOptions> = {}) {
  const store = await openStore({ url: "sqlite::memory:", keys: [masterKey("k1")], ...options });
  onTestFinished(() => store.close());
  return store;
}

/** The stores of two processes on one database. */
export async function openTwo(kind: Pick<Kind, "fresh">) {
  const { url } = await kind.fresh();
  return [await openFor({ url }), await openFor({ url })] as const;
}

/** That many ids of servers or roles; the first digit tells kinds apart. */
export const snowflakes = (count: number, digit: number) =>
  Array.from({ length: count }, (_, n) => `${BigInt(digit) * 10n ** 17n + BigInt(n)}`);

/** Writes a key as a process would that has ended since. */
export async function leaveVideoKey(url: string, keys: readonly MasterKey[]): Promise<void> {
  const store = await openStore({ url, keys });
  await store.credentials.write(guild, videoKey());
  await store.close();
}

export function videoKey(secret = "AIza-canary-0123456789") {
  return {
    kind: "video-key",
    secret,
    addedBy: "333333333333333333",
    addedAt: 1_700_000_000_000,
  } as const;
}

/** A linked channel; its secret is a refresh token. */
export function linkedChannel(secret = "1//0-canary-0123456789") {
  return {
    ...videoKey(secret),
    kind: "channel",
    channelId: "UC-canary-channel",
    channelTitle: "Kanarie & Söhne",
    scopes: ["youtube.force-ssl", "youtube.upload"],
  } as const;
}

/** What a read returns when it has found this. */
export const found = (value: unknown) => ({ state: "found", value });

/** What a read returns when it has failed with this code. */
export const failed = (code: string) => ({ state: "failed", error: { code } });
