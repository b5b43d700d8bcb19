import type { APIMessage } from "discord-api-types/v10";
import type { Desk } from "../desk.ts";
import type { Names } from "../state/names.ts";
import type { Waiting } from "../state/page.ts";

/** What a part of a message needs to know about its surroundings. */
export interface Scene {
  readonly desk: Desk;
  readonly message: APIMessage;
  readonly names: Names;
  /** What is under way on this message. */
  readonly waiting: readonly Waiting[];
}

export function isBusy(scene: Scene, customId: string): boolean {
  return scene.waiting.some((one) => one.customId === customId && one.failed === undefined);
}
