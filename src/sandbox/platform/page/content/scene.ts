import type { APIMessage } from "discord-api-types/v10";
import type { PageSession } from "../page-session.ts";
import type { Names } from "../state/names.ts";
import type { Waiting } from "../state/page.ts";

/** What the parts of a message need to know about it. */
export interface Scene {
  readonly session: PageSession;
  readonly message: APIMessage;
  readonly names: Names;
  /** What is under way on this message. */
  readonly waiting: readonly Waiting[];
}

export function isBusy(scene: Scene, customId: string): boolean {
  return scene.waiting.some((one) => one.customId === customId && one.failed === undefined);
}
