import { describe, expect, it } from "vitest";
import { ConnectError } from "../../../src/errors.ts";
import { limitToScopes, type ScopeOptions } from "../../../src/features/context/channel-scopes.ts";
import { sendWith } from "../../../src/features/context/middleware.ts";
import type { VideoClient } from "../../../src/video/index.ts";
import { through } from "./through.ts";

/** A client whose answers contain its name. */
function named(name: string, error?: Error) {
  const calls: string[] = [];
  const client = {
    call: async (method: string) => {
      calls.push(method);
      if (error !== undefined) throw error;
      return { items: [], name };
    },
  } as unknown as VideoClient;
  return { client, calls };
}

function limited(parts: Partial<ScopeOptions>, error?: Error) {
  const channel = named("channel", error);
  const client = through(
    limitToScopes({ scopes: undefined, rank: "owner", ...parts }),
    channel.client,
  );
  return { client, calls: channel.calls };
}

const part = ["snippet"] as const;
const publicVideo = { part: ["snippet"], id: ["x"] } as const;

describe("limitToScopes", () => {
  it("sends nothing that the consent does not cover, and names what to tick", async () => {
    const { client, calls } = limited({ scopes: ["youtube.readonly"] });
    const body = { snippet: { title: "x" } };

    await expect(
      client.call("playlists.insert", { part: ["snippet"], body }),
    ).rejects.toMatchObject({
      code: "scope_missing",
      facts: { permission: "comments", isOwner: true },
    });
    expect(calls).toEqual([]);
  });

  it.each([
    ["membershipsLevels.list", ["youtube.force-ssl"], "memberships"],
    ["captions.list", ["youtube", "youtube.upload"], "comments"],
    ["videos.insert", ["youtube.readonly"], "upload"],
    ["videos.list", ["youtube.upload"], "read"],
  ] as const)("knows which permission %s takes", async (method, scopes, permission) => {
    const { client } = limited({ scopes, rank: "moderator" });
    const call = client.call as (method: string, params: object) => Promise<unknown>;

    await expect(call(method, { part, mine: true })).rejects.toMatchObject({
      code: "scope_missing",
      facts: { permission, isOwner: false },
    });
  });

  it("lets through what is covered, and everything where the scopes are not known", async () => {
    const covered = limited({ scopes: ["youtube.readonly"] });
    const unknown = limited({});

    await covered.client.call("videos.list", publicVideo);
    await unknown.client.call("captions.list", { part: ["snippet"], videoId: "x" });

    expect(covered.calls).toEqual(["videos.list"]);
    expect(unknown.calls).toEqual(["captions.list"]);
  });

  it("reads with the key what everybody sees, and only that", async () => {
    const key = named("key");
    const { client, calls } = limited({
      scopes: ["youtube.readonly"],
      instead: () => sendWith(key.client),
    });
    const threads = { part: ["snippet"], videoId: "x" } as const;
    const held = { ...threads, moderationStatus: "heldForReview" } as const;

    await client.call("commentThreads.list", threads);
    for await (const _ of client.pages("commentThreads.list", threads)) break;

    await expect(client.call("commentThreads.list", held)).rejects.toMatchObject({
      code: "scope_missing",
    });
    expect(calls).toEqual([]);
    expect(key.calls).toEqual(["commentThreads.list", "commentThreads.list"]);
  });

  it("shows the service's own refusal in the same words", async () => {
    const refusal = new ConnectError("403", {
      code: "insufficient_permissions",
      facts: { status: 403 },
    });
    const { client } = limited({ scopes: ["youtube.readonly"] }, refusal);

    await expect(client.call("videos.list", publicVideo)).rejects.toMatchObject({
      code: "scope_missing",
      cause: refusal,
    });
  });
});
