import { once } from "node:events";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { diagnose } from "../../../src/cli/diagnosis/diagnose.ts";
import { wantedPermissions } from "../../../src/cli/diagnosis/discord.ts";
import { formatFindings } from "../../../src/cli/diagnosis/findings-table.ts";
import { inviteLink } from "../../../src/discord/wire/invite.ts";
import { openStore } from "../../../src/store/index.ts";
import { type Env, masterKey, openDoctorStage, otherKey, seed } from "./stage.ts";

const stage = await openDoctorStage();
const { sandbox, pages, good, folder, started, diagnosed, without } = stage;
afterAll(stage.close);

describe("the doctor", () => {
  it("finds nothing wrong with a bot that runs well", async () => {
    const { wrong, warnings, fine } = await diagnosed(good);

    expect(wrong).toEqual([]);
    // In a test, every address is one of this machine.
    expect(warnings).toEqual(["configuration: PUBLIC_URL is an address of this machine"]);
    expect(fine).toEqual(
      expect.arrayContaining([
        "store: a row was written, read and deleted",
        'master keys: "main" encrypts new rows; 1 row can be decrypted',
        "bot's token: opens as Greenroom",
        "Discord client secret: belongs to the application",
        "registration: Google knows it",
        "permissions in servers: has all its permissions in 1",
        "clock: right to within a few seconds",
        "health: the bot is running and ready",
        `public pages: ${pages.url} shows the bot's pages`,
      ]),
    );
  });

  it("leaves what is stored as it was, its marks of keys too", async () => {
    const key = Buffer.from(masterKey, "base64");
    const other = Buffer.from(otherKey, "base64");
    const STORE_URL = `sqlite:${join(folder, "untouched.sqlite")}`;
    await seed({ STORE_URL });

    // With a key that no process of the bot has used yet.
    await diagnosed({ ...good, STORE_URL, SECRET_KEYS: `next:${otherKey},main:${masterKey}` });
    const { fine } = await diagnosed({ ...good, STORE_URL });
    const keys = Object.entries({ main: key, next: other }).map(([id, key]) => ({ id, key }));
    const store = await openStore({ url: STORE_URL, keys });
    const read = await store.credentials.read("1499560987852800000", "video-key");
    await store.close();

    expect(fine).toContain('master keys: "main" encrypts new rows; 1 row can be decrypted');
    expect(read).toMatchObject({ state: "found", value: { secret: "a-key-of-somebody" } });
  });

  it("makes no store where there is none yet", async () => {
    const path = join(folder, "new/one.sqlite");

    const { fine } = await diagnosed({ ...good, STORE_URL: `sqlite:${path}` });

    expect(fine).toContain("store: it is created at the first start");
    expect(() => readFileSync(path)).toThrow("ENOENT");
  });

  it("reports every fault of the environment at once, and looks at nothing else", async () => {
    const { wrong, isReadable } = await diagnosed({
      ...without("SECRET_KEYS"),
      PORT: "99999",
      PUBLIC_URL: "http://bot.example",
    });

    expect(isReadable).toBe(false);
    expect(wrong).toEqual([
      expect.stringContaining("PUBLIC_URL is not"),
      expect.stringContaining("PORT is not"),
      expect.stringContaining("SECRET_KEYS is missing"),
    ]);
  });

  it.each([
    [["PUBLIC_URL"], "OAUTH_CLIENT_ID is set and PUBLIC_URL is not"],
    [["OAUTH_CLIENT_ID", "OAUTH_CLIENT_SECRET"], "PUBLIC_URL is set and OAUTH_CLIENT_ID is not"],
    [["DISCORD_CLIENT_SECRET"], "DISCORD_CLIENT_SECRET is not set"],
    [["NODE_ENV"], "NODE_ENV is not production"],
    [["DISCORD_TOKEN", "NODE_ENV"], "DISCORD_TOKEN is not set, so npm start runs the sandbox"],
  ] as const)("is in doubt where %j is missing", async (names, expected) => {
    const { warnings, wrong } = await diagnosed(without(...names));

    expect(warnings).toContain(`configuration: ${expected}`);
    expect(wrong).toEqual([]);
  });

  it("reports a store's password that nobody can decode, without it", async () => {
    const envFile = join(folder, "none.env");
    const STORE_URL = "postgres://u:50%off-canary@127.0.0.1:1/g";
    const { findings, secrets } = await diagnose({ env: { ...good, STORE_URL }, envFile });

    const report = findings.map((finding) => JSON.stringify(finding)).join("\n");
    expect(report).toContain("STORE_URL");
    expect(report).not.toContain("off-canary");
    expect(secrets.join()).toContain("off-canary");
  });

  it("knows a token that Discord refuses, and asks nothing more with it", async () => {
    const { wrong, findings } = await diagnosed({ ...good, DISCORD_TOKEN: "MTIz.wrong.token" });

    expect(wrong).toEqual(["bot's token: Discord refuses it"]);
    expect(findings.map(({ check }) => check)).not.toContain("application");
  });

  it("knows a redirect that is not registered", async () => {
    const elsewhere = await started((_, response) => response.end("Greenroom"));

    const { wrong } = await diagnosed({ ...good, PUBLIC_URL: elsewhere.url });

    expect(wrong).toEqual(["application: its redirects lack the address to which people return"]);
  });

  const typedKey = Buffer.alloc(32, "a").toString("base64");
  it.each<[string, Record<string, string>, readonly unknown[]]>([
    [
      "client secrets that are refused, at Discord and at the authorisation service",
      { DISCORD_CLIENT_SECRET: "not-the-secret", OAUTH_CLIENT_SECRET: "not-the-secret-either" },
      ["Discord client secret: Discord refuses it", "registration: Google refuses it"],
    ],
    [
      "a master key that is missing",
      { SECRET_KEYS: `next:${otherKey}` },
      ['master keys: "main" is missing, and 1 row cannot be decrypted without it'],
    ],
    [
      "a master key that is another",
      { SECRET_KEYS: `main:${otherKey}` },
      ['master keys: "main" is not the key that encrypted 1 row'],
    ],
    [
      "a master key that somebody typed",
      { SECRET_KEYS: `typed:${typedKey},main:${masterKey}` },
      ['configuration: the master key "typed" is not random'],
    ],
    [
      "a public address that nobody knows, though no bot runs",
      { DISCORD_CLIENT_SECRET: "", HEALTH_PORT: "1", PUBLIC_URL: "https://greenroom.invalid" },
      ["public pages: https://greenroom.invalid: its name cannot be resolved"],
    ],
    [
      "a store's server that is not there",
      { STORE_URL: "postgres://bot:a-password-of-it@127.0.0.1:1/g" },
      [expect.stringMatching(/^store: the store's PostgreSQL at 127\.0\.0\.1:1/)],
    ],
  ])("knows %s", async (_, env, expected) => {
    const { wrong, findings } = await diagnosed({ ...good, ...env });

    expect(wrong).toEqual(expected);
    expect(JSON.stringify(findings)).not.toContain("a-password-of-it");
  });

  it("is in doubt about rows that an old master key still seals", async () => {
    const SECRET_KEYS = `typed:${typedKey},main:${masterKey}`;

    const { warnings } = await diagnosed({ ...good, SECRET_KEYS });

    expect(warnings).toContain('master keys: 1 row is still encrypted with "main"');
  });

  it("knows a file that is no database, and one that others could read", async () => {
    const path = join(folder, "broken.sqlite");
    writeFileSync(path, "this is no database, and never was one");
    const open = join(folder, "open.sqlite");
    copyFileSync(join(folder, "bot.sqlite"), open);
    chmodSync(open, 0o644);

    const [broken, readable] = await Promise.all([
      diagnosed({ ...good, STORE_URL: `sqlite:${path}` }),
      diagnosed({ ...good, STORE_URL: `sqlite:${open}` }),
    ]);

    expect(broken.wrong).toEqual([expect.stringMatching(/^store: .*can't be opened/)]);
    expect(readable.warnings).toContain(
      `store: others on this machine can read ${open} (mode 644)`,
    );
  });

  it("distinguishes how a service can't be reached", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const cutting = await started((request) => request.socket.destroy());
    const failing = await started((_, response) => {
      response.statusCode = 503;
      response.end();
    });
    const { port } = silent.address() as { port: number };

    const { wrong, warnings } = await diagnosed({
      ...good,
      VIDEO_API_URL: "http://127.0.0.1:1/v3",
      VIDEO_UPLOAD_URL: `http://127.0.0.1:${port}`,
      BACKGROUND_API_URL: cutting.url.replace("http:", "https:"),
      OAUTH_AUTHORIZE_URL: failing.url,
      OAUTH_REVOKE_URL: "https://greenroom.invalid/revoke",
    });
    silent.close();

    expect(wrong).toEqual([
      "YouTube: 127.0.0.1:1: nothing listens there",
      `YouTube uploads: 127.0.0.1:${port}: no answer within 5 s`,
      expect.stringMatching(/^remove.bg: 127\.0\.0\.1:\d+: (the connection was cut|TLS failed)/),
      expect.stringMatching(/^Google revocation: greenroom\.invalid: its name cannot be resolved/),
    ]);
    expect(warnings).toContain(`Google sign-in: ${new URL(failing.url).host} answers with 503`);
  });

  it("knows an endpoint that silences the gateway, a private bot, and a link that asks for too little", async () => {
    const application = {
      id: sandbox.platform.applicationId,
      name: "Mine",
      bot_public: false,
      interactions_endpoint_url: "https://elsewhere.example/hook",
      install_params: { scopes: ["bot"], permissions: "2048" },
    };
    const discord = await started((request, response) => {
      const answers: Record<string, unknown> = {
        "/api/v10/users/@me": { username: "Mine\u001b[31m" },
        "/api/v10/applications/@me": application,
        "/api/v10/users/@me/guilds?limit=200": [
          { permissions: "8" },
          { permissions: "0" },
          { permissions: `${wantedPermissions}` },
        ],
        "/api/v10/gateway/bot": {
          url: sandbox.platform.url.replace("http", "ws"),
          session_start_limit: { remaining: 3 },
        },
      };
      const answer = answers[request.url ?? ""];
      response.statusCode = answer === undefined ? 404 : 200;
      response.end(JSON.stringify(answer ?? {}));
    });

    const env = { ...without("DISCORD_CLIENT_SECRET"), DISCORD_API_URL: `${discord.url}/api` };
    const { wrong, warnings, findings } = await diagnosed(env);

    expect(wrong).toEqual([
      "application: it has an Interactions Endpoint URL, so commands never reach the bot",
    ]);
    expect(warnings).toEqual(
      expect.arrayContaining([
        "application: its bot is private: only its owner can add it to servers",
        "application: its own install link asks for fewer permissions than the bot can use",
        "permissions in servers: lacks permissions in 1 of 3",
        expect.stringMatching(/^Discord's gateway: .*3 logins left today/),
      ]),
    );
    expect(formatFindings(findings, { width: 100, hasColor: false })).not.toContain("\u001b");
  });

  it("says once what to do about several faults in a row", () => {
    const advice = "Correct them.";
    const fault = (found: string) =>
      ({ check: "configuration", state: "wrong", found, advice }) as const;

    const rows = formatFindings([fault("one"), fault("other")], { width: 100, hasColor: false });

    expect(rows.split(advice)).toHaveLength(2);
    expect(rows.endsWith(advice)).toBe(true);
  });

  it("knows a health port that another program has, and pages that lead elsewhere", async () => {
    const foreign = await started((_, response) => response.end("{}"));

    const taken = await diagnosed({ ...good, HEALTH_PORT: new URL(foreign.url).port });
    const astray = await diagnosed({
      ...without("DISCORD_CLIENT_SECRET"),
      PUBLIC_URL: foreign.url,
    });

    expect(taken.wrong).toEqual([
      expect.stringMatching(/^health: port \d+ is used by another program/),
    ]);
    expect(astray.wrong).toEqual([
      `public pages: ${foreign.url}: another program answers, with 200`,
    ]);
  });

  it("calls pages of a bot that is not running no fault", async () => {
    const { wrong, findings } = await diagnosed({
      ...good,
      HEALTH_PORT: "1",
      PUBLIC_URL: "http://127.0.0.1:2",
      DISCORD_CLIENT_SECRET: "",
    });

    expect(wrong).toEqual([]);
    expect(findings).toContainEqual({
      check: "public pages",
      state: "skipped",
      found: "no bot runs on this machine",
    });
  });

  it.each([
    [20_000, "warning", "20 s behind the services'"],
    [-90_000, "wrong", "90 s ahead of the services'"],
  ])("knows a clock that is %i ms off", async (off, state, expected) => {
    const { findings } = await diagnose({
      env: good,
      envFile: join(folder, "no.env"),
      now: () => Date.now() - off,
    });

    expect(findings.find(({ check }) => check === "clock")).toMatchObject({ state });
    const { found = "" } = findings.find(({ check }) => check === "clock") ?? {};
    expect(Math.abs(Number.parseInt(found, 10) - Number.parseInt(expected, 10))).toBeLessThan(3);
    expect(found.replace(/^\d+/, "")).toBe(expected.replace(/^\d+/, ""));
  });

  it("reads .env as the bot does, and lists names that nothing reads", async () => {
    const envFile = join(folder, "a.env");
    const { DISCORD_TOKEN, ...rest } = good;
    writeFileSync(envFile, `DISCORD_TOKEN=${DISCORD_TOKEN}\nDISCORD_TOKN=x\nLOG_LEVEL=loud\n`);
    chmodSync(envFile, 0o640);

    const { warnings, wrong } = await diagnosed({ ...rest, LOG_LEVEL: "info" } as Env, envFile);

    expect(wrong).toEqual([]);
    expect(warnings).toEqual(
      expect.arrayContaining([
        ".env: others on this machine can read it (mode 640)",
        ".env: DISCORD_TOKN is not a known variable; is it DISCORD_TOKEN?",
      ]),
    );
  });

  it("wants of a server what the invite link asks for", () => {
    const { searchParams } = new URL(inviteLink("1", "https://discord.com/api"));

    expect(`${wantedPermissions}`).toBe(searchParams.get("permissions"));
  });
});
