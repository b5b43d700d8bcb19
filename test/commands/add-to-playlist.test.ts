import type { APIMessage } from "discord-api-types/v10";
import { describe, expect, it } from "vitest";
import { asMessage, isEphemeral, textOf } from "../support/stage.ts";
import { expectPrivate, expectText, useStage } from "../support/use-stage.ts";

const { stage, owner, member, asChannel } = useStage();
const { run, click, choose, submit, clickForm } = owner;

const menu = async (message: APIMessage) =>
  asMessage(await owner.person().menu("Add to playlist", message));

interface Page {
  readonly items: readonly {
    readonly id: string;
    readonly snippet: { readonly title: string };
    readonly contentDetails: { readonly videoId: string };
  }[];
}

async function videosIn(id: string): Promise<readonly string[]> {
  const path = `/playlistItems?playlistId=${id}&maxResults=50&part=contentDetails`;
  const { items } = await asChannel<Page>(path);
  return items.map(({ contentDetails }) => contentDetails.videoId);
}

const ownVideos = () => videosIn(stage.sandbox.video.ownChannelId.replace(/^UC/u, "UU"));

async function playlistCalled(title: string): Promise<string> {
  const { items } = await asChannel<Page>("/playlists?mine=true&maxResults=50&part=snippet");
  return items.find(({ snippet }) => snippet.title === title)?.id ?? "";
}

describe("the menu Add to playlist", () => {
  it("finds every video that a message links to, each once, and names them", async () => {
    const [a = "", b = "", c = ""] = await ownVideos();
    const said = await owner
      .person()
      .say(
        `https://youtu.be/${a}?t=1 and <https://www.youtube.com/watch?v=${b}> (https://youtube.com/shorts/${c}) https://m.youtube.com/watch?v=${a} https://example.com/watch?v=${a}`,
      );

    const choice = await menu(said);

    expect(isEphemeral(choice)).toBe(true);
    expectText(choice, "Add 3 videos to which playlist?", "Studio tour", "Ideas for next season");
  });

  it("finds them in Markdown, in quotes and before commas of other scripts", async () => {
    const [a = "", b = "", c = "", d = "", e = ""] = await ownVideos();
    const said = await owner
      .person()
      .say(
        `https://youtu.be/${a}、すごい 「https://youtu.be/${b}」 \`https://youtu.be/${c}\` _https://youtu.be/${d}_ https://studio.youtube.com/video/${e}/edit。`,
      );

    expectText(await menu(said), "Add 5 videos to which playlist?");
  });

  it("adds them to what is chosen, in their order", async () => {
    const [a = "", b = ""] = await ownVideos();
    const id = await playlistCalled("Ideas for next season");
    const choice = await menu(await owner.person().say(`youtu.be/${b} youtu.be/${a}`));

    const done = await choose(choice, [id]);

    expect(textOf(done)).toContain("2 videos added to “Ideas for next season”");
    expect(await videosIn(id)).toEqual([b, a]);
  });

  it("makes a new playlist for them, after a form that says what it costs", async () => {
    const [a = "", b = ""] = await ownVideos();
    const choice = await menu(await owner.person().say(`youtu.be/${a} youtu.be/${b}`));

    const form = await clickForm(choice, "New playlist");
    const done = await submit(form, { title: "From the chat" });

    expect(JSON.stringify(form)).toContain("It costs 153 units");
    expect(textOf(done)).toContain("2 videos added to “From the chat”");
    expect(await videosIn(await playlistCalled("From the chat"))).toEqual([a, b]);
  });

  it("works on our own lists and cards", async () => {
    const list = await member.run("playlists uploads");
    const card = await member.click(list, "Details");

    const ofList = await menu(list);
    const ofCard = asMessage(
      await owner.person().menu("Add to playlist", await click(list, "Details")),
    );

    expect(textOf(card)).not.toBe("");
    expect(textOf(ofList)).toContain("Add 5 videos");
    expect(textOf(ofCard)).toContain("Add 1 video");
  });

  it("is reached from a search as well: details, then the button", async () => {
    const id = await playlistCalled("Feedback round");
    const found = await run("search", { query: "bread", type: "video" });
    const details = await click(found, "Details");
    const choice = await click(details, "Add to playlist");
    const before = await videosIn(id);
    const done = await choose(choice, [id]);

    expect(textOf(choice)).toContain("Add 1 video to which playlist?");
    expect(textOf(done)).toContain("1 video added to “Feedback round”");
    expect(await videosIn(id)).toHaveLength(before.length + 1);
  });

  it("says so when there is none, and when none of them is there", async () => {
    const none = await menu(await owner.person().say("no link at all, https://example.com/x"));
    const gone = await menu(await owner.person().say("https://youtu.be/aaaaaaaaaaa"));

    expectPrivate(none, "No video link");
    expect(textOf(gone)).toMatch(/gone|there|private/u);
  });

  it("takes fifty at most and says what it leaves out", async () => {
    const [a = ""] = await ownVideos();
    const others = Array.from({ length: 52 }, (_, index) => `youtu.be/aaaaaaaaa${10 + index}`);

    const choice = await menu(await owner.person().say(`youtu.be/${a} ${others.join(" ")}`));

    expectText(choice, "Add 1 video", "49 not found");
    expect(textOf(choice)).toContain("The limit is 50 at once; 3 more were left out");
  });

  it("turns pages when there are more playlists than one select holds", async () => {
    const [a = ""] = await ownVideos();
    for (let index = 0; index < 25; index += 1) {
      await asChannel("/playlists?part=snippet", { snippet: { title: `Shelf ${index}` } });
    }
    // Makes the bot read the playlists again.
    await owner.run("playlists create", { title: "One more" });

    const first = await menu(await owner.person().say(`youtu.be/${a}`));
    const asked = stage.videoRequests.length;
    const second = await click(first, "Next");
    const back = await click(second, "Previous");

    expect(stage.videoRequests).toHaveLength(asked);
    expect(textOf(second)).toMatch(/\b0 units\b/u);
    expect(textOf(second)).not.toBe(textOf(first));
    expect(textOf(second)).toMatch(/Shelf \d+|One more/u);
    expect(textOf(back)).toContain("Ideas for next season");
  });

  it("is for managers", async () => {
    const [a = ""] = await ownVideos();
    const said = await owner.person().say(`youtu.be/${a}`);

    const refused = asMessage(await stage.sandbox.user("member").menu("Add to playlist", said));

    expect(isEphemeral(refused)).toBe(true);
    expect(textOf(refused)).not.toContain("which playlist");
  });

  it("is called and answers in the person's language", async () => {
    const [a = "", b = ""] = await ownVideos();
    const said = await owner.person().say(`youtu.be/${a} youtu.be/${b}`);
    owner.speak("de");
    try {
      const choice = asMessage(await owner.person().menu("Zu Playlist hinzufügen", said));

      expectText(choice, "Zu welcher Playlist 2 Videos hinzufügen?", "Neue Playlist …");
    } finally {
      owner.speak("en-US");
    }
  });
});
