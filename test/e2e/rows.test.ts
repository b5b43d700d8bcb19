import type { APIMessage } from "discord-api-types/v10";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rankFor } from "../../src/discord/declare/demands.ts";
import { type Route, routesOf } from "../../src/discord/declare/routes.ts";
import { type Catalogue, loadCommands } from "../../src/discord/index.ts";
import { reaches } from "../../src/discord/rank.ts";
import type { OptionInput, PersonName } from "../../src/sandbox/index.ts";
import {
  createVideoClient,
  type MethodSpec,
  methods,
  specialPlaylists,
} from "../../src/video/index.ts";
import {
  asMessage,
  fetchBytes,
  isEphemeral,
  openStage,
  photo,
  type Stage,
  textOf,
} from "../support/stage.ts";

type Filled = Record<string, OptionInput>;

const catalogue: Catalogue = await loadCommands(new URL("../../commands/", import.meta.url));
const routes = [...routesOf(catalogue).commands];
const byRow = routes.filter(([, { declaration }]) => declaration.row !== undefined);

function specOf({ declaration }: Route): MethodSpec {
  if (declaration.row === undefined) throw new Error("has no row");
  return methods[declaration.row];
}

const lists = byRow.filter(([, route]) => route.options.output !== undefined);
const destroying = byRow.filter(([, route]) => specOf(route).effect === "destroy");
const withExtra = byRow.filter(([, route]) => route.options.extra !== undefined);

describe("every row in the chat", () => {
  let stage: Stage;

  /** Values for options that offer nothing, or whose first offer has nothing to show. */
  let known: Readonly<Record<string, string>>;

  beforeAll(async () => {
    stage = await openStage();
    known = await prepare(stage);
  });
  afterAll(async () => {
    expect(await stage.violations()).toEqual([]);
    await stage.close();
  });

  const owner = () => stage.sandbox.user("owner");
  /** Verb and method of what was asked since. */
  const asked = (since: number) =>
    stage.videoRequests.slice(since).map(({ verb, method }) => `${verb} ${method}`);

  /** What is not there after 280 ms is there for the next key. */
  const firstChannel = () => stage.sandbox.platform.channels[0]?.id ?? "";

  async function firstSuggestion(path: string, option: string, others: Filled) {
    for (let tries = 0; tries < 20; tries += 1) {
      const [first] = await owner().suggest(path, option, "", others);
      if (first !== undefined) return first.value;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`/${path} suggests nothing for ${option}`);
  }

  /** A value for every required option, taken from what the command itself offers. */
  async function filled(path: string, { options }: Route): Promise<Filled> {
    const given: Filled = {};
    for (const [name, option] of Object.entries(options)) {
      if (!option.required) continue;
      const own = known[`${path} ${name}`] ?? known[`${path.split(" ")[0]} ${name}`];
      if (own !== undefined) given[name] = own;
      else if (option.choices !== undefined) given[name] = option.choices.values[0] ?? "";
      else if (option.type === "attachment") given[name] = await photo("coffee");
      else if (option.suggest !== undefined) given[name] = await firstSuggestion(path, name, given);
      else if (option.type === "channel") given[name] = firstChannel();
      else if (name === "channel") given[name] = "@lowtidemusic";
      else given[name] = "light";
    }
    return given;
  }

  async function use(path: string, options: Filled): Promise<APIMessage> {
    return asMessage(await owner().command(path, options));
  }

  it.each(lists)("/%s comes as the service answered it", async (path, route) => {
    const message = await use(path, { ...(await filled(path, route)), output: "raw" });

    const [file] = message.attachments;
    expect(textOf(message)).toContain("The service’s answer");
    const answer = JSON.parse(String(await fetchBytes(file?.url ?? ""))) as { kind?: string };
    expect(answer.kind).toMatch(/^youtube#/u);
  });

  it.each(lists)("/%s comes as a table", async (path, route) => {
    const message = await use(path, { ...(await filled(path, route)), output: "csv" });

    const table = String(await fetchBytes(message.attachments[0]?.url ?? ""));
    const [head = "", ...rows] = table.replace("\ufeff", "").trimEnd().split("\n");
    expect(head.split(",").length).toBeGreaterThan(1);
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(withExtra)(
    "/%s names what its extra takes, and asks the service nothing",
    async (path, route) => {
      const given = await filled(path, route);
      const before = stage.videoRequests.length;

      const message = await use(path, { ...given, extra: "nonsense=1" });

      expect(isEphemeral(message)).toBe(true);
      expect(textOf(message)).toContain("nonsense");
      expect(asked(before)).toEqual([]);
    },
  );

  it.each(destroying)("/%s asks before anything is lost", async (path, route) => {
    const given = await filled(path, route);
    const before = stage.videoRequests.length;

    const message = await use(path, given);

    expect(asked(before).filter((one) => !one.startsWith("GET "))).toEqual([]);
    expect(JSON.stringify(message.components)).toContain('"style":4');
    expect(textOf(message)).toMatch(/\b50 units/u);
    expect(isEphemeral(message)).toBe(true);
  });

  const people = ["member", "moderator"] as const satisfies readonly PersonName[];
  const closed = people.flatMap((person) =>
    routes
      .filter(([, { declaration }]) => !reaches(person, rankFor(declaration)))
      .map(([path, route]) => [person, path, route] as const),
  );

  it.each(closed)("a %s may not use /%s", async (person, path, route) => {
    const given = Object.fromEntries(
      await Promise.all(
        Object.entries(route.options)
          .filter(([, option]) => option.required)
          .map(async ([name, option]): Promise<[string, OptionInput]> => {
            if (option.type === "attachment") return [name, await photo("cat")];
            if (option.type === "channel") return [name, firstChannel()];
            return [name, option.choices?.values[0] ?? "dQw4w9WgXcQ"];
          }),
      ),
    );

    const message = asMessage(await stage.sandbox.user(person).command(path, given));

    expect(textOf(message)).toMatch(/You may not do that here|takes a|is a video|needs/u);
    expect(isEphemeral(message)).toBe(true);
  });
});

/** A video with captions, and a comment of the channel's own with a reply of its own. */
async function prepare({ sandbox }: Stage): Promise<Readonly<Record<string, string>>> {
  const { video, oauth } = sandbox;
  const { accessToken: token } = oauth.mint({ channelId: video.ownChannelId });
  const client = createVideoClient({ baseUrl: video.url, uploadBaseUrl: video.uploadUrl, token });
  const part = ["snippet"] as const;
  const { uploads: playlistId = "" } = await specialPlaylists(client);
  for await (const page of client.pages("playlistItems.list", { part, playlistId })) {
    for (const { snippet } of page.items) {
      const videoId = snippet?.resourceId?.videoId ?? "";
      const { items: captions } = await client.call("captions.list", { part, videoId });
      if (captions.length === 0) continue;
      const thread = await client.call("commentThreads.insert", {
        part,
        body: {
          snippet: {
            channelId: video.ownChannelId,
            videoId,
            topLevelComment: { snippet: { textOriginal: "Chapters are below." } },
          },
        },
      });
      const parentId = thread.id ?? "";
      const snippetOfReply = { parentId, textOriginal: "And links too." };
      await client.call("comments.insert", { part, body: { snippet: snippetOfReply } });
      const other = `https://youtu.be/${videoId}`;
      return {
        "captions video": videoId,
        "comments comment": parentId,
        "videos rating videos": other,
        "videos report video": other,
        "videos rate video": other,
      };
    }
  }
  throw new Error("no video of the channel has captions");
}
