import { describe, expect, it } from "vitest";
import { NetworkError, ServiceError } from "../../../src/errors.ts";
import { type Change, createChangeLog } from "../../../src/features/context/change-log.ts";
import { compose, type LooseParams } from "../../../src/features/context/middleware.ts";
import type { Method } from "../../../src/video/index.ts";

/** A log of changes, and a client that it watches; `answer` gives the client's answers. */
function open(answer: (method: Method) => unknown = () => undefined) {
  const recorded: Change[] = [];
  const failures: unknown[] = [];
  const log = createChangeLog({
    record: async (change) => void recorded.push(change),
    onFailure: (error) => failures.push(error),
  });
  const send = compose([log.watch], async ({ method }) => answer(method));
  const call = (method: Method, params: LooseParams) => send({ method, params });
  return { log, recorded, failures, call };
}

describe("the log of changes", () => {
  it("takes the title from what was sent, and prefers the answer's", async () => {
    const { call, recorded } = open(() => ({ id: "PL1", snippet: { title: "As YouTube has it" } }));

    await call("playlists.insert", { body: { snippet: { title: "As it was typed" } } });

    expect(recorded).toEqual([
      {
        act: "playlists.insert",
        answer: "done",
        thingId: "PL1",
        commentId: "",
        playlistId: "PL1",
        text: "As YouTube has it",
      },
    ]);
  });

  it("takes the title of what is deleted from an earlier read, or from the handler", async () => {
    const items = [{ id: "v1", snippet: { title: "Read before" } }];
    const { call, recorded, log } = open((method) => method === "videos.list" && { items });

    await call("videos.list", { id: ["v1"] });
    await call("videos.delete", { id: "v1" });
    log.name("v2", { title: "Named" });
    await call("videos.delete", { id: "v2" });
    await call("videos.delete", { id: "v3" });

    expect(recorded.map(({ videoId, text }) => [videoId, text])).toEqual([
      ["v1", "Read before"],
      ["v2", "Named"],
      ["v3", undefined],
    ]);
  });

  it("knows the video and the playlist of an entry", async () => {
    const { call, recorded, log } = open();
    const resourceId = { kind: "youtube#video", videoId: "v1" };

    await call("playlistItems.insert", { body: { snippet: { playlistId: "PL1", resourceId } } });
    log.name("e1", { title: "One", videoId: "v1", playlistId: "PL1" });
    await call("playlistItems.delete", { id: "e1" });

    expect(recorded).toMatchObject([
      { videoId: "v1", playlistId: "PL1", thingId: "v1 PL1" },
      { videoId: "v1", playlistId: "PL1", thingId: "e1", text: "One" },
    ]);
  });

  it("calls two steps one banner, and a later edit an edit", async () => {
    const banner = open(() => ({ id: "UC1" }));
    await banner.call("channelBanners.insert", {});
    await banner.call("channels.update", { body: { id: "UC1" } });
    const edit = open(() => ({ id: "UC1" }));
    await edit.call("channels.update", { body: { id: "UC1" } });

    expect(banner.recorded.map(({ act }) => act)).toEqual(["channelBanners.insert"]);
    expect(edit.recorded.map(({ act }) => act)).toEqual(["channels.update"]);
  });

  it("leaves out reads, and what records itself", async () => {
    const { call, recorded } = open();

    for (const method of ["videos.list", "captions.download", "videos.getRating"] as const)
      await call(method, {});
    await call("comments.setModerationStatus", { id: ["c1"] });
    await call("comments.insert", { body: {} });

    expect(recorded).toEqual([]);
  });

  it("records a failure only if something may have been changed", async () => {
    const refused = new ServiceError("no", { code: "forbidden", outcome: "nothing" } as never);
    const lost = new NetworkError("cut", { code: "timed_out", outcome: "unknown" } as never);
    for (const [error, answers] of [
      [refused, []],
      [lost, ["timed_out"]],
    ] as const) {
      const { call, recorded } = open(() => {
        throw error;
      });

      await expect(call("videos.update", { body: { id: "v1" } })).rejects.toBe(error);

      expect(recorded.map(({ answer }) => answer)).toEqual(answers);
    }
  });

  it("does not fail with the database, and keeps no endless text", async () => {
    const failures: unknown[] = [];
    const down = new Error("the database is away");
    const log = createChangeLog({
      record: () => Promise.reject(down),
      onFailure: (error) => failures.push(error),
    });
    const send = compose([log.watch], async () => ({ id: "v1" }));
    const long = open(() => ({ id: "v1", snippet: { title: "x".repeat(5_000) } }));

    const made = await send({ method: "videos.insert", params: { body: {} } });
    await long.call("videos.insert", { body: {} });

    expect(made).toEqual({ id: "v1" });
    expect(failures).toEqual([down]);
    expect(long.recorded[0]?.text).toHaveLength(300);
  });
});
