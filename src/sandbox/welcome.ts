import { readFile } from "node:fs/promises";
import type { Person, SandboxFile } from "./types.ts";

/** What the server is connected with; keys as a person would enter them. */
interface WelcomeFacts {
  readonly video: string;
  readonly background: string;
  /** Title of the creator's channel. */
  readonly channel: string;
}

function words({ video, background, channel }: WelcomeFacts): string {
  return [
    "**Welcome to Greenroom.** This server runs on your machine only; the bot in it is the real one.",
    `It is connected to both services and to the channel ${channel}. Things to try:`,
    "- `/search` for a video, for example `coffee`, then its buttons: details, comments, add to a playlist",
    "- `/videos upload` with any video file: it stays private unless you say otherwise",
    "- `/playlists add` with a few links at once, or **Add to playlist** in the menu of a message that has one (Apps)",
    "- `/branding banner` with a large photo: you see it as it will be before it is set",
    "- `/comments list` for what people wrote, `/comments held` for what waits for a decision",
    "- `/watch channel` with `moderators`: what waits comes there as cards, and visitors go on writing",
    "- `/background remove`, or **Remove background** in the menu of these photos",
    "- another person at the lower left: be the owner, a moderator or a member, and see what each may do",
    "- another language behind the gear there: German, Spanish, French and Japanese name the commands and answer, too",
    `\`/connect status\` says what is connected. To connect it yourself, disconnect first; the keys here are \`${video}\` for videos (\`/connect key\`) and \`${background}\` for pictures (\`/connect background-key\`).`,
  ].join("\n");
}

/** The owner's first message, with photographs to work on. */
export async function welcome(owner: Person, connected: WelcomeFacts): Promise<void> {
  await owner.say(words(connected), await readSamples());
}

const files = ["coffee.jpg", "cat.jpg", "astronaut.jpg"] as const;

/** The photographs that come with the sandbox, credited in NOTICE; their subjects cut out well. */
export function readSamples(): Promise<SandboxFile[]> {
  return Promise.all(
    files.map(async (name) => ({
      name,
      type: "image/jpeg",
      data: await readFile(new URL(`./samples/${name}`, import.meta.url)),
    })),
  );
}
