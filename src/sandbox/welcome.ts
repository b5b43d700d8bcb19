import { readSamples } from "./samples/index.ts";
import type { Person } from "./types.ts";

/** Keys of the stand-ins, as a person would enter them. */
export interface DemoKeys {
  readonly video: string;
  readonly background: string;
}

function words({ video, background }: DemoKeys): string {
  return [
    "**Welcome to Greenroom.** This server runs on your machine only; the bot in it is the real one.",
    "Things to try:",
    "- `/search` for a video, for example `coffee`",
    "- `/background remove` with a photo of your own, or open a message's menu (Apps) and choose **Remove background** on these photos",
    "- `/connect status` to see what is connected, `/playlists list` and `/videos show` for the channel",
    "- another person at the lower left: be the owner, a moderator or a member, and see what each may do",
    `Both services are connected already. To do it yourself, disconnect first; the keys here are \`${video}\` for videos (\`/connect key\`) and \`${background}\` for pictures (\`/connect background-key\`).`,
  ].join("\n");
}

/** The owner's first message, with photographs to work on. */
export async function welcome(owner: Person, keys: DemoKeys): Promise<void> {
  await owner.say(words(keys), await readSamples());
}
