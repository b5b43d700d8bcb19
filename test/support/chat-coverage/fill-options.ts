import type { Option } from "../../../src/discord/declare/options.ts";
import type { Route } from "../../../src/discord/declare/routes.ts";
import type { OptionInput } from "../../../src/sandbox/index.ts";
import { createVideoClient, specialPlaylists } from "../../../src/video/index.ts";
import { offered, photo, type Stage } from "../stage.ts";

export type Filled = Readonly<Record<string, OptionInput>>;

/** Values for options that offer nothing, or whose first offer has nothing to show: by command and option. */
export type KnownValues = Readonly<Record<string, string>>;

/** A value for every required option, taken from what the command itself offers. */
export async function fillRequired(
  { sandbox }: Stage,
  path: string,
  { options }: Pick<Route, "options">,
  known: KnownValues,
): Promise<Filled> {
  const given: Record<string, OptionInput> = {};
  for (const [name, option] of Object.entries(options)) {
    if (!option.required) continue;
    given[name] = await valueFor({ sandbox }, { path, name, option }, given, known);
  }
  return given;
}

interface Wanted {
  readonly path: string;
  readonly name: string;
  readonly option: Option;
}

async function valueFor(
  { sandbox }: Pick<Stage, "sandbox">,
  { path, name, option }: Wanted,
  others: Filled,
  known: KnownValues,
): Promise<OptionInput> {
  const own = known[`${path} ${name}`] ?? known[`${path.split(" ")[0]} ${name}`];
  if (own !== undefined) return own;
  if (option.choices !== undefined) return option.choices.values[0] ?? "";
  if (option.type === "attachment") return photo("coffee");
  if (option.suggest !== undefined) {
    const [first] = await offered(sandbox.user("owner"), path, name, "", others);
    if (first === undefined) throw new Error(`/${path} suggests nothing for ${name}`);
    return first.value;
  }
  if (option.type === "channel") return sandbox.platform.channels[0]?.id ?? "";
  return name === "channel" ? "@lowtidemusic" : "light";
}

/** A video with captions, and a comment of the channel's own with a reply of its own. */
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
