import type { APIMessage } from "discord-api-types/v10";
import { afterEach, describe, expect, it } from "vitest";
import { fetchBytes, isEphemeral, offered, textOf } from "../support/stage.ts";
import {
  buttonsOf,
  expectPrivate,
  expectPublic,
  expectText,
  useStage,
} from "../support/use-stage.ts";

const { stage, owner, moderator, member, units, asChannel, videoAnswers } = useStage();
const { run, click, submit, runForm } = owner;
afterEach(() => {
  stage.sandbox.video.quota.refill();
});

type Options = Readonly<Record<string, string | number | boolean>>;

interface Shown {
  readonly id: string;
  readonly snippet: {
    readonly title: string;
    readonly description: string;
    readonly position: number;
    readonly resourceId: { readonly videoId: string };
  };
  readonly contentDetails: { readonly note?: string; readonly videoId: string };
  readonly status: { readonly privacyStatus: string; readonly podcastStatus?: string };
}

async function listed(path: string): Promise<readonly Shown[]> {
  const parts = "part=snippet,contentDetails,status";
  type Page = { readonly items?: readonly Shown[]; readonly nextPageToken?: string };
  const { items = [], nextPageToken } = await asChannel<Page>(`${path}&${parts}`);
  if (nextPageToken === undefined || !path.includes("maxResults=50")) return items;
  const [first] = path.split("&pageToken=");
  return [...items, ...(await listed(`${first}&pageToken=${nextPageToken}`))];
}

const ofPlaylist = async (id: string) => listed(`/playlistItems?playlistId=${id}&maxResults=50`);
const videosIn = async (id: string) =>
  (await ofPlaylist(id)).map(({ contentDetails }) => contentDetails.videoId);

async function ownVideos(): Promise<readonly string[]> {
  const uploads = stage.sandbox.video.ownChannelId.replace(/^UC/u, "UU");
  return videosIn(uploads);
}

let made = 0;
async function newPlaylist(videos: readonly string[] = []): Promise<string> {
  made += 1;
  const { id } = await asChannel<Shown>("/playlists?part=snippet,status", {
    snippet: { title: `Made for a test ${made}` },
    status: { privacyStatus: "private" },
  });
  for (const videoId of videos) {
    const snippet = { playlistId: id, resourceId: { kind: "youtube#video", videoId } };
    await asChannel("/playlistItems?part=snippet", { snippet });
  }
  return id;
}

describe("/playlists list", () => {
  it("lists the linked channel's public playlists for all to see when no channel is named", async () => {
    const message = await member.run("playlists list");

    expectPublic(message, /\d+ videos? · <t:\d+:R>/u, "Playlists of Greenroom Studio");
    expect(textOf(message)).not.toContain("Sponsor drafts");
  });

  it("shows private ones to people of rank alone, on their own", async () => {
    const mine = await moderator.run("playlists list", { mine: true });
    const refused = await member.run("playlists list", { mine: true });

    expectPrivate(mine, "Sponsor drafts", "Private");
    expect(isEphemeral(refused)).toBe(true);
    expect(textOf(refused)).not.toContain("Sponsor drafts");
  });

  it("lists playlists by their ids and links", async () => {
    const all = await listed("/playlists?mine=true&maxResults=3");
    const ids = all.map(({ id }) => id);

    const message = await run("playlists list", {
      playlists: `${ids[0]} https://www.youtube.com/playlist?list=${ids[1]}`,
    });

    expect(textOf(message)).toContain(all[0]?.snippet.title);
    expect(textOf(message)).not.toContain(all[2]?.snippet.title ?? "-");
  });

  it("turns a page for each person without disturbing the other", async () => {
    const message = await member.run("playlists list");

    const copy = await click(message, "Next");
    const turned = await member.click(message, "Next");

    expect(isEphemeral(copy)).toBe(true);
    expect(turned.id).toBe(message.id);
    expect(textOf(turned)).toContain("Page 2");
    expect(textOf(copy)).toContain("Page 2");
  });

  it("gives the whole list as a table", async () => {
    const message = await member.run("playlists list", { output: "csv" });

    const table = `${await fetchBytes(message.attachments[0]?.url ?? "")}`;

    expect(table).toContain("id,title,description,videos,privacy");
    expect(table).toContain("Inspiration @everyone");
  });

  it("wants one thing to list", async () => {
    const message = await run("playlists list", { mine: true, channel: "@greenroomstudio" });

    expect(textOf(message)).toContain("at most one of these: channel, playlists, and mine");
  });

  it("says that a handle leads nowhere, and what a channel can be given as", async () => {
    const gone = await member.run("playlists list", { channel: "@nobody-has-this-handle" });
    const wrong = await member.run("playlists list", { channel: "not a channel" });

    expect(textOf(gone)).toMatch(/channel/iu);
    expectPrivate(wrong, "@handle");
  });
});

