import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VideoServer } from "../../../src/sandbox/video/index.ts";
import { open, send } from "./people.ts";

let server: VideoServer;
/** The channel whose history and Watch later YouTube does not show even to its owner. */
let as: string;

beforeAll(async () => {
  server = await open();
  const closed = [...server.channels.values()].find(({ hasClosedLists }) => hasClosedLists);
  as = closed?.id ?? "";
});
afterAll(() => server.close());

const read = (playlistId: string) =>
  send(server, "GET /playlistItems", { part: "id", playlistId }, { as });

describe("the history and Watch later of a channel that may not have them", () => {
  it("are named like everybody's", async () => {
    const { body } = await send(server, "GET /channels?part=contentDetails&mine=true", {}, { as });

    expect(body.items[0].contentDetails.relatedPlaylists).toMatchObject({
      watchHistory: "HL",
      watchLater: "WL",
    });
  });

  it("read as empty, or are refused", async () => {
    const [history, later] = await Promise.all([read("HL"), read("WL")]);

    expect([history.status, history.body.items]).toEqual([200, []]);
    expect([later.status, later.body.error.errors[0].reason]).toEqual([
      403,
      "watchLaterNotAccessible",
    ]);
  });

  it("are described nowhere", async () => {
    const ids = `HL${as.slice(2)},WL${as.slice(2)}`;

    const { body } = await send(server, "GET /playlists", { part: "id", id: ids }, { as });

    expect(body.items).toEqual([]);
  });

  it.each([
    ["HL", "watchHistoryNotAccessible"],
    ["WL", "watchLaterNotAccessible"],
  ])("take nothing into %s", async (playlistId, reason) => {
    const resourceId = { kind: "youtube#video", videoId: "none" };
    const body = { snippet: { playlistId, resourceId } };

    const answer = await send(server, "POST /playlistItems", { part: "snippet" }, { as, body });

    expect([answer.status, answer.body.error.errors[0].reason]).toEqual([403, reason]);
  });
});
