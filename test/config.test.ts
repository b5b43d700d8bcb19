import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { configVariables, readConfig } from "../src/config.ts";
import { ConfigError } from "../src/errors.ts";

const keys = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString("base64")}`;
const live = { DISCORD_TOKEN: "token.of.bot", SECRET_KEYS: keys("k1", 1) };

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [, ...lines] = error.message.split("\n");
    return lines.map((line) => line.trim());
  }
}

describe("readConfig", () => {
  it.each([
    ["22", 22_000_000],
    ["0.5", 500_000],
  ])("takes %s MB as the largest picture that is sent on", (megabytes, maxBytes) => {
    expect(readConfig({ BACKGROUND_MAX_MB: megabytes }).background.maxBytes).toBe(maxBytes);
  });

  it.each(["0", "101", "12MB", "-1", "1e3"])("refuses %s MB", (megabytes) => {
    expect(() => readConfig({ BACKGROUND_MAX_MB: megabytes })).toThrow(
      "BACKGROUND_MAX_MB is not a file size; allowed is a number of megabytes from 0.1 to 100",
    );
  });

  it("starts the sandbox with real addresses when nothing is set", () => {
    expect(readConfig({})).toEqual({
      mode: "sandbox",
      discord: {
        token: undefined,
        apiUrl: "https://discord.com/api",
        siteUrl: "https://discord.com",
        clientSecret: undefined,
        publicKey: undefined,
        requestsPerSecond: undefined,
        shards: undefined,
        shardCount: undefined,
      },
      video: {
        baseUrl: "https://youtube.googleapis.com/youtube/v3",
        uploadBaseUrl: "https://youtube.googleapis.com/upload/youtube/v3",
      },
      background: {
        baseUrl: "https://api.remove.bg/v1.0",
        hasStandIns: false,
        maxBytes: 12_000_000,
      },
      oauth: {
        authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
        tokenUrl: "https://oauth2.googleapis.com/token",
        revokeUrl: "https://oauth2.googleapis.com/revoke",
        client: undefined,
      },
      store: { url: "sqlite:.greenroom/sandbox.sqlite", keys: [] },
      hubUrl: "https://pubsubhubbub.appspot.com/subscribe",
      publicUrl: undefined,
      port: undefined,
      healthHost: "127.0.0.1",
      healthPort: undefined,
      sharedDailyUnits: undefined,
      guildDailyUnits: undefined,
      logLevel: "info",
      production: false,
    });
  });

  it.each([
    [{}, { baseUrl: "https://api.remove.bg/v1.0", rembgUrl: "http://127.0.0.1:7000" }],
    [
      { BACKGROUND_API_URL: "http://rembg:7000/" },
      { baseUrl: "https://api.remove.bg/v1.0", rembgUrl: "http://rembg:7000" },
    ],
  ])("takes rembg for servers without a key of remove.bg, at %j", (address, background) => {
    expect(readConfig({ BACKGROUND_ENGINE: "rembg", ...address }).background).toMatchObject(
      background,
    );
  });

  it("sends keys of remove.bg to no address without TLS", () => {
    expect(() => readConfig({ BACKGROUND_API_URL: "http://rembg:7000" })).toThrow(
      /BACKGROUND_API_URL is not an https:\/\/ address .*, or BACKGROUND_ENGINE=rembg/,
    );
  });

  it("takes a token as the wish to run against Discord", () => {
    const others = { NODE_ENV: "production", PORT: "8080", LOG_LEVEL: "debug" };
    const config = readConfig({ ...live, ...others });

    expect(config).toMatchObject({
      mode: "discord",
      discord: { token: "token.of.bot" },
      store: { url: "sqlite:.greenroom/greenroom.sqlite", keys: [{ id: "k1" }] },
      port: 8080,
      logLevel: "debug",
      production: true,
    });
    expect(config.store.keys[0]?.key).toEqual(Buffer.alloc(32, 1));
  });

  it.each([
    ["0-3", [0, 1, 2, 3]],
    ["5", [5]],
    ["7, 0-1", [0, 1, 7]],
  ])("reads the shards %s", (text, shards) => {
    const store = { STORE_URL: "postgres://127.0.0.1/a" };

    const { discord } = readConfig({ ...live, ...store, SHARDS: text, SHARD_COUNT: "16" });

    expect(discord).toMatchObject({ shards, shardCount: 16 });
  });

  it.each([
    [{ SHARDS: "0-3,2-5", SHARD_COUNT: "16" }, /^SHARDS names a shard twice/],
    [{ SHARDS: "3-1", SHARD_COUNT: "16" }, /^SHARDS is not a list of shards/],
    [{ SHARDS: "all", SHARD_COUNT: "16" }, /^SHARDS is not a list of shards/],
    [{ SHARDS: "0-99999", SHARD_COUNT: "16" }, /^SHARDS is not a list of shards/],
    [{ SHARDS: "0-3" }, /^SHARD_COUNT is missing/],
    [{ SHARDS: "0-4", SHARD_COUNT: "4" }, /^SHARDS has shard 4; .*allowed are 0 to 3$/],
    [{ SHARDS: "0", SHARD_COUNT: "2" }, /^SHARDS leaves shards .*STORE_URL.* postgres:/],
    [{ SHARD_COUNT: "0" }, /^SHARD_COUNT is not a number of shards/],
    [{ DISCORD_REQUESTS_PER_SECOND: "0" }, /^DISCORD_REQUESTS_PER_SECOND is not a rate/],
    [{ SHARED_DAILY_UNITS: "many" }, /^SHARED_DAILY_UNITS is not an amount/],
    [
      { DISCORD_PUBLIC_KEY: "abc", PUBLIC_URL: "https://a.example" },
      /^DISCORD_PUBLIC_KEY is not a public key/,
    ],
    [{ DISCORD_PUBLIC_KEY: "0f".repeat(32) }, /^PUBLIC_URL is missing/],
    [{ HEALTH_HOST: "everywhere" }, /^HEALTH_HOST is not an address/],
  ])("names what is wrong with %j", (env, words) => {
    expect(faultsOf({ ...live, ...env })).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    [{ SHARDS: "0-4", SHARD_COUNT: "4" }, /^SHARDS has shard 4/],
    [{ SHARDS: "0", SHARD_COUNT: "2" }, /^SHARDS leaves shards/],
    [{ SHARDS: "0" }, /^SHARD_COUNT is missing/],
    [{ DISCORD_PUBLIC_KEY: "0f".repeat(32) }, /^PUBLIC_URL is missing/],
    [{ DISCORD_PUBLIC_KEY: "abc", PUBLIC_URL: "https://a.example", SHARDS: "0" }, /^SHARDS can't/],
  ])(
    "says of %j how its variables contradict each other, also beside a malformed one",
    (env, words) => {
      const faults = faultsOf({ ...live, ...env, PORT: "none" });

      expect(faults).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^PORT is not a port/),
          expect.stringMatching(words),
        ]),
      );
    },
  );

  it.each([
    { SHARDS: "0-3", SHARD_COUNT: "four" },
    { SHARDS: "some", SHARD_COUNT: "4" },
    { SHARDS: "0", SHARD_COUNT: "2", STORE_URL: "greenroom" },
  ])("compares nothing with a malformed variable: %j", (env) => {
    expect(faultsOf({ ...live, ...env })).toHaveLength(1);
  });

  it("refuses shards where interactions come over HTTP", () => {
    const env = { DISCORD_PUBLIC_KEY: "0f".repeat(32), PUBLIC_URL: "https://bot.example" };

    expect(faultsOf({ ...live, ...env, SHARDS: "0", SHARD_COUNT: "1" })).toEqual([
      expect.stringMatching(/^SHARDS can't be set together with DISCORD_PUBLIC_KEY/),
      expect.stringMatching(/^SHARD_COUNT can't be set together with DISCORD_PUBLIC_KEY/),
    ]);
  });

  it("keeps the order of the master keys, because the first one encrypts", () => {
    const SECRET_KEYS = `${keys("new", 2)}, ${keys("old-1", 1)}`;
    const { store } = readConfig({ ...live, SECRET_KEYS });

    expect(store.keys.map(({ id }) => id)).toEqual(["new", "old-1"]);
  });

  it.each([
    ["the video address when only that is set", {}, "https://a.example/v3"],
    ["their own", { VIDEO_UPLOAD_URL: "https://b.example/up/" }, "https://b.example/up"],
  ])("sends uploads to %s", (_, env, uploadBaseUrl) => {
    const { video } = readConfig({ VIDEO_API_URL: "https://a.example/v3//", ...env });

    expect(video).toEqual({ baseUrl: "https://a.example/v3", uploadBaseUrl });
  });

  it("reads the registration at the authorisation service", () => {
    const { oauth } = readConfig({
      OAUTH_CLIENT_ID: "id.apps.example",
      OAUTH_CLIENT_SECRET: "a-secret",
      OAUTH_TOKEN_URL: "http://127.0.0.1:9/token",
    });

    expect(oauth).toMatchObject({
      tokenUrl: "http://127.0.0.1:9/token",
      client: { clientId: "id.apps.example", clientSecret: "a-secret" },
    });
    expect(Object.isFrozen(oauth) && Object.isFrozen(oauth.client)).toBe(true);
  });

  it.each([
    ["OAUTH_CLIENT_SECRET is missing", { OAUTH_CLIENT_ID: "id" }],
    ["OAUTH_CLIENT_ID is missing", { OAUTH_CLIENT_SECRET: "secret" }],
    ["DISCORD_TOKEN is missing; NODE_ENV=production", { NODE_ENV: "production" }],
  ])("says that %s", (words, env) => {
    expect(faultsOf(env)).toEqual([expect.stringMatching(`^${words}`)]);
  });

  it("counts an empty variable as absent", () => {
    expect(readConfig(Object.fromEntries(configVariables.map((name) => [name, " "])))).toEqual(
      readConfig({}),
    );
  });

  it("answers a frozen value", () => {
    const config = readConfig(live);

    const { discord, video, oauth, store } = config;
    for (const part of [config, discord, video, oauth, store, store.keys]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it("reports every fault at once, one line each, by name and with what is allowed", () => {
    const faults = faultsOf({
      DISCORD_TOKEN: "Bot abc",
      DISCORD_API_URL: "discord.com",
      VIDEO_API_URL: "http://video.example",
      VIDEO_UPLOAD_URL: "ftp://video.example",
      BACKGROUND_API_URL: "https://name:word@images.example",
      OAUTH_CLIENT_ID: "two words",
      OAUTH_CLIENT_SECRET: "two words",
      OAUTH_TOKEN_URL: "http://accounts.example/token",
      STORE_URL: "file.sqlite",
      PORT: "65536",
      LOG_LEVEL: "loud",
      NODE_ENV: "prod",
    });

    expect(faults).toEqual([
      expect.stringMatching(/^DISCORD_TOKEN .*without the word Bot/),
      expect.stringMatching(/^DISCORD_API_URL .*https:/),
      expect.stringMatching(/^VIDEO_API_URL .*http:\/\/ only for this machine/),
      expect.stringMatching(/^VIDEO_UPLOAD_URL .*https:/),
      expect.stringMatching(/^BACKGROUND_API_URL .*without query, name or password/),
      expect.stringMatching(/^OAUTH_CLIENT_ID .*the client's id alone/),
      expect.stringMatching(/^OAUTH_CLIENT_SECRET .*the client's secret alone/),
      expect.stringMatching(/^OAUTH_TOKEN_URL .*https:/),
      expect.stringMatching(/^STORE_URL .*sqlite:/),
      expect.stringMatching(/^PORT .*1 to 65535/),
      expect.stringMatching(/^LOG_LEVEL .*debug, info, warn and error/),
      expect.stringMatching(/^NODE_ENV .*production, development and test/),
      expect.stringMatching(/^SECRET_KEYS is missing/),
    ]);
  });

  it.each(["0", "-1", "80.5", "1e3", "0x50", "123456", "http"])("refuses the port %s", (PORT) => {
    expect(faultsOf({ PORT })).toEqual([expect.stringContaining("PORT")]);
  });

  it.each([
    "http://localhost:1",
    "http://127.0.0.1/a",
    "http://127.8.9.1",
    "http://[::1]:9",
    "https://a.example",
  ])("accepts the address %s", (address) => {
    expect(readConfig({ DISCORD_API_URL: address }).discord.apiUrl).toBe(address);
  });

  it.each([
    "http://localhost.example",
    "http://127.0.0.1.example",
    "http://10.0.0.1",
    "https://a.example/?key=1",
    "https://a.example/#x",
    "https://",
  ])("refuses the address %s", (address) => {
    expect(faultsOf({ DISCORD_API_URL: address })).toEqual([
      expect.stringContaining("DISCORD_API_URL"),
    ]);
  });

  it.each(["sqlite:a.sqlite", "postgres://u:p@a/db", "postgresql://a"])(
    "takes %s as the address of a store",
    (STORE_URL) => {
      expect(readConfig({ STORE_URL }).store.url).toBe(STORE_URL);
    },
  );

  it.each(["postgres://u:50%off@a", "postgres://u:p%ff@a/db", "postgres://u:sec#ret@a"])(
    "refuses %s as the address of a store, and reveals nothing of its password",
    (STORE_URL) => {
      const faults = faultsOf({ STORE_URL });

      expect(faults).toEqual([expect.stringMatching(/^STORE_URL .*%25/)]);
      expect(faults.join()).not.toMatch(/50|p%ff|sec#|ret@/);
    },
  );

  it.each(["redis://u:a-secret@a", "rediss://a:6380/2"])(
    "refuses %s as no store, and says what is one",
    (STORE_URL) => {
      const faults = faultsOf({ STORE_URL });

      expect(faults).toEqual([
        expect.stringMatching(/^STORE_URL is an address of Redis, .*sqlite:.*postgres:\/\//),
      ]);
      expect(faults.join()).not.toContain("a-secret");
    },
  );

  it.each([
    ["no id", Buffer.alloc(32).toString("base64")],
    ["too few bytes", `k:${Buffer.alloc(31).toString("base64")}`],
    ["too many bytes", `k:${Buffer.alloc(33).toString("base64")}`],
    ["an id in capitals", keys("K1", 1)],
    ["an id that is too long", keys("a".repeat(17), 1)],
    ["an id twice", `${keys("k", 1)},${keys("k", 2)}`],
    ["an empty entry", `${keys("k", 1)},`],
  ])("refuses master keys with %s", (_, SECRET_KEYS) => {
    expect(faultsOf({ ...live, SECRET_KEYS })).toEqual([
      expect.stringMatching(/^SECRET_KEYS .*id:base64-of-32-bytes/),
    ]);
  });

  it("never shows the value of a variable", () => {
    const canary = "cAnArY-0123456789";

    const faults = configVariables.flatMap((name) => faultsOf({ [name]: `${canary} ${canary}` }));

    expect(faults.length).toBeGreaterThanOrEqual(configVariables.length);
    expect(faults.join("\n")).not.toContain(canary);
  });
});

describe(".env.example", () => {
  const lines = readFileSync(new URL("../.env.example", import.meta.url), "utf8")
    .trim()
    .split("\n");

  it("lists the variables in the same order", () => {
    const names = lines.filter((line) => !line.startsWith("#")).map((line) => line.split("=")[0]);

    expect(names).toEqual(configVariables);
  });

  it("gives each variable one line of why", () => {
    const comments = lines.filter((_, index) => index % 2 === 0);

    expect(lines).toHaveLength(configVariables.length * 2);
    expect(comments.every((line) => /^# \S.{20,}/.test(line))).toBe(true);
  });
});

describe("the documented defaults", () => {
  const example = readFileSync(new URL("../.env.example", import.meta.url), "utf8");
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const { discord, video, background, oauth, store, logLevel } = readConfig(live);
  const defaults: Readonly<Record<string, string>> = {
    DISCORD_API_URL: discord.apiUrl,
    VIDEO_API_URL: video.baseUrl,
    VIDEO_UPLOAD_URL: video.uploadBaseUrl,
    BACKGROUND_API_URL: background.baseUrl,
    BACKGROUND_MAX_MB: `${background.maxBytes / 1e6}`,
    OAUTH_AUTHORIZE_URL: oauth.authorizeUrl,
    OAUTH_TOKEN_URL: oauth.tokenUrl,
    OAUTH_REVOKE_URL: oauth.revokeUrl,
    STORE_URL: store.url,
    LOG_LEVEL: logLevel,
  };

  it.each(Object.entries(defaults))("of %s are those that are used", (name, value) => {
    const [, comment = ""] = new RegExp(`# (.*)\\n${name}=`, "u").exec(example) ?? [];
    const [, cell = ""] = new RegExp(`\\| \`${name}\` .*\\| ([^|]*)\\|\\n`, "u").exec(readme) ?? [];

    expect(comment.endsWith(value)).toBe(true);
    expect(cell).toContain(`\`${value}\``);
  });

  it.each(configVariables)("have a row for %s in the README", (name) => {
    expect(readme).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|.*\\|.*\\|$`, "mu"));
  });
});