describe("/playlists show, uploads and likes", () => {
  it("shows the videos in order and leafs through them", async () => {
    const first = await member.run("playlists uploads");
    const second = await member.click(first, "Next");

    expectText(first, "Uploads of Greenroom Studio", "[1. ");
    expect(textOf(second)).toContain("[6. ");
  });

  it("takes a pasted link and suggests the channel's own playlists", async () => {
    const [choice] = await offered(member.person(), "playlists show", "playlist", "inspir");

    const message = await member.run("playlists show", {
      playlist: `https://www.youtube.com/playlist?list=${choice?.value}`,
    });

    expectText(message, "Inspiration @everyone", "Deleted video");
  });

  it("finds one video in a playlist", async () => {
    const [first = "", second = ""] = await ownVideos();
    const id = await newPlaylist([first]);
    await run("playlists edit", { playlist: id, privacy: "public" });

    const found = await member.run("playlists show", { playlist: id, video: first });
    const absent = await member.run("playlists show", { playlist: id, video: second });

    expect(textOf(found)).toContain("[1. ");
    expect(textOf(absent)).toContain("That video isn’t in this playlist.");
  });

  it("shows a private playlist to people of rank alone, on their own", async () => {
    const [video = ""] = await ownVideos();
    const id = await newPlaylist([video]);
    const [entry] = await ofPlaylist(id);

    const toModerator = await moderator.run("playlists show", { playlist: id });
    const toMember = await member.run("playlists show", { playlist: id });

    expectPrivate(toModerator, "Made for a test", entry?.snippet.title);
    expectPrivate(toMember, "Playlist not found");
  });

  it("shows likes to people of rank alone", async () => {
    const likes = await moderator.run("playlists likes");
    const refused = await member.run("playlists likes");

    expectPrivate(likes, "Liked videos");
    expect(textOf(refused)).not.toContain("Liked videos");
  });
});

describe("/playlists entries", () => {
  it("shows entries by their ids for all to see, each with its playlist, and names what is not found", async () => {
    const [public_] = await listed("/playlists?mine=true&maxResults=50").then((all) =>
      all.filter(
        ({ status, snippet }) => status.privacyStatus === "public" && /Start/u.test(snippet.title),
      ),
    );
    const entries = await ofPlaylist(public_?.id ?? "");
    const [one, two] = entries;

    const message = await member.run("playlists entries", {
      entries: `${one?.id}, ${two?.id} UExnone.of.these-`.replaceAll(".", ""),
    });

    expectPublic(message, one?.snippet.title, two?.snippet.title, `playlist?list=${public_?.id}`);
    expectText(message, "Not found: UExnoneofthese-");
  });

  it("shows what only the channel sees to people of rank alone", async () => {
    const [a = ""] = await ownVideos();
    const [entry] = await ofPlaylist(await newPlaylist([a]));

    const toModerator = await moderator.run("playlists entries", { entries: entry?.id ?? "" });
    const toMember = await member.run("playlists entries", { entries: entry?.id ?? "" });

    expectPrivate(toModerator, entry?.snippet.title);
    expect(textOf(toMember)).toContain("None of these entries was found");
    expect(textOf(toMember)).not.toContain(entry?.snippet.title);
  });

  it("comes in one go, and a table of it holds every entry", async () => {
    const entries = (
      await ofPlaylist(stage.sandbox.video.ownChannelId.replace(/^UC/u, "UU"))
    ).slice(0, 12);
    const ids = entries.map(({ id }) => id).join(" ");
    const before = stage.videoRequests.length;

    const message = await run("playlists entries", { entries: ids });
    const last = await click(await click(message, "Next"), "Next");
    const table = await run("playlists entries", { entries: ids, output: "csv" });

    expect(textOf(message)).not.toContain("Not found");
    expect(textOf(last)).toContain(entries[11]?.snippet.title);
    expect(
      `${await fetchBytes(table.attachments[0]?.url ?? "")}`.trimEnd().split("\n"),
    ).toHaveLength(13);
    const asked = stage.videoRequests.slice(before).map(({ method }) => method);
    expect(new Set(asked)).toEqual(new Set(["playlistItems.list"]));
  });

  it("asks the service for nothing that can't be an entry, nor for more than fifty", async () => {
    const before = units();

    const wrong = await run("playlists entries", { entries: "not an id" });
    const video = await run("playlists entries", { entries: "https://youtu.be/aaaaaaaaaaa" });
    const many = Array.from({ length: 51 }, (_, index) => `UExnone-of-these-${index}`).join(",");
    const tooMany = await run("playlists entries", { entries: many });
    const tooLong = await run("playlists entries", { entries: "x".repeat(201) });

    expect(textOf(wrong)).toContain("Those aren’t IDs of entries");
    expect(textOf(video)).toContain("That’s a video");
    expect(textOf(tooMany)).toContain("takes at most 50 values at once, and you entered 51");
    expect(textOf(tooLong)).toContain("Those aren’t IDs of entries");
    expect(units() - before).toBe(0);
  });
});

