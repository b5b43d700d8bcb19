import { REST } from "@discordjs/rest";
import { afterEach, describe, expect, it } from "vitest";
import { createLog, createSecrets } from "../../src/log.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { type RestExchange, startPlatform } from "../../src/sandbox/platform/index.ts";
import { deployments, openDeployment } from "../support/deployments.ts";
import { type NirnProxy, startNirnProxy } from "../support/nirn-proxy.ts";
import { send } from "../support/raw-bot.ts";
import { asMessage, photo, textOf } from "../support/stage.ts";

const open: { close(): Promise<void> }[] = [];

async function opened<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const part = await starting;
  open.push(part);
  return part;
}

afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

const wanted = deployments.filter(({ processes }) => processes > 1);

describe("bots behind nirn", () => {
  it("meet none of Discord's limits, however fast they send", async () => {
    const exchanges: RestExchange[] = [];
    const platform = await opened(
      startPlatform({ onExchange: (exchange) => exchanges.push(exchange) }),
    );
    const nirn = await opened(startNirnProxy({ discordUrl: platform.url }));
    const bots = [1, 2].map(() =>
      new REST({ api: `${nirn.url}/api`, globalRequestsPerSecond: 5_000, retries: 0 }).setToken(
        platform.token,
      ),
    );
    const { guildId, channelId } = platform;
    const routes = [
      `/guilds/${guildId}`,
      `/guilds/${guildId}/roles`,
      `/guilds/${guildId}/channels`,
      `/channels/${channelId}`,
      `/channels/${channelId}/messages`,
      `/users/@me/guilds`,
    ] as const;

    const answers = Array.from({ length: 30 }, () =>
      bots.flatMap((bot) => routes.map((route) => bot.get(route))),
    ).flat();
    await Promise.all(answers);
    for (const bot of bots) bot.clearHashSweeper();
    for (const bot of bots) bot.clearHandlerSweeper();

    expect(answers).toHaveLength(360);
    expect(exchanges.filter(({ status }) => status === 429)).toEqual([]);
  });

  it("get what Discord answers, and a refusal of nirn's own while it is disturbed", async () => {
    const platform = await opened(startPlatform());
    const nirn = await opened(startNirnProxy({ discordUrl: platform.url }));
    const behind = { ...platform, url: nirn.url };
    const get = (path: string) => send(behind, "GET", path);

    const channel = await get(`/channels/${platform.channelId}`);
    const unknown = await get("/channels/1");
    const me = [await get("/users/@me"), await get("/users/@me")];
    nirn.refuse(1);
    const refused = await get("/users/@me");

    expect([channel.status, unknown.status]).toEqual([200, 404]);
    expect(channel.headers.get("x-ratelimit-bucket")).toMatch(/^[0-9a-f]{32}$/u);
    expect(me.map(({ headers }) => headers.get("x-cached"))).toEqual([null, "true"]);
    expect(refused).toMatchObject({ status: 429, json: { retry_after: 1 } });
    expect(refused.headers.get("generated-by-proxy")).toBe("true");
  });

  it.each(wanted.map((each) => [each.name, each] as const))(
    "answer people, deployed as %s",
    async (_, deployment) => {
      const { options, stop } = await openDeployment(deployment);
      open.push({ close: stop });
      const exchanges: RestExchange[] = [];
      let nirn: NirnProxy | undefined;
      const sandbox = await opened(
        startSandbox({
          ...options,
          background: { matting: "ellipse" },
          log: createLog({ level: "error", secrets: createSecrets(), write: () => undefined }),
          env: { DISCORD_REQUESTS_PER_SECOND: "5000" },
          startProxy: async (discordUrl) => {
            nirn = await startNirnProxy({ discordUrl });
            return nirn;
          },
          onExchange: (exchange) => exchanges.push(exchange),
        }),
      );
      const member = sandbox.user("member");
      const people = [sandbox.user("owner"), sandbox.user("moderator"), member];

      const query = "coffee";
      const answers = await Promise.all(
        people.map((person) => person.command("search", { query })),
      );
      nirn?.refuse(1);
      const image = await photo("cat");
      const picture = asMessage(await member.command("background remove", { image }));

      for (const answer of answers) expect(textOf(asMessage(answer))).toContain("Page 1");
      expect(picture.attachments.map(({ filename }) => filename)).toEqual(["cat-cutout.png"]);
      expect(exchanges.filter(({ status }) => status === 429)).toEqual([]);
    },
  );
});
