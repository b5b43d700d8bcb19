import type { BackgroundServer } from "./background/index.ts";
import type { OAuthServer } from "./oauth/index.ts";
import type { Platform, ShownHappening } from "./platform/index.ts";
import type { SandboxTime } from "./time.ts";
import type { PersonName } from "./types.ts";
import type { VideoServer } from "./video/index.ts";

export interface HappeningDeps {
  readonly background: BackgroundServer;
  readonly oauth: OAuthServer;
  readonly platform: Platform;
  readonly time: SandboxTime;
  readonly video: VideoServer;
}

/** One row of the panel. What its buttons call is what tests call too. */
export interface Happening extends Pick<ShownHappening, "title"> {
  readonly words: string | ((me: PersonName) => string);
  readonly state?: (me: PersonName) => string | undefined;
  /** Its buttons, those that make sense now. */
  readonly presses: (me: PersonName) => readonly HappeningPress[];
}

export interface HappeningPress {
  /** Distinguishes the buttons of a row; the first may go without. */
  readonly name?: string;
  readonly label: string;
  readonly run: () => void;
}