describe("/playlists add", () => {
  it("adds a few at once in their order, and says what is in it already", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist([b]);

    const message = await run("playlists add", {
      playlist: id,
      videos: `https://youtu.be/${c}?si=x, ${a} https://www.youtube.com/watch?v=${b}`,
    });

    expectPrivate(message, /2 videos added to “Made for a test \d+”/u, "Already in it");
    expect(await videosIn(id)).toEqual([b, c, a]);
  });

  it("adds what is in it already once more when that is wanted", async () => {
    const [a = ""] = await ownVideos();
    const id = await newPlaylist([a]);

    await run("playlists add", { playlist: id, videos: a, again: true, note: "twice" });

    expect(await videosIn(id)).toEqual([a, a]);
    expect((await ofPlaylist(id))[1]?.contentDetails.note).toBe("twice");
  });

  it("puts several at a place, one behind the other", async () => {
    const [a = "", b = "", c = "", d = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);

    await run("playlists add", { playlist: id, videos: `${c} ${d}`, position: "2" });

    expect(await videosIn(id)).toEqual([a, c, d, b]);
  });

  it("asks about many with the price first, and spends nothing on writing before", async () => {
    const videos = (await ownVideos()).slice(0, 5);
    const id = await newPlaylist();
    const before = units();

    const question = await run("playlists add", { playlist: id, videos: videos.join(" ") });
    const cost = units() - before;
    const done = await click(question, "Add 5 videos");

    expect(textOf(question)).toContain("This costs 253 units");
    expect(cost).toBeLessThan(10);
    expect(textOf(done)).toContain("5 videos added");
    expect(await videosIn(id)).toEqual(videos);
  });

  it("does not add twice when a question is confirmed twice", async () => {
    const videos = (await ownVideos()).slice(0, 4);
    const id = await newPlaylist();
    const question = await run("playlists add", { playlist: id, videos: videos.join(" ") });

    await Promise.all([click(question, "Add 4 videos"), click(question, "Add 4 videos")]);

    expect(await videosIn(id)).toEqual(videos);
  });

  it("names the videos that are not there by their links", async () => {
    const [a = ""] = await ownVideos();
    const id = await newPlaylist();

    const message = await run("playlists add", { playlist: id, videos: `aaaaaaaaaaa ${a}` });

    expectText(message, "1 video added", "Not found", "watch?v=aaaaaaaaaaa");
  });

  it("stops at a failure that concerns all, says what was done, and continues from there", async () => {
    const videos = (await ownVideos()).slice(0, 3);
    const id = await newPlaylist();
    letFirstThrough();
    refuseNext(403, "playlistContainsMaximumNumberOfVideos");

    const message = await run("playlists add", { playlist: id, videos: videos.join(" ") });
    const middle = await videosIn(id);
    const rest = await click(message, "Add the remaining 2");

    expectText(message, "1 video added", "The playlist is full", "Not tried");
    expect(middle).toEqual(videos.slice(0, 1));
    expect(textOf(rest)).toContain("2 videos added");
    expect(await videosIn(id)).toEqual(videos);
  });

  it("says plainly why the only one was not added", async () => {
    const [a = ""] = await ownVideos();
    const id = await newPlaylist();
    refuseNext(404, "videoNotFound");

    const message = await run("playlists add", { playlist: id, videos: a });

    expect(isEphemeral(message)).toBe(true);
    expect(textOf(message)).not.toContain("Nothing was changed");
    expect(await videosIn(id)).toEqual([]);
  });

  it("continues after a video that is refused, and says its name and why", async () => {
    const videos = (await ownVideos()).slice(0, 3);
    const id = await newPlaylist();
    letFirstThrough();
    refuseNext(404, "videoNotFound");

    const message = await run("playlists add", { playlist: id, videos: videos.join(" ") });

    expectText(message, "2 videos added", /Not added.*\n.*Three lights/u);
    expect(await videosIn(id)).toEqual([videos[0], videos[2]]);
  });

  it("continues after a refusal that nobody foresaw, with YouTube's own words", async () => {
    const videos = (await ownVideos()).slice(0, 3);
    const id = await newPlaylist();
    letFirstThrough();
    refuseNext(400, "oddVideo");

    const message = await run("playlists add", { playlist: id, videos: videos.join(" ") });

    expectText(
      message,
      "2 videos added",
      /Three lights.*did not accept this \(YouTube: “oddVideo”\)/u,
    );
    expect(await videosIn(id)).toEqual([videos[0], videos[2]]);
  });

  it("does not pay for a fourth video after three refusals in a row for one reason that nobody knows", async () => {
    const videos = (await ownVideos()).slice(0, 5);
    const id = await newPlaylist();
    for (let count = 0; count < 3; count++) refuseNext(403, "oddChannel");
    const before = stage.videoRequests.length;
    const question = await run("playlists add", { playlist: id, videos: videos.join(" ") });

    const message = await click(question, "Add 5 videos");
    const sent = stage.videoRequests.slice(before);
    const none = await videosIn(id);
    const rest = await click(message, "Add the remaining 2");

    expect(sent.filter(({ method }) => method === "playlistItems.insert")).toEqual([]);
    expectText(
      message,
      "Nothing was added",
      "3 not added",
      "(YouTube: “oddChannel”)",
      "2 not tried",
    );
    expect(none).toEqual([]);
    expectText(rest, "2 videos added");
    expect(await videosIn(id)).toEqual(videos.slice(3));
  });

  it.each([
    ["failedPrecondition", 400, "YouTube doesn’t allow this here"],
    ["invalidValue", 400, "Invalid value (YouTube: “invalidValue”)"],
    ["oddReason", 400, "“oddReason”"],
    ["forbidden", 403, "Not allowed"],
    ["oddRight", 403, "“oddRight”"],
    ["videoNotFound", 404, "Video not found"],
    ["oddConflict", 409, "“oddConflict”"],
  ] as const)(
    "adds the others when one of five is refused with %s, and leaves it out of the rest",
    async (reason, status, told) => {
      const videos = (await ownVideos()).slice(0, 5);
      const id = await newPlaylist();
      const question = await run("playlists add", { playlist: id, videos: videos.join(" ") });
      letFirstThrough();
      refuseNext(status, reason);

      const message = await click(question, "Add 5 videos");

      expectText(message, "4 videos added", "Not added", told);
      expect(buttonsOf(message)).toEqual(["Show videos"]);
      expect(await videosIn(id)).toEqual([videos[0], ...videos.slice(2)]);
    },
  );

  it.each([
    ["SERVICE_UNAVAILABLE", 409],
    ["aborted", 409],
    ["backendError", 503],
  ] as const)("looks and tries again by itself after %s", async (reason, status) => {
    const videos = (await ownVideos()).slice(0, 3);
    const id = await newPlaylist();
    letFirstThrough();
    refuseNext(status, reason);

    const message = await run("playlists add", { playlist: id, videos: videos.join(" ") });

    expectText(message, "3 videos added");
    expect(await videosIn(id)).toEqual(videos);
  });

  it("adds no second copy of a video that may have been added, where copies are wanted", async () => {
    const videos = (await ownVideos()).slice(0, 3);
    const id = await newPlaylist();
    const lost = { path: /playlistItems/u, times: 1 } as const;
    stage.sandbox.video.faults.add({ ...lost, kind: "cut-after", method: "POST" });
    videoAnswers(/playlistItems/u, { status: 404, reason: "oddList", method: "GET", times: 1 });

    const message = await run("playlists add", {
      playlist: id,
      videos: videos.join(" "),
      again: true,
    });

    expectText(message, "2 videos added", "Not added", "· it may have been added");
    expect(buttonsOf(message)).toEqual(["Show videos"]);
    expect(await videosIn(id)).toEqual(videos);
  });

  it("shows how far it is, and a cancellation leaves what is done and says so", async () => {
    const videos = (await ownVideos()).slice(0, 6);
    const id = await newPlaylist();
    const question = await run("playlists add", { playlist: id, videos: videos.join(" ") });
    stage.sandbox.video.faults.add({
      kind: "delay",
      method: "POST",
      path: /playlistItems/u,
      delayMs: 300,
    });

    const working = click(question, "Add 6 videos");
    const progress = await seen(question.id, /of 6 done/u);
    await owner.click(progress, "Cancel").catch(() => undefined);
    const stopped = await working;
    const left = await videosIn(id);

    expect(textOf(progress)).toMatch(/Adding to “Made for a test/u);
    expectText(stopped, "Stopped", "Add the remaining");
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(6);
    expect(left).toEqual(videos.slice(0, left.length));
  });

  it("takes what it can of a pasted list, and names the rest", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist();

    const message = await run("playlists add", {
      playlist: id,
      videos: `1. Studio tour https://youtu.be/${a}\n2. https://youtu.be/${b} ${id}, something else`,
    });

    expectText(message, /2 videos added to “Made for a test \d+”/u, "2 aren’t videos");
    expectText(message, `- ${id.slice(0, 10)}`, "- something else");
    expect(textOf(message)).not.toContain("Studio tour https");
    expect(await videosIn(id)).toEqual([a, b]);
  });

  it("reads a list with commas of Japanese, and addresses of Studio and of pictures", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist();

    const message = await run("playlists add", {
      playlist: `https://studio.youtube.com/playlist/${id}/videos`,
      videos: `https://studio.youtube.com/video/${a}/edit、「https://i.ytimg.com/vi/${b}/hqdefault.jpg」、${c}`,
    });

    expectText(message, "3 videos added");
    expect(await videosIn(id)).toEqual([a, b, c]);
  });

  it("reads links as Discord and Markdown have them", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist();

    const message = await run("playlists add", {
      playlist: id,
      videos: `<https://youtu.be/${a}> [Tour](https://youtu.be/${b}/) "https://youtu.be/${c}". <https://youtu.be/no>`,
    });

    expectText(message, "3 videos added", "Not a video", "<https://youtu.be/no>");
    expect(await videosIn(id)).toEqual([a, b, c]);
  });

  it("adds fifty of a longer list, and asks before it goes on with the others", async () => {
    const videos = await ownVideos();
    const id = await newPlaylist();
    const unknown = Array.from({ length: 49 }, (_, index) => `aaaaaaaaa${10 + index}`);
    const list = [videos[0], ...unknown, ...videos.slice(1, 6)].join("\n");

    const first = await run("playlists add", { playlist: id, videos: list });
    const question = await click(first, "Add the remaining 5");
    const before = await videosIn(id);
    await click(question, "Add 5 videos");

    expectText(first, /1 video added/u, "49 not found", "5 more than the 50");
    expectText(question, "Add 5 videos to", /This costs \d+ units/u);
    expect(before).toEqual(videos.slice(0, 1));
    expect(await videosIn(id)).toEqual(videos.slice(0, 6));
  });

  it("puts the first at the top or the bottom", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist([a]);

    await run("playlists add", { playlist: id, videos: b, position: "top" });
    await run("playlists add", { playlist: id, videos: c, position: "bottom" });
    const offers = await offered(owner.person(), "playlists add", "position", "", { playlist: id });
    const wrong = await run("playlists add", { playlist: id, videos: c, position: "0" });

    expect(await videosIn(id)).toEqual([b, a, c]);
    expect(offers.map(({ name }) => name)).toEqual(["Top", "Bottom"]);
    expectText(wrong, "That isn’t a place in the playlist", "You entered “0”");
  });

  it("refuses before anything is spent: no videos, other links, places that are none", async () => {
    const [a = ""] = await ownVideos();
    const id = await newPlaylist();
    const before = units();

    const other = await run("playlists add", { playlist: id, videos: id });
    const video = await run("playlists add", { playlist: a, videos: a });
    const text = await run("playlists add", { playlist: id, videos: "🎉 مرحبا" });
    const cost = units() - before;
    const place = await run("playlists add", { playlist: id, videos: a, position: "9" });

    expect(textOf(other)).toContain("That’s a playlist");
    expect(textOf(video)).toContain("That’s a video");
    expect(textOf(text)).toContain("isn’t a YouTube video link");
    expect(cost).toBe(0);
    expect(textOf(place)).toContain("There is no place 9");
    expect(await videosIn(id)).toEqual([]);
  });

  it("recognises lists that nobody can add to", async () => {
    const [a = ""] = await ownVideos();
    const own = stage.sandbox.video.ownChannelId;
    const [other] = [...stage.sandbox.video.channels.keys()].filter((id) => id !== own);
    const [theirs] = await listed(`/playlists?channelId=${other}`);

    const uploads = await run("playlists add", { playlist: own.replace(/^UC/u, "UU"), videos: a });
    const foreign = await run("playlists add", { playlist: theirs?.id ?? "", videos: a });
    const sorted = await run("playlists add", {
      playlist: own.replace(/^UC/u, "LL"),
      videos: a,
      position: "1",
    });

    expectText(uploads, "This list always holds everything the channel uploaded", "/videos upload");
    expect(textOf(foreign)).toContain("someone else");
    expect(textOf(sorted)).toContain("YouTube sorts that list");
  });

  it("is for managers", async () => {
    const [a = ""] = await ownVideos();
    const id = await newPlaylist();

    const refused = await moderator.run("playlists add", { playlist: id, videos: a });

    expect(isEphemeral(refused)).toBe(true);
    expect(await videosIn(id)).toEqual([]);
  });
});

