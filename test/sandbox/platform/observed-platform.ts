import { afterEach, beforeEach, expect } from "vitest";
import {
  type GatewayEvent,
  type Platform,
  type RestExchange,
  startPlatform,
} from "../../../src/sandbox/platform/index.ts";
import { checkExchange, checkGatewayObject, type GatewayKind } from "../../support/discord-spec.ts";
import { type RawBot, startRawBot } from "../../support/raw-bot.ts";

export interface ObservedPlatform {
  /** A new platform for each test. */
  readonly platform: Platform;
  /** All requests of this test. A test removes those that it gets wrong on purpose. */
  readonly exchanges: RestExchange[];
  readonly events: GatewayEvent[];
  /** Moves the platform's clock ahead. */
  pass(ms: number): void;
  /** A bot that is closed with the platform. */
  startBot(intents?: number): Promise<RawBot>;
}

type PlatformOptions = NonNullable<Parameters<typeof startPlatform>[0]>;

export interface ObservedPlatformOptions extends PlatformOptions {
  /** What must comply with Discord's specification after each test. */
  readonly checks: "nothing" | "exchanges" | "exchanges and events";
}

/** Starts a platform for each test of the file or group that calls it, and checks its traffic afterwards. */
export function observePlatform({ checks, ...options }: ObservedPlatformOptions): ObservedPlatform {
  const exchanges: RestExchange[] = [];
  const events: GatewayEvent[] = [];
  const bots: RawBot[] = [];
  let platform: Platform;
  let clock: number;

  beforeEach(async () => {
    exchanges.length = 0;
    events.length = 0;
    clock = Date.now();
    platform = await startPlatform({
      ...options,
      now: () => clock,
      onExchange: (each) => exchanges.push(each),
      onGatewayEvent: (each) => events.push(each),
    });
  });

  afterEach(async () => {
    const found = await Promise.all([
      ...(checks === "nothing" ? [] : exchanges.map(checkExchange)),
      ...(checks === "exchanges and events" ? events.map(checkEvent) : []),
    ]);
    for (const bot of bots.splice(0)) bot.close();
    await platform.close();
    expect(found.flat()).toEqual([]);
  });

  return {
    get platform() {
      return platform;
    },
    exchanges,
    events,
    pass: (ms) => {
      clock += ms;
    },
    startBot: async (intents) => {
      const bot = await startRawBot(platform, intents);
      bots.push(bot);
      return bot;
    },
  };
}

function checkEvent({ name, data }: GatewayEvent): Promise<readonly string[]> {
  return checkGatewayObject(name as GatewayKind, data);
}
