import { Client, Events, type Interaction, type RESTOptions } from "discord.js";
import type { Platform } from "../../src/sandbox/platform/index.ts";

export type TestBot = Awaited<ReturnType<typeof startTestBot>>;

export interface TestBotOptions {
  readonly commands?: readonly unknown[];
  readonly rest?: Partial<RESTOptions>;
  onInteraction(interaction: Interaction): Promise<unknown>;
}

/** A minimal discord.js bot on Discord's stand-in; resolves when it is ready and its commands are registered. */
export async function startTestBot(
  platform: Platform,
  { commands = [], rest = {}, onInteraction }: TestBotOptions,
) {
  const client = new Client({
    intents: [],
    rest: { api: `${platform.url}/api`, version: "10", ...rest },
  });
  client.on(Events.InteractionCreate, (interaction) => void onInteraction(interaction));
  client.on(Events.Error, () => undefined);
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(platform.token);
  const connected = await ready;
  await client.rest.put(`/applications/${platform.applicationId}/commands`, { body: commands });
  return { client: connected, close: () => client.destroy() };
}