/** Lets the first write of an entry succeed, so that a fault added later affects the next one. */
function letFirstThrough(method = "POST"): void {
  const late = { kind: "delay", method, path: /playlistItems/u, delayMs: 1 } as const;
  stage.sandbox.video.faults.add({ ...late, times: 1 });
}

function refuseNext(status: number, reason: string): void {
  videoAnswers(/playlistItems/u, { status, reason, method: "POST", times: 1 });
}

/** Waits until the owner sees this text on the message. */
async function seen(id: string, text: RegExp): Promise<APIMessage> {
  for (let tries = 0; tries < 100; tries += 1) {
    const message = owner.messages().find((each) => each.id === id);
    if (message !== undefined && text.test(textOf(message))) return message;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error(`nobody saw ${text}`);
}

describe("/playlists move", () => {
  const itemOf = async (id: string, place: number) => (await ofPlaylist(id))[place - 1]?.id ?? "";

  it.each([
    ["to a place", { position: "3" }, [1, 2, 0, 3]],
    ["to the top", { item: 3, position: "top" }, [3, 0, 1, 2]],
    ["to the bottom, in another language", { position: "Unten" }, [1, 2, 3, 0]],
    ["before one further down", { before: 2 }, [1, 0, 2, 3]],
    ["after one further down", { after: 2 }, [1, 2, 0, 3]],
    ["before one further up", { item: 3, before: 1 }, [0, 3, 1, 2]],
    ["after one further up", { item: 3, after: 1 }, [0, 1, 3, 2]],
  ])("moves %s", async (_, { item = 0, ...where }: Options, order) => {
    const videos = (await ownVideos()).slice(0, 4);
    const id = await newPlaylist(videos);
    const named = Object.fromEntries(
      await Promise.all(
        Object.entries(where).map(async ([name, value]) => [
          name,
          name === "before" || name === "after" ? await itemOf(id, Number(value) + 1) : value,
        ]),
      ),
    ) as Options;

    const message = await run("playlists move", {
      playlist: id,
      item: await itemOf(id, Number(item) + 1),
      ...named,
    });

    expect(textOf(message)).toMatch(/from place \d to place \d/u);
    expect(await videosIn(id)).toEqual(order.map((index) => videos[index]));
  });

  it("takes a video's link, and writes a note without moving", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);

    const answer = await run("playlists move", {
      playlist: id,
      item: `https://youtu.be/${b}`,
      note: "Später *mehr* 🎉",
    });

    expect(textOf(answer)).toContain("Note: not set → Später *mehr* 🎉");

    const items = await ofPlaylist(id);
    expect(items.map(({ contentDetails }) => contentDetails.note)).toEqual([
      undefined,
      "Später *mehr* 🎉",
    ]);
    expect(await videosIn(id)).toEqual([a, b]);
  });

  it("suggests the playlist's entries by place and title", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);

    const choices = await offered(owner.person(), "playlists move", "item", "", { playlist: id });

    expect(choices.map(({ name }) => name.slice(0, 2))).toEqual(["1.", "2."]);
    expect(choices.map(({ value }) => value)).toEqual([await itemOf(id, 1), await itemOf(id, 2)]);
  });

  it("wants one place, and one that is there", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);
    const item = await itemOf(id, 1);
    const move = async (options: Options) =>
      textOf(await run("playlists move", { playlist: id, item, ...options }));

    expect(await move({})).toContain("Enter a number, choose top or bottom");
    expect(await move({ position: "1", before: await itemOf(id, 2) })).toContain(
      "Choose only one place",
    );
    expect(await move({ position: "3" })).toContain("from 1 to 2");
    expect(await move({ before: c })).toContain("in the playlist");
    expect(await move({ item: "what is this", position: "top" })).toContain("“item”");
    expect(await videosIn(id)).toEqual([a, b]);
  });

  it("writes nothing when the same video is already there", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);
    const before = units();

    const message = await run("playlists move", { playlist: id, item: a, position: "top" });

    expect(textOf(message)).toContain("at that place");
    expect(units() - before).toBeLessThan(50);
  });
});

