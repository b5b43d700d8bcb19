import { describe, expectTypeOf, it } from "vitest";
import type {
  Channel,
  DownloadedFile,
  Method,
  MethodParams,
  MethodResult,
  methods,
  Playlist,
  ResourcePage,
  ThumbnailSet,
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
    expectTypeOf<MethodParams<"search.list">["order"]>().toEqualTypeOf<
      "date" | "rating" | "relevance" | "title" | "videoCount" | "viewCount" | undefined
    >();
    expectTypeOf<MethodParams<"search.list">["publishedAfter"]>().toEqualTypeOf<
      Date | string | undefined
    >();
    expectTypeOf<MethodParams<"search.list">["type"]>().toEqualTypeOf<
      readonly ("video" | "channel" | "playlist")[] | undefined
    >();
    expectTypeOf<MethodParams<"videos.list">["maxResults"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<MethodParams<"playlists.list">["mine"]>().toEqualTypeOf<boolean | undefined>();
  });

  it("derive answers from the row", () => {
    expectTypeOf<MethodResult<"videos.list">>().toEqualTypeOf<ResourcePage<Video>>();
    expectTypeOf<MethodResult<"playlists.list">["items"][number]>().toEqualTypeOf<Playlist>();
    expectTypeOf<MethodResult<"channels.update">>().toEqualTypeOf<Channel>();
    expectTypeOf<MethodResult<"thumbnails.set">>().toEqualTypeOf<ThumbnailSet>();
    expectTypeOf<MethodResult<"captions.download">>().toEqualTypeOf<DownloadedFile>();
    expectTypeOf<MethodResult<"videos.delete">>().toEqualTypeOf<undefined>();
    expectTypeOf<MethodResult<"watermarks.set">>().toEqualTypeOf<undefined>();
  });

  it("know every resource that a row names", () => {
    // With an unknown name, the result would be a page of `never`, or `never`.
    type Lists = {
      [M in Method as (typeof methods)[M] extends { result: { kind: "list" } } ? M : never]: M;
    };
    type Singles = {
      [M in Method as (typeof methods)[M] extends { result: { kind: "one" } } ? M : never]: M;
    };

    expectTypeOf<{
      [M in keyof Lists as MethodResult<M> extends ResourcePage<infer Item>
        ? [Item] extends [never]
          ? M
          : never
        : M]: true;
    }>().toEqualTypeOf<Record<never, true>>();
    expectTypeOf<{
      [M in keyof Singles as [MethodResult<M>] extends [never] ? M : never]: true;
    }>().toEqualTypeOf<Record<never, true>>();
  });

  it("give every method the parameters that all of them take", () => {
    expectTypeOf<MethodParams<Method>["fields"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<MethodParams<Method>["quotaUser"]>().toEqualTypeOf<string | undefined>();
  });

  it("let fields of an answer through that they do not name", () => {
    expectTypeOf<Video["monetizationDetails"]>().toEqualTypeOf<unknown>();
    expectTypeOf<NonNullable<Video["statistics"]>["viewCount"]>().toEqualTypeOf<
      string | undefined
    >();
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
      // @ts-expect-error a placeholder that only the API's description has
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

const media = { data: new Uint8Array(1), type: "image/png" };

describe("types of bodies and media", () => {
  it("take what the row's fields say, nested", () => {
    const calls = [
      () =>
        video.call("playlists.insert", {
          part: ["snippet", "status", "localizations"],
          body: {
            snippet: { title: "x", description: "y" },
            status: { privacyStatus: "private" },
            localizations: { de: { title: "z" } },
          },
        }),
      () =>
        video.call("commentThreads.insert", {
          part: ["snippet"],
          body: {
            snippet: {
              channelId: "UC1",
              videoId: "v1",
              topLevelComment: { snippet: { textOriginal: "x" } },
            },
          },
        }),
      () =>
        video.call("channels.update", {
          part: ["brandingSettings", "invideoPromotion"],
          body: {
            id: "UC1",
            brandingSettings: {
              channel: { showBrowseView: true },
              image: { bannerExternalUrl: "https://banner.test/1" },
            },
            invideoPromotion: { items: [] },
          },
        }),
      () => video.call("thumbnails.set", { videoId: "v1", media }),
      () => video.call("watermarks.set", { channelId: "UC1", media }),
      () =>
        video.call("watermarks.set", {
          channelId: "UC1",
          media,
          body: { timing: { type: "offsetFromEnd", durationMs: "5000" } },
        }),
      () => video.call("captions.update", { part: ["id"], body: { id: "t1" }, media }),
      () => video.call("captions.update", { part: ["snippet"], body: { id: "t1" } }),
      () => video.call("videos.insert", { part: ["id"], media }),
    ];

    expectTypeOf(calls).toBeArray();
  });

  it("take a resource back that was read", () => {
    const calls = [
      (read: Video) =>
        video.call("videos.update", {
          part: ["snippet", "status"],
          body: { ...read, id: "v1", snippet: { ...read.snippet, title: "x" } },
        }),
      (read: Playlist) =>
        video.call("playlists.update", { part: ["status"], body: { ...read, id: "PL1" } }),
    ];

    expectTypeOf(calls).toBeArray();
  });

  it("refuse what the row does not take", () => {
    const part = ["snippet", "status"] as const;
    const snippet = { title: "x" };
    const calls = [
      // @ts-expect-error a playlist has no title
      () => video.call("playlists.insert", { part, body: { snippet: {} } }),
      // @ts-expect-error a playlist has no snippet
      () => video.call("playlists.insert", { part, body: {} }),
      // @ts-expect-error there is no body
      () => video.call("playlists.insert", { part }),
      // @ts-expect-error a title is text
      () => video.call("playlists.insert", { part, body: { snippet: { title: 7 } } }),
      // @ts-expect-error no such field
      () => video.call("playlists.insert", { part, body: { snippet: { ...snippet, titel: "" } } }),
      () =>
        video.call("playlists.insert", {
          part,
          // @ts-expect-error no such status
          body: { snippet, status: { privacyStatus: "secret" } },
        }),
      // @ts-expect-error nothing says which playlist
      () => video.call("playlists.update", { part, body: { snippet } }),
      () =>
        video.call("watermarks.set", {
          channelId: "UC1",
          media,
          // @ts-expect-error 64-bit numbers are text
          body: { timing: { offsetMs: 5_000 } },
        }),
      // @ts-expect-error there is no picture
      () => video.call("thumbnails.set", { videoId: "v1" }),
      // @ts-expect-error a picture has a type
      () => video.call("thumbnails.set", { videoId: "v1", media: { data: media.data } }),
      // @ts-expect-error this row takes no media
      () => video.call("videos.rate", { id: "v1", rating: "like", media }),
      // @ts-expect-error no such rating
      () => video.call("videos.rate", { id: "v1", rating: "love" }),
      // @ts-expect-error rejected comments can't be listed
      () => video.call("commentThreads.list", { part: ["id"], moderationStatus: "rejected" }),
    ];

    expectTypeOf(calls).toBeArray();
  });
});
