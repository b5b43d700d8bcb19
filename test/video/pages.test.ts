import { describe, expect, expectTypeOf, it } from "vitest";
import { InputError } from "../../src/errors.ts";
import {
  createVideoClient,
  type PagedMethod,
  type SearchResult,
  type VideoClient,
} from "../../src/video/index.ts";
import { keepPageToken } from "../../src/video/pages.ts";
import {
  type Answering,
  failureOf,
  fakeTime,
  openHttp,
  serve,
  type TestServer,
} from "../http/server.ts";

/** Answers every request with the next page. */
async function pagesBy(answer: (token: string | null, count: number) => object) {
  const answering: Answering = ({ url }, response, count) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer(url.searchParams.get("pageToken"), count)));
  };
  const server: TestServer = await serve(answering);
  const http = openHttp(fakeTime());
  const client = createVideoClient({ baseUrl: `${server.url}/v3`, key: "k", token: "t", http });
  return { server, client };
}

const endless = (_token: unknown, count: number) => ({
  items: [{ id: count }],
  nextPageToken: `t${count}`,
});

async function walk(client: VideoClient, options?: { maxPages?: number; signal?: AbortSignal }) {
  const found: unknown[] = [];
  for await (const page of client.pages("search.list", { part: ["snippet"], q: "x" }, options)) {
    found.push(...page.items.map(({ id }) => id));
  }
  return found;
}

describe("pages", () => {
  it("follows the tokens until there is none, over short and empty pages", async () => {
    const pages = [
      { items: [{ id: 1 }, { id: 2 }], nextPageToken: "a" },
      { items: [], nextPageToken: "b" },
      { nextPageToken: "c", pageInfo: { totalResults: 0 } },
      { items: [{ id: 3 }] },
    ];
    const { client, server } = await pagesBy((_token, count) => pages[count - 1] ?? {});

    expect(await walk(client)).toEqual([1, 2, 3]);
    expect(server.received.map(({ url }) => url.searchParams.get("pageToken"))).toEqual([
      null,
      "a",
      "b",
      "c",
    ]);
    expect(server.received.map(({ url }) => url.searchParams.get("q"))).toEqual([
      "x",
      "x",
      "x",
      "x",
    ]);
  });

  it("ends when a token comes a second time", async () => {
    const tokens = ["a", "b", "a", "c"];
    const { client, server } = await pagesBy((_token, count) => ({
      items: [{ id: count }],
      nextPageToken: tokens[count - 1],
    }));

    expect(await walk(client)).toEqual([1, 2, 3]);
    expect(server.received).toHaveLength(3);
  });

  it("ends when the list comes back to where it was begun", async () => {
    const { client, server } = await pagesBy(() => ({ items: [], nextPageToken: "start" }));

    const pages = client.pages("search.list", { part: ["snippet"], pageToken: "start" });
    for await (const _page of pages);

    expect(server.received).toHaveLength(1);
  });

  it("ends at so many pages, and the last one says that the list goes on", async () => {
    const { client, server } = await pagesBy(endless);

    const pages = client.pages("search.list", { part: ["snippet"] }, { maxPages: 3 });
    const found = [];
    for await (const page of pages) found.push(page);

    expect(server.received).toHaveLength(3);
    expect(found.at(-1)?.nextPageToken).toBe("t3");
  });

  it("ends by itself after 200 pages", async () => {
    const { client } = await pagesBy(endless);

    expect(await walk(client)).toHaveLength(200);
  });

  it("fetches no page before it is asked for, and none after a break", async () => {
    const { client, server } = await pagesBy(endless);

    const pages = client.pages("search.list", { part: ["snippet"] });
    expect(server.received).toEqual([]);
    for await (const page of pages) if (page.nextPageToken === "t2") break;

    expect(server.received).toHaveLength(2);
  });

  it("keeps the token in an answer that the caller trims", async () => {
    const { client, server } = await pagesBy(endless);

    const params = { part: ["snippet"], fields: "items(id,snippet(title,nextPageToken))" } as const;
    for await (const _page of client.pages("search.list", params, { maxPages: 1 }));

    expect(server.received[0]?.url.searchParams.get("fields")).toBe(
      "items(id,snippet(title,nextPageToken)),nextPageToken",
    );
  });

  it("rejects at the page that fails", async () => {
    const { client } = await pagesBy(() => ({}));
    const pages = client.pages("search.list", { part: ["snippet"], eventType: "live" });

    await failureOf(pages.next(), InputError);
  });

  it("rejects with the signal's reason between two pages", async () => {
    const reason = new Error("enough");
    const abort = new AbortController();
    const { client, server } = await pagesBy((token, count) => {
      if (count === 2) abort.abort(reason);
      return endless(token, count);
    });

    await expect(walk(client, { signal: abort.signal })).rejects.toBe(reason);
    expect(server.received).toHaveLength(2);
  });

  it("is typed from the rows: lists with pages, and nothing else", () => {
    type Walk = VideoClient["pages"];
    const pages = null as unknown as Walk;
    const never = () => {
      expectTypeOf(pages("search.list", { part: ["snippet"] })).toEqualTypeOf<
        AsyncIterableIterator<import("../../src/video/index.ts").ResourcePage<SearchResult>>
      >();
      // @ts-expect-error: a list without pages
      pages("i18nRegions.list", { part: ["snippet"] });
      // @ts-expect-error: no list
      pages("playlists.delete", { id: "a" });
      // @ts-expect-error: a wrong part
      pages("search.list", { part: ["statistics"] });
    };

    expect(never).toBeTypeOf("function");
    expectTypeOf<"comments.list">().toExtend<PagedMethod>();
    expectTypeOf<"captions.list">().not.toExtend<PagedMethod>();
  });
});

describe("keepPageToken", () => {
  it.each([
    ["items/id", "items/id,nextPageToken"],
    ["items(id,x(nextPageToken))", "items(id,x(nextPageToken)),nextPageToken"],
    ["nextPageToken,items", "nextPageToken,items"],
    ["items , nextPageToken ", "items , nextPageToken "],
    ["*", "*"],
    ["", ""],
  ])("makes %j %j", (fields, kept) => {
    expect(keepPageToken({ fields })).toEqual({ fields: kept });
  });
});
