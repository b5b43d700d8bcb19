import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRotation, openStore } from "../../../src/store/index.ts";
import { openBackend } from "../../../src/store/open-backend.ts";
import { createStore } from "../../../src/store/open-store.ts";
import { createRotation } from "../../../src/store/rotation/open-rotation.ts";
import { createKeyring } from "../../../src/store/seal.ts";
import { guild, masterKey, openFor, otherGuild, videoKey } from "../setup.ts";
import { channel, filled, rawRows } from "./sealed-store.ts";

const old = masterKey("old");
const fresh = masterKey("new", 2);

async function rotationFor(url: string, keys = [fresh, old]) {
  const rotation = await openRotation({ url, keys });
  onTestFinished(() => rotation.close());
  return rotation;
}

function alter(path: string, sql: string) {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

describe("reseal", () => {
  it("seals every kind of row anew, so that the old key is not needed any more", async () => {
    const { url, path, tickets } = await filled([old]);
    const rotation = await rotationFor(url);
    const told: string[] = [];

    const result = await rotation.reseal(({ done, total }) => told.push(`${done} of ${total}`));

    expect(result).toEqual({ done: 14, failed: 0, left: 0 });
    expect(told.at(0)).toBe("1 of 14");
    expect(told.at(-1)).toBe("14 of 14");
    expect([...rawRows(path).values()].filter(({ value }) => value.includes("1.old."))).toEqual([]);
    await rotation.retire("old");
    const store = await openFor({ url, keys: [fresh] });
    for (const id of [guild, otherGuild]) {
      expect(await store.credentials.read(id, "channel")).toMatchObject({
        value: { secret: `grant of ${id}`, channelId: channel },
      });
      expect(await store.accessTokens.read(id, channel)).toMatchObject({
        value: { token: `token of ${id} ${channel}` },
      });
    }
    expect(await store.tickets.take(tickets[0] ?? "")).toMatchObject({ value: { content: guild } });
    expect((await store.revocations.all()).map(({ token }) => token).sort()).toEqual([
      `revoked of ${guild}`,
      `revoked of ${otherGuild}`,
    ]);
  });

  it("lets rows end when they would have ended, also after a second time", async () => {
    const { url, path } = await filled([old]);
    const before = rawRows(path);
    const there = await rotationFor(url);
    await there.reseal();
    const back = await rotationFor(url, [old, fresh]);
    await back.reseal();

    for (const [key, { value, expires }] of rawRows(path)) {
      const then = before.get(key);
      expect(value).not.toBe(then?.value);
      expect(Math.abs(Number(expires) - Number(then?.expires)), key).toBeLessThan(2_000);
      expect(expires === null, key).toBe(then?.expires === null);
    }
  });

  it("does nothing the second time", async () => {
    const { url, path } = await filled([old]);
    const rotation = await rotationFor(url);
    await rotation.reseal();
    const before = rawRows(path);

    expect(await rotation.reseal()).toEqual({ done: 0, failed: 0, left: 0 });
    expect(rawRows(path)).toEqual(before);
  });

  it("never overwrites what was written meanwhile, and brings back nothing that was removed", async () => {
    const { url } = await filled([old]);
    const backend = await openBackend(url);
    const keyring = createKeyring([fresh, old]);
    const running = await createStore({
      backend: await openBackend(url),
      keyring: createKeyring([old]),
    });
    onTestFinished(() => running.close());
    const meanwhile = [
      () => running.credentials.write(guild, videoKey("newer")),
      () => running.credentials.remove(otherGuild, "video-key"),
    ];
    const rotation = createRotation(
      {
        ...backend,
        update: async (at, make, ttlMs) => {
          if (at.key === `${guild}:video-key`) await meanwhile.shift()?.();
          if (at.key === `${otherGuild}:video-key`) await meanwhile.pop()?.();
          return backend.update(at, make, ttlMs);
        },
      },
      keyring,
    );

    const { failed, left } = await rotation.reseal();
    await rotation.close();

    expect({ failed, left, meanwhile }).toEqual({ failed: 0, left: 0, meanwhile: [] });
    const store = await openFor({ url, keys: [fresh, old] });
    expect(await store.credentials.read(guild, "video-key")).toMatchObject({
      value: { secret: "newer" },
    });
    expect(await store.credentials.read(otherGuild, "video-key")).toEqual({ state: "absent" });
  });

  it("leaves a damaged row as it is and counts it", async () => {
    const { url, path } = await filled([old]);
    alter(
      path,
      `UPDATE entries SET value = replace(value, '1.old.', '1.old.AAAA') WHERE key = 'credential:${guild}:channel'`,
    );
    const before = rawRows(path).get(`credential:${guild}:channel`);
    const rotation = await rotationFor(url);

    expect(await rotation.reseal()).toEqual({ done: 13, failed: 1, left: 1 });
    expect(rawRows(path).get(`credential:${guild}:channel`)).toEqual(before);
    await expect(rotation.retire("old")).rejects.toMatchObject({
      code: "key_in_use",
      message: 'key "old" seals 1 row',
    });
  });
});

describe("status", () => {
  it("tells of every key its rows by kind, its canary, and which one seals", async () => {
    const { url } = await filled([old]);
    const rotation = await rotationFor(url);

    expect(await rotation.status()).toEqual([
      {
        id: "new",
        isSealing: true,
        canary: "absent",
        rows: { credential: 0, token: 0, ticket: 0, revocation: 0 },
      },
      {
        id: "old",
        isSealing: false,
        canary: "opens",
        rows: { credential: 6, token: 4, ticket: 2, revocation: 2 },
      },
    ]);
  });

  it("tells of a key that is not here, and of another one under its id", async () => {
    const { url } = await filled([old]);
    const without = await rotationFor(url, [fresh]);
    const another = await rotationFor(url, [masterKey("old", 9)]);

    expect((await without.status()).map(({ id, canary }) => [id, canary])).toEqual([
      ["new", "absent"],
      ["old", "unknown"],
    ]);
    expect((await another.status()).map(({ id, canary }) => [id, canary])).toEqual([
      ["old", "another"],
    ]);
  });

  it("knows which keys a bot was started with, and with which it seals", async () => {
    const { url } = await filled([old]);
    const rotation = await rotationFor(url);
    expect(await rotation.sealingAtLastStart()).toBe("old");

    const store = await openStore({ url, keys: [old, fresh] });
    await store.close();

    expect((await rotation.status()).map(({ canary }) => canary)).toEqual(["opens", "opens"]);
    expect(await rotation.sealingAtLastStart()).toBe("old");
  });
});

describe("the check at the start", () => {
  it.each([
    ["credential", 6],
    ["token", 4],
    ["ticket", 2],
    ["revocation", 2],
  ])("refuses a missing key also when only %s rows need it", async (kind, count) => {
    const { url, path } = await filled([old]);
    alter(path, `DELETE FROM entries WHERE key NOT GLOB '${kind}:*' AND key NOT GLOB 'canary:*'`);

    await expect(openStore({ url, keys: [fresh] })).rejects.toMatchObject({
      code: "store_keys",
      message: expect.stringContaining(`key id "old" is unknown, for ${count} rows`),
    });
  });

  it("stays satisfied with a key that nothing needs, whoever starts in between", async () => {
    const { url } = await filled([old]);
    const rotation = await rotationFor(url);
    await rotation.reseal();

    await (await openStore({ url, keys: [fresh] })).close();
    // This one has the old list still, and what it seals must be known of at the next start.
    const late = await openStore({ url, keys: [old, fresh] });
    await late.credentials.write(guild, videoKey("late"));
    await late.close();

    await expect(openStore({ url, keys: [fresh] })).rejects.toMatchObject({
      message: expect.stringContaining('key id "old" is unknown, for 1 row'),
    });
  });
});
