import { describe, expect, it, onTestFinished } from "vitest";
import type { Store, StoreRead } from "../../../src/store/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { sqlite } from "../../support/databases/kinds.ts";
import { seed, seeded } from "../../support/random.ts";
import { masterKey } from "../setup.ts";
import { filled, rawRows, writeRaw } from "./sealed-store.ts";

const keys = [masterKey("k1")];

/** Reads a row through the store, given its key in the database. */
function reader(store: Store, oneTimeTokens: readonly string[]) {
  const ways = {
    credential: (guildId, kind) => store.credentials.read(guildId, kind as "channel"),
    token: (guildId, channelId) => store.accessTokens.read(guildId, channelId),
    ticket: async () =>
      firstOf(await Promise.all(oneTimeTokens.map((one) => store.oneTimeTokens.read(one)))),
    revocation: (id) => store.revocations.read(id),
  } as const satisfies Record<string, (one: string, other: string) => Promise<StoreRead<unknown>>>;
  return (key: string) => {
    const [namespace = "", one = "", other = ""] = key.split(":");
    return ways[namespace as keyof typeof ways](one, other);
  };
}

/** Nobody outside the store knows which row has which one-time token, so all are read; a failed read counts. */
function firstOf(reads: readonly StoreRead<unknown>[]): StoreRead<unknown> {
  return reads.find(({ state }) => state !== "found") ?? { state: "absent" };
}

describe("any two sealed rows", () => {
  it("are refused when they are swapped, over all kinds, guilds and channels", async () => {
    const kind = sqlite();
    onTestFinished(kind.stop);
    const { place, url, oneTimeTokens } = await filled(kind, keys);
    const rows = [...(await rawRows(place))];
    const store = await openStore({ url, keys });
    const read = reader(store, oneTimeTokens);
    const random = seeded(seed);
    const opened: string[] = [];
    let pairs = 0;

    for (const [at, [key, { value }]] of rows.entries()) {
      for (const [otherKey, { value: otherValue }] of rows.slice(at + 1)) {
        // The server's id next to a sealed one-time token is not encrypted, so it is swapped only sometimes.
        const whole = random() < 0.5;
        await writeRaw(place, key, whole ? otherValue : sealedPart(value, otherValue));
        await writeRaw(place, otherKey, whole ? value : sealedPart(otherValue, value));
        for (const each of [key, otherKey]) {
          const { state, ...rest } = await read(each);
          const code = "error" in rest ? (rest.error as { code?: string }).code : undefined;
          if (state !== "failed" || !isRefusal(code))
            opened.push(`${key} <> ${otherKey}: ${state}`);
        }
        await writeRaw(place, key, value);
        await writeRaw(place, otherKey, otherValue);
        pairs += 1;
      }
    }

    expect(opened, `seed ${seed}`).toEqual([]);
    expect(pairs).toBe((rows.length * (rows.length - 1)) / 2);
    expect(rows.length).toBe(14);
    for (const [key] of rows.filter(([key]) => !key.startsWith("ticket"))) {
      expect(await read(key)).toMatchObject({ state: "found" });
    }
    await store.close();
  });
});

/** `store_unavailable` means that the row does not even have the shape of its kind. */
function isRefusal(code: string | undefined): boolean {
  return code === "store_record" || code === "store_unavailable";
}

const sealed = /1\.k1\.[\w-]+/;

function sealedPart(value: string, other: string): string {
  return value.replace(sealed, sealed.exec(other)?.[0] ?? "");
}