describe("the list of a playlist", () => {
  /** A playlist that everyone with its link can see. */
  async function openPlaylist(videos: readonly string[]): Promise<string> {
    const id = await newPlaylist(videos);
    await run("playlists edit", { playlist: id, privacy: "unlisted" });
    return id;
  }

  it("has Move and Remove for managers where the channel made it", async () => {
    const videos = (await ownVideos()).slice(0, 5);
    const id = await openPlaylist(videos);

    const list = await run("playlists show", { playlist: id });
    const form = await owner.clickForm(list, "Move");
    const moved = await owner.submit(form, { position: "3" });
    const again = await run("playlists show", { playlist: id });
    const question = await click(again, "Remove");
    await click(question, "Remove");

    expectText(list, /Details\nMove\nRemove/u);
    expect(textOf(list).match(/^Move$/gmu)).toHaveLength(4);
    expectText(moved, "from place 1 to place 3");
    expectText(question, "Remove 1 entry from", /This costs 50 units/u);
    expect(await videosIn(id)).toEqual([videos[2], videos[0], videos[3], videos[4]]);
  });

  it("takes the ends of the list in words, and says what a place is", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await openPlaylist([a, b]);
    const list = await run("playlists show", { playlist: id });

    const wrong = await owner.submit(await owner.clickForm(list, "Move"), { position: "up" });
    await owner.submit(await owner.clickForm(list, "Move"), { position: "bottom" });

    expectText(wrong, "You entered “up” as “New place”", "Enter a number from 1");
    expect(await videosIn(id)).toEqual([b, a]);
  });

  it("has neither for others, nor where the list is someone else’s", async () => {
    const [a = ""] = await ownVideos();
    const id = await openPlaylist([a]);
    const own = stage.sandbox.video.ownChannelId;
    const [other] = [...stage.sandbox.video.channels.keys()].filter((one) => one !== own);
    const [theirs] = await listed(`/playlists?channelId=${other}`);

    const member = await moderator.run("playlists show", { playlist: id });
    const foreign = await run("playlists show", { playlist: theirs?.id ?? "" });

    expect(textOf(member)).not.toMatch(/^(?:Move|Remove)$/mu);
    expect(textOf(foreign)).not.toMatch(/^(?:Move|Remove)$/mu);
    expectText(foreign, /^Add to playlist$/mu);
  });
});

