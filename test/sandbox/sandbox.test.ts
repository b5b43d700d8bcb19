import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIMessage } from "discord-api-types/v10";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import type { Credential, CredentialStore } from "../../src/store/index.ts";

const open: { close(): Promise<void> }[] = [];

async function start(options: Parameters<typeof startSandbox>[0] = {}): Promise<RunningSandbox> {
  const sandbox = await startSandbox(options);
  open.push(sandbox);
  return sandbox;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "greenroom-test-"));
  open.push({ close: () => rm(path, { recursive: true }) });
  return path;
}

/** By the sandbox's clock, the bot waits five seconds before it logs in to Discord again. */
async function restart(sandbox: RunningSandbox, dataDir: string): Promise<RunningSandbox> {
  sandbox.time.pass(10_000);
  await sandbox.close();
  return start({ dataDir });
}

/** For tests that change nothing. */
let shared: RunningSandbox;

beforeAll(async () => {
  shared = await startSandbox();
});
afterAll(() => shared.close());

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const status = async (sandbox: RunningSandbox) =>
  JSON.stringify(await sandbox.user("owner").command("connect status"));

describe("startSandbox", () => {
  it("starts on loopback with a welcome, photographs and commands", () => {
    const [message] = shared.user("member").messages();

    expect(new URL(shared.url).hostname).toBe("127.0.0.1");
    expect(shared.platform.url).toBe(shared.url);
    expect(message?.content).toContain(shared.video.key);
    expect(message?.content.length).toBeLessThanOrEqual(2_000);
    expect(message?.attachments.length).toBeGreaterThanOrEqual(2);
    expect(message?.attachments.every(({ width }) => (width ?? 0) > 0)).toBe(true);
  });

  it("is connected at first, and stays disconnected once it was disconnected", async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    expect(await status(first)).toMatch(/Connected by/);
    const { credentials } = await storeOf(dataDir);
    await credentials.remove(first.platform.guildId, "video-key");
    await credentials.remove(first.platform.guildId, "background-key");
    await credentials.remove(first.platform.guildId, "channel");

    const second = await restart(first, dataDir);

    expect(await status(second)).not.toMatch(/Connected by/);
    expect(await credentials.read(second.platform.guildId, "channel")).toEqual({ state: "absent" });
    const [welcomed, kept] = second.user("member").messages();
    expect(welcomed?.content).toMatch(/^\*\*Welcome/);
    expect(kept?.content).toMatch(/^Kept from the last start/);
    expect(await readdir(dataDir)).toContain("sandbox.sqlite");
    expect((await stat(join(dataDir, "master.key"))).mode & 0o077).toBe(0);
  });

  it("starts afresh where it is asked to, beside the database of a bot", async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const { credentials } = await storeOf(dataDir);
    await credentials.remove(first.platform.guildId, "video-key");
    first.time.pass(60_000);
    await writeFile(join(dataDir, "greenroom.sqlite"), "a bot's");
    await first.close();

    const second = await start({ dataDir, isFresh: true });

    expect(await status(second)).toMatch(/Connected by/);
    expect(second.time.ahead()).toBe(0);
    expect(await readdir(dataDir)).toContain("greenroom.sqlite");
  });

  it("goes on in the time that it was moved to, also after a restart", async () => {
    const dataDir = await folder();
    const first = await start({ dataDir, now: () => 1_000 });
    first.time.pass(600_000);
    await first.close();

    const second = await start({ dataDir, now: () => 2_000 });

    expect([first.time.now(), second.time.now(), second.time.ahead()]).toEqual([
      601_000, 602_000, 600_000,
    ]);
  });

  it("is linked with the creator's channel, and still is after a restart", async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const { credentials } = await storeOf(dataDir);
    const before = await linkOf(first, credentials);

    const second = await restart(first, dataDir);
    const after = await linkOf(second, credentials);

    expect(before).toMatchObject({
      channelId: first.video.ownChannelId,
      channelTitle: first.video.channels.get(first.video.ownChannelId)?.title,
      addedBy: first.platform.ownerId,
    });
    expect(before.scopes).toContain("youtube.force-ssl");
    expect(first.oauth.knows(before.secret)).toBe(true);
    expect(after).toEqual({ ...before, secret: expect.not.stringMatching(before.secret) });
    expect(second.oauth.knows(after.secret)).toBe(true);
  });

  it("gives no more than was consented to, and leaves a link alone that is not its own", async () => {
    const dataDir = await folder();
    const first = await start({ dataDir });
    const { credentials } = await storeOf(dataDir);
    const own = await linkOf(first, credentials);
    const few = { ...own, scopes: ["youtube.readonly"] };
    await credentials.write(first.platform.guildId, few);

    const second = await restart(first, dataDir);
    const { secret } = await linkOf(second, credentials);
    const { scope } = await refreshed(second, secret);
    const foreign = { ...own, secret: "1//elsewhere", channelId: "UCelsewhere" };
    await credentials.remove(second.platform.guildId, "channel");
    await credentials.write(second.platform.guildId, foreign);
    const third = await restart(second, dataDir);

    expect(await linkOf(third, credentials)).toEqual(foreign);
    expect(scope).toMatch(/^\S+\/youtube\.readonly$/);
  });

  it("lets the tokens of its authorisation service in at its video service", async () => {
    const { oauth, video } = shared;
    const { accessToken } = oauth.mint({ channelId: video.ownChannelId });
    const headers = { Authorization: `Bearer ${accessToken}` };
    const response = await fetch(`${video.url}/channels?part=id&mine=true`, { headers });
    const { items } = (await response.json()) as { items: readonly { id: string }[] };

    expect(items.map(({ id }) => id)).toEqual([video.ownChannelId]);
    expect(new URL(oauth.url).hostname).toBe("127.0.0.1");
  });

  it("lets people act on the real bot", async () => {
    const member = shared.user("member");

    const message = (await member.command("search", { query: "coffee" })) as APIMessage;

    expect(message.author.id).toBe(shared.platform.applicationId);
    expect(JSON.stringify(message)).toMatch(/coffee/i);
  });

  it("says which port is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };

    await expect(start({ port })).rejects.toMatchObject({ code: "port_taken" });

    await new Promise((resolve) => server.close(resolve));
  });
});

async function linkOf(
  { platform }: RunningSandbox,
  credentials: CredentialStore,
): Promise<Credential> {
  const read = await credentials.read(platform.guildId, "channel");
  if (read.state !== "found") throw new Error(`the link is ${read.state}`);
  return read.value;
}

async function refreshed({ oauth }: RunningSandbox, refreshToken: string) {
  const { clientId, clientSecret, tokenUrl } = oauth;
  const client = { client_id: clientId, client_secret: clientSecret };
  const form = { ...client, grant_type: "refresh_token", refresh_token: refreshToken };
  const response = await fetch(tokenUrl, { method: "POST", body: new URLSearchParams(form) });
  return (await response.json()) as { readonly scope: string };
}

async function storeOf(dataDir: string) {
  const { openStore, readOrMakeKeyFile } = await import("../../src/store/index.ts");
  const { keys } = readOrMakeKeyFile(join(dataDir, "master.key"));
  const store = await openStore({ url: `sqlite:${join(dataDir, "sandbox.sqlite")}`, keys });
  open.push(store);
  return store;
}
