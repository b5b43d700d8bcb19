import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diagnose } from "../../../src/cli/diagnosis/diagnose.ts";
import { createLog, createSecrets } from "../../../src/log.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { openStore } from "../../../src/store/index.ts";
import { serve, type TestServer } from "../../support/server.ts";

export type Env = Record<string, string>;

export const masterKey = Buffer.from("0123456789abcdefghijklmnopqrstuv").toString("base64");
export const otherKey = Buffer.from("vutsrqponmlkjihgfedcba9876543210").toString("base64");

/** A sandbox whose bot runs well, and the environment of such a bot. */
export type DoctorStage = Awaited<ReturnType<typeof openDoctorStage>>;

type Diagnosis = Awaited<ReturnType<typeof diagnose>>;

export async function openDoctorStage() {
  const folder = mkdtempSync(join(tmpdir(), "greenroom-doctor-"));
  const servers: TestServer[] = [];
  const started = async (listener: Parameters<typeof serve>[0]) => {
    const server = await serve(listener);
    servers.push(server);
    return server;
  };
  const log = createLog({ level: "error", secrets: createSecrets(), write: () => undefined });
  // The sandbox's own page would otherwise be bundled when its gateway address is requested.
  const page = { fetch: async () => new Response("", { status: 404 }) };
  const sandbox = await startSandbox({ log, page, background: { matting: "ellipse" } });
  // Rate limits are not what these tests are about.
  sandbox.platform.limitRequests(false);
  const pages = await started((_, response) => response.end("<title>Gone – Greenroom</title>"));
  const { platform, video, background, oauth, health } = sandbox;
  platform.allowRedirect(`${pages.url}/discord/callback`);
  const good: Env = {
    DISCORD_TOKEN: platform.token,
    DISCORD_CLIENT_SECRET: platform.clientSecret,
    DISCORD_API_URL: `${platform.url}/api`,
    VIDEO_API_URL: video.url,
    VIDEO_UPLOAD_URL: video.uploadUrl,
    BACKGROUND_API_URL: background.url,
    OAUTH_CLIENT_ID: oauth.clientId,
    OAUTH_CLIENT_SECRET: oauth.clientSecret,
    OAUTH_AUTHORIZE_URL: oauth.authorizeUrl,
    OAUTH_TOKEN_URL: oauth.tokenUrl,
    OAUTH_REVOKE_URL: oauth.revokeUrl,
    PUBLIC_URL: pages.url,
    STORE_URL: `sqlite:${join(folder, "bot.sqlite")}`,
    SECRET_KEYS: `main:${masterKey}`,
    HEALTH_PORT: new URL(health.url).port,
    NODE_ENV: "production",
  };
  await seed(good);
  return {
    sandbox,
    /** The server that stands in for the bot's public pages. */
    pages,
    good,
    folder,
    /** Starts another server, which is closed with the stage. */
    started,
    diagnosed: async (env: Env, envFile: string = join(folder, "no.env")) => {
      const { findings, isReadable } = await diagnose({ env, envFile });
      return { findings, isReadable, ...asWords(findings) };
    },
    /** The good environment without these variables. */
    without: (...names: readonly string[]) =>
      Object.fromEntries(Object.entries(good).filter(([name]) => !names.includes(name))),
    async close() {
      await sandbox.close();
      for (const server of servers) await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Stores a key, sealed with this master key, as after some use of the bot. */
export async function seed({ STORE_URL = "" }: Env): Promise<void> {
  const key = Buffer.from(masterKey, "base64");
  const store = await openStore({ url: STORE_URL, keys: [{ id: "main", key }] });
  const facts = { addedBy: "1".repeat(18), addedAt: Date.now() };
  await store.credentials.write("1499560987852800000", {
    kind: "video-key",
    secret: "a-key-of-somebody",
    ...facts,
  });
  await store.close();
}

function asWords(findings: Diagnosis["findings"]) {
  const words = (state: string) =>
    findings
      .filter((finding) => finding.state === state)
      .map(({ check, found }) => `${check}: ${found}`);
  return { wrong: words("wrong"), warnings: words("warning"), fine: words("ok") };
}
