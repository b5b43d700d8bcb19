import { once } from "node:events";
import {
  type AnyInteractionGateway,
  Client,
  type GatewayOptions,
  type RESTOptions,
} from "oceanic.js";
import type { Platform } from "../../../src/sandbox/platform/index.ts";

export interface OceanicBot {
  readonly client: Client;
  /** Sets what is done with interactions from now on. */
  answer(work: (interaction: AnyInteractionGateway) => Promise<unknown>): void;
  /** Every error and warning of the library, and every error of the work set above. */
  readonly complaints: string[];
  close(): void;
}

export interface OceanicOptions {
  readonly gateway?: GatewayOptions;
  readonly rest?: RESTOptions;
}

/** A bot with another library, connected to the stand-in; resolves when it is ready. */
export async function startOceanicBot(
  platform: Platform,
  { gateway, rest }: OceanicOptions = {},
): Promise<OceanicBot> {
  const complaints: string[] = [];
  const note = (said: unknown) => complaints.push(String(said));
  let work: (interaction: AnyInteractionGateway) => Promise<unknown> = async () => undefined;
  const client = new Client({
    auth: `Bot ${platform.token}`,
    rest: { baseURL: `${platform.url}/api/v10`, ...rest },
    gateway: { intents: ["ALL"], ...gateway },
  });
  client.on("error", note);
  client.on("warn", note);
  client.on("interactionCreate", (interaction) => {
    work(interaction).catch(note);
  });
  await client.connect();
  if (!client.ready) await once(client, "ready");

  return {
    client,
    answer: (next) => {
      work = next;
    },
    complaints,
    close: () => client.disconnect(false),
  };
}
