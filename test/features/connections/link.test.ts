import { describe, expect, it } from "vitest";
import type { Reply } from "../../../src/discord/index.ts";
import { ConnectError } from "../../../src/errors.ts";
import { beginLink } from "../../../src/features/connections/index.ts";
import type { Ctx } from "../../../src/features/context/index.ts";
import { words } from "../../support/words.ts";

/** A context in which this happens when a link is begun. */
function ctx(begin: () => Promise<unknown>): Ctx<unknown> {
  return { words: words(), links: { begin } } as unknown as Ctx<unknown>;
}

function closed(code: string): () => Promise<never> {
  return async () => {
    throw new ConnectError("closed", { code });
  };
}

const textOf = (reply: Reply) => JSON.stringify(reply);

describe("beginLink", () => {
  it("says that a code comes at the end where the page can't ask Discord who somebody is", async () => {
    const start = { url: "https://bot.example/connect/x", endsWithCode: true, endsAt: new Date(0) };
    const reply = await beginLink(ctx(async () => start));

    expect(textOf(reply)).toContain("At the end, the page shows a code.");
    expect(textOf(reply)).toContain("<t:0:t>");
  });

  it("offers to enter a token where the bot has no page", async () => {
    const reply = await beginLink(ctx(closed("links_closed")));

    expect(textOf(reply)).toContain("/connect token");
    expect(reply).toMatchObject({ buttons: [{ press: { action: "connect.enter-token" } }] });
  });

  it("offers no token where the bot is not registered, because none would work", async () => {
    const reply = await beginLink(ctx(closed("oauth_client_missing")));

    expect(textOf(reply)).toContain("have not registered it");
    expect(reply).toMatchObject({ buttons: undefined });
  });

  it("passes other failures on", async () => {
    await expect(beginLink(ctx(closed("store_unavailable")))).rejects.toMatchObject({
      code: "store_unavailable",
    });
  });
});
