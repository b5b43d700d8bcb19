import { readFile } from "node:fs/promises";
import type { APIMessage } from "discord-api-types/v10";
import type { Person, SandboxFile } from "./types.ts";

/** What the server is connected with; keys as a person would enter them. */
interface WelcomeFacts {
  readonly video: string;
  readonly background: string;
  /** Address of rembg's stand-in. */
  readonly rembg: string;
  /** Title of the creator's channel. */
  readonly channel: string;
  /** A command's mention, by its name. */
  readonly mention: (command: string) => string;
}

/**
 * The owner's first message, with photographs to work on. What the page can tick stands in a list: each line has the
 * command that is to be used, or in bold the entry of a menu, `Switch` for the person and `Language`.
 */
export async function welcome(
  owner: Person,
  { video, background, rembg, channel, mention }: WelcomeFacts,
): Promise<APIMessage> {
  const words = [
    "**Welcome to Greenroom.** This server runs on your machine only; the bot in it is the real one.",
    `It is connected to YouTube, remove.bg and the channel ${channel}, all simulated. Things to try:`,
    `- ${mention("search")} for a video, for example \`coffee\`, then use its buttons: details, comments, add to a playlist`,
    `- ${mention("videos upload")} with any video file: it stays private unless you say otherwise`,
    `- ${mention("playlists add")} with a few links at once, or **Add to playlist** in the menu of a message that has one (Apps)`,
    `- ${mention("branding banner")} with a large photo: you get a preview first`,
    `- ${mention("comments list")} for what people wrote, ${mention("comments held")} for what waits for a decision`,
    `- ${mention("watch channel")} with \`moderators\`: held comments appear there as cards; simulated visitors keep posting new ones`,
    `- ${mention("rules subscribe")} for a public list of spam, or your own; \`https://lists.example/spam.txt\` is one to try`,
    `- ${mention("background remove")}, or **Remove background** in the menu of these photos`,
    "- **Switch** between owner, moderator and member at the lower left",
    "- **Language**: below that. Commands and answers come in German, Spanish, French and Japanese, too",
    "- **Make something happen** at the top: a wave of spam, an outage, ten minutes later",
    `${mention("connect status")} shows what is connected. To connect it yourself, disconnect first; the keys here are \`${video}\` for YouTube (${mention("connect key")}) and \`${background}\` for remove.bg (${mention("connect background-key")}). A rembg runs at \`${rembg}\` (${mention("connect background-engine")}).`,
  ];
  return owner.say(words.join("\n"), await readSamples());
}

/** What people should know when the sandbox was started with `--keep`. */
export const keptWords =
  "Kept from the last start: what Greenroom stored, such as connections, watches, rules, announcements and spending, and how far the clock was ahead. Gone: earlier messages in Discord, and what happened at YouTube. So Greenroom may find messages and videos deleted, and a channel that it announces is checked hours later at first; “The next day” checks it at once.";

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
