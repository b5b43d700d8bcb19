import type { APIMessage } from "discord-api-types/v10";
import type { PageSession } from "../page-session.ts";
import type { ShownNames } from "../state/names.ts";
import type { PendingAction } from "../state/page-state.ts";

/** What the parts of a message need to know about it. */
export interface MessageContext {
  readonly session: PageSession;
  readonly message: APIMessage;
  readonly names: ShownNames;
  /** What is under way on this message. */
  readonly waiting: readonly PendingAction[];
}

export function isComponentBusy(scene: MessageContext, customId: string): boolean {
  return scene.waiting.some((one) => one.customId === customId && one.failed === undefined);
}
