import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/index.ts";
import type { Read, Store } from "../../../src/store/types.ts";
import { seed, seeded } from "../../support/random.ts";
import { masterKey } from "../setup.ts";
import { filled, rawRows } from "./sealed-store.ts";

const keys = [masterKey("k1")];

/** Reads a row by its key in the file. */
function reader(store: Store, tickets: readonly string[]) {
  const ways = {
    credential: (guildId, kind) => store.credentials.read(guildId, kind as "channel"),
    token: (guildId, channelId) => store.accessTokens.read(guildId, channelId),
    ticket: async () => firstOf(await Promise.all(tickets.map((one) => store.tickets.read(one)))),
    // One that does not open is left out, so that it holds up none of the others.
    revocation: async (id) => {
      const value = (await store.revocations.all()).find((one) => one.id === id);
      const error = Object.assign(new Error("left out"), { code: "store_record" });
      return value === undefined ? { state: "failed", error } : { state: "found", value };
    },
  } as const satisfies Record<string, (one: string, other: string) => Promise<Read<unknown>>>;
  return (key: string) => {
    const [namespace = "", one = "", other = ""] = key.split(":");
    return ways[namespace as keyof typeof ways](one, other);
  };
}

/** Which ticket lies in which row is not known outside. */
function firstOf(reads: readonly Read<unknown>[]): Read<unknown> {
  return reads.find(({ state }) => state !== "found") ?? { state: "absent" };
}

describe("any two sealed rows", () => {
  it("are refused when they are swapped, over all kinds, guilds and channels", async () => {
    const { path, url, tickets } = await filled(keys);
    const rows = [...rawRows(path)];
    const store = await openStore({ url, keys });
    const read = reader(store, tickets);
    const database = new DatabaseSync(path);
    const put = database.prepare("UPDATE entries SET value = ? WHERE key = ?");
    const random = seeded(seed);
    const opened: string[] = [];
    let pairs = 0;

    for (const [at, [key, { value }]] of rows.entries()) {
      for (const [otherKey, { value: otherValue }] of rows.slice(at + 1)) {
        // A guild's name beside a ticket is open, so it may be swapped with the sealed part or without it.
        const whole = random() < 0.5;
        put.run(whole ? otherValue : sealedPart(value, otherValue), key);
        put.run(whole ? value : sealedPart(otherValue, value), otherKey);
        for (const each of [key, otherKey]) {
          const { state, ...rest } = await read(each);
          const code = "error" in rest ? (rest.error as { code?: string }).code : undefined;
          if (state !== "failed" || !isRefusal(code))
            opened.push(`${key} <> ${otherKey}: ${state}`);
        }
        put.run(value, key);
        put.run(otherValue, otherKey);
        pairs += 1;
      }
    }

    database.close();
    expect(opened, `seed ${seed}`).toEqual([]);
    expect(pairs).toBe((rows.length * (rows.length - 1)) / 2);
    expect(rows.length).toBe(14);
    for (const [key] of rows.filter(([key]) => !key.startsWith("ticket"))) {
      expect(await read(key)).toMatchObject({ state: "found" });
    }
    await store.close();
  });
});

/** `store_unavailable` where the row has not even the shape of its kind. */
function isRefusal(code: string | undefined): boolean {
  return code === "store_record" || code === "store_unavailable";
}

const sealed = /1\.k1\.[\w-]+/;

function sealedPart(value: string, other: string): string {
  return value.replace(sealed, sealed.exec(other)?.[0] ?? "");
}
