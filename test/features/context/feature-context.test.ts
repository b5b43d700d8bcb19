import { describe, expect, it } from "vitest";
import type { HandlerContextParts } from "../../../src/discord/index.ts";
import {
  FeatureContext,
  type FeatureContextDeps,
} from "../../../src/features/context/feature-context.ts";
import { createTally } from "../../../src/features/context/spending.ts";
import type { ServerSettings } from "../../../src/store/index.ts";
import { words } from "../../support/words.ts";

function ctx(
  clients: Partial<FeatureContextDeps["clients"]>,
  settings: ServerSettings = {},
): FeatureContext {
  const requester = {
    guildId: "1".repeat(18),
    userId: "2".repeat(18),
    rank: "member",
    words: words(),
  };
  // Only what these tests need.
  const parts = {
    interaction: { requester: { ...requester, settings } },
    call: { options: {} },
    deps: {},
  };
  const grant = {
    demands: {},
    command: "videos show",
    view: "public" as const,
    opened: {},
    tally: createTally(),
  };
  const store = { database: { servers: {} } };
  const deps = { clients, store } as unknown as FeatureContextDeps;
  return new FeatureContext(parts as unknown as HandlerContextParts, grant, deps);
}

describe("a feature's context", () => {
  it("knows no stored country that YouTube refuses", () => {
    expect(ctx({}, { region: "EU", timeZone: "Asia/Calcutta" }).settings).toEqual({
      timeZone: "Asia/Calcutta",
    });
  });

  it("gives no client for a credential that the handler did not ask for", () => {
    const never = () => {
      throw new Error("a client was made");
    };

    const clients = {
      video: never,
      left: never,
      afford: never,
      affordCredits: never,
      unitsSpent: never,
      creditsSpent: never,
      projectOf: never,
      background: never,
    };

    expect(() => ctx(clients).background).toThrow("did not say what it needs");
    expect(() => ctx(clients).video).toThrow(
      expect.objectContaining({ code: "video_key_missing" }),
    );
    expect(() => ctx(clients).own).toThrow(expect.objectContaining({ code: "channel_missing" }));
  });
});
