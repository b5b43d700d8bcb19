import { describe, expectTypeOf, it } from "vitest";
import type {
  Method,
  Page,
  Params,
  Playlist,
  Result,
  Video,
  VideoClient,
} from "../../src/video/index.ts";

declare const video: VideoClient;

describe("types of the table", () => {
  it("name every method", () => {
    expectTypeOf<"search.list">().toExtend<Method>();
    // @ts-expect-error there is no such method
    expectTypeOf<() => void>(() => video.call("videos.lists", { part: ["id"] }));
  });

  it("derive values from the row", () => {
    expectTypeOf<Params<"search.list">["order"]>().toEqualTypeOf<
      "date" | "rating" | "relevance" | "title" | "videoCount" | "viewCount" | undefined
    >();
    expectTypeOf<Params<"search.list">["publishedAfter"]>().toEqualTypeOf<
      Date | string | undefined
    >();
    expectTypeOf<Params<"search.list">["type"]>().toEqualTypeOf<
      readonly ("video" | "channel" | "playlist")[] | undefined
    >();
    expectTypeOf<Params<"videos.list">["maxResults"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Params<"playlists.list">["mine"]>().toEqualTypeOf<boolean | undefined>();
  });

  it("derive answers from the row", () => {
    expectTypeOf<Result<"videos.list">>().toEqualTypeOf<Page<Video>>();
    expectTypeOf<Result<"playlists.list">["items"][number]>().toEqualTypeOf<Playlist>();
  });

  it("refuse what the row does not take", () => {
    const calls = [
      // @ts-expect-error part is missing
      () => video.call("search.list", { q: "cats" }),
      // @ts-expect-error a part is a list
      () => video.call("search.list", { part: "snippet" }),
      // @ts-expect-error search has no such part
      () => video.call("search.list", { part: ["statistics"] }),
      // @ts-expect-error no such parameter
      () => video.call("search.list", { part: ["snippet"], query: "cats" }),
      // @ts-expect-error no such order
      () => video.call("search.list", { part: ["snippet"], order: "newest" }),
      // @ts-expect-error a placeholder of the wire
      () => video.call("search.list", { part: ["snippet"], order: "searchSortUnspecified" }),
      // @ts-expect-error a count is a number
      () => video.call("search.list", { part: ["snippet"], maxResults: "5" }),
      // @ts-expect-error ids are a list
      () => video.call("videos.list", { part: ["id"], id: "a" }),
      // @ts-expect-error this row has no body
      () => video.call("videos.list", { part: ["id"], id: ["a"], body: {} }),
    ];

    expectTypeOf(calls).toBeArray();
  });
});
