import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { asMessage, isEphemeral, textOf } from "../../support/stage.ts";
import { expectText, useStage } from "../../support/use-stage.ts";

const { stage, owner } = useStage();
const { run, click } = owner;

describe("what is typed about pages", () => {
  it("makes them smaller", async () => {
    const message = await run("playlists list", { extra: "maxResults=2" });

    expect(textOf(message).match(/Show videos/gu)).toHaveLength(2);
    expect(stage.videoRequests.at(-1)?.query.get("maxResults")).toBe("50");
  });

  it.each([
    ["playlists list", { extra: "maxResults=6" }, "takes: 1 – 5"],
    ["regions list", { extra: "maxResults=6" }, "isn’t known here"],
    ["playlists list", { extra: "maxResults=50", output: "csv" }, "holds the whole list"],
    ["playlists list", { extra: "pageToken=x", output: "json" }, "holds the whole list"],
    ["videos list", { videos: "dQw4w9WgXcQ", extra: "maxResults=2" }, "listed by ID"],
  ] as const)("is refused where it has no effect: /%s %j", async (path, options, said) => {
    const before = stage.videoRequests.length;

    const message = await run(path, options);

    expect(textOf(message)).toContain(said);
    expect(isEphemeral(message)).toBe(true);
    expect(stage.videoRequests.slice(before).map(({ method }) => method)).not.toContain(
      path.replace(" ", "."),
    );
  });

  it("asks for as much as the service takes where its own answer is wanted", async () => {
    await run("playlists list", { extra: "maxResults=50", output: "raw" });

    expect(stage.videoRequests.at(-1)?.query.get("maxResults")).toBe("50");
  });
});

