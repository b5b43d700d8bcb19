import type { ServerSettings } from "../../store/index.ts";
import type { Words } from "../draw/words.ts";
import type { Rank } from "../rank.ts";

/** Who asks, where, and in which language: all that is known without waiting. */
export interface RequestInfo {
  readonly guildId: string;
  readonly userId: string;
  readonly words: Words;
  readonly settings: ServerSettings;
  now(): number;
}

/** A command or subcommand, as help finds it. */
export interface CommandInfo {
  /** `comments held` */
  readonly path: string;
  readonly rank: Rank;
  /** Names of its options. */
  readonly options: readonly string[];
}
