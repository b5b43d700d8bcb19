import { expect, it, onTestFinished } from "vitest";
import { startPlatform } from "../../src/sandbox/platform/index.ts";
import { patiently } from "../support/patiently.ts";
import { type SpawnedBot, spawnBot } from "../support/spawn-bot.ts";

it("a bot that is replaced goes on with its sessions, and its commands work", async () => {
  const platform = await startPlatform({ logins: { shards: 2, maxConcurrency: 2 } });
  onTestFinished(() => platform.close());
  const names: string[] = [];
  platform.onGatewayEvent(({ name }) => names.push(name));
  const first = await spawnBot({ platform, env: { SHARD_COUNT: "2" } });
  const { folder, masterKey } = first;
  await ready(first);
  const code = await first.stop({ keep: true });

  const second: SpawnedBot = await spawnBot({ platform, folder, masterKey });
  onTestFinished(async () => void (await second.stop()));
  await ready(second);
  const reply = await patiently(() => platform.people("owner").command("connect status"));

  expect(code).toBe(0);
  expect(names.slice(0, 4)).toEqual(["READY", "READY", "RESUMED", "RESUMED"]);
  expect(reply).toBeDefined();
  const connecting = second.lines.find(({ message }) => message === "gateway connects");
  expect(connecting).toMatchObject({ shards: 2, shardCount: 2, resumed: 2 });
});

/** Resolves when all connections are open and the start is complete. */
async function ready({ lines }: SpawnedBot): Promise<void> {
  const { port } = lines.find(({ message }) => message === "health and metrics are served") ?? {};
  const status = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  await expect.poll(status).toBe(200);
}
