import type { Option } from "../../../src/discord/declare/option.ts";
import type { Route } from "../../../src/discord/declare/routes.ts";
import type { OptionInput } from "../../../src/sandbox/index.ts";
import { createVideoClient, specialPlaylists } from "../../../src/video/index.ts";
import { offered, photo, type Stage } from "../stage.ts";
import { optionValues } from "./values.ts";

export type Filled = Readonly<Record<string, OptionInput>>;

/** Values for options that suggest nothing, or whose first suggestion has nothing to show; by command and option. */
export type KnownValues = Readonly<Record<string, string>>;

/** A value for every required option, taken from the command's own suggestions where it has some. */
export async function fillRequired(
  stage: Pick<Stage, "sandbox">,
  path: string,
  { options }: Pick<Route, "options">,
  known: KnownValues,
): Promise<Filled> {
  // A search needs words or a filter, though neither option is required.
  const given: Record<string, OptionInput> = path === "search" ? { query: "light" } : {};
  for (const [name, option] of Object.entries(options)) {
    if (!option.required) continue;
    given[name] = await optionValue({ stage, known }, { path, name, option }, given);
  }
  return given;
}

interface Wanted {
  readonly path: string;
  readonly name: string;
  readonly option: Option;
}

/** A value that a person would enter for this option, given the others. */
export async function optionValue(
  {
    stage: { sandbox },
    known,
  }: { readonly stage: Pick<Stage, "sandbox">; readonly known: KnownValues },
  { path, name, option }: Wanted,
  others: Filled,
): Promise<OptionInput> {
  const own = known[`${path} ${name}`] ?? known[`${path.split(" ")[0]} ${name}`];
  if (own !== undefined) return own;
  const typed = optionValues[`${path} ${name}`];
  if (typed !== undefined) return typed;
  if (option.choices !== undefined) return option.choices.values[0] ?? "";
  if (option.type === "attachment") return photo("coffee");
  if (option.type === "boolean") return true;
  if (option.type === "integer" || option.type === "number") return option.min ?? 1;
  if (option.type === "channel") return sandbox.platform.channels[0]?.id ?? "";
  if (optionValues[name] !== undefined) return optionValues[name];
  const [first] =
    option.suggest === undefined
      ? []
      : await offered(sandbox.user("owner"), path, name, "", others);
  if (first === undefined) throw new Error(`nothing is known to put into ${name} of /${path}`);
  return first.value;
}

/** A video with captions, and a comment of the channel's own with replies. */
export async function prepareVideo({ sandbox }: Stage): Promise<KnownValues> {
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
      // More replies than one page shows.
      for (const textOriginal of ["And", "links", "too,", "one", "by", "one."]) {
        await client.call("comments.insert", {
          part,
          body: { snippet: { parentId, textOriginal } },
        });
      }
      const { items: sections } = await client.call("channelSections.list", {
        part: ["snippet", "contentDetails"],
        mine: true,
      });
      const section = sections.find(({ snippet: { type } = {} }) => type === "singlePlaylist");
      const { items: playlists } = await client.call("playlists.list", {
        part: ["status"],
        mine: true,
        maxResults: 50,
      });
      // Not the playlist that the section shows already, for which nothing would be sent.
      const playlist = playlists.find(
        ({ id = "", status }) =>
          status?.privacyStatus === "public" && !section?.contentDetails?.playlists?.includes(id),
      );
      const other = `https://youtu.be/${videoId}`;
      return {
        "captions list extra id": captions[0]?.id ?? "",
        "captions video": videoId,
        "channels edit-section section": section?.id ?? "",
        "channels edit-section playlists": playlist?.id ?? "",
        "channels sections extra id": sections[0]?.id ?? "",
        "comments comment": parentId,
        "videos rating videos": other,
        "videos report video": other,
        "videos rate video": other,
      };
    }
  }
  throw new Error("no video of the channel has captions");
}