describe("/playlists remove", () => {
  it("takes what it can of a list, and names what is no entry", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);

    const question = await run("playlists remove", { playlist: id, items: `${a} what` });

    expectText(question, "Remove 1 entry from", "Not in this playlist", "- what");
  });

  it("asks, naming what goes, and takes out every place of a video", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);
    await run("playlists add", { playlist: id, videos: a, again: true });

    const question = await run("playlists remove", {
      playlist: id,
      items: `https://youtu.be/${a}, aaaaaaaaaaa`,
    });
    const before = await videosIn(id);
    const done = await click(question, "Remove 2 entries");

    expectText(question, "Remove 2 entries from", "This costs 100 units", "Not in this playlist");
    expect(before).toEqual([a, b, a]);
    expect(textOf(done)).toContain("2 entries removed");
    expect(await videosIn(id)).toEqual([b]);
  });

  it("keeps everything when the answer is no", async () => {
    const [a = ""] = await ownVideos();
    const id = await newPlaylist([a]);

    const question = await run("playlists remove", { playlist: id, items: a });
    await click(question, "Cancel");

    expect(await videosIn(id)).toEqual([a]);
  });

  it("counts as done what someone else has taken out meanwhile", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);
    const first = await run("playlists remove", { playlist: id, items: a });
    const second = await run("playlists remove", { playlist: id, items: `${a} ${b}` });

    await click(first, "Remove");
    const done = await click(second, "Remove 2 entries");

    expect(textOf(done)).toContain("2 entries removed");
    expect(await videosIn(id)).toEqual([]);
  });

  it("removes the others when one is refused, names it, and offers no more", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist([a, b, c]);
    const question = await run("playlists remove", { playlist: id, items: `${a} ${b} ${c}` });
    letFirstThrough("DELETE");
    videoAnswers(/playlistItems/u, {
      status: 400,
      reason: "failedPrecondition",
      times: 1,
      method: "DELETE",
    });

    const some = await click(question, "Remove 3 entries");

    expectText(some, "2 entries removed", "Not removed", "YouTube doesn’t allow this here");
    expect(buttonsOf(some)).toEqual(["Show videos"]);
    expect(await videosIn(id)).toEqual([b]);
  });

  it("stops where all would be refused, and offers what is left", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const id = await newPlaylist([a, b, c]);
    const question = await run("playlists remove", { playlist: id, items: `${a} ${b} ${c}` });
    letFirstThrough("DELETE");
    videoAnswers(/playlistItems/u, {
      status: 403,
      reason: "playlistForbidden",
      times: 1,
      method: "DELETE",
    });

    const some = await click(question, "Remove 3 entries");
    const more = await click(some, "Remove the remaining 2");

    expectText(some, "1 entry removed", "Not removed", "Still in it");
    expectText(more, "2 entries removed");
    expect(await videosIn(id)).toEqual([]);
  });

  it("says so when nothing of it is there", async () => {
    const id = await newPlaylist();

    expect(textOf(await run("playlists remove", { playlist: id, items: "aaaaaaaaaaa" }))).toContain(
      "in the playlist",
    );
  });
});

