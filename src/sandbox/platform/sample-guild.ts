import type {
  APIDMChannel,
  APIGuildForumChannel,
  APINewsChannel,
  APIRole,
  APITextChannel,
  APIUser,
} from "discord-api-types/v10";
import type { PersonName } from "../types.ts";
import sample from "./sample-guild.json" with { type: "json" };

export interface SampleMember {
  readonly name: PersonName;
  readonly user: APIUser;
  readonly role: APIRole;
  readonly joinedAt: string;
}

/** The server as it is when the stand-in starts, with its members. */
export interface SampleGuild {
  readonly bot: APIUser;
  readonly guildId: string;
  readonly serverName: string;
  readonly roles: readonly APIRole[];
  readonly botRole: APIRole;
  readonly people: Readonly<Record<PersonName, SampleMember>>;
  /** The one for everybody first; those that are created later are added. */
  readonly channels: ServerChannel[];
  /** The direct conversation of the bot and one person; it is empty until one of them opens it. */
  readonly directChannels: Readonly<Record<PersonName, APIDMChannel>>;
}

/** Where messages are written, or posts are begun. */
export type ServerChannel = APITextChannel | APINewsChannel | APIGuildForumChannel;

export const personNames: readonly PersonName[] = ["owner", "moderator", "member"];

/** A fresh copy: channels are added to it. The ids are always the same, because the bot's store refers to them. */
export function createSampleGuild(): SampleGuild {
  const { everyone, ...guild } = structuredClone(sample);
  const people = personNames.map((name) => guild.people[name].role);
  // Discord's types ask for fields that such channels do not have, and the compiler reads numbers as any number.
  return { ...guild, roles: [everyone, guild.botRole, ...people] } as unknown as SampleGuild;
}
