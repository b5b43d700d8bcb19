import { describe, expect, it } from "vitest";
import { ConnectError, ServiceError } from "../../src/errors.ts";
import type { AccessTokens } from "../../src/store/index.ts";
import { failureOf } from "../http/server.ts";
import { expectFailure, guild, minute, openOAuth, refuse, studioId } from "./stage.ts";

const hour = 60 * minute;
const day = 24 * hour;
const invalidGrant = (times: number) => refuse(400, { error: "invalid_grant" }, times);

describe("a consent that the service calls over", () => {
  it("is tried a second time, and lives on when that succeeds", async () => {
    const { tokens, link, server, store, asked, gone } = await openOAuth();
    await link();
    server.faults.add(invalidGrant(1));

    expect(server.knows(await tokens.of(guild)())).toBe(true);

    expect(asked).toHaveLength(2);
    expect(gone).toEqual([]);
    const read = await store.credentials.read(guild, "channel");
    expect(read).not.toHaveProperty("value.brokenAt");
  });

  it("is marked and reported once for 200 callers, and then refused without a request", async () => {
    const { tokens, another, link, server, store, asked, gone, now } = await openOAuth();
    const refreshToken = await link();
    server.expire(refreshToken);
    const others = another();

    const errors = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        failureOf((n % 2 ? tokens : others).of(guild)(), ConnectError),
      ),
    );
    await failureOf(tokens.of(guild, studioId)(), ConnectError);
    await failureOf(another().of(guild)(), ConnectError);

    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["invalid_grant"]));
    expect(gone).toEqual([{ guildId: guild, channelId: studioId, isSevenDays: false }]);
    expect(await store.credentials.read(guild, "channel")).toMatchObject({
      state: "found",
      value: { secret: refreshToken, brokenAt: expect.closeTo(now(), -5) },
    });
    expect(asked).toHaveLength(2);
  });

  it("carries nothing that the service wrote", async () => {
    const { tokens, link, server } = await openOAuth();
    await link();
    server.faults.add(
      refuse(400, { error: "invalid_grant", error_description: "a-text-of-the-service" }, 99),
    );

    const error = await failureOf(tokens.of(guild)(), ConnectError);

    expect(JSON.stringify([error, error.message])).not.toContain("a-text-of");
  });

  it("is asked about once an hour, and heals when it was called over by mistake", async () => {
    const { tokens, another, link, server, store, asked, gone, advance } = await openOAuth();
    await link();
    server.faults.add(invalidGrant(3));
    await failureOf(tokens.of(guild)(), ConnectError);
    advance(59 * minute);
    await failureOf(tokens.of(guild)(), ConnectError);
    expect(asked).toHaveLength(2);
    advance(minute);

    await failureOf(tokens.of(guild)(), ConnectError);
    await failureOf(tokens.of(guild)(), ConnectError);
    expect(asked).toHaveLength(3);
    advance(hour);

    expect(server.knows(await tokens.of(guild)())).toBe(true);
    expect(server.knows(await another().of(guild)())).toBe(true);
    expect(asked).toHaveLength(4);
    expect(gone).toHaveLength(1);
    const read = await store.credentials.read(guild, "channel");
    expect(read).not.toHaveProperty("value.brokenAt");
  });

  it("works at once after it was linked anew", async () => {
    const { tokens, link, server } = await openOAuth();
    server.expire(await link());
    await failureOf(tokens.of(guild)(), ConnectError);
    await link();

    expect(server.knows(await tokens.of(guild)())).toBe(true);
  });

  it("works at once after the same token was entered anew, or healed elsewhere", async () => {
    const { tokens, another, link, server, store, asked } = await openOAuth();
    const refreshToken = await link();
    const others = another();
    server.faults.add(invalidGrant(2));
    await failureOf(tokens.of(guild)(), ConnectError);
    await failureOf(others.of(guild)(), ConnectError);
    expect(asked).toHaveLength(2);
    await store.credentials.changeChannel(guild, studioId, { brokenAt: undefined });

    expect(server.knows(await tokens.of(guild)())).toBe(true);
    expect(server.knows(await others.of(guild)())).toBe(true);
    expect(await store.credentials.read(guild, "channel")).toMatchObject({
      value: { secret: refreshToken },
    });
  });

  it("takes the old token with it, in other processes too", async () => {
    const { tokens, another, link, server, store, advance } = await openOAuth();
    const refreshToken = await link();
    await tokens.of(guild)();
    const others = another();
    await others.of(guild)();
    advance(56 * minute);
    server.expire(refreshToken);
    await tokens.of(guild)();
    const marked = async () =>
      Object(await store.credentials.read(guild, "channel")).value.brokenAt;
    await expect.poll(marked).toBeTypeOf("number");

    await expectFailure(tokens.of(guild)(), ConnectError, "invalid_grant");
    await expectFailure(others.of(guild)(), ConnectError, "invalid_grant");
    expect(await store.accessTokens.read(guild, studioId)).toEqual({ state: "absent" });
  });

  it.each([
    [6.4, "invalid_grant"],
    [6.6, "grant_seven_days"],
    [7.5, "grant_seven_days"],
    [8.1, "invalid_grant"],
  ])("after %d days is reported as %s", async (days, code) => {
    const { tokens, link, server, advance, gone } = await openOAuth();
    const refreshToken = await link();
    advance(days * day);
    server.expire(refreshToken);

    expect(await failureOf(tokens.of(guild)(), ConnectError)).toMatchObject({ code });
    advance(59 * minute);
    expect(await failureOf(tokens.of(guild)(), ConnectError)).toMatchObject({ code });
    expect(gone).toMatchObject([{ isSevenDays: code === "grant_seven_days" }]);
  });

  it("is not marked when it was linked anew at the last moment", async () => {
    const { link, another, server, store, gone } = await openOAuth();
    server.expire(await link());
    let anew = "";
    const { credentials } = store;
    const tokens = another({
      credentials: {
        ...credentials,
        changeChannel: async (...args) => {
          anew = await link();
          return credentials.changeChannel(...args);
        },
      },
    });

    expect(server.knows(await tokens.of(guild)())).toBe(true);
    expect(gone).toEqual([]);
    expect(await credentials.read(guild, "channel")).toMatchObject({ value: { secret: anew } });
    expect(await credentials.read(guild, "channel")).not.toHaveProperty("value.brokenAt");
  });

  it("is reported later when it could not be marked", async () => {
    const { link, another, server, store, gone, advance } = await openOAuth();
    server.expire(await link());
    let isFailing = true;
    const { credentials } = store;
    const tokens = another({
      credentials: {
        ...credentials,
        changeChannel: async (...args) => {
          if (isFailing) throw new ServiceError("x", { code: "store_unavailable" });
          return credentials.changeChannel(...args);
        },
      },
    });
    await failureOf(tokens.of(guild)(), ConnectError);
    expect(gone).toEqual([]);
    isFailing = false;
    advance(minute);

    await failureOf(tokens.of(guild)(), ConnectError);

    expect(gone).toHaveLength(1);
  });
});