describe("pages", () => {
  let list = 0;
  const sent = (path: string) => stage.videoRequests.filter(({ method }) => method === path);

  /** A list of playlists that no test has opened before; `batches` are the sizes of YouTube's answers. */
  async function openPlaylists(...batches: readonly number[]) {
    list += 1;
    const channelId = `UC${`${list}`.padStart(22, "x")}`;
    const state = { batches: [...batches], calls: 0 };
    const body = (url: URL) => {
      state.calls += 1;
      const batch = Number(url.searchParams.get("pageToken") ?? 0);
      const before = state.batches.slice(0, batch).reduce((sum, count) => sum + count, 0);
      const items = Array.from({ length: state.batches[batch] ?? 0 }, (_, at) => ({
        id: `PL${list}-${before + at + 1}`,
        snippet: { title: `Playlist ${before + at + 1}.` },
        status: { privacyStatus: "public" },
      }));
      const isLast = batch + 1 >= state.batches.length;
      return JSON.stringify({ items, ...(!isLast && { nextPageToken: `${batch + 1}` }) });
    };
    const channel = { items: [{ id: channelId, snippet: { title: "Lists" } }] };
    const headers = { "Content-Type": "application/json" };
    const { faults } = stage.sandbox.video;
    const answer = { kind: "answer", status: 200, headers } as const;
    faults.add({ ...answer, path: new RegExp(`/playlists\\?.*${channelId}`, "u"), body });
    faults.add({
      ...answer,
      path: new RegExp(`/channels\\?.*${channelId}`, "u"),
      body: JSON.stringify(channel),
    });
    const first = await run("playlists list", { channel: channelId });
    return { first, state };
  }

  const shownOn = (message: APIMessage) =>
    (textOf(message).match(/Playlist \d+\./gu) ?? []).map((name) => Number(name.slice(9, -1)));

  it("cost one call for as many entries as it returns, and nothing on the way", async () => {
    const { first, state } = await openPlaylists(12);
    const second = await click(first, "Next");
    const third = await click(second, "Next");
    const back = await click(third, "Previous");

    expect([first, second, third, back].map(shownOn)).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
      [11, 12],
      [6, 7, 8, 9, 10],
    ]);
    expect(state.calls).toBe(1);
    expect(textOf(third)).toContain("Page 3");
    expect(textOf(third)).not.toContain("Next");
  });

  it("say what each really cost", async () => {
    const { first } = await openPlaylists(6, 1);
    const second = await click(first, "Next");
    const third = await click(second, "Next");

    expectText(first, /\b2 units\b/u);
    expectText(second, /\b0 units\b/u);
    expectText(third, /\b1 unit\b/u);
  });

  it("go over the end of an answer and back, with places and numbers that go on", async () => {
    const { first, state } = await openPlaylists(7, 6);
    const pages = [first];
    for (let turn = 0; turn < 3; turn += 1) pages.push(await click(pages.at(-1) ?? first, "Next"));
    for (let turn = 0; turn < 3; turn += 1)
      pages.push(await click(pages.at(-1) ?? first, "Previous"));

    expect(pages.map(shownOn)).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7],
      [8, 9, 10, 11, 12],
      [13],
      [8, 9, 10, 11, 12],
      [6, 7],
      [1, 2, 3, 4, 5],
    ]);
    expect(pages.map((page) => /Page (\d+)/u.exec(textOf(page))?.[1])).toEqual([
      "1",
      "2",
      "3",
      "4",
      "3",
      "2",
      "1",
    ]);
    expect(state.calls).toBe(2);
  });

  it("show the last one there is where entries have gone", async () => {
    const { first, state } = await openPlaylists(12);
    const second = await click(first, "Next");
    await run("playlists create", { title: "forgets what was read" });
    state.batches = [3];

    const third = await click(second, "Next");

    expect(shownOn(third)).toEqual([1, 2, 3]);
    expectText(third, /\b1 unit\b/u);
    expect(textOf(third)).not.toContain("Previous");
  });

  it("say so where nothing more comes", async () => {
    const { first } = await openPlaylists(5, 0);

    const second = await click(first, "Next");

    expectText(second, "There are no more entries.", "Page 2");
    expect(shownOn(await click(second, "Previous"))).toEqual([1, 2, 3, 4, 5]);
  });

  it("pass over empty answers that have a next one, and are numbered as if there were none", async () => {
    const { first, state } = await openPlaylists(0, 0, 5, 0, 2);
    const second = await click(first, "Next");
    const back = await click(second, "Previous");

    expect([first, second, back].map(shownOn)).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7],
      [1, 2, 3, 4, 5],
    ]);
    expect(state.calls).toBe(5);
    expect(textOf(first)).not.toContain("Previous");
    expectText(first, /\b4 units\b/u);
    expectText(second, "Page 2", /\b2 units\b/u);
  });

  it("pass over five empty answers at once, and say that there may be more", async () => {
    const { first, state } = await openPlaylists(0, 0, 0, 0, 0, 0, 2);
    const calls = state.calls;
    const second = await click(first, "Next");

    expectText(first, "There may be more on the next one");
    expect(calls).toBe(6);
    expect(shownOn(second)).toEqual([1, 2]);
  });

  it("are someone else’s own when they press", async () => {
    const { first, state } = await openPlaylists(12);

    const theirs = asMessage(await stage.sandbox.user("member").click(first, "Next"));
    const mine = await click(first, "Next");

    expect([theirs, mine].map(shownOn)).toEqual([
      [6, 7, 8, 9, 10],
      [6, 7, 8, 9, 10],
    ]);
    expect([isEphemeral(theirs), isEphemeral(mine)]).toEqual([true, false]);
    expect(state.calls).toBe(1);
  });

  it("of a search cost one search and one unit for fifty results", async () => {
    const first = await run("search", { query: "the", type: "video" });
    const before = stage.videoRequests.length;
    const second = await click(first, "Next");

    expect(sent("search.list").map(({ query }) => query.get("maxResults"))).toEqual(["50"]);
    expect(sent("videos.list").at(-1)?.query.get("id")?.split(",").length).toBeGreaterThan(5);
    expect(stage.videoRequests).toHaveLength(before);
    expectText(first, /1 search and 1 unit · [\d,]+ searches and [\d,]+ units left today/u);
    expectText(second, /0 searches · [\d,]+ searches left/u);
  });

  it("of a search are not paid for beyond the one that was asked for", async () => {
    const headers = { "Content-Type": "application/json" };
    let calls = 0;
    const body = () => {
      calls += 1;
      return JSON.stringify({ items: [], nextPageToken: "next" });
    };
    stage.sandbox.video.faults.add({
      kind: "answer",
      status: 200,
      headers,
      body,
      path: /\/search\?.*emptyfirst/u,
    });

    const first = await run("search", { query: "emptyfirst", type: "video" });

    expect(calls).toBe(1);
    expectText(first, "There may be more on the next one", "1 search");
    expect(textOf(first)).toContain("Next");
  });

  it.each([
    ["search", { mine: true }],
    ["playlists list", { mine: true }],
    ["activity", {}],
  ] as const)(
    "of what only the channel sees come from the first answer too: /%s",
    async (path, options) => {
      const first = await run(path, options);
      const before = stage.videoRequests.length;
      const second = await click(first, "Next");

      expect(stage.videoRequests).toHaveLength(before);
      expectText(second, "Page 2", /\b0 (?:units|searches)\b/u);
    },
  );

  it("of comments come a hundred at a time", async () => {
    await run("comments list");

    expect(sent("commentThreads.list").at(-1)?.query.get("maxResults")).toBe("100");
  });
});

describe("requested parts", () => {
  it("are shown with each entry, and are columns of its table", async () => {
    const page = await run("playlists list", { extra: "part=player" });
    const file = await run("playlists list", { extra: "part=player", output: "csv" });

    expect(textOf(page)).toContain("player: embedHtml:");
    expect(file.attachments[0]?.filename).toBe("playlists-list.csv");
    const table = await (await fetch(file.attachments[0]?.url ?? "")).text();
    expect(table.split("\n")[0]).toContain(",player");
  });
});