describe("/playlists create, edit and delete", () => {
  it("makes a private playlist by default, with any letters in its title", async () => {
    const title = "مرحبا 🎉 *Ünïcode* @everyone";
    const message = await run("playlists create", { title, language: "de" });

    const all = await listed("/playlists?mine=true&maxResults=50");
    const playlist = all.find(({ snippet }) => snippet.title === title);

    expect(playlist?.status.privacyStatus).toBe("private");
    expectPrivate(message, "Private");
  });

  it("takes translations through extra", async () => {
    const title = "With a translation";
    await run("playlists create", {
      title,
      language: "en",
      extra: "localizations.de.title=Mit einer Übersetzung",
    });

    const all = await listed("/playlists?mine=true&maxResults=50&hl=de");
    const found = all.find(({ snippet }) => snippet.title === title) as
      | { readonly snippet: { readonly localized?: { readonly title: string } } }
      | undefined;

    expect(found?.snippet.localized?.title).toBe("Mit einer Übersetzung");
  });

  it("refuses titles that the service would refuse, before it costs anything", async () => {
    const before = units();

    const empty = await run("playlists create", { title: "   " });
    const angles = await run("playlists create", { title: "a <b> c" });

    expect(textOf(empty)).toContain("is empty");
    expect(textOf(angles)).toContain("YouTube doesn’t allow these characters in “title”: < >");
    expect(units() - before).toBe(0);
  });

  it("changes what is named and keeps the rest", async () => {
    const id = await newPlaylist();
    await run("playlists edit", { playlist: id, description: "Description of the playlist" });

    const answer = await run("playlists edit", {
      playlist: id,
      podcast: "enabled",
      privacy: "unlisted",
    });

    expectText(answer, /Who can see it\n\w+ → Unlisted/u, "Podcast\nnot set → Podcast");
    expect(textOf(answer)).not.toContain("Description of the playlist");
    const [playlist] = await listed(`/playlists?id=${id}`);
    expect(playlist?.snippet.description).toBe("Description of the playlist");
    expect(playlist?.status).toEqual({ privacyStatus: "unlisted", podcastStatus: "enabled" });
  });

  it("opens a form when nothing is named, and writes only what was changed in it", async () => {
    const id = await newPlaylist();
    const form = await runForm("playlists edit", { playlist: id });
    await run("playlists edit", { playlist: id, privacy: "unlisted" });

    const saved = await submit(form, { title: "Renamed in a form" });

    const [playlist] = await listed(`/playlists?id=${id}`);
    expect(playlist?.snippet.title).toBe("Renamed in a form");
    expect(playlist?.status.privacyStatus).toBe("unlisted");
    expect(textOf(saved)).toContain("Renamed in a form");
  });

  it("says exactly what is lost before it deletes, and what stays", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await newPlaylist([a, b]);

    const question = await run("playlists delete", { playlist: id });
    const still = await videosIn(id);
    const done = await click(question, "Delete playlist");

    expectText(question, /Delete “Made for a test \d+”\?/u, "with its 2 entries");
    expect(textOf(question)).toContain("videos themselves stay");
    expect(still).toEqual([a, b]);
    expect(textOf(done)).toContain(" deleted");
    expect(await listed(`/playlists?id=${id}`)).toEqual([]);
  });

  it("keeps what someone else changed while a form was open", async () => {
    const id = await newPlaylist();
    const form = await runForm("playlists edit", { playlist: id });
    await run("playlists edit", { playlist: id, description: "Written meanwhile" });

    await owner.submit(form, { privacy: ["unlisted"] });

    const [playlist] = await listed(`/playlists?id=${id}`);
    expect(playlist?.snippet.description).toBe("Written meanwhile");
    expect(playlist?.status.privacyStatus).toBe("unlisted");
  });

  it("neither changes nor deletes the lists that the service keeps", async () => {
    const uploads = stage.sandbox.video.ownChannelId.replace(/^UC/u, "UU");
    const before = units();

    const edited = await run("playlists edit", { playlist: uploads, title: "Mine" });
    const shown = await run("playlists edit", { playlist: uploads });
    const deleted = await run("playlists delete", { playlist: uploads });

    for (const message of [edited, shown, deleted]) {
      expect(textOf(message)).toContain("YouTube manages this playlist");
    }
    expect(units() - before).toBe(0);
  });

  it("lets nobody else confirm", async () => {
    const id = await newPlaylist();
    await run("playlists edit", { playlist: id, privacy: "public" });
    const list = await member.run("playlists list", { playlists: id });
    const details = await click(list, "Details");

    const asked = await click(details, "Delete");
    const seenByMember = await member.click(list, "Details");

    expect(textOf(asked)).toContain("Delete “");
    expect(textOf(seenByMember)).not.toContain("Delete");
    expect(await listed(`/playlists?id=${id}`)).toHaveLength(1);
  });
});

describe("in German", () => {
  it("asks and answers in the person's language", async () => {
    const videos = (await ownVideos()).slice(0, 4);
    const id = await newPlaylist();
    owner.speak("de");
    try {
      const question = await run("playlists add", { playlist: id, videos: videos.join(" ") });
      const done = await click(question, "4 Videos hinzufügen");

      expect(textOf(question)).toMatch(/4 Videos zu „Made for a test \d+“ hinzufügen\?/u);
      expect(textOf(done)).toMatch(/4 Videos zu „Made for a test \d+“ hinzugefügt/u);
    } finally {
      owner.speak("en-US");
    }
  });
});