describe("an access token that was entered by itself", () => {
  it("serves until its end and is never refreshed", async () => {
    const { tokens, server, store, asked, advance, now } = await openOAuth();
    const { accessToken, expiresAt } = server.mint({ channelId: studioId });
    await store.credentials.write(guild, {
      kind: "channel",
      grant: "access",
      channelId: studioId,
      secret: accessToken,
      endsAt: expiresAt,
      addedBy: "333333333333333333",
      addedAt: now(),
    });
    const token = tokens.of(guild);

    expect(await token()).toBe(accessToken);
    await expectFailure(token(accessToken), ConnectError, "access_token_over");
    advance(expiresAt - now());
    await expectFailure(token(), ConnectError, "access_token_over");
    expect(asked).toEqual([]);
  });
});

const broken = async (): Promise<never> => {
  throw new ServiceError("the store's database failed", { code: "store_unavailable" });
};

describe("a store that fails while a token is refreshed", () => {
  const accessTokens: AccessTokens = {
    read: async () => ({ state: "failed", error: new Error("disk") }),
    write: broken,
    remove: broken,
  };

  it("costs no token", async () => {
    const { link, another, server, store, advance, asked } = await openOAuth();
    await link();
    const { database } = store;
    const servers = { ...database.servers, find: broken };
    const tokens = another({ accessTokens, database: { ...database, servers } });
    const token = tokens.of(guild);

    const first = await token();
    advance(56 * minute);
    const second = await token();
    await expect.poll(token).not.toBe(first);
    server.expireAll();

    expect(second).toBe(first);
    expect(server.knows(await token(await token()))).toBe(true);
    expect(asked).toHaveLength(3);
  });

  it("right after it costs none either", async () => {
    const { link, another, server, store } = await openOAuth();
    await link();
    let reads = 0;
    const { credentials } = store;
    const tokens = another({
      credentials: {
        ...credentials,
        read: async (...args) => {
          reads += 1;
          if (reads === 1) return credentials.read(...args);
          return { state: "failed", error: new Error("disk") };
        },
      },
    });

    expect(server.knows(await tokens.of(guild)())).toBe(true);
  });
});
